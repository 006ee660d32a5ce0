"""FSRS-6 as py-fsrs reckons it, and its formulas alone."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta

import fsrs
import fsrs.scheduler
import pytest

from recall.errors import UsageError
from recall.model.options import FSRS6_DEFAULTS, Options
from recall.schedule.fsrs6 import WEIGHT_BOUNDS, Fsrs6, Fsrs6Arithmetic, complete_weights
from recall.schedule.memory import STABILITY_MAX, Memory, arithmetic_for, check_retention, model_for

FSRS5 = FSRS6_DEFAULTS[:19]


def random_weights(random_source: random.Random) -> tuple[float, ...]:
    """Weights somewhere between default and bounds, so that most are plausible."""
    return tuple(
        min(max(default * random_source.uniform(0.6, 1.5), low), high)
        for default, (low, high) in zip(FSRS6_DEFAULTS, WEIGHT_BOUNDS, strict=True)
    )


def test_defaults_and_bounds_are_those_of_py_fsrs() -> None:
    bounds = zip(fsrs.scheduler.LOWER_BOUNDS_PARAMETERS, fsrs.scheduler.UPPER_BOUNDS_PARAMETERS, strict=True)
    assert tuple(bounds) == WEIGHT_BOUNDS
    assert fsrs.scheduler.DEFAULT_PARAMETERS == FSRS6_DEFAULTS


@pytest.mark.parametrize("seed", range(20))
def test_both_models_equal_py_fsrs_on_study_days(seed: int) -> None:
    """Twenty histories of 30 reviews under random weights, against py-fsrs with its own card and calendar."""
    source = random.Random(seed)
    weights = random_weights(source)
    reference = fsrs.Scheduler(weights, enable_fuzzing=False, learning_steps=(), relearning_steps=())
    card = fsrs.Card(card_id=1)
    model, arithmetic = Fsrs6(weights), Fsrs6Arithmetic(weights)
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    memory = formula = Memory(0.0, 0.0)
    for repetition in range(30):
        rating = source.choice([1, 2, 3, 3, 3, 4])
        elapsed = 0 if source.random() < 0.3 else source.randrange(60)
        noon += timedelta(days=elapsed)
        card, _ = reference.review_card(card, fsrs.Rating(rating), noon)
        memory = model.next(memory, elapsed, rating) if repetition else model.first(rating)
        formula = arithmetic.next(formula, elapsed, rating) if repetition else arithmetic.first(rating)
        assert card.stability is not None
        if card.stability > STABILITY_MAX:
            break
        assert memory == (card.stability, card.difficulty)
        assert formula == pytest.approx(memory, rel=1e-12)


def test_evening_and_morning_give_seven_days_not_two() -> None:
    """Good at 21:00 and at 08:00: one study day apart. py-fsrs with bare instants gives 2.31 and 2 days."""
    model = model_for(Options())
    after = model.next(model.first(3), 1, 3)
    assert after.stability == pytest.approx(7.32, abs=0.005)
    assert round(model.interval(after.stability, 0.9)) == 7


@pytest.mark.parametrize("make", [Fsrs6, Fsrs6Arithmetic])
def test_a_clock_that_ran_back_counts_as_the_same_day(make: type[Fsrs6] | type[Fsrs6Arithmetic]) -> None:
    model = make(FSRS6_DEFAULTS)
    before = Memory(10.0, 5.0)
    assert model.next(before, -365, 3) == model.next(before, 0, 3)


@pytest.mark.parametrize("make", [Fsrs6, Fsrs6Arithmetic])
def test_stability_stops_at_a_hundred_years(make: type[Fsrs6] | type[Fsrs6Arithmetic]) -> None:
    """py-fsrs alone goes on to 60,000 days and more."""
    memory = Memory(30_000.0, 1.0)
    assert make(FSRS6_DEFAULTS).next(memory, 30_000, 4).stability == STABILITY_MAX


def test_retrievability_counts_parts_of_a_day() -> None:
    """py-fsrs says 1.0 until 24 hours have gone."""
    model = model_for(Options())
    assert model.retrievability(10.0, 10.0) == pytest.approx(0.9)
    assert 0.9 < model.retrievability(1.0, 0.99) < 0.91
    assert model.retrievability(1.0, -3.0) == 1.0
    assert model.retrievability(0.0, 1.0) == 0.0


def test_the_interval_is_where_recall_falls_to_the_desired_retention() -> None:
    model = model_for(Options())
    assert model.interval(10.0, 0.9) == pytest.approx(10.0)
    assert model.retrievability(10.0, model.interval(10.0, 0.83)) == pytest.approx(0.83)


def test_weights_of_fsrs_5_go_on_as_fsrs_6() -> None:
    """FSRS-5 has 19 weights: no damping of same-day growth, and a fixed decay of 0.5."""
    assert complete_weights(FSRS5)[19:] == (0.0, 0.5)
    assert Fsrs6(FSRS5).retrievability(10.0, 10.0) == pytest.approx(0.9)


@pytest.mark.parametrize(
    "weights",
    [
        (),
        FSRS6_DEFAULTS[:17],
        (*FSRS6_DEFAULTS, 0.1),
        (math.nan, *FSRS6_DEFAULTS[1:]),
        (*FSRS6_DEFAULTS[:20], math.inf),
        (*FSRS6_DEFAULTS[:20], 0.0),
        (-1.0, *FSRS6_DEFAULTS[1:]),
    ],
)
def test_weights_that_are_no_fsrs_6_are_refused(weights: tuple[float, ...]) -> None:
    for look_up in (model_for, arithmetic_for):
        with pytest.raises(UsageError, match="FSRS-6"):
            look_up(Options(parameters=weights))


@pytest.mark.parametrize("retention", [0.69, 0.991, 1.5, math.nan])
def test_a_retention_that_cannot_be_planned_for_is_refused(retention: float) -> None:
    """py-fsrs takes 1.5 and answers with a negative interval."""
    with pytest.raises(UsageError, match="desired retention"):
        check_retention(retention)


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(UsageError, match="FSRS-9"):
        model_for(Options(model="FSRS-9"))


def test_a_model_is_made_once_for_its_parameters() -> None:
    assert model_for(Options()) is model_for(Options(desired_retention=0.8))
