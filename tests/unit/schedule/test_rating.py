"""Suggested ratings."""

from __future__ import annotations

import pytest

from recall.model.review import Rating
from recall.model.verdict import Outcome, Verdict
from recall.schedule.rating import suggested_rating

USUAL = [10_000, 8_000, 12_000]


@pytest.mark.parametrize(
    ("outcome", "thinking_ms", "hints", "expected"),
    [
        ("correct", 9_000, 0, Rating.GOOD),
        ("correct", 5_000, 0, Rating.EASY),
        ("correct", 5_001, 0, Rating.GOOD),
        ("correct", 3_000, 1, Rating.HARD),
        ("correct", 0, 0, Rating.GOOD),
        ("close", 3_000, 0, Rating.HARD),
        ("wrong", 3_000, 0, Rating.AGAIN),
        ("undecided", 3_000, 0, None),
        ("malformed", 3_000, 0, None),
        ("self_rated", 3_000, 0, None),
    ],
)
def test_a_verdict_suggests(outcome: Outcome, thinking_ms: int, hints: int, expected: Rating | None) -> None:
    """Fast means half of this card's usual ten seconds; no measured time is not fast."""
    assert suggested_rating(Verdict(outcome), thinking_ms, USUAL, hints) is expected


def test_without_a_history_nothing_is_fast() -> None:
    assert suggested_rating(Verdict("correct"), 500, USUAL[:2], 0) is Rating.GOOD


def test_the_verdicts_own_suggestion_goes_first() -> None:
    verdict = Verdict("correct", suggested=Rating.HARD)
    assert suggested_rating(verdict, 500, USUAL, 0) is Rating.HARD
