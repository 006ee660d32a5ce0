"""Models of memory: what a rating does to stability and difficulty, and how recall fades.

A model knows neither clock nor steps nor fuzz: it is told whole study days since the last review and answers
with numbers. Its name is stored beside the parameters (`Options.model`), so that a later model takes its
place as one more file and one more name below, and the log is folded again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Protocol

from recall.errors import UsageError
from recall.model.options import Options

STABILITY_MIN = 0.001
STABILITY_MAX = 36_500.0
"""Days. fsrs-rs, and so Anki, stop here; py-fsrs does not stop at all (60,000 days were seen)."""
RETENTION_MIN, RETENTION_MAX = 0.70, 0.99


class Memory(NamedTuple):
    """What a model holds of one card."""

    stability: float
    """Days until retrievability falls to 90 %."""
    difficulty: float
    """1 to 10."""


class MemoryModel(Protocol):
    """One version of a memory model with one set of parameters. Ratings are 1 (again) to 4 (easy)."""

    name: str
    parameters: tuple[float, ...]

    def first(self, rating: int) -> Memory:
        """Memory after the first review."""
        ...

    def next(self, memory: Memory, elapsed_days: int, rating: int) -> Memory:
        """Memory after a review *elapsed_days* study days after the last one; 0 and below: the same day."""
        ...

    def retrievability(self, stability: float, elapsed_days: float) -> float:
        """Probability of recall *elapsed_days* (also parts of a day) after the last review."""
        ...

    def interval(self, stability: float, retention: float) -> float:
        """Days, unrounded, until retrievability falls to *retention*."""
        ...


def check_retention(retention: float) -> float:
    """*retention* itself if FSRS can plan for it; raises `UsageError` outside 0.70 to 0.99."""
    if not RETENTION_MIN <= retention <= RETENTION_MAX:
        raise UsageError(
            f"desired retention {retention} is outside {RETENTION_MIN:.2f} to {RETENTION_MAX:.2f}",
            "0.9 means nine of ten cards recalled",
        )
    return retention


def model_for(options: Options) -> MemoryModel:
    """The memory model of *options*, one object for each set of parameters: it schedules answers.

    Raises `UsageError` for an unknown model or parameters that it does not take.
    """
    _known(options.model)
    return _fsrs6(options.parameters)


def arithmetic_for(options: Options) -> MemoryModel:
    """The formulas of `model_for(options)` alone: ready at once, and quick enough for whole logs. Raises as it does."""
    _known(options.model)
    return _fsrs6_arithmetic(options.parameters)


def _known(name: str) -> None:
    if name != "FSRS-6":
        raise UsageError(f"unknown memory model {name!r}", "known: FSRS-6")


# The models are built on this module, so it imports them late.


@lru_cache(maxsize=64)
def _fsrs6(parameters: tuple[float, ...]) -> MemoryModel:
    from recall.schedule.fsrs6 import Fsrs6

    return Fsrs6(parameters)


@lru_cache(maxsize=64)
def _fsrs6_arithmetic(parameters: tuple[float, ...]) -> MemoryModel:
    from recall.schedule.fsrs6 import Fsrs6Arithmetic

    return Fsrs6Arithmetic(parameters)
