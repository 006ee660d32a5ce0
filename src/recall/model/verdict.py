"""The result of checking an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from recall.model.review import Rating

Outcome = Literal["correct", "close", "wrong", "undecided", "malformed", "self_rated"]


class Verdict(NamedTuple):
    """What was found. Only `wrong` ever suggests Again; `malformed` is not graded at all."""

    outcome: Outcome
    message: str = ""
    expected: str = ""
    """The expected answer, as shown on reveal."""
    given_as: str | None = None
    """How the answer was understood."""
    deviation: float | None = None
    """Relative distance from the expected value."""
    first_wrong_step: int | None = None
    """Counted from 1."""
    counterexample: Mapping[str, object] | None = None
    misconception: str | None = None
    suggested: Rating | None = None
