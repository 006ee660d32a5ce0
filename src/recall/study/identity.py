"""Cards that go on under another id: only where it is certain that they are the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from recall.model.card import CardId
from recall.store import daily, log

if TYPE_CHECKING:
    from recall.content.deck import Deck
    from recall.content.notes import Note
    from recall.study.study import Study


def rewritten_holes(study: Study, notes: Iterable[Note]) -> list[tuple[CardId, CardId]]:
    """(old, new) ids of holes without a key whose text was rewritten, by the index as it still is.

    A hole's text names it. Where in one note exactly one such hole vanished and one appeared, it is the same.
    """
    from recall.content.kinds.cloze import same_hole
    from recall.content.notes import NoteError, parse_note

    pairs: list[tuple[CardId, CardId]] = []
    for note in notes:
        stored = daily.note_text(study.database, note.id) if note.kind == "cloze" else None
        if stored is None or stored.text == note.text:
            continue
        try:
            before = parse_note(stored.text, stored.file, stored.line, note.id)
        except NoteError:
            continue
        if before.kind == "cloze" and (keys := same_hole(before, note)) is not None:
            pairs.append((CardId(f"{note.id}/{keys[0]}"), CardId(f"{note.id}/{keys[1]}")))
    return pairs


def join_rewritten(study: Study, pairs: Iterable[tuple[CardId, CardId]]) -> list[CardId]:
    """Give each new card of *pairs* the history of the old one; returns the cards that got one."""
    now = study.clock.now()
    return [new for old, new in pairs if log.relink_card(study.database, old, new, study.machine, now)]


def join_named(study: Study, read: Mapping[str, Deck], owners: Mapping[str, str]) -> list[CardId]:
    """Give notes that were named by an `id:` line the history that they had while their question named them.

    The question is the same to the letter, so nothing is guessed. Returns the cards that got a history.
    """
    from recall.content.notes import hashed_id

    before = {
        hashed_id(note.parts[0].question.text): note.id
        for deck, content in read.items()
        for note in content.notes
        if note.explicit_id and owners[note.id] == deck
    }
    joined: list[CardId] = []
    for old, new in before.items():
        if old not in owners:
            joined += log.relink_note(study.database, old, new, study.machine, study.clock.now())
    return joined
