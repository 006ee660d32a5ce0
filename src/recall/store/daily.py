"""The way to the first card: what is due, what is new, what was done today, the text of a note.

Plain statements over DB-API; `tests/store/test_statements.py` holds them to the tables.
"""

from __future__ import annotations

from typing import NamedTuple

from recall.model.card import CardId, NoteId
from recall.model.review import DAY_MS, CardState, ReviewKind, State
from recall.schedule.replay import COUNTED_KINDS
from recall.store.database import Database, first_id_of
from recall.store.states import STATE_COLUMNS, state_from


class DueRow(NamedTuple):
    """A card that is due, as the queue weighs it."""

    card: CardId
    deck: str
    state: State
    due: int
    stability: float
    last_day: int
    position: int


class NewRow(NamedTuple):
    """A card that was never seen."""

    card: CardId
    deck: str
    position: int


class DoneRow(NamedTuple):
    """A card answered today."""

    card: CardId
    deck: str
    kind: ReviewKind
    introduced: bool
    """It was first seen today."""


class Waiting(NamedTuple):
    """How many cards wait, by deck."""

    reviews: dict[str, int]
    """In review and due."""
    learning: dict[str, int]
    """In their steps, their time has come."""
    new: dict[str, int]


class CardFacts(NamedTuple):
    """What the index says of a card."""

    deck: str
    kind: str
    title: str
    revision: str


class NoteText(NamedTuple):
    """The stored text of a note."""

    text: str
    file: str
    line: int


class StoredCard(NamedTuple):
    """A card with its text and its state."""

    facts: CardFacts
    absent: bool
    """It is missing from the files, or hidden with its deck."""
    text: NoteText
    last_revision: str | None
    """The revision that it had at its last review; None when it was never reviewed."""
    state: CardState


_STORED_CARD = (
    "SELECT c.deck, c.kind, c.title, c.revision, s.absent, t.text, t.file, t.line,"
    " (SELECT r.revision FROM review r WHERE r.card_id = c.id AND r.voided IS NULL ORDER BY r.id DESC LIMIT 1),"
    f" {', '.join(f's.{column}' for column in STATE_COLUMNS.split(', '))}"
    " FROM card c JOIN card_state s ON s.card_id = c.id JOIN content t ON t.note = c.note WHERE c.id = ?"
)


def due_rows(database: Database, until_ms: int, today: int) -> list[DueRow]:
    """Cards whose `due` is at most *until_ms* and that are neither suspended, absent nor buried on day *today*."""
    rows = database.execute(
        "SELECT card_id, deck, state, due, stability, last_day, position FROM card_state"
        " WHERE state > 0 AND NOT suspended AND NOT absent AND due <= ? AND buried_until <= ?",
        (until_ms, today),
    )
    return list(map(DueRow._make, rows))


def new_rows(database: Database, deck: str, today: int, limit: int) -> list[NewRow]:
    """The first *limit* new cards of *deck*, in its order."""
    rows = database.execute(
        "SELECT card_id, deck, position FROM card_state WHERE state = 0 AND NOT suspended AND NOT absent"
        " AND deck = ? AND buried_until <= ? ORDER BY position LIMIT ?",
        (deck, today, limit),
    )
    return list(map(NewRow._make, rows))


def done_rows(database: Database, day_start_ms: int, day_end_ms: int) -> list[DoneRow]:
    """Cards answered from *day_start_ms* to before *day_end_ms*, once a kind of review; cram sessions left out."""
    counted = f"kind IN ({', '.join(map(str, COUNTED_KINDS))})"
    rows = database.execute(
        # A card that was forgotten is new again: what was before that does not count.
        "SELECT r.card_id, s.deck, r.kind, EXISTS (SELECT 1 FROM review p WHERE p.card_id = r.card_id"
        f" AND p.voided IS NULL AND p.rated_at < ? AND p.{counted} AND p.id > coalesce((SELECT max(e.id) FROM event e"
        " WHERE e.card_id = r.card_id AND e.act = 'forget' AND e.voided IS NULL AND e.id < r.id), 0))"
        " FROM review r JOIN card_state s ON s.card_id = r.card_id"
        # Ids are never below their instant; above it they are where the clock was set back.
        f" WHERE r.id >= ? AND r.rated_at >= ? AND r.rated_at < ? AND r.voided IS NULL AND r.{counted} ORDER BY r.id",
        (day_start_ms, first_id_of(day_start_ms), day_start_ms, day_end_ms),
    )
    found = {(row[0], row[2]): DoneRow(row[0], row[1], ReviewKind(row[2]), not row[3]) for row in rows}
    return list(found.values())


