"""The states of all cards from the whole log at once, in NumPy: equal to `replay`, a hundred times as fast.

Reviews of one card follow one another, those of different cards do not: so the k-th reviews of all cards are
reckoned together, round by round. Integers equal those of `replay` exactly, floats to a few units in the last
place: the arithmetic is the same, in the same order. Cards are taken by set of options, so that weights are
plain numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from recall.model.options import Options
from recall.model.review import DAY_MS, Act, CardState, ReviewKind, State
from recall.schedule.days import DEFAULT_ROLLOVER_H, HOUR_MS, MINUTE_MS
from recall.schedule.fsrs6 import Fsrs6Arithmetic
from recall.schedule.memory import STABILITY_MAX, STABILITY_MIN
from recall.schedule.plan import FUZZ_RANGES, Plan, StepChoice, plan_for
from recall.schedule.replay import COUNTED_KINDS

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

_RESET = int(ReviewKind.RESET)
_SET_DUE = len(ReviewKind)
"""Code of a row that stands for a `SET_DUE` event; its `rated_at` is the due day in ms."""
_COUNTED = np.array([kind in COUNTED_KINDS for kind in ReviewKind] + [True])
"""By code: whether the row takes part in a round."""


@dataclass(frozen=True, slots=True)
class Reviews:
    """The log as columns of one length, sorted by card, then id; voided rows left out."""

    card: Ints
    """Index of the card: 0 and up, in the order of `Cards`."""
    rated_at: Ints
    """ms."""
    offset_min: Ints
    rating: Ints
    kind: Ints
    """As in `ReviewKind`."""
    id: Ints | None = None
    """Needed only when there are events, to set them among the reviews."""


@dataclass(frozen=True, slots=True)
class Cards:
    """What the fold must know of each card, by index."""

    seed: Ints
    """`card_seed` of the id."""
    options: Ints
    """Index into the list of options."""


class CardEvent(NamedTuple):
    """An event of the card with index *card*; as in `EventRow`."""

    card: int
    id: int
    act: str
    value: int | None = None


@dataclass(frozen=True, slots=True)
class States:
    """Every field of `CardState`, a column each, by card."""

    state: NDArray[np.int8]
    step: NDArray[np.int8]
    stability: Floats
    difficulty: Floats
    due: NDArray[np.int64]
    last_review: NDArray[np.int64]
    last_day: NDArray[np.int32]
    reps: NDArray[np.int32]
    lapses: NDArray[np.int32]
    suspended: NDArray[np.bool_]
    buried_until: NDArray[np.int32]
    marked: NDArray[np.bool_]

    @classmethod
    def new(cls, count: int) -> States:
        """States of *count* new cards."""
        return cls(
            np.zeros(count, np.int8),
            np.zeros(count, np.int8),
            np.zeros(count),
            np.zeros(count),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.int32),
            np.zeros(count, np.bool_),
            np.zeros(count, np.int32),
            np.zeros(count, np.bool_),
        )

    def card(self, index: int) -> CardState:
        """The state of one card."""
        return CardState(
            State(int(self.state[index])),
            int(self.step[index]),
            float(self.stability[index]),
            float(self.difficulty[index]),
            int(self.due[index]),
            int(self.last_review[index]),
            int(self.last_day[index]),
            int(self.reps[index]),
            int(self.lapses[index]),
            bool(self.suspended[index]),
            int(self.buried_until[index]),
            bool(self.marked[index]),
        )


def fold_all(
    reviews: Reviews,
    cards: Cards,
    options: Sequence[Options],
    events: Sequence[CardEvent] = (),
    rollover_h: int = DEFAULT_ROLLOVER_H,
) -> States:
    """The state of every card in *cards* after *reviews* and *events* (these in order of their ids).

    Raises `UsageError` for options that make no schedule, `ValueError` when events come without review ids.
    """
    count = len(cards.seed)
    states = States.new(count)
    _fold_flags(states, events)
    card, rated_at, offset, rating, kind = _with_events(reviews, events)

    keep = _COUNTED[kind]
    resets = np.flatnonzero(kind == _RESET)
    if len(resets):
        begin = np.zeros(count, np.int64)
        np.maximum.at(begin, card[resets], resets + 1)
        keep &= np.arange(len(card)) >= begin[card]
    if not keep.all():
        card, rated_at, offset, rating, kind = (column[keep] for column in (card, rated_at, offset, rating, kind))
    shift = offset.astype(np.int64) * MINUTE_MS - rollover_h * HOUR_MS
    day = ((rated_at + shift) // DAY_MS).astype(np.int32)
    log = _Log(rated_at, day, rating.astype(np.int8), kind == _SET_DUE if (kind == _SET_DUE).any() else None)

    length = np.bincount(card, minlength=count)
    start = np.cumsum(length) - length
    for index, one in enumerate(options):
        members = np.flatnonzero((cards.options == index) & (length > 0))
        if len(members):
            _Group(plan_for(one), members, cards.seed, start, length).fold(log, states)
    return states


def _fold_flags(states: States, events: Sequence[CardEvent]) -> None:
    for card, _, act, value in events:
        if act in (Act.SUSPEND, Act.UNSUSPEND):
            states.suspended[card] = act == Act.SUSPEND
        elif act in (Act.MARK, Act.UNMARK):
            states.marked[card] = act == Act.MARK
        elif act == Act.BURY:
            states.buried_until[card] = value or 0
        elif act == Act.UNBURY:
            states.buried_until[card] = 0


def _with_events(reviews: Reviews, events: Sequence[CardEvent]) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Columns of *reviews*, with a row for each `FORGET` (as a reset) and `SET_DUE`, in its place by id."""
    columns = (reviews.card, reviews.rated_at, reviews.offset_min, reviews.rating, reviews.kind)
    moving = [event for event in events if event.act in (Act.FORGET, Act.SET_DUE)]
    if not moving:
        return columns
    if reviews.id is None:
        raise ValueError("events are set among reviews by id, and the reviews have none")
    moving.sort(key=lambda event: (event.card, event.id))
    places: list[int] = []
    for event in moving:
        first, last = np.searchsorted(reviews.card, [event.card, event.card + 1])
        places.append(int(first + np.searchsorted(reviews.id[first:last], event.id)))
    inserted = (
        [event.card for event in moving],
        [(event.value or 0) * DAY_MS for event in moving],
        0,
        0,
        [_SET_DUE if event.act == Act.SET_DUE else _RESET for event in moving],
    )
    card, rated_at, offset, rating, kind = (
        np.insert(column, places, values) for column, values in zip(columns, inserted, strict=True)
    )
    return card, rated_at, offset, rating, kind


