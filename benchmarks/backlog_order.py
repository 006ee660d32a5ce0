"""Which order of due cards keeps most knowledge when a learner comes back to a backlog.

A collection whose learner remembers as FSRS-6 says is left alone for some weeks; then so many cards a day are
answered, in one order or another. Printed as JSON: cards known (sum of retrievability, mean over the days) for
each order, its loss against the best one, and the day on which the backlog was gone. No clock is involved.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from typing import NamedTuple

from recall.model.options import FSRS6_DEFAULTS
from recall.schedule.fsrs6 import Fsrs6Arithmetic
from recall.schedule.memory import Memory

MODEL = Fsrs6Arithmetic(FSRS6_DEFAULTS)


class Known(NamedTuple):
    """One card of the collection."""

    memory: Memory
    last: int
    due: int


Key = Callable[[Known, int, random.Random], float]


def recall_now(card: Known, day: int) -> float:
    return MODEL.retrievability(card.memory.stability, day - card.last)


def loss(card: Known, day: int) -> float:
    """What one more day of waiting costs."""
    return recall_now(card, day) - recall_now(card, day + 1)


ORDERS: dict[str, Key] = {
    "retrievability, lowest first": lambda card, day, _: recall_now(card, day),
    "retrievability, highest first": lambda card, day, _: -recall_now(card, day),
    "loss by waiting, highest first": lambda card, day, _: -loss(card, day),
    "loss by waiting, lowest first": lambda card, day, _: loss(card, day),
    "due day, oldest first": lambda card, day, _: card.due,
    "stability, highest first": lambda card, day, _: -card.memory.stability,
    "stability, lowest first": lambda card, day, _: card.memory.stability,
    "difficulty, lowest first": lambda card, day, _: card.memory.difficulty,
    "by chance": lambda card, day, source: source.random(),
}


def answered(card: Known, day: int, source: random.Random) -> Known:
    """The card after a review; a lapse is relearned at once."""
    passed = source.random() < recall_now(card, day)
    memory = MODEL.next(card.memory, day - card.last, 3 if passed else 1)
    if not passed:
        memory = MODEL.next(memory, 0, 3)
    return Known(memory, day, day + max(1, round(memory.stability)))


def collection(size: int, days: int, source: random.Random) -> list[Known]:
    """Cards introduced evenly over *days* and answered in time since."""
    cards: list[Known] = []
    for index in range(size):
        day = index * days // size
        first = MODEL.first(source.choices([1, 2, 3, 4], [0.24, 0.09, 0.57, 0.10])[0])
        card = Known(first, day, day + max(1, round(first.stability)))
        while card.due < days:
            card = answered(card, card.due, source)
        cards.append(card)
    return cards


def work_off(cards: list[Known], start: int, days: int, capacity: int, key: Key, seed: int) -> tuple[float, int | None]:
    """(mean of cards known, day without backlog) over *days* from *start* on with *capacity* answers a day."""
    cards, source, known, cleared = list(cards), random.Random(seed), 0.0, None
    for day in range(start, start + days):
        due = [index for index, card in enumerate(cards) if card.due <= day]
        due.sort(key=lambda index: key(cards[index], day, source))
        if len(due) <= capacity and cleared is None:
            cleared = day - start
        for index in due[:capacity]:
            cards[index] = answered(cards[index], day, source)
        known += sum(recall_now(card, day) for card in cards)
    return known / days, cleared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=2000)
    parser.add_argument("--away", type=int, default=60, help="days without a review")
    parser.add_argument("--capacity", type=int, default=60, help="answers a day afterwards")
    parser.add_argument("--days", type=int, default=60, help="days watched afterwards")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    sums: dict[str, list[float]] = {name: [] for name in ORDERS}
    cleared: dict[str, list[int | None]] = {name: [] for name in ORDERS}
    for seed in range(given.seeds):
        cards = collection(given.cards, 365, random.Random(seed))
        for name, key in ORDERS.items():
            known, day = work_off(cards, 365 + given.away, given.days, given.capacity, key, seed)
            sums[name].append(known)
            cleared[name].append(day)
    means = {name: sum(values) / len(values) for name, values in sums.items()}
    best = max(means.values())
    orders = {
        name: {"known": round(mean, 1), "loss": round(1 - mean / best, 4), "cleared": cleared[name]}
        for name, mean in sorted(means.items(), key=lambda item: -item[1])
    }
    print(json.dumps({**vars(given), "orders": orders}, indent=2))


if __name__ == "__main__":
    main()
