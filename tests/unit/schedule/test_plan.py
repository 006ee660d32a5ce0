"""Steps inside a day, intervals and fuzz."""

from __future__ import annotations

from collections import Counter

import pytest

from recall.errors import UsageError
from recall.model.card import CardId
from recall.model.options import Options
from recall.schedule.plan import card_seed, fuzz_share, plan_for, step_choices

EXACT = Options(fuzz=False)


def waits(steps: tuple[int, ...], step: int) -> list[int | None]:
    """Seconds that again, hard, good and easy wait at *step*; None where the card leaves the steps."""
    return [choice.delay_s if choice.step >= 0 else None for choice in step_choices(steps)[step][1:]]


def test_steps_mean_what_they_mean_in_anki() -> None:
    """1 and 10 minutes: hard on the first step waits 5.5 minutes, good on the last one leaves."""
    assert waits((60, 600), 0) == [60, 330, 600, None]
    assert waits((60, 600), 1) == [60, 600, None, None]


def test_hard_at_the_only_step_waits_half_as_long_again_but_at_most_a_day_more() -> None:
    assert waits((600,), 0) == [600, 900, None, None]
    assert waits((4 * 86_400,), 0)[1] == 5 * 86_400


def test_steps_that_fall_are_made_to_rise() -> None:
    assert waits((600, 60), 0) == [600, 600, 600, None]


def test_leaving_never_comes_before_a_harder_ratings_step() -> None:
    """With a step of three days, good must not come back tomorrow."""
    assert step_choices((3 * 86_400,))[0][3].minimum_days > 3


@pytest.mark.parametrize(("stability", "days"), [(0.2, 1), (2.5, 2), (3.5, 4), (10.4, 10), (99_999.0, 36_500)])
def test_without_fuzz_the_interval_is_the_rounded_stability(stability: float, days: int) -> None:
    """At a desired retention of 0.9, ties to even as in py-fsrs, from a day to the maximum."""
    assert plan_for(EXACT).interval(stability, 0, 1, 0, 0) == days


@pytest.mark.parametrize(
    ("stability", "expected"),
    [(2.0, {2}), (5.0, {4, 5, 6}), (10.0, set(range(8, 13))), (100.0, set(range(93, 108)))],
)
def test_fuzz_ranges_are_ankis(stability: float, expected: set[int]) -> None:
    """One day, and 15 % from 2.5 to 7 days, 10 % to 20, 5 % beyond; all days of a range come about equally often."""
    plan = plan_for(Options())
    seen = Counter(plan.interval(stability, 0, 1, seed, 3) for seed in range(3000))
    assert set(seen) == expected
    assert min(seen.values()) > 3000 / len(expected) * 0.7


def test_fuzz_never_takes_back_the_growth_of_an_interval() -> None:
    """An interval that grows from 9 to 10 days is at least 10 after fuzz; one that shrinks is left alone."""
    plan = plan_for(Options())
    assert min(plan.interval(10.0, 9, 1, seed, 3) for seed in range(300)) == 10
    assert min(plan.interval(10.0, 20, 1, seed, 3) for seed in range(300)) == 8


def test_the_maximum_holds_after_fuzz() -> None:
    plan = plan_for(Options(maximum_interval=30))
    assert {plan.interval(1000.0, 25, 1, seed, 3) for seed in range(300)} == {27, 28, 29, 30}
    assert plan.interval(1000.0, 30, 1, 5, 3) == 30


def test_fuzz_hangs_on_card_and_repetition_alone() -> None:
    """Known values, so that no later version quietly moves everybody's due days."""
    assert card_seed(CardId("kv-cache/2")) == 3865469689
    assert fuzz_share(0, 0) == pytest.approx(0.8833108082136426, abs=1e-15)
    assert fuzz_share(1, 0) != fuzz_share(0, 1)
    assert all(0 <= fuzz_share(seed, reps) < 1 for seed in (0, 2**32 - 1) for reps in range(1000))


@pytest.mark.parametrize(
    "wrong",
    [
        {"desired_retention": 1.5},
        {"maximum_interval": 0},
        {"learning_steps_s": (0,)},
        {"relearning_steps_s": (-5,)},
        {"parameters": (1.0,)},
    ],
)
def test_options_that_make_no_schedule_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        plan_for(Options()._replace(**wrong))  # type: ignore[arg-type]
