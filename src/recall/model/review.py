"""What happened: ratings, the review log, and the state folded from it.

Instants are integers: milliseconds since 1970-01-01T00:00Z. A *study day* is the number of a local calendar
day since 1970-01-01, a day lasting from rollover to rollover.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple

from recall.model.card import CardId

DAY_MS = 86_400_000


class Rating(IntEnum):
    """What the learner chose."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class State(IntEnum):
    """Where a card stands; learning and relearning are the steps inside a day."""

    NEW = 0
    LEARNING = 1
    REVIEW = 2
    RELEARNING = 3


class ReviewKind(IntEnum):
    """Why a review took place. The log keeps the number, so a number is never given another meaning.

    The fold counts the first four; `RESET` forgets; it passes over the others.
    """

    LEARN = 0
    REVIEW = 1
    RELEARN = 2
    AHEAD = 3
    CRAM = 4
    MANUAL = 5
    RESET = 6
    FILTERED = 7


class Moment(NamedTuple):
    """An instant and the local time of the learner at it."""

    ms: int
    offset_min: int
    """Local time minus UTC, in minutes, by the zone's rules at this instant."""


class Review(NamedTuple):
    """One row of the review log: one rating of one card."""

    id: int
    """Time-ordered: 42 bits of milliseconds, then 21 bits that keep it unique. The fold goes by it."""
    card: CardId
    session: int
    """The sitting it belongs to, which says on which machine it was."""
    shown_at: int
    rated_at: int
    offset_min: int
    rating: Rating
    kind: ReviewKind
    suggested: Rating | None = None
    outcome: str = "self_rated"
    answer: str | None = None
    seed: int = 0
    revision: str = ""
    thinking_ms: int = 0
    """Time from question to rating, capped by the option `answer_cap_s`."""
    hints: int = 0
    parts: str | None = None
    """JSON: verdict and time of each part."""
    measurement: int | None = None
    source: str = ""
    """Empty: here; else the program that the row was imported from."""


class Act(StrEnum):
    """What an event did to a card, beside reviews."""

    SUSPEND = "suspend"
    UNSUSPEND = "unsuspend"
    BURY = "bury"
    UNBURY = "unbury"
    MARK = "mark"
    UNMARK = "unmark"
    FORGET = "forget"
    SET_DUE = "set_due"
    RELINK = "relink"
    DISPUTE = "dispute"


class Event(NamedTuple):
    """One row of the event log. *id* shares its order with `Review.id`."""

    id: int
    card: CardId
    action: int
    """Id of the first row of the user's action that this row belongs to: undo takes all of them back."""
    machine: str
    at: int
    offset_min: int
    act: Act
    value: int | None = None
    """`BURY` and `SET_DUE`: the study day; else None."""
    text: str | None = None
    """`RELINK`: the id that the history moves to; `DISPUTE`: the answer, as JSON."""


class CardState(NamedTuple):
    """What the scheduler knows of a card: the fold of its reviews and events. A cache, never the truth."""

    state: State = State.NEW
    step: int = 0
    """Index into the learning or relearning steps; 0 in other states."""
    stability: float = 0.0
    """Days until retrievability falls to 90 %; 0 when new."""
    difficulty: float = 0.0
    """1 to 10; 0 when new."""
    due: int = 0
    """Learning and relearning: the instant. Review: `study day * DAY_MS`, whatever the zone. New: 0."""
    last_review: int = 0
    """Instant of the last review that counted; 0 when none."""
    last_day: int = 0
    """Study day of that review."""
    reps: int = 0
    """Reviews that counted, since the last `FORGET`."""
    lapses: int = 0
    """Times that a card in `REVIEW` was rated again."""
    suspended: bool = False
    buried_until: int = 0
    """Study day from which the card comes again; 0 when not buried."""
    marked: bool = False

    @property
    def due_day(self) -> int:
        """Study day of a card in `REVIEW`."""
        return self.due // DAY_MS


NEW_STATE = CardState()
