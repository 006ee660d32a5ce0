"""What every kind of card gives: its keys, what is asked and answered, and how an answer is judged."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from recall.content.notes import Note
from recall.model.fault import Fault
from recall.model.verdict import Verdict


class PartView(NamedTuple):
    """One question of a card with its answer; all texts are Markdown."""

    question: str
    answer: str
    why: str
    hints: tuple[str, ...]
    """Levels, in the order in which they are shown."""


class View(NamedTuple):
    """One card as it is shown; all texts are Markdown.

    The hole that is asked stands between `HOLE_OPEN` and `HOLE_CLOSE` in the question, its text between
    `ANSWER_OPEN` and `ANSWER_CLOSE` in the answer (`recall.prose.marks`).
    """

    question: str
    """The first question."""
    answer: str
    """Everything that the reveal shows: the answer, then each follow-up question with its answer."""
    why: str
    hints: tuple[str, ...]
    parts: tuple[PartView, ...]
    """The chain, for showing one part after the other; one element when there is no `then:`."""
    source: str = ""
    as_of: str = ""
    media: tuple[str, ...] = ()
    """Images and sounds as the deck names them; `recall.content.media.resolve` finds the files."""


class Context(NamedTuple):
    """What a check may need, and nothing else."""

    seed: int = 0
    """Brings the drawn values of a review back."""


class Kind(Protocol):
    """One kind of card: one file in `recall.content.kinds`, one row in its registry."""

    name: str
    typed: bool
    """The learner types an answer."""
    words: frozenset[str]
    """Words of a part that mean something here, beside question, answer, `why` and `hint`."""

    def keys(self, note: Note) -> tuple[str, ...]:
        """The cards of *note*: `""` for `ID` itself, else what stands after `ID/`."""
        ...

    def view(self, note: Note, key: str) -> View:
        """What is asked and what is answered. Raises `KeyError` when the note has no card *key*."""
        ...

    def title(self, note: Note, key: str) -> str:
        """The question in one line of plain text."""
        ...

    def answers(self, note: Note, key: str) -> tuple[str, ...]:
        """The texts that answer: when one of them changes, the card's revision does."""
        ...

    def check(self, note: Note, key: str, given: str, context: Context) -> Verdict:
        """The verdict on what the learner typed."""
        ...

    def faults(self, note: Note) -> list[Fault]:
        """What is wrong with *note*, by the rules of the kind; an error drops it."""
        ...
