"""The cached state of a card: reading and writing its row."""

from __future__ import annotations

from collections.abc import Iterable

from recall.model.card import CardId
from recall.model.review import CardState, State
from recall.store.database import Database, Row

STATE_COLUMNS = (
    "state, step, stability, difficulty, due, last_review, last_day, reps, lapses, suspended, buried_until, marked"
)
SELECT_STATE = f"SELECT {STATE_COLUMNS} FROM card_state WHERE card_id = ?"
_UPDATE_STATE = f"UPDATE card_state SET {STATE_COLUMNS.replace(',', ' = ?,')} = ? WHERE card_id = ?"


def state_of(database: Database, card: CardId) -> CardState | None:
    """The stored state of *card*, or None when the index does not have it."""
    row = database.execute(SELECT_STATE, (card,)).fetchone()
    return None if row is None else state_from(row)


def write_state(database: Database, card: CardId, state: CardState) -> None:
    """Store *state* as the state of *card*."""
    database.execute(_UPDATE_STATE, (*state_row(state), card))


def state_row(state: CardState) -> tuple[object, ...]:
    """The values of `STATE_COLUMNS`."""
    return (
        int(state.state),
        state.step,
        state.stability,
        state.difficulty,
        state.due,
        state.last_review,
        state.last_day,
        state.reps,
        state.lapses,
        state.suspended,
        state.buried_until,
        state.marked,
    )


def state_from(row: Row) -> CardState:
    # By name, since the columns are many; SQLite keeps booleans as integers.
    return CardState(
        state=State(row[0]),
        step=row[1],
        stability=row[2],
        difficulty=row[3],
        due=row[4],
        last_review=row[5],
        last_day=row[6],
        reps=row[7],
        lapses=row[8],
        suspended=bool(row[9]),
        buried_until=row[10],
        marked=bool(row[11]),
    )


def update_states(database: Database, states: Iterable[tuple[CardId, CardState]]) -> None:
    """Store the state of each of many cards."""
    database.executemany(_UPDATE_STATE, ((*state_row(state), card) for card, state in states))
