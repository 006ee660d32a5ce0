"""A simulated learner: two years of reviews, planned and forgotten by FSRS-6, many cards in step.

Memory follows the same weights as the plan. Reviews come late now and then, forgotten cards again after some minutes,
and the last week before the end is skipped, so that a backlog is due. It is not the project's scheduler: that one
folds these reviews.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recall.model.options import FSRS6_DEFAULTS as W

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Log:
    """Reviews sorted by card and turn. All arrays are of one length."""

    card: Ints
    """Index of the card, from 0."""
    day: Ints
    """From 0."""
    turn: Ints
    """How many reviews the card had before."""
    rating: Ints
    first_of_day: NDArray[np.bool_]
    thinking_ms: Ints
    stability: Floats
    """After the review, in days."""
    difficulty: Floats


FACTOR = 0.9 ** (-1 / W[20]) - 1


def _initial_difficulty(rating: Floats) -> Floats:
    return W[4] - np.exp(W[5] * (rating - 1)) + 1


def _next(s: Floats, d: Floats, gap: Floats, rating: Floats) -> tuple[Floats, Floats]:
    r = (1 + FACTOR * gap / s) ** -W[20]
    hard = np.where(rating == 2, W[15], 1.0)
    easy = np.where(rating == 4, W[16], 1.0)
    recalled = s * (1 + np.exp(W[8]) * (11 - d) * s ** -W[9] * (np.exp((1 - r) * W[10]) - 1) * hard * easy)
    forgotten = W[11] * d ** -W[12] * ((s + 1) ** W[13] - 1) * np.exp((1 - r) * W[14])
    same_day = s * np.maximum(np.exp(W[17] * (rating - 3 + W[18])) * s ** -W[19], np.where(rating == 1, 0, 1.0))
    longer = np.where(gap < 1, same_day, np.where(rating == 1, np.minimum(forgotten, s), recalled))
    harder = d - W[6] * (rating - 3) * (10 - d) / 9
    target = W[4] - np.exp(W[5] * 3) + 1
    return np.clip(longer, 0.001, 36_500), np.clip(W[7] * target + (1 - W[7]) * harder, 1, 10)


def simulate(cards: int, days: int, *, seed: int = 7, skipped: int = 7) -> Log:
    """Reviews of *cards* over *days*, none in the last *skipped* of them."""
    rng = np.random.default_rng(seed)
    span = days - skipped
    card = np.arange(cards)
    day = np.sort(rng.integers(0, int(span * 0.8), cards))
    rating = rng.choice([1, 2, 3, 4], cards, p=[0.24, 0.09, 0.57, 0.10])
    s = np.array(W[:4])[rating - 1]
    d = np.clip(_initial_difficulty(rating.astype(float)), 1, 10)
    columns: list[tuple[Ints | Floats, ...]] = []
    turn = 0
    gap = np.ones(cards, dtype=np.int64)
    while len(card) and turn < 200:
        columns.append((card, day, np.full(len(card), turn), rating, gap, s, d))
        again_today = ((rating <= 2) if turn == 0 else (rating == 1)) & (rng.random(len(card)) < 0.9)
        gap = np.where(again_today, 0, np.maximum(1, np.rint(s)).astype(np.int64))
        late = (rng.random(len(card)) < 0.15) & (gap > 0)
        gap = gap + np.where(late, 1 + rng.poisson(1.0 + gap * 0.05), 0)
        day = day + gap
        keep = day < span
        card, day, s, d, gap = card[keep], day[keep], s[keep], d[keep], gap[keep]
        recalled = rng.random(len(card)) < np.where(gap == 0, 0.92, (1 + FACTOR * gap / s) ** -W[20])
        rating = np.where(recalled, rng.choice([2, 3, 4], len(card), p=[0.10, 0.80, 0.10]), 1)
        s, d = _next(s, d, gap.astype(float), rating.astype(float))
        turn += 1
    card, day, turns, rating, gap, s, d = (np.concatenate(column) for column in zip(*columns, strict=True))
    thinking = np.clip(rng.lognormal(8.9, 0.6, len(card)), 800, 60_000).astype(np.int64)
    order = np.lexsort((turns, card))
    return Log(
        card[order], day[order], turns[order], rating[order], (gap > 0)[order], thinking[order], s[order], d[order]
    )
