"""Options of a deck: how its cards are scheduled and how many come a day."""

from __future__ import annotations

from typing import Literal, NamedTuple

FSRS6_DEFAULTS = (
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
    1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
)  # fmt: skip
"""Default weights of FSRS-6; the same in py-fsrs 6.3, fsrs-rs 6.6 and Anki 26.09."""


class Options(NamedTuple):
    """Scheduling and daily limits of one deck. Decks below it inherit what they do not set."""

    model: str = "FSRS-6"
    """Memory model that `parameters` belong to."""
    parameters: tuple[float, ...] = FSRS6_DEFAULTS
    desired_retention: float = 0.9
    """Probability of recall at which a card falls due; 0.7 to 0.99."""
    learning_steps_s: tuple[int, ...] = (60, 600)
    relearning_steps_s: tuple[int, ...] = (600,)
    maximum_interval: int = 36_500
    """Days."""
    fuzz: bool = True
    new_per_day: int = 20
    reviews_per_day: int = 200
    """Cards in `REVIEW` a day; learning cards are not limited."""
    new_order: Literal["deck", "random"] = "deck"
    mix: Literal["spread", "new_first", "new_last"] = "spread"
    """Where new cards come among the due ones."""
    bury_siblings: bool = True
    leech_threshold: int = 8
    """Lapses at which a card is a leech, and again at every half of it; 0: never."""
    leech_action: Literal["mark", "suspend"] = "mark"
    answer_cap_s: int = 60
    """Longest time logged for one answer: a longer one was an abandoned card."""
