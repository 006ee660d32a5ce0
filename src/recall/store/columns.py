"""The log and the states of all cards as NumPy columns, for folding a whole collection at once.

Reading rows as tuples costs more than folding them, so each review comes as one packed integer, in the order of an
index that holds all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from recall.model.card import CardId
from recall.schedule.fold import CardEvent, Reviews, States
from recall.store.database import Database
from recall.store.states import STATE_COLUMNS, update_states

_OFFSET_BASE = 1024
"""Added to the local offset in minutes (-840 to 840), so that it packs as a positive number of 11 bits."""


@dataclass(frozen=True, slots=True)
class Collection:
    """The cards of some decks with their whole log, cards in order of their ids."""

    cards: list[CardId]
    decks: list[str]
    """Of each card."""
    reviews: Reviews
    events: list[CardEvent]


def load(database: Database, decks: Sequence[str] | None = None) -> Collection:
    """Cards of *decks* (of all decks, if None) with what was done to them; what was taken back is left out."""
    where, parameters = _where("deck", decks)
    rows = database.execute(f"SELECT card_id, deck FROM card_state{where} ORDER BY {_by_id(database)}", parameters)
    cards: list[CardId] = []
    names: list[str] = []
    for card, deck in rows:
        cards.append(card)
        names.append(deck)
    index = {card: position for position, card in enumerate(cards)}
    chosen, parameters = _chosen(decks)
    return Collection(
        cards, names, _reviews(database, index, chosen, parameters), _events(database, index, chosen, parameters)
    )


def _reviews(database: Database, index: dict[CardId, int], chosen: str, parameters: Sequence[object]) -> Reviews:
    counts = database.execute(
        f"SELECT card_id, count(*) FROM review WHERE voided IS NULL{chosen}"
        f" GROUP BY card_id ORDER BY {_by_id(database)}",
        parameters,
    ).fetchall()
    packed = np.fromiter(
        chain.from_iterable(
            database.execute(
                f"SELECT rated_at * 131072 + (offset_min + {_OFFSET_BASE}) * 64 + rating * 8 + kind"
                f" FROM review WHERE voided IS NULL{chosen} ORDER BY {_by_id(database)}, id",
                parameters,
            )
        ),
        dtype=np.int64,
    )
    of_card = np.repeat(
        # A card that is in the log and in no index any more has no state to fold.
        np.fromiter((index.get(card, -1) for card, _ in counts), np.int64, len(counts)),
        np.fromiter((count for _, count in counts), np.int64, len(counts)),
    )
    if len(of_card) and of_card.min() < 0:
        packed, of_card = packed[of_card >= 0], of_card[of_card >= 0]
    return Reviews(
        card=of_card,
        rated_at=packed >> 17,
        offset_min=((packed >> 6) & 2047) - _OFFSET_BASE,
        rating=(packed >> 3) & 7,
        kind=packed & 7,
    )


def _events(database: Database, index: dict[CardId, int], chosen: str, parameters: Sequence[object]) -> list[CardEvent]:
    rows = database.execute(
        f"SELECT card_id, id, act, value FROM event WHERE voided IS NULL{chosen} ORDER BY id", parameters
    )
    return [CardEvent(index[card], number, act, value) for card, number, act, value in rows if card in index]


def stored_states(database: Database, decks: Sequence[str] | None = None) -> States:
    """The states as they are stored, of the same cards in the same order as in `load`."""
    where, parameters = _where("deck", decks)
    rows = database.execute(
        f"SELECT {STATE_COLUMNS} FROM card_state{where} ORDER BY {_by_id(database)}", parameters
    ).fetchall()
    columns = list(zip(*rows, strict=True)) if rows else [()] * 12
    return States(
        np.array(columns[0], np.int8),
        np.array(columns[1], np.int8),
        np.array(columns[2], np.float64),
        np.array(columns[3], np.float64),
        np.array(columns[4], np.int64),
        np.array(columns[5], np.int64),
        np.array(columns[6], np.int32),
        np.array(columns[7], np.int32),
        np.array(columns[8], np.int32),
        np.array(columns[9], np.bool_),
        np.array(columns[10], np.int32),
        np.array(columns[11], np.bool_),
    )


def write(database: Database, cards: Sequence[CardId], states: States, which: Iterable[int]) -> None:
    """Store the states of the cards with the indices *which*."""
    update_states(database, ((cards[position], states.card(position)) for position in which))


def _where(column: str, decks: Sequence[str] | None) -> tuple[str, Sequence[object]]:
    if decks is None:
        return "", ()
    return f" WHERE {column} IN ({', '.join('?' * len(decks))})", tuple(decks)


def _chosen(decks: Sequence[str] | None) -> tuple[str, Sequence[object]]:
    where, parameters = _where("deck", decks)
    return (f" AND card_id IN (SELECT card_id FROM card_state{where})", parameters) if where else ("", ())


def _by_id(database: Database) -> str:
    # SQLite orders text by its bytes; so must PostgreSQL, whatever the collation of the database.
    return "card_id" if database.dialect == "sqlite" else 'card_id COLLATE "C"'
