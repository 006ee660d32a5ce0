"""Figures of progress."""

from __future__ import annotations

import pytest

from recall.model.review import State
from recall.schedule.statistics import (
    Recall,
    Share,
    calibration,
    calibration_error,
    due_forecast,
    streak,
    total_share,
    true_retention,
)


def test_true_retention_leaves_out_same_day_reviews() -> None:
    rows = [Recall(7, 3, True), Recall(7, 5, False), Recall(7, 0, True), Recall(8, 1, True)]
    shares = true_retention(rows)
    assert shares == {7: Share(1, 2), 8: Share(1, 1)}
    assert total_share(shares.values()).value == pytest.approx(2 / 3)
    assert Share(0, 0).value is None


def test_the_forecast_counts_overdue_cards_today_and_no_new_ones() -> None:
    cards = [(State.REVIEW, 90), (State.REVIEW, 100), (State.LEARNING, 100), (State.REVIEW, 102), (State.NEW, 0)]
    assert due_forecast([*cards, (State.REVIEW, 103)], 100, 3) == [3, 0, 1]


def test_a_calibrated_model_has_no_error() -> None:
    rows = [Recall(1, 2, index < 9, 0.9) for index in range(10)]
    (only,) = calibration(rows)
    assert (only.passed, only.total) == (9, 10)
    assert only.low <= 0.9 < only.high
    assert calibration_error([only]) == pytest.approx(0.0, abs=1e-12)
    assert calibration_error([]) is None


def test_certainty_falls_into_the_last_bin() -> None:
    (only,) = calibration([Recall(1, 1, True, 1.0)], bins=4)
    assert (only.low, only.high) == (0.75, 1.0)


@pytest.mark.parametrize(
    ("days", "expected"), [([], 0), ([10], 1), ([9], 1), ([8], 0), ([7, 8, 9], 3), ([7, 9, 10], 2)]
)
def test_a_streak_lasts_until_a_whole_day_is_missed(days: list[int], expected: int) -> None:
    """Today is 10; that today has no review yet does not break it."""
    assert streak(days, 10) == expected
