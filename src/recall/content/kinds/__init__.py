"""The kinds of cards. A new kind is one file beside this one and one row in `_MODULES`."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from recall.content.kinds.contract import Context, Kind, PartView, View
from recall.content.notes import Note, short_hash
from recall.model.card import Card, CardId

__all__ = [
    "Context",
    "Kind",
    "PartView",
    "View",
    "card_id",
    "cards_of",
    "is_supported",
    "kind_named",
    "kind_of",
    "revision",
]

_MODULES = {
    "text": "recall.content.kinds.text",
    "cloze": "recall.content.kinds.cloze",
}
"""Where each kind stands; a module is imported when the first card of its kind comes."""


@cache
def kind_named(name: str) -> Kind:
    """The kind *name*. Raises `KeyError` for a name that no kind has yet."""
    kind: Kind = import_module(_MODULES[name]).KIND
    return kind


def is_supported(note: Note) -> bool:
    """Whether every part of *note* is of a kind that can be shown and judged."""
    return all(part.kind in _MODULES for part in note.parts)


def kind_of(note: Note) -> Kind:
    """The kind of *note*, which is that of its first part."""
    return kind_named(note.kind)


def card_id(note: Note, key: str) -> CardId:
    """Full id of the card *key* of *note*."""
    return CardId(f"{note.id}/{key}" if key else note.id)


def revision(note: Note, key: str) -> str:
    """Hash of the texts that answer; a changed wording of the question leaves it alone."""
    return short_hash(*kind_of(note).answers(note, key))


def cards_of(note: Note, deck: str, tags: tuple[str, ...] = (), position: int = 0) -> tuple[Card, ...]:
    """The cards of *note* in the deck with identity *deck*.

    *tags* are those of the whole deck; *position* is that of the first card, the others follow.
    """
    kind = kind_of(note)
    return tuple(
        Card(
            id=card_id(note, key),
            deck=deck,
            kind=note.kind,
            title=kind.title(note, key),
            revision=short_hash(*kind.answers(note, key)),
            source=note.text,
            place=note.place,
            tags=tuple(dict.fromkeys((*tags, *note.tags))),
            position=position + index,
        )
        for index, key in enumerate(kind.keys(note))
    )
