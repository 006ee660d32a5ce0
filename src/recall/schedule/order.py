"""Which card first: urgency of due cards, order of new ones, and how both are mixed. Pure functions."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

from recall.model.card import CardId
from recall.model.options import Options
from recall.schedule.memory import MemoryModel


class Due(Protocol):
    """What the queue needs of a card that was seen before."""

    @property
    def card(self) -> CardId: ...
    @property
    def deck(self) -> str: ...
    @property
    def state(self) -> int: ...
    @property
    def due(self) -> int: ...
    @property
    def stability(self) -> float: ...
    @property
    def last_day(self) -> int: ...


class Unseen(Protocol):
    """What the queue needs of a new card."""

    @property
    def card(self) -> CardId: ...
    @property
    def deck(self) -> str: ...
    @property
    def position(self) -> int: ...


def urgency_by(model: MemoryModel) -> Callable[[float, int], float]:
    """Urgency of a due card from its stability and the study days since its last review: the lower, the sooner.

    It is the retrievability: first comes what is nearest to being lost. `benchmarks/backlog_order.py` weighs it
    against due day, stability, difficulty, loss by waiting a day, and chance: after a backlog of 20 to 90 days what
    is known over the next months differs by less than 1 % among all of them, and this order stays within 0.5 % of
    the best.
    """
    return model.retrievability


def new_in_order(cards: Sequence[Unseen], order: Literal["deck", "random"], day: int) -> list[Unseen]:
    """New *cards* of one deck as they shall come: by position, or in an order that *day* draws.

    The drawn order hangs on card and day alone, so it stays when some have been answered meanwhile.
    """
    if order == "deck":
        return sorted(cards, key=_position)
    return sorted(cards, key=lambda row: (zlib.crc32(row.card.encode("utf-8", "surrogatepass"), day), row.card))


def _position(row: Unseen) -> tuple[int, CardId]:
    return row.position, row.card


def mixed(
    due: Sequence[CardId], new: Sequence[CardId], mix: Literal["spread", "new_first", "new_last"]
) -> list[CardId]:
    """*due* and *new* in one row; `spread`: the new ones at even distances, a due card first and last."""
    if mix == "new_first":
        return [*new, *due]
    if mix == "new_last" or not new:
        return [*due, *new]
    row: list[CardId] = []
    taken, share = 0, len(due) / (len(new) + 1)
    for index, card in enumerate(new, start=1):
        upto = round(index * share)
        row += due[taken:upto]
        row.append(card)
        taken = upto
    row += due[taken:]
    return row


class Limits:
    """What each deck may still bring today: its own limit and those of the decks above it, up to *tops*.

    The decks chosen for a session (*tops*) are its top: limits above them do not bind, as in Anki. Without
    any, the root `""` is the top and its limit holds for all decks together.
    """

    def __init__(self, limit_of: dict[str, int], done: dict[str, int], tops: Sequence[str] = ()) -> None:
        """*limit_of*: limit by deck, for every deck that `chain` names. *done*: taken today, by deck."""
        self._tops = tuple(tops)
        self._left = {deck: [max(0, limit)] for deck, limit in limit_of.items()}
        self._chains: dict[str, tuple[list[int], ...]] = {}
        self._closed: set[str] = set()
        for deck, count in done.items():
            for name in chain(deck, self._tops):
                if name in self._left:
                    self._left[name][0] = max(0, self._left[name][0] - count)

    def allows(self, deck: str) -> bool:
        """Whether one more card of *deck* may come."""
        if deck in self._closed:
            return False
        for counter in self._counters(deck):
            if counter[0] < 1:
                self._closed.add(deck)
                return False
        return True

    def take(self, deck: str) -> None:
        """Count one card of *deck*."""
        for counter in self._counters(deck):
            counter[0] -= 1

    def take_up_to(self, deck: str, count: int) -> int:
        """Count up to *count* cards of *deck*, as many as the limits allow, and return how many."""
        counters = self._counters(deck)
        taken = max(0, min(count, *(counter[0] for counter in counters)))
        for counter in counters:
            counter[0] -= taken
        return taken

    def _counters(self, deck: str) -> tuple[list[int], ...]:
        counters = self._chains.get(deck)
        if counters is None:
            counters = self._chains[deck] = tuple(self._left[name] for name in chain(deck, self._tops))
        return counters


def chain(deck: str, tops: Sequence[str]) -> tuple[str, ...]:
    """*deck* and the decks above it whose limits bind it: up to the one of *tops* that holds it, or to `""`."""
    names = [deck]
    while names[-1] and names[-1] not in tops:
        names.append(names[-1].rpartition("/")[0])
    return tuple(names)


def limits(
    kind: Literal["new", "reviews"],
    decks: Iterable[str],
    options: dict[str, Options],
    done: dict[str, int],
    tops: Sequence[str],
    override: int | None = None,
) -> Limits:
    """The limits of *decks* for new cards or reviews. *override*: so many in all, in place of every deck's own limit.

    *options* must hold every deck that `chain` names for *decks*.
    """
    if override is not None:
        return Limits({name: override for deck in decks for name in chain(deck, ())}, {})
    limit_of: dict[str, int] = {}
    for deck in decks:
        for name in chain(deck, tops):
            limit_of[name] = options[name].new_per_day if kind == "new" else options[name].reviews_per_day
    return Limits(limit_of, done, tops)
