"""The tables, declared once. `schema/*.sql` is generated from here, and a test holds the two together.

Stored is what happened (`review`, `event`, `session`, `machine`, `measurement`); in files is what is asked
(`deck`, `card`, `content` index them); derived is the schedule (`card_state`).
Instants are milliseconds since 1970 in UTC: integers compare, sort and travel between databases as they are.
"""

from __future__ import annotations

import re
from typing import Literal

from sqlalchemy import BigInteger, Column, Index, Integer, SmallInteger, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import declared_attr
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import Field, SQLModel


def _time_ordered_id() -> Column[int]:
    # SQLite makes a key its row id, which needs no index of its own, only when the type is INTEGER.
    return Column(BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False)


def _instant(*, nullable: bool = False) -> Column[int]:
    return Column(BigInteger, nullable=nullable)


class Table(SQLModel):
    """Base of the tables; `CardStateRow` is the table `card_state`."""

    @declared_attr.directive
    @classmethod
    # SQLModel types the name as a plain attribute; a directive is SQLAlchemy's own form for a computed one.
    def __tablename__(cls) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()


class MigrationRow(Table, table=True):
    """One change of the schema that this database has had."""

    name: str = Field(primary_key=True)
    applied_at: int = Field(sa_column=_instant())


class SettingRow(Table, table=True):
    """What several machines on one database must share."""

    key: str = Field(primary_key=True)
    value: str
    """JSON."""


class MachineRow(Table, table=True):
    """A machine that wrote here."""

    id: str = Field(primary_key=True)
    label: str
    gpu_name: str | None = None
    driver: str | None = None
    runtime: str | None = None
    cpu: str | None = None
    memory_bytes: int | None = Field(default=None, sa_column=_instant(nullable=True))
    first_seen: int = Field(sa_column=_instant())
    last_seen: int = Field(sa_column=_instant())


class RootRow(Table, table=True):
    """A file or folder of decks that a machine follows."""

    machine: str = Field(primary_key=True)
    path: str = Field(primary_key=True)
    prefix: str
    """Put before the identity of each deck below it; empty or `name/`."""
    added_at: int = Field(sa_column=_instant())


class DeckRow(Table, table=True):
    """A deck as it was last read. Its path below its root is its identity; the name is only shown."""

    deck: str = Field(primary_key=True)
    name: str
    machine: str
    """Whose file it is; empty for a shipped deck, which every machine has."""
    file: str
    modified_ns: int = Field(sa_column=_instant())
    size: int = Field(sa_column=_instant())
    cards: int
    hidden: bool
    missing: bool
    faults: str
    """JSON list of the faults found when it was read."""
    options: str
    """Fingerprint of the options that the states of its cards were folded with."""
    source: str
    as_of: str
    """From the front matter: for cards that name none of their own."""


class CardRow(Table, table=True):
    """Index of what the files ask."""

    __table_args__ = (Index("card_note", "note"), Index("card_deck", "deck", "position"))

    id: str = Field(primary_key=True)
    note: str
    deck: str
    kind: str
    title: str
    revision: str
    tags: str
    """Each tag between commas, `,gpu,memory,`, so that one LIKE finds one tag."""
    position: int
    first_seen: int = Field(sa_column=_instant())
    missing_since: int | None = Field(default=None, sa_column=_instant(nullable=True))


class ContentRow(Table, table=True):
    """The text of a note and where it stands: the first card of a session parses no deck."""

    pk: int | None = Field(default=None, primary_key=True)
    note: str = Field(unique=True)
    text: str
    file: str
    line: int


class CardStateRow(Table, table=True):
    """The fold of a card's reviews and events; `deck`, `position`, `absent` repeat the index for the queue."""

    __table_args__ = (
        Index(
            "state_due",
            *("due", "deck", "card_id", "state", "stability", "last_day", "buried_until", "position"),
            # Implied by the condition, yet SQLite before 3.41 would look them up in the table.
            *("suspended", "absent"),
            sqlite_where=text("state > 0 AND NOT suspended AND NOT absent"),
            postgresql_where=text("state > 0 AND NOT suspended AND NOT absent"),
        ),
        Index(
            "state_new",
            *("deck", "position", "card_id", "buried_until", "state", "suspended", "absent"),
            sqlite_where=text("state = 0 AND NOT suspended AND NOT absent"),
            postgresql_where=text("state = 0 AND NOT suspended AND NOT absent"),
        ),
        # For the leeches on home; most cards have no lapse and no entry.
        Index("state_lapses", "lapses", sqlite_where=text("lapses > 0"), postgresql_where=text("lapses > 0")),
    )

    card_id: str = Field(primary_key=True)
    deck: str
    position: int
    absent: bool
    """The card is missing from the files, or its deck is hidden."""
    state: int = Field(sa_column=Column(SmallInteger, nullable=False))
    step: int = Field(sa_column=Column(SmallInteger, nullable=False))
    stability: float
    difficulty: float
    due: int = Field(sa_column=_instant())
    last_review: int = Field(sa_column=_instant())
    last_day: int
    reps: int
    lapses: int
    suspended: bool
    buried_until: int
    marked: bool


