"""What the log says about sittings and days: for the summary of a session and for home."""

from __future__ import annotations

from typing import NamedTuple

from recall.model.card import CardId
from recall.model.review import ReviewKind
from recall.schedule.replay import COUNTED_KINDS
from recall.store.database import Database, first_id_of


class SittingRow(NamedTuple):
    """One rating of a session."""

    card: CardId
    rating: int
    thinking_ms: int
    kind: int


class LeechRow(NamedTuple):
    """A card that keeps being forgotten."""

    card: CardId
    title: str
    lapses: int


def ratings_of(database: Database, session: int) -> list[SittingRow]:
    """The ratings of *session* that were not taken back, in order."""
    rows = database.execute(
        "SELECT card_id, rating, thinking_ms, kind FROM review WHERE id >= ? AND session = ? AND voided IS NULL"
        " ORDER BY id",
        # A session's id is the first id of its first instant, so its rows lie behind it in the log.
        (session, session),
    )
    return [SittingRow(*row) for row in rows]


def moments_since(database: Database, start_ms: int) -> list[tuple[int, int]]:
    """(instant, local offset in minutes) of the counted ratings since *start_ms*; cram sessions left out."""
    rows = database.execute(
        # Ids are never below their instant; above it they are where the clock was set back.
        "SELECT rated_at, offset_min FROM review WHERE id >= ? AND rated_at >= ? AND voided IS NULL"
        f" AND kind IN ({', '.join(map(str, COUNTED_KINDS))})",
        (first_id_of(start_ms), start_ms),
    )
    return [(row[0], row[1]) for row in rows]


def has_review_between(database: Database, start_ms: int, end_ms: int) -> bool:
    """Whether any rating falls between two instants, the second left out."""
    row = database.execute(
        "SELECT 1 FROM review WHERE id >= ? AND id < ? AND voided IS NULL LIMIT 1",
        (first_id_of(start_ms), first_id_of(end_ms)),
    ).fetchone()
    return row is not None


def seconds_per_review(database: Database, sample: int = 500) -> float | None:
    """Mean seconds of the last *sample* ratings, or None when there is none."""
    row = database.execute(
        "SELECT avg(t.thinking_ms) FROM (SELECT thinking_ms FROM review WHERE voided IS NULL AND source = ''"
        " ORDER BY id DESC LIMIT ?) AS t",
        (sample,),
    ).fetchone()
    return None if row[0] is None else float(row[0]) / 1000


def retention_by_deck(database: Database, since_ms: int, latest: int = 2_000) -> dict[str, tuple[int, int]]:
    """(passed, all) of the *latest* reviews since *since_ms*, by deck; steps inside a day left out."""
    rows = database.execute(
        "SELECT s.deck, sum(CASE WHEN r.rating > 1 THEN 1 ELSE 0 END), count(*) FROM"
        " (SELECT card_id, rating FROM review WHERE id >= ? AND voided IS NULL AND kind = ? ORDER BY id DESC LIMIT ?) r"
        " JOIN card_state s ON s.card_id = r.card_id GROUP BY s.deck",
        (first_id_of(since_ms), int(ReviewKind.REVIEW), latest),
    )
    return {row[0]: (int(row[1]), int(row[2])) for row in rows}


def leeches(database: Database, threshold: int, limit: int = 5) -> list[LeechRow]:
    """Cards with at least *threshold* lapses, the worst first."""
    if threshold <= 0:
        return []
    rows = database.execute(
        "SELECT s.card_id, c.title, s.lapses FROM card_state s JOIN card c ON c.id = s.card_id"
        " WHERE s.lapses > 0 AND s.lapses >= ? AND NOT s.absent ORDER BY s.lapses DESC, s.card_id LIMIT ?",
        (threshold, limit),
    )
    return [LeechRow(*row) for row in rows]


def due_on(database: Database, start_ms: int, end_ms: int) -> int:
    """How many cards fall due between two values of `due`, the second left out."""
    return database.execute(
        "SELECT count(*) FROM card_state WHERE state > 0 AND NOT suspended AND NOT absent AND due >= ? AND due < ?",
        (start_ms, end_ms),
    ).fetchone()[0]


def has_reviews(database: Database) -> bool:
    """Whether anything was ever rated."""
    return database.execute("SELECT 1 FROM review LIMIT 1").fetchone() is not None
