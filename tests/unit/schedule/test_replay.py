"""The state of a card from its log."""

from __future__ import annotations

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import DAY_MS, NEW_STATE, Act, CardState, Moment, Rating, ReviewKind, State
from recall.schedule.replay import EventRow, ReviewRow, replay
from recall.schedule.scheduler import answer

CARD = CardId("warp-size")
OPTIONS = Options()
START = 20_514 * DAY_MS + 9 * 3_600_000


def row(number: int, day: float, rating: int = 3, kind: int = ReviewKind.REVIEW) -> ReviewRow:
    """Review *day* days after the start, at nine o'clock UTC."""
    return ReviewRow(number, START + int(day * DAY_MS), 0, rating, kind)


HISTORY = [row(10, 0), row(20, 0.01), row(30, 2), row(40, 9, 1), row(50, 9.01), row(60, 11)]


def folded(reviews: list[ReviewRow], *events: EventRow) -> CardState:
    return replay(CARD, reviews, events, OPTIONS)


def test_an_empty_log_is_a_new_card() -> None:
    assert folded([]) == NEW_STATE


def test_the_fold_counts_repetitions_and_lapses() -> None:
    state = folded(HISTORY)
    assert (state.state, state.reps, state.lapses) == (State.REVIEW, 6, 1)
    assert state.last_review == HISTORY[-1].rated_at
    assert state.last_day == 20_514 + 11


def test_rows_that_do_not_count_are_passed_over() -> None:
    """Cram, manual and filtered rows leave the state alone, as plain numbers or as `ReviewKind`."""
    noise = [row(31, 3, 1, ReviewKind.CRAM), row(32, 3, 0, int(ReviewKind.MANUAL)), row(33, 4, 2, ReviewKind.FILTERED)]
    assert folded([*HISTORY[:3], *noise, *HISTORY[3:]]) == folded(HISTORY)


def test_ahead_counts_as_any_review() -> None:
    assert folded([*HISTORY[:3], row(40, 5, 3, ReviewKind.AHEAD)]) == folded([*HISTORY[:3], row(40, 5)])


def test_forget_starts_afresh_with_counts_and_keeps_flags() -> None:
    marked = EventRow(5, Act.MARK)
    assert folded(HISTORY, marked, EventRow(70, "forget")) == CardState(marked=True)
    again = folded([*HISTORY, row(80, 20)], EventRow(70, "forget"))
    assert again == folded([row(80, 20)])
    assert again.reps == 1


def test_an_imported_reset_row_forgets_too() -> None:
    assert folded([*HISTORY, row(70, 15, 0, ReviewKind.RESET), row(80, 20)]) == folded([row(80, 20)])


def test_set_due_moves_the_day_and_not_the_memory() -> None:
    day = 20_514 + 40
    before, after = folded(HISTORY), folded(HISTORY, EventRow(70, "set_due", day))
    assert after.due_day == day
    assert (after.stability, after.difficulty, after.reps) == (before.stability, before.difficulty, before.reps)


def test_set_due_takes_a_card_out_of_its_steps() -> None:
    state = folded(HISTORY[:1], EventRow(15, "set_due", 20_520))
    assert (state.state, state.step, state.due_day) == (State.REVIEW, 0, 20_520)


def test_set_due_lets_a_new_card_wait() -> None:
    state = folded([], EventRow(5, "set_due", 20_520))
    assert (state.state, state.due_day, state.stability) == (State.NEW, 20_520, 0.0)
    assert folded([row(10, 9)], EventRow(5, "set_due", 20_520)) == folded([row(10, 9)])


def test_events_take_their_place_among_the_reviews() -> None:
    """A due day set before the next review is overwritten by it."""
    assert folded(HISTORY, EventRow(55, "set_due", 20_600)).due_day != 20_600
    assert folded(HISTORY, EventRow(65, "set_due", 20_600)).due_day == 20_600


def test_flags_follow_the_last_event() -> None:
    on = folded([], EventRow(1, "suspend"), EventRow(2, "mark"), EventRow(3, "bury", 20_600))
    assert on == CardState(suspended=True, marked=True, buried_until=20_600)
    off = [EventRow(4, "unsuspend"), EventRow(5, "unmark"), EventRow(6, "unbury")]
    assert folded([], EventRow(1, "suspend"), EventRow(2, "mark"), EventRow(3, "bury", 20_600), *off) == NEW_STATE


def test_other_events_change_nothing() -> None:
    assert folded(HISTORY, EventRow(15, "relink"), EventRow(25, "dispute")) == folded(HISTORY)


def test_the_fold_is_what_the_answers_were() -> None:
    """Integers to the last one; floats to the last bits, since answers go through py-fsrs."""
    state = NEW_STATE
    for one in HISTORY:
        state = answer(CARD, state, Rating(one.rating), Moment(one.rated_at, one.offset_min), OPTIONS)
    fold = folded(HISTORY)
    assert (fold.due, fold.state, fold.step) == (state.due, state.state, state.step)
    assert abs(fold.stability / state.stability - 1) < 1e-12
