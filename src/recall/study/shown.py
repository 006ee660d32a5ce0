"""A card ready to be shown: its stored text read as its kind says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recall.model.card import Card, CardId, Place, note_of
from recall.model.review import CardState
from recall.store import daily

if TYPE_CHECKING:
    from recall.content.kinds import Kind
    from recall.content.notes import Note
    from recall.study.study import Study


class Shown(NamedTuple):
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


class Read(NamedTuple):
    """A card's note with its kind, for what needs more than to show it."""

    note: Note
    kind: Kind
    key: str
    shown: Shown
    absent: bool
    """The card is missing from the files, or hidden with its deck."""


def read_card(study: Study, card: CardId) -> Read | None:
    """*card* from the index, or None when it is not there or its text cannot be read any more."""
    from recall.content.kinds import kind_of
    from recall.content.notes import NoteError, parse_note

    stored = daily.stored_card(study.database, card)
    if stored is None:
        return None
    facts, text, state = stored.facts, stored.text, stored.state
    try:
        note = parse_note(text.text, text.file, text.line, note_of(card))
        kind = kind_of(note)
        key = card.partition("/")[2]
        view = kind.view(note, key)
    except (NoteError, KeyError):
        return None
    deck = study.deck_row(facts.deck)
    shown = Shown(
        card=Card(card, facts.deck, facts.kind, facts.title, facts.revision, text.text, Place(text.file, text.line)),
        deck_name=study.deck_name(facts.deck),
        kind=facts.kind,
        question=view.question,
        answer=view.answer,
        why=view.why,
        hints=view.hints,
        source=view.source or (deck.source if deck else ""),
        as_of=view.as_of or (deck.as_of if deck else ""),
        typed=kind.typed,
        state=state,
        changed=bool(state.reps and stored.last_revision) and stored.last_revision != facts.revision,
        media=view.media,
    )
    return Read(note, kind, key, shown, stored.absent)
