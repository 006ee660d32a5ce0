"""FSRS-6: py-fsrs for answers, and its formulas in plain floats for folding logs.

py-fsrs schedules every answer, but spends most of its time on copying cards and on dates, several times
what the formulas take. A fold goes over whole logs, so it has the formulas alone. Both agree to the last
bits of a double, and a test holds them to it.

Source: the FSRS-6 section of "The Algorithm", wiki of open-spaced-repetition/fsrs4anki; py-fsrs 6.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from recall.errors import UsageError
from recall.schedule.memory import STABILITY_MAX, STABILITY_MIN, Memory

WEIGHT_BOUNDS = (
    (0.001, 100.0), (0.001, 100.0), (0.001, 100.0), (0.001, 100.0), (1.0, 10.0), (0.001, 4.0), (0.001, 4.0),
    (0.001, 0.75), (0.0, 4.5), (0.0, 0.8), (0.001, 3.5), (0.001, 5.0), (0.001, 0.25), (0.001, 0.9), (0.0, 4.0),
    (0.0, 1.0), (1.0, 6.0), (0.0, 2.0), (0.0, 2.0), (0.0, 0.8), (0.1, 0.8),
)  # fmt: skip
"""Lowest and highest value of each weight: those of py-fsrs 6.3, which refuses others."""


def complete_weights(parameters: Sequence[float]) -> tuple[float, ...]:
    """*parameters* as 21 FSRS-6 weights: 19 are FSRS-5's, which FSRS-6 continues with 0.0 and 0.5.

    Raises `UsageError` for another length, or a weight that is no finite number or out of bounds.
    """
    weights = tuple(float(weight) for weight in parameters)
    if len(weights) == 19:
        weights += (0.0, 0.5)
    if len(weights) != 21:
        raise UsageError(
            f"FSRS-6 has 21 weights, or 19 of FSRS-5, but {len(weights)} are given",
            "give all of them, or leave them out for the default weights",
        )
    for index, (weight, (lowest, highest)) in enumerate(zip(weights, WEIGHT_BOUNDS, strict=True)):
        # Written so that a NaN is refused as well.
        if not lowest <= weight <= highest:
            raise UsageError(
                f"FSRS-6 weight {index} is {weight}, outside {lowest} to {highest}",
                "use the default weights, or weights from an optimiser",
            )
    return weights


class Fsrs6:
    """FSRS-6 as py-fsrs reckons it.

    py-fsrs counts spans of 24 hours, so an evening and the next morning would be one day to it; FSRS means
    days. It is given noon UTC of the study day in place of the instant, and only differences between study
    days reach its result. Its own steps and fuzz stay off.
    """

    name = "FSRS-6"

    def __init__(self, parameters: Sequence[float]) -> None:
        """Raises `UsageError` as `complete_weights` does."""
        # Imported here: 35 ms that no list, search or first question needs.
        from fsrs import Card, Rating, Scheduler, State

        self.parameters = complete_weights(parameters)
        scheduler = Scheduler(self.parameters, learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        self._review: Callable[..., tuple[Card, object]] = scheduler.review_card
        self._card = Card
        self._in_review = State.Review
        self._ratings = {int(rating): rating for rating in Rating}
        noon = _noon(0)
        self._first: dict[int, Memory] = {}
        for number, rating in self._ratings.items():
            after, _ = scheduler.review_card(Card(card_id=1, due=noon), rating, noon)
            assert after.stability is not None
            assert after.difficulty is not None
            self._first[number] = Memory(after.stability, after.difficulty)
        self._decay = -self.parameters[20]
        self._factor = 0.9 ** (1 / self._decay) - 1

    def first(self, rating: int) -> Memory:
        return self._first[rating]

    def next(self, memory: Memory, elapsed_days: int, rating: int) -> Memory:
        # A card number of our own: without one py-fsrs sleeps a millisecond to make one up.
        card = self._card(1, self._in_review, None, memory[0], memory[1], _NOON, _NOON)
        moment = _noon(elapsed_days) if elapsed_days > 0 else _NOON
        after, _ = self._review(card, self._ratings[rating], moment)
        stability, difficulty = after.stability, after.difficulty
        assert stability is not None
        assert difficulty is not None
        return Memory(stability if stability < STABILITY_MAX else STABILITY_MAX, difficulty)

    def retrievability(self, stability: float, elapsed_days: float) -> float:
        """As in `MemoryModel`; reckoned here, since py-fsrs gives it for whole days only (1.0 at 23 h 59 min)."""
        if stability <= 0:
            return 0.0
        return (1 + self._factor * max(0.0, elapsed_days) / stability) ** self._decay

    def interval(self, stability: float, retention: float) -> float:
        return stability / self._factor * (retention ** (1 / self._decay) - 1)


_NOON = datetime(2000, 1, 1, 12, tzinfo=UTC)


@lru_cache(maxsize=4096)
def _noon(day: int) -> datetime:
    """Noon UTC, *day* days after a fixed one."""
    return _NOON + timedelta(days=day)


class Fsrs6Arithmetic:
    """FSRS-6 with one set of weights; the constants that depend on them alone are reckoned once."""

    name = "FSRS-6"

    def __init__(self, parameters: Sequence[float]) -> None:
        """Raises `UsageError` as `complete_weights` does."""
        w = complete_weights(parameters)
        self.parameters = w
        self.decay = -w[20]
        self.factor = 0.9 ** (1 / self.decay) - 1
        self.same_day_gain = (0.0, *(math.e ** (w[17] * (rating - 3 + w[18])) for rating in (1, 2, 3, 4)))
        """By rating: growth of a stability of one day at a review on the same day."""
        self.recall_gain = math.e ** w[8]
        self.recall_share = (0.0, 0.0, w[15], 1.0, w[16])
        """By rating: hard penalty and easy bonus."""
        self.lapse_divisor = math.e ** (w[17] * w[18])
        """A lapse never leaves more than stability divided by this."""
        self.difficulty_change = (0.0, *(-(w[6] * (rating - 3)) for rating in (1, 2, 3, 4)))
        self.difficulty_aim = w[7] * self._first_difficulty(4)
        """What difficulty drifts to, times the rate of the drift."""
        self.firsts = (
            Memory(0.0, 0.0),
            *(
                Memory(max(w[rating - 1], STABILITY_MIN), min(max(self._first_difficulty(rating), 1.0), 10.0))
                for rating in (1, 2, 3, 4)
            ),
        )

    def _first_difficulty(self, rating: int) -> float:
        w = self.parameters
        return w[4] - math.e ** (w[5] * (rating - 1)) + 1

    def first(self, rating: int) -> Memory:
        """Memory after the first review."""
        return self.firsts[rating]

    def next(self, memory: Memory, elapsed_days: int, rating: int) -> Memory:
        """Memory after a review *elapsed_days* study days after the last one; 0 and below: the same day."""
        w = self.parameters
        stability, difficulty = memory
        if elapsed_days < 1:
            gain = self.same_day_gain[rating] * stability ** -w[19]
            after = stability * (gain if gain > 1.0 or rating == 1 else 1.0)
        else:
            forgotten = 1 - (1 + self.factor * elapsed_days / stability) ** self.decay
            if rating == 1:
                after = min(
                    w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * math.e ** (forgotten * w[14]),
                    stability / self.lapse_divisor,
                )
            else:
                after = stability * (
                    1
                    + self.recall_gain
                    * (11 - difficulty)
                    * stability ** -w[9]
                    * (math.e ** (forgotten * w[10]) - 1)
                    * self.recall_share[rating]
                )
        damped = difficulty + (10.0 - difficulty) * self.difficulty_change[rating] / 9.0
        difficulty = self.difficulty_aim + (1 - w[7]) * damped
        return Memory(
            STABILITY_MIN if after < STABILITY_MIN else after if after < STABILITY_MAX else STABILITY_MAX,
            1.0 if difficulty < 1.0 else difficulty if difficulty < 10.0 else 10.0,
        )

    def retrievability(self, stability: float, elapsed_days: float) -> float:
        """Probability of recall *elapsed_days* (also parts of a day) after the last review; 0 without memory."""
        if stability <= 0:
            return 0.0
        if elapsed_days <= 0:
            return 1.0
        return (1 + self.factor * elapsed_days / stability) ** self.decay

    def interval(self, stability: float, retention: float) -> float:
        """Days, unrounded, until retrievability falls to *retention*."""
        return stability / self.factor * (retention ** (1 / self.decay) - 1)
