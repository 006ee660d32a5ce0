"""The rating that a verdict suggests. The learner chooses; nothing is ever rated for them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from recall.model.review import Rating
from recall.model.verdict import Verdict

FAST_SHARE = 0.5
"""Answered in at most this share of the card's usual time: clearly fast."""
FAST_HISTORY = 3
"""Right answers that a card must have before its usual time means something."""


def suggested_rating(verdict: Verdict, thinking_ms: int, usual_ms: Sequence[int], hints: int) -> Rating | None:
    """The rating to propose for *verdict*, or None when it says nothing about the learner's memory.

    Right is Good, or Easy when *thinking_ms* is clearly below the median of *usual_ms*, the times of this card's
    earlier right answers. Close, or right with *hints*, is Hard. Wrong is Again. An answer that could not be
    decided or read, or that the learner judges, suggests nothing. A rating in the verdict itself goes first.
    """
    if verdict.suggested is not None:
        return verdict.suggested
    match verdict.outcome:
        case "wrong":
            return Rating.AGAIN
        case "close":
            return Rating.HARD
        case "correct":
            if hints:
                return Rating.HARD
            fast = len(usual_ms) >= FAST_HISTORY and 0 < thinking_ms <= FAST_SHARE * median(usual_ms)
            return Rating.EASY if fast else Rating.GOOD
        case "undecided" | "malformed" | "self_rated":
            return None
