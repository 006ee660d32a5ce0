"""Reading what happened, for looking at it: a card's log, days of reviews, what falls due.

Here nothing hurries, so SQLModel's tables write the statements. Importing it takes longer than importing the whole
app: screens do it after their first frame.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

from sqlalchemy import BigInteger, ColumnElement, Connection, Engine, NullPool, case, create_engine, func
from sqlalchemy import cast as sql_cast
from sqlalchemy import select as core_select
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col, select

from recall.model.card import CardId
from recall.model.review import DAY_MS, Act, Event, Rating, Review, ReviewKind, State
from recall.schedule.days import HOUR_MS, MINUTE_MS
from recall.schedule.replay import COUNTED_KINDS
from recall.store.database import in_words, redacted
from recall.store.tables import CardRow, CardStateRow, EventRow, MachineRow, ReviewRow


@dataclass(frozen=True, slots=True)
class DayOfReviews:
    """The ratings of one study day."""

    day: int
    reviews: int
    again: int
    hard: int
    good: int
    easy: int
    thinking_ms: int
    recalls: int
    """Of cards in review, a day or more after the review before."""
    recalled: int
    """Of these, not rated Again."""


class History:
    """The log of one database, opened for reading."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = _engine(url)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _session(self) -> Generator[Session]:
        with self._connection() as connection, Session(connection) as session:
            yield session

    @contextmanager
    def _connection(self) -> Generator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise in_words(cast(Exception, error.orig or error), redacted(self._url)) from error

    def reviews(self, card: CardId) -> list[Review]:
        """Every rating of *card* that was not taken back, in the order of the log."""
        query = select(ReviewRow).where(ReviewRow.card_id == card, col(ReviewRow.voided).is_(None))
        with self._session() as session:
            return [_review(row) for row in session.exec(query.order_by(col(ReviewRow.id)))]

    def events(self, card: CardId) -> list[Event]:
        """Every other act on *card* that was not taken back, in the order of the log."""
        query = select(EventRow).where(EventRow.card_id == card, col(EventRow.voided).is_(None))
        with self._session() as session:
            return [
                Event(row.id, card, row.action, row.machine, row.at, row.offset_min, Act(row.act), row.value, row.text)
                for row in session.exec(query.order_by(col(EventRow.id)))
            ]

    def machines(self) -> dict[str, str]:
        """Names of the machines that wrote here, by id."""
        with self._session() as session:
            return {row.id: row.label for row in session.exec(select(MachineRow))}

    def days(self, rollover_hour: int, deck: str = "") -> list[DayOfReviews]:
        """The ratings of each study day that had any, in order; of *deck* and those below it, if given."""
        rating, kind = col(ReviewRow.rating), col(ReviewRow.kind)
        # A product of small integers would be one, too.
        offset_ms = sql_cast(col(ReviewRow.offset_min), BigInteger) * MINUTE_MS
        local = col(ReviewRow.rated_at) + offset_ms - rollover_hour * HOUR_MS
        day = (local // DAY_MS).label("day")
        is_recall = kind == int(ReviewKind.REVIEW)
        query = (
            core_select(
                day,
                func.count(),
                *(func.sum(_one_if(rating == value.value)) for value in Rating),
                func.sum(col(ReviewRow.thinking_ms)),
                func.sum(_one_if(is_recall)),
                func.sum(_one_if(is_recall & (rating > Rating.AGAIN.value))),
            )
            .where(col(ReviewRow.voided).is_(None), kind.in_(COUNTED_KINDS))
            .group_by(day)
            .order_by(day)
        )
        if deck:
            below = col(CardRow.deck).startswith(f"{deck}/", autoescape=True)
            cards = select(CardRow.id).where((col(CardRow.deck) == deck) | below)
            query = query.where(col(ReviewRow.card_id).in_(cards))
        # More columns than SQLModel's own `select` has types for.
        with self._connection() as connection:
            rows = connection.execute(query).all()
        return [DayOfReviews(*(int(value) for value in row)) for row in rows]

    def due_days(self, deck: str = "") -> list[tuple[int, int, int]]:
        """(state, due, cards) of all seen cards that are neither suspended nor absent, by state and due."""
        state, due = col(CardStateRow.state), col(CardStateRow.due)
        query = (
            select(state, due, func.count())
            .where(state > State.NEW.value, ~col(CardStateRow.suspended), ~col(CardStateRow.absent))
            .group_by(state, due)
        )
        if deck:
            below = col(CardStateRow.deck).startswith(f"{deck}/", autoescape=True)
            query = query.where((col(CardStateRow.deck) == deck) | below)
        with self._session() as session:
            return [(int(row[0]), int(row[1]), int(row[2])) for row in session.exec(query)]

    def memories(self, deck: str = "") -> dict[State, int]:
        """How many cards stand in each state; absent ones left out."""
        query = select(col(CardStateRow.state), func.count()).where(~col(CardStateRow.absent))
        if deck:
            below = col(CardStateRow.deck).startswith(f"{deck}/", autoescape=True)
            query = query.where((col(CardStateRow.deck) == deck) | below)
        with self._session() as session:
            found = {State(int(row[0])): int(row[1]) for row in session.exec(query.group_by(col(CardStateRow.state)))}
        return {state: found.get(state, 0) for state in State}


def _engine(url: str) -> Engine:
    if url.startswith("sqlite:///"):
        # By hand, since a file's name may hold what means something in a URL.
        file = url.removeprefix("sqlite:///")
        return create_engine("sqlite://", creator=lambda: sqlite3.connect(file), poolclass=NullPool)
    return create_engine(f"postgresql+psycopg://{url.partition('://')[2]}", poolclass=NullPool)


def _one_if(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return case((condition, 1), else_=0)


def _review(row: ReviewRow) -> Review:
    return Review(
        id=row.id,
        card=CardId(row.card_id),
        session=row.session,
        shown_at=row.shown_at,
        rated_at=row.rated_at,
        offset_min=row.offset_min,
        rating=Rating(row.rating),
        kind=ReviewKind(row.kind),
        suggested=None if row.suggested is None else Rating(row.suggested),
        outcome=row.outcome or "self_rated",
        answer=row.answer,
        seed=row.seed,
        revision=row.revision,
        thinking_ms=row.thinking_ms,
        hints=row.hints,
        parts=row.parts,
        measurement=row.measurement,
        source=row.source,
    )
