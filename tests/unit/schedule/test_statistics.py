"""Figures of progress."""

from __future__ import annotations

import pytest

from recall.model.review import State
from recall.schedule.statistics import due_forecast, streak


def test_the_forecast_counts_overdue_cards_today_and_no_new_ones() -> None:
    cards = [(State.REVIEW, 90), (State.REVIEW, 100), (State.LEARNING, 100), (State.REVIEW, 102), (State.NEW, 0)]
    assert due_forecast([*cards, (State.REVIEW, 103)], 100, 3) == [3, 0, 1]


@pytest.mark.parametrize(
    ("days", "expected"), [([], 0), ([10], 1), ([9], 1), ([8], 0), ([7, 8, 9], 3), ([7, 9, 10], 2)]
)
def test_a_streak_lasts_until_a_whole_day_is_missed(days: list[int], expected: int) -> None:
    """Today is 10; that today has no review yet does not break it."""
    assert streak(set(days).__contains__, 10) == expected
