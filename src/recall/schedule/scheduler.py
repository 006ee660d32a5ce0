"""What a rating does to a card: pure functions from state to state.

Memory comes from the model, in study days; steps inside a day, the order of the buttons and the fuzz are
ours. A state depends on the log and the options alone, so what `previews` shows is what `answer` returns,
and the log can be folded again at any time.
"""

from __future__ import annotations

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import DAY_MS, CardState, Moment, Rating, ReviewKind, State
from recall.schedule.days import DEFAULT_ROLLOVER_H, study_day
from recall.schedule.memory import Memory, MemoryModel
from recall.schedule.plan import RATINGS, Plan, card_seed, plan_for


def advance(
    plan: Plan,
    model: MemoryModel,
    seed: int,
    state: State,
    step: int,
    memory: Memory,
    due: int,
    last_day: int,
    reps: int,
    rating: int,
    ms: int,
    day: int,
) -> tuple[State, int, Memory, int]:
    """(state, step, memory, due) after a review at *ms* on study day *day*: the one rule, for answers and folds.

    *model* is the plan's, or its arithmetic in a fold. *seed* is `card_seed` of the card.
    The others are the card's state before, as in `CardState`.
    """
    if state is State.NEW:
        memory = model.first(rating)
        planned = plan.first_stability[rating]
        table = plan.learning
    else:
        # A clock that ran back counts as the same day.
        memory = model.next(memory, day - last_day, rating)
        planned = memory.stability
        table = plan.relearning if state is State.RELEARNING else plan.learning
    if state is State.REVIEW:
        if rating == 1 and plan.relearning:
            return State.RELEARNING, 0, memory, ms + plan.relearning[0][1].delay_s * 1000
        last = due // DAY_MS - last_day if rating > 1 else 0
        days = plan.interval(planned, last, 1, seed, reps)
        return State.REVIEW, 0, memory, (day + days) * DAY_MS
    minimum = 1
    if table:
        # Fewer steps than when the card was last answered: it stands at the last of them.
        choice = table[min(step, len(table) - 1)][rating]
        if choice.step >= 0:
            waiting = State.RELEARNING if state is State.RELEARNING else State.LEARNING
            return waiting, choice.step, memory, ms + choice.delay_s * 1000
        minimum = choice.minimum_days
    days = plan.interval(planned, 0, minimum, seed, reps)
    return State.REVIEW, 0, memory, (day + days) * DAY_MS


def answer(
    card: CardId,
    state: CardState,
    rating: Rating,
    moment: Moment,
    options: Options,
    kind: ReviewKind = ReviewKind.REVIEW,
    rollover_h: int = DEFAULT_ROLLOVER_H,
) -> CardState:
    """The state of *card* after *rating* at *moment*.

    A `CRAM` review changes nothing. A review ahead of time (`AHEAD`) counts like any other: the model knows
    that little time went by. Raises `UsageError` for options that make no schedule.
    """
    if kind is ReviewKind.CRAM:
        return state
    return _answered(plan_for(options), card_seed(card), state, rating, moment, rollover_h)


def previews(
    card: CardId,
    state: CardState,
    moment: Moment,
    options: Options,
    kind: ReviewKind = ReviewKind.REVIEW,
    rollover_h: int = DEFAULT_ROLLOVER_H,
) -> dict[Rating, CardState]:
    """What each rating of *card* at *moment* would lead to: exactly what `answer` returns for it."""
    if kind is ReviewKind.CRAM:
        return dict.fromkeys(RATINGS, state)
    plan, seed = plan_for(options), card_seed(card)
    return {rating: _answered(plan, seed, state, rating, moment, rollover_h) for rating in RATINGS}


def _answered(plan: Plan, seed: int, before: CardState, rating: Rating, moment: Moment, rollover_h: int) -> CardState:
    day = study_day(moment.ms, moment.offset_min, rollover_h)
    state, step, memory, due = advance(
        plan,
        plan.model,
        seed,
        before.state,
        before.step,
        Memory(before.stability, before.difficulty),
        before.due,
        before.last_day,
        before.reps,
        rating,
        moment.ms,
        day,
    )
    return CardState(
        state,
        step,
        memory.stability,
        memory.difficulty,
        due,
        moment.ms,
        day,
        before.reps + 1,
        before.lapses + (before.state is State.REVIEW and rating == 1),
        before.suspended,
        before.buried_until,
        before.marked,
    )


def is_leech(lapses: int, threshold: int) -> bool:
    """Whether the lapse that brought a card to *lapses* makes it a leech: at *threshold* and every half of it after.

    With a threshold of 8: at 8, 12, 16, ...; a threshold of 0 means never.
    """
    if threshold <= 0 or lapses < threshold:
        return False
    return (lapses - threshold) % max(1, -(-threshold // 2)) == 0
