"""A rating and what becomes of the card."""

from __future__ import annotations

import pytest

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import DAY_MS, NEW_STATE, CardState, Moment, Rating, ReviewKind, State
from recall.schedule.scheduler import answer, is_leech, previews

CARD = CardId("ridge-point")
OPTIONS = Options(fuzz=False)
MONDAY = 20_514
"""Study day 2026-03-02."""


def local(day: int, hour: float, offset_min: int = 60) -> Moment:
    """*hour* o'clock local time of calendar day *day*."""
    return Moment(int(day * DAY_MS + hour * 3_600_000) - offset_min * 60_000, offset_min)


def rated(state: CardState, rating: Rating, moment: Moment, options: Options = OPTIONS) -> CardState:
    return answer(CARD, state, rating, moment, options)


def in_review(interval: int = 10, day: int = MONDAY) -> CardState:
    """Reviewed *interval* days before *day*, due on it."""
    return CardState(State.REVIEW, 0, float(interval), 5.0, day * DAY_MS, 0, day - interval, 5)


def test_a_new_card_goes_through_its_steps() -> None:
    """Good, ten minutes, good: due by days."""
    now = local(MONDAY, 9)
    first = rated(NEW_STATE, Rating.GOOD, now)
    assert (first.state, first.step, first.due - now.ms) == (State.LEARNING, 1, 600_000)
    later = Moment(first.due, 60)
    second = rated(first, Rating.GOOD, later)
    assert (second.state, second.step, second.due_day) == (State.REVIEW, 0, MONDAY + 2)
    assert (second.reps, second.lapses, second.last_review, second.last_day) == (2, 0, later.ms, MONDAY)


def test_easy_leaves_the_steps_at_once() -> None:
    assert rated(NEW_STATE, Rating.EASY, local(MONDAY, 9)).due_day == MONDAY + 8


def test_again_in_learning_is_no_lapse() -> None:
    again = rated(rated(NEW_STATE, Rating.GOOD, local(MONDAY, 9)), Rating.AGAIN, local(MONDAY, 9.5))
    assert (again.state, again.step, again.lapses) == (State.LEARNING, 0, 0)


def test_a_lapse_is_relearned_and_counted() -> None:
    now = local(MONDAY, 9)
    lapsed = rated(in_review(), Rating.AGAIN, now)
    assert (lapsed.state, lapsed.step, lapsed.lapses, lapsed.due) == (State.RELEARNING, 0, 1, now.ms + 600_000)
    back = rated(lapsed, Rating.GOOD, Moment(lapsed.due, 60))
    assert back.state is State.REVIEW
    assert back.due_day > MONDAY
    assert back.lapses == 1


def test_without_steps_cards_go_straight_to_review() -> None:
    options = OPTIONS._replace(learning_steps_s=(), relearning_steps_s=())
    for state in (NEW_STATE, in_review()):
        for after in previews(CARD, state, local(MONDAY, 9), options).values():
            assert after.state is State.REVIEW
            assert after.due_day > MONDAY


def test_fewer_steps_than_before_is_no_harm() -> None:
    """The options lost two steps while a card stood at the third."""
    standing = CardState(State.LEARNING, 2, 2.3, 5.0, 0, 0, MONDAY, 3)
    assert rated(standing, Rating.HARD, local(MONDAY, 9)).step == 1
    assert rated(standing, Rating.GOOD, local(MONDAY, 9)).state is State.REVIEW


def test_evening_and_morning_are_a_day_apart() -> None:
    """Good at 21:00, good at 08:00: the second is a review after a night, whatever the hours between."""
    options = OPTIONS._replace(learning_steps_s=())
    evening = rated(NEW_STATE, Rating.GOOD, local(MONDAY, 21), options)
    morning = rated(evening, Rating.GOOD, local(MONDAY + 1, 8), options)
    same_evening = rated(evening, Rating.GOOD, local(MONDAY, 22), options)
    assert same_evening.stability == pytest.approx(2.3065)
    assert morning.stability > 7


def test_a_review_after_midnight_belongs_to_the_evening() -> None:
    """At 02:00 tomorrow is still the day that begins at four."""
    night = rated(in_review(1), Rating.GOOD, local(MONDAY + 1, 2))
    assert night.last_day == MONDAY


def test_the_clock_ran_back_a_year() -> None:
    """No day has gone by, and the card is due after the clock's today."""
    after = rated(in_review(), Rating.GOOD, local(MONDAY - 365, 9))
    assert after.stability == pytest.approx(in_review().stability)
    assert after.due_day > MONDAY - 365


def test_the_learner_travels() -> None:
    """From Berlin to Honolulu the same evening: the local day is reviewed once more, as the same day."""
    evening = rated(in_review(), Rating.GOOD, local(MONDAY, 20, 60))
    arrived = Moment(evening.last_review + 3 * 3_600_000, -600)
    assert rated(evening, Rating.GOOD, arrived).last_day == MONDAY


def test_ahead_of_time_little_is_gained() -> None:
    early = in_review(30)._replace(due=(MONDAY + 25) * DAY_MS, last_day=MONDAY - 5)
    on_time = early._replace(due=MONDAY * DAY_MS, last_day=MONDAY - 30)
    now = local(MONDAY, 9)
    ahead = answer(CARD, early, Rating.GOOD, now, OPTIONS, ReviewKind.AHEAD)
    assert early.stability < ahead.stability < rated(on_time, Rating.GOOD, now).stability


def test_cram_changes_nothing() -> None:
    state = in_review()
    for rating in Rating:
        assert answer(CARD, state, rating, local(MONDAY, 9), OPTIONS, ReviewKind.CRAM) is state
    assert set(previews(CARD, state, local(MONDAY, 9), OPTIONS, ReviewKind.CRAM).values()) == {state}


def test_flags_stay() -> None:
    marked = in_review()._replace(marked=True, suspended=True, buried_until=MONDAY)
    after = rated(marked, Rating.GOOD, local(MONDAY, 9))
    assert (after.marked, after.suspended, after.buried_until) == (True, True, MONDAY)


@pytest.mark.parametrize(
    ("threshold", "leeches"), [(8, [8, 12, 16, 20]), (5, [5, 8, 11, 14, 17, 20]), (1, list(range(1, 21))), (0, [])]
)
def test_leeches_come_at_the_threshold_and_every_half_of_it_after(threshold: int, leeches: list[int]) -> None:
    assert [lapses for lapses in range(21) if is_leech(lapses, threshold)] == leeches
