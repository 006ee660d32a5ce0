"""What the shipped decks say in numbers, computed again: one module a deck, one row a number or formula.

A row names the note, the words as the card writes them, and the value that they must have. The value is an
expression that computes it, or a constant copied from a source with its name beside it. A content test holds the
cards to these rows, and sees to it that no number on a card is without one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One number as a card writes it: the first number in `written` must be `value`, rounded as printed."""

    note: str
    written: str
    value: float


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula, range or relation as a card writes it, and whether it holds."""

    note: str
    written: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Given:
    """Numbers that a question gives, pinned: the answer was computed for these."""

    note: str
    written: str


Row = Figure | Claim | Given


def between(low: float, value: float, high: float) -> bool:
    """Whether *value* lies from *low* to *high*, both included."""
    return low <= value <= high
