"""Figures of progress from light rows: true retention, what falls due, calibration, streak. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from recall.model.review import State


class Recall(NamedTuple):
    """One review of a card that was in `REVIEW`, one study day or more after the one before."""

    day: int
    """Study day."""
    elapsed_days: int
    passed: bool
    """Rated hard, good or easy."""
    predicted: float = 0.0
    """Retrievability just before it, where known."""


class Share(NamedTuple):
    """So many of so many."""

    passed: int
    total: int

    @property
    def value(self) -> float | None:
        """Between 0 and 1; None of nothing."""
        return self.passed / self.total if self.total else None


class Bin(NamedTuple):
    """Reviews whose predicted probability of recall lay between two bounds."""

    low: float
    high: float
    predicted: float
    """Mean prediction."""
    passed: int
    total: int


def true_retention(recalls: Iterable[Recall]) -> dict[int, Share]:
    """Share recalled by study day, as Anki counts it: only reviews a day or more after the one before."""
    shares: dict[int, Share] = {}
    for recall in recalls:
        if recall.elapsed_days >= 1:
            before = shares.get(recall.day, Share(0, 0))
            shares[recall.day] = Share(before.passed + recall.passed, before.total + 1)
    return shares


def total_share(shares: Iterable[Share]) -> Share:
    """All *shares* together."""
    passed = total = 0
    for share in shares:
        passed += share.passed
        total += share.total
    return Share(passed, total)


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


def calibration(recalls: Iterable[Recall], bins: int = 20) -> list[Bin]:
    """Predicted against real recall in *bins* even bins of the prediction; empty ones left out."""
    passed, total, predicted = [0] * bins, [0] * bins, [0.0] * bins
    for recall in recalls:
        if recall.elapsed_days >= 1:
            index = min(int(recall.predicted * bins), bins - 1)
            passed[index] += recall.passed
            total[index] += 1
            predicted[index] += recall.predicted
    return [
        Bin(i / bins, (i + 1) / bins, predicted[i] / total[i], passed[i], total[i]) for i in range(bins) if total[i]
    ]


def calibration_error(bins: Iterable[Bin]) -> float | None:
    """Root mean square distance of predicted and real recall over *bins*, weighted by reviews; None of none."""
    squares, total = 0.0, 0
    for one in bins:
        squares += one.total * (one.predicted - one.passed / one.total) ** 2
        total += one.total
    return (squares / total) ** 0.5 if total else None


def streak(days: Collection[int], today: int) -> int:
    """Study days in a row with a review, up to *today* or, when today has none yet, up to yesterday."""
    studied = set(days)
    last = today if today in studied else today - 1
    length = 0
    while last - length in studied:
        length += 1
    return length