def counts_by_deck(database: Database, now_ms: int, today: int) -> Waiting:
    """What waits in each deck; decks with none are left out."""
    due_today = today * DAY_MS
    rows = database.execute(
        # Two measures of due: an instant for cards in their steps, a study day, whatever the zone, for the others.
        "SELECT deck, sum(CASE WHEN state = 2 THEN 1 ELSE 0 END), count(*) FROM card_state"
        " WHERE state > 0 AND NOT suspended AND NOT absent AND due <= ? AND buried_until <= ?"
        " AND due <= CASE WHEN state = 2 THEN ? ELSE ? END GROUP BY deck",
        (max(now_ms, due_today), today, due_today, now_ms),
    ).fetchall()
    new = database.execute(
        "SELECT deck, count(*) FROM card_state"
        " WHERE state = 0 AND NOT suspended AND NOT absent AND buried_until <= ? GROUP BY deck",
        (today,),
    )
    return Waiting(
        {deck: int(reviews) for deck, reviews, _ in rows if reviews},
        {deck: every - int(reviews) for deck, reviews, every in rows if every > reviews},
        dict(new.fetchall()),
    )


def note_text(database: Database, note: NoteId) -> NoteText | None:
    """The stored text of *note*, or None when the index does not have it."""
    row = database.execute("SELECT text, file, line FROM content WHERE note = ?", (note,)).fetchone()
    return None if row is None else NoteText(*row)


def card_facts(database: Database, card: CardId) -> CardFacts | None:
    """What the index says of *card*, or None when it does not have it."""
    row = database.execute("SELECT deck, kind, title, revision FROM card WHERE id = ?", (card,)).fetchone()
    return None if row is None else CardFacts(*row)


def is_absent(database: Database, card: CardId) -> bool:
    """Whether *card* is missing from the files, hidden with its deck, or in no index."""
    row = database.execute("SELECT absent FROM card_state WHERE card_id = ?", (card,)).fetchone()
    return row is None or bool(row[0])


def cards_by_due(database: Database, after_ms: int, today: int, limit: int) -> list[DueRow]:
    """The first *limit* cards in review that fall due after *after_ms*, the soonest first."""
    rows = database.execute(
        "SELECT card_id, deck, state, due, stability, last_day, position FROM card_state"
        " WHERE state > 0 AND NOT suspended AND NOT absent AND due > ? AND state = 2 AND buried_until <= ?"
        " ORDER BY due, card_id LIMIT ?",
        (after_ms, today, limit),
    )
    return list(map(DueRow._make, rows))


def all_rows(database: Database) -> list[DueRow]:
    """Every card that is neither suspended nor absent, new ones too."""
    rows = database.execute(
        "SELECT card_id, deck, state, due, stability, last_day, position FROM card_state"
        " WHERE NOT suspended AND NOT absent ORDER BY deck, position"
    )
    return list(map(DueRow._make, rows))


def stored_card(database: Database, card: CardId) -> StoredCard | None:
    """Everything that showing *card* needs, in one statement; None when the index does not have it."""
    row = database.execute(_STORED_CARD, (card,)).fetchone()
    if row is None:
        return None
    return StoredCard(CardFacts(*row[:4]), bool(row[4]), NoteText(*row[5:8]), row[8], state_from(row[9:]))
