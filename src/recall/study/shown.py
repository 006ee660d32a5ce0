"""A card ready to be shown: its stored text read as its kind says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall.model.card import Card, CardId, Place, note_of
from recall.model.review import CardState
from recall.store import daily
from recall.store.states import state_of

if TYPE_CHECKING:
    from recall.content.kinds import Kind
    from recall.content.notes import Note
    from recall.study.study import Study


@dataclass(frozen=True, slots=True)
class Shown:
    """One card as a learner sees it; all texts are Markdown with the marks of `recall.prose.marks`."""

    card: Card
    deck_name: str
    kind: str
    question: str
    answer: str
    why: str
    hints: tuple[str, ...]
    source: str
    as_of: str
    typed: bool
    state: CardState
    changed: bool
    """The answer is not the one that the learner gave at the last review."""
    media: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A card's note with its kind, for what needs more than to show it."""

    note: Note
    kind: Kind
    key: str
    shown: Shown


def read_card(study: Study, card: CardId) -> Read | None:
    """*card* from the index, or None when it is not there or its text cannot be read any more."""
    from recall.content.kinds import kind_of
    from recall.content.notes import NoteError, parse_note

    database = study.database
    facts = daily.card_facts(database, card)
    stored = daily.note_text(database, note_of(card))
    state = state_of(database, card)
    if facts is None or stored is None or state is None:
        return None
    try:
        note = parse_note(stored.text, stored.file, stored.line, note_of(card))
        kind = kind_of(note)
        key = card.partition("/")[2]
        view = kind.view(note, key)
    except (NoteError, KeyError):
        return None
    before = daily.last_revision(database, card) if state.reps else None
    shown = Shown(
        card=Card(
            card, facts.deck, facts.kind, facts.title, facts.revision, stored.text, Place(stored.file, stored.line)
        ),
        deck_name=study.deck_name(facts.deck),
        kind=facts.kind,
        question=view.question,
        answer=view.answer,
        why=view.why,
        hints=view.hints,
        source=view.source,
        as_of=view.as_of,
        typed=kind.typed,
        state=state,
        changed=bool(before) and before != facts.revision,
        media=view.media,
    )
    return Read(note, kind, key, shown)
