"""Figures of progress from light rows: what falls due, and the streak. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from recall.model.review import State


def due_forecast(cards: Iterable[tuple[int, int]], today: int, days: int) -> list[int]:
    """Cards that fall due on each of *days* study days from *today* on; overdue ones count today.

    *cards*: (state, day) of each card; the day of a learning card is that of its instant. New ones don't count.
    """
    counts = [0] * days
    for state, day in cards:
        ahead = max(0, day - today)
        if state != State.NEW and ahead < days:
            counts[ahead] += 1
    return counts


def streak(has_review: Callable[[int], bool], today: int) -> int:
    """Study days in a row with a review, up to *today* or, when today has none yet, up to yesterday."""
    # Today still has time, so a day without a review breaks the streak only once it is over.
    length, day = 0, today if has_review(today) else today - 1
    while has_review(day):
        length, day = length + 1, day - 1
    return length