class _Log(NamedTuple):
    """Rows that take part in rounds."""

    rated_at: Ints
    day: NDArray[np.int32]
    rating: NDArray[np.int8]
    set_due: NDArray[np.bool_] | None
    """Which rows stand for `SET_DUE`; None: not one."""


class _Group:
    """The cards under one plan, those with most reviews first: in round k the first so many still have one."""

    def __init__(self, plan: Plan, members: Ints, seed: Ints, start: Ints, length: Ints) -> None:
        order = np.argsort(-length[members], kind="stable")
        self._members = members[order]
        self._start = start[self._members]
        self._length = length[self._members]
        self._seed = seed[self._members].astype(np.uint64) << np.uint64(32)
        self._plan = plan
        self._model = cast(Fsrs6Arithmetic, plan.arithmetic)
        self._steps = _StepTable(plan)
        self._states = States.new(len(members))

    def fold(self, log: _Log, into: States) -> None:
        """Go through all rounds and write the states of the members into *into*."""
        for k in range(int(self._length[0])):
            alive = int(np.searchsorted(-self._length, -k))
            rows = self._start[:alive] + k
            if log.set_due is None:
                self._review(slice(0, alive), log, rows, all_new=k == 0)
                continue
            set_due = log.set_due[rows]
            self._set_due(np.flatnonzero(set_due), log.rated_at[rows[set_due]])
            new = self._states.state[:alive] == State.NEW
            for at, all_new in ((new & ~set_due, True), (~new & ~set_due, False)):
                if at.any():
                    self._review(np.flatnonzero(at), log, rows[at], all_new=all_new)
        for name in ("state", "step", "stability", "difficulty", "due", "last_review", "last_day", "reps", "lapses"):
            getattr(into, name)[self._members] = getattr(self._states, name)

    def _set_due(self, at: Ints, due: Ints) -> None:
        states = self._states
        states.due[at] = due
        states.step[at] = 0
        states.state[at] = np.where(states.state[at] == State.NEW, State.NEW, State.REVIEW)

    def _review(self, at: slice | Ints, log: _Log, rows: Ints, *, all_new: bool) -> None:
        """One review of each card in *at*, logged in *rows*; *all_new*: all of them are new, else none is."""
        states = self._states
        rating, day, ms = log.rating[rows], log.day[rows], log.rated_at[rows]
        before, last_day = states.state[at], states.last_day[at]
        in_review = before == State.REVIEW
        if all_new:
            firsts = np.array(self._model.firsts)
            stability, difficulty = firsts[rating, 0], firsts[rating, 1]
            planned = np.array(self._plan.first_stability)[rating]
        else:
            stability, difficulty = _next(
                self._model, states.stability[at], states.difficulty[at], day - last_day, rating
            )
            planned = stability
        choice = self._steps.index(before, states.step[at], rating)
        step = self._steps.step[choice]
        due = ms + self._steps.delay_ms[choice]
        after = self._steps.state[choice]
        leaving = np.flatnonzero(step < 0)
        if len(leaving):
            last = np.where(in_review & (rating > 1), states.due[at] // DAY_MS - last_day, 0)[leaving]
            share = _fuzz_share(self._seed[at][leaving], states.reps[at][leaving])
            days = _intervals(self._plan, planned[leaving], last, self._steps.minimum_days[choice[leaving]], share)
            due[leaving] = (day[leaving] + days) * DAY_MS
            step = np.maximum(step, 0)
        states.lapses[at] += in_review & (rating == 1)
        states.reps[at] += 1
        states.state[at], states.step[at], states.due[at] = after, step, due
        states.stability[at], states.difficulty[at] = stability, difficulty
        states.last_review[at], states.last_day[at] = ms, day


class _StepTable:
    """`Plan.learning` and `Plan.relearning` as arrays; their entries go by state, step and rating."""

    def __init__(self, plan: Plan) -> None:
        leaves = (StepChoice(-1, 0, 1),) * 5
        lapse = plan.relearning[0][1] if plan.relearning else leaves[1]
        learning = plan.learning or (leaves,)
        relearning = plan.relearning or (leaves,)
        # By state: new and learning, review (one row: what a lapse does), relearning.
        tables = (learning, learning, ((leaves[0], lapse, *leaves[2:]),), relearning)
        self._width = max(len(table) for table in tables)
        self._last = np.array([len(table) - 1 for table in tables])
        waiting = (State.LEARNING, State.LEARNING, State.RELEARNING, State.RELEARNING)
        rows = [
            (choice, state)
            for table, state in zip(tables, waiting, strict=True)
            for row in (*table, *(table[-1:] * (self._width - len(table))))
            for choice in row
        ]
        self.step = np.array([choice.step for choice, _ in rows], np.int8)
        self.delay_ms = np.array([choice.delay_s * 1000 for choice, _ in rows], np.int64)
        self.minimum_days = np.array([choice.minimum_days for choice, _ in rows], np.int64)
        self.state = np.array([State.REVIEW if choice.step < 0 else state for choice, state in rows], np.int8)

    def index(self, state: Ints, step: Ints, rating: Ints) -> Ints:
        """Where the entries of cards in *state* at *step* that get *rating* stand in the columns."""
        return (state.astype(np.int64) * self._width + np.minimum(step, self._last[state])) * 5 + rating


def _next(model: Fsrs6Arithmetic, s: Floats, d: Floats, elapsed: Ints, rating: Ints) -> tuple[Floats, Floats]:
    """`Fsrs6Arithmetic.next` for arrays: stability and difficulty after one review each."""
    w = model.parameters
    again = rating == 1
    days = np.maximum(elapsed, 0).astype(np.float64)
    forgotten = 1 - (1 + model.factor * days / s) ** model.decay

    gain = np.array(model.same_day_gain)[rating] * s ** -w[19]
    same_day = s * np.where((gain > 1.0) | again, gain, 1.0)

    recalled = s * (
        1
        + model.recall_gain
        * (11 - d)
        * s ** -w[9]
        * (np.power(math.e, forgotten * w[10]) - 1)
        * np.array(model.recall_share)[rating]
    )
    later = recalled
    lapsed = np.flatnonzero(again)
    if len(lapsed):
        old = s[lapsed]
        later[lapsed] = np.minimum(
            w[11] * d[lapsed] ** -w[12] * ((old + 1) ** w[13] - 1) * np.power(math.e, forgotten[lapsed] * w[14]),
            old / model.lapse_divisor,
        )
    after = np.where(elapsed < 1, same_day, later)
    damped = d + (10.0 - d) * np.array(model.difficulty_change)[rating] / 9.0
    difficulty = model.difficulty_aim + (1 - w[7]) * damped
    return np.clip(after, STABILITY_MIN, STABILITY_MAX), np.clip(difficulty, 1.0, 10.0)


def _intervals(plan: Plan, stability: Floats, last: Ints, minimum: Ints, share: Floats) -> Ints:
    """`Plan.interval` for arrays."""
    model = cast(Fsrs6Arithmetic, plan.arithmetic)
    maximum = plan.maximum
    days = stability / model.factor * (plan.options.desired_retention ** (1 / model.decay) - 1)
    longer = (np.rint(days) > last) & (last >= minimum)
    minimum = np.minimum(np.where(longer, last + 1, minimum), maximum)
    days = np.minimum(np.maximum(days, minimum), float(maximum))
    exact = np.minimum(np.maximum(np.rint(days), minimum), maximum).astype(np.int64)
    if not plan.options.fuzz:
        return exact
    spread = np.ones(len(days))
    for start, end, part in FUZZ_RANGES:
        spread += part * np.maximum(np.minimum(days, end) - start, 0.0)
    lower = np.minimum(np.maximum(np.rint(days - spread), minimum), maximum).astype(np.int64)
    upper = np.minimum(np.maximum(np.rint(days + spread), minimum), maximum).astype(np.int64)
    upper += (lower == upper) & (upper < maximum)
    drawn = np.minimum(lower + (share * (1 + upper - lower)).astype(np.int64), upper)
    return np.where(days < 2.5, exact, drawn)


def _fuzz_share(seed: NDArray[np.uint64], reps: Ints) -> Floats:
    """`fuzz_share` for arrays; *seed* already in the upper half."""
    z = (seed | reps.astype(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0**-53
