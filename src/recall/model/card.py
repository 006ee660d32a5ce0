"""What is asked: notes, the cards they give, and where each stands in a file.

A *note* is one piece of deck text from `Q:` or `C:` to the next; a *card* is one thing that is scheduled.
A basic note gives one card, `ID`; with `reverse:` a second, `ID/reverse`; a cloze gives one for each hole or
group of holes, `ID/KEY`. Cards of one note are *siblings*.
"""

from __future__ import annotations

from typing import NamedTuple, NewType

NoteId = NewType("NoteId", str)
CardId = NewType("CardId", str)
"""Full form: the note's id, then `/KEY` where the note gives more than one card or has holes."""


def note_of(card: CardId) -> NoteId:
    """The note that *card* belongs to."""
    return NoteId(card.partition("/")[0])


class Place(NamedTuple):
    """A position in a file. Lines and columns count from 1; columns count characters."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Card(NamedTuple):
    """One scheduled thing, as the index in the store knows it."""

    id: CardId
    deck: str
    """Identity of the deck: its path without ending, `/` between levels, below its root."""
    kind: str
    """`text`, `cloze`, ... as in the deck grammar."""
    title: str
    """The question in one line of plain text, for lists."""
    revision: str
    """Hash of the sections that answer; it changes when the answer changes, not when the wording does."""
    source: str
    """The note's text as it stands in the file."""
    place: Place
    tags: tuple[str, ...] = ()
    position: int = 0
    """Order of the card in its deck, from 0: the order in which new cards come."""

    @property
    def note(self) -> NoteId:
        return note_of(self.id)
