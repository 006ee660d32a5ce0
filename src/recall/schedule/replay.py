"""The state of one card from its log, row by row: the reference that every other way of folding must equal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import DAY_MS, Act, CardState, ReviewKind, State
from recall.schedule.days import DEFAULT_ROLLOVER_H, study_day
from recall.schedule.memory import Memory
from recall.schedule.plan import card_seed, plan_for
from recall.schedule.scheduler import advance


class ReviewRow(NamedTuple):
    """What the fold needs of a review. *rating* and *kind* may be plain numbers as a database gives them."""

    id: int
    rated_at: int
    offset_min: int
    rating: int
    kind: int


class EventRow(NamedTuple):
    """What the fold needs of an event."""

    id: int
    act: str
    value: int | None = None


COUNTED_KINDS = tuple(int(kind) for kind in (ReviewKind.LEARN, ReviewKind.REVIEW, ReviewKind.RELEARN, ReviewKind.AHEAD))
"""Reviews that change memory and due day. `RESET` forgets; the others are passed over."""

_NO_MEMORY = Memory(0.0, 0.0)


def replay(
    card: CardId,
    reviews: Iterable[ReviewRow],
    events: Iterable[EventRow],
    options: Options,
    rollover_h: int = DEFAULT_ROLLOVER_H,
) -> CardState:
    """The state of *card* after *reviews* and *events*, each in the order of their ids; voided rows left out.

    `FORGET` (and an imported `RESET` row) starts afresh, counts included, and leaves the flags. `SET_DUE`
    sets the day on which the card comes: one in its steps leaves them for that day; a new card stays new and
    waits for it. `RELINK` and `DISPUTE` change nothing here.
    """
    plan, seed = plan_for(options), card_seed(card)
    model = plan.arithmetic
    state, step, memory, due = State.NEW, 0, _NO_MEMORY, 0
    last_review = last_day = reps = lapses = 0
    suspended = marked = False
    buried_until = 0
    waiting = list(events)
    waiting.reverse()
    next_event = waiting[-1].id if waiting else None

    for row in (*reviews, None):
        while next_event is not None and (row is None or next_event < row.id):
            _, act, value = waiting.pop()
            next_event = waiting[-1].id if waiting else None
            if act == Act.SUSPEND:
                suspended = True
            elif act == Act.UNSUSPEND:
                suspended = False
            elif act == Act.BURY:
                buried_until = value or 0
            elif act == Act.UNBURY:
                buried_until = 0
            elif act == Act.MARK:
                marked = True
            elif act == Act.UNMARK:
                marked = False
            elif act == Act.FORGET:
                state, step, memory, due = State.NEW, 0, _NO_MEMORY, 0
                last_review = last_day = reps = lapses = 0
            elif act == Act.SET_DUE:
                due, step = (value or 0) * DAY_MS, 0
                if state is not State.NEW:
                    state = State.REVIEW
        if row is None:
            break
        _, rated_at, offset_min, rating, kind = row
        if kind in COUNTED_KINDS:
            day = study_day(rated_at, offset_min, rollover_h)
            if rating == 1 and state is State.REVIEW:
                lapses += 1
            state, step, memory, due = advance(
                plan, model, seed, state, step, memory, due, last_day, reps, rating, rated_at, day
            )
            last_review, last_day = rated_at, day
            reps += 1
        elif kind == ReviewKind.RESET:
            state, step, memory, due = State.NEW, 0, _NO_MEMORY, 0
            last_review = last_day = reps = lapses = 0
    return CardState(
        state,
        step,
        memory.stability,
        memory.difficulty,
        due,
        last_review,
        last_day,
        reps,
        lapses,
        suspended,
        buried_until,
        marked,
    )