class SessionRow(Table, table=True):
    """One sitting."""

    id: int = Field(sa_column=_time_ordered_id())
    machine: str
    started_at: int = Field(sa_column=_instant())
    ended_at: int | None = Field(default=None, sa_column=_instant(nullable=True))
    filter: str
    """JSON: decks, query, limits and mode of the session."""


class ReviewRow(Table, table=True):
    """The review log: the truth. Rows are only added; undo sets `voided`."""

    __table_args__ = (
        Index(
            "review_fold",
            *("card_id", "id", "rated_at", "offset_min", "rating", "kind"),
            sqlite_where=text("voided IS NULL"),
            postgresql_where=text("voided IS NULL"),
        ),
        Index(
            "review_voided",
            "voided",
            sqlite_where=text("voided IS NOT NULL"),
            postgresql_where=text("voided IS NOT NULL"),
        ),
    )

    id: int = Field(sa_column=_time_ordered_id())
    card_id: str
    session: int = Field(sa_column=_instant())
    shown_at: int = Field(sa_column=_instant())
    rated_at: int = Field(sa_column=_instant())
    offset_min: int = Field(sa_column=Column(SmallInteger, nullable=False))
    rating: int = Field(sa_column=Column(SmallInteger, nullable=False))
    kind: int = Field(sa_column=Column(SmallInteger, nullable=False))
    """As in `ReviewKind`."""
    suggested: int | None = Field(default=None, sa_column=Column(SmallInteger, nullable=True))
    outcome: str | None = None
    """None: the learner judged."""
    answer: str | None = None
    seed: int = Field(sa_column=_instant())
    revision: str
    thinking_ms: int
    hints: int = Field(sa_column=Column(SmallInteger, nullable=False))
    parts: str | None = None
    measurement: int | None = Field(default=None, sa_column=_instant(nullable=True))
    source: str
    voided: int | None = Field(default=None, sa_column=_instant(nullable=True))
    """When it was taken back, as a time-ordered id: the latest is the first to be redone."""


class EventRow(Table, table=True):
    """What was done to cards beside reviews; append-only like the review log, and undone the same way."""

    __table_args__ = (
        Index("event_card", "card_id", "id"),
        Index("event_action", "action"),
        Index(
            "event_voided",
            "voided",
            sqlite_where=text("voided IS NOT NULL"),
            postgresql_where=text("voided IS NOT NULL"),
        ),
    )

    id: int = Field(sa_column=_time_ordered_id())
    card_id: str
    action: int = Field(sa_column=_instant())
    machine: str
    at: int = Field(sa_column=_instant())
    offset_min: int = Field(sa_column=Column(SmallInteger, nullable=False))
    act: str
    value: int | None = Field(default=None, sa_column=_instant(nullable=True))
    text: str | None = None
    voided: int | None = Field(default=None, sa_column=_instant(nullable=True))


class MeasurementRow(Table, table=True):
    """One figure taken from a machine; append-only."""

    __table_args__ = (Index("measurement_check", "machine", "check_name", "taken_at"),)

    id: int = Field(sa_column=_time_ordered_id())
    machine: str
    check_name: str
    check_version: int
    value: float
    unit: str
    spread: float
    samples: int
    status: str
    conditions: str
    taken_at: int = Field(sa_column=_instant())


def ddl(dialect_name: Literal["sqlite", "postgresql"]) -> str:
    """The statements that create every table and index, as `schema/` keeps them."""
    dialect: Dialect = sqlite.dialect() if dialect_name == "sqlite" else postgresql.dialect()
    statements: list[str] = []
    for table in SQLModel.metadata.sorted_tables:
        statements.append(str(CreateTable(table).compile(dialect=dialect)))
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        statements += [str(CreateIndex(index).compile(dialect=dialect)) for index in indexes]
    return "".join(s.strip().replace("\t", "  ").replace(" \n", "\n") + ";\n\n" for s in statements)
