"""Bring a database to the present schema: named steps, each in a transaction with its record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from recall.errors import NewerStoreError, StoreError
from recall.store.database import Database, redacted

Migration = tuple[str, Callable[[Database], None]]
SCHEMA = Path(__file__).parent / "schema"

_SQLITE_TEXT_INDEX = "CREATE VIRTUAL TABLE content_text USING fts5(words, content='')"
_POSTGRESQL_TEXT_INDEX = (
    "CREATE TABLE content_text (pk INTEGER PRIMARY KEY, words TSVECTOR NOT NULL);\n\n"
    "CREATE INDEX content_text_words ON content_text USING GIN (words);\n\n"
)


def _initial(database: Database) -> None:
    database.script((SCHEMA / f"{database.dialect}.sql").read_text(encoding="utf-8"))
    database.script(_SQLITE_TEXT_INDEX if database.dialect == "sqlite" else _POSTGRESQL_TEXT_INDEX)


MIGRATIONS: tuple[Migration, ...] = (("0001-initial", _initial),)
"""In order. A step that is released is never changed; a new one is added below."""


def migrate(database: Database, now_ms: int, migrations: tuple[Migration, ...] = MIGRATIONS) -> list[str]:
    """Run the steps that *database* has not had, and return their names.

    Raises `NewerStoreError` when the database has had a step that this program does not know.
    """
    done = _done(database)
    _refuse_newer(database, done, migrations)
    if len(done) == len(migrations):
        return []
    with database.transaction():
        # Asked again as the only writer: another process may have been faster.
        done = _done(database)
        _refuse_newer(database, done, migrations)
        pending = [(name, step) for name, step in migrations if name not in done]
        for name, step in pending:
            step(database)
            database.execute("INSERT INTO migration (name, applied_at) VALUES (?, ?)", (name, now_ms))
    return [name for name, _ in pending]


def _refuse_newer(database: Database, done: set[str], migrations: tuple[Migration, ...]) -> None:
    unknown = sorted(done - {name for name, _ in migrations})
    if unknown:
        raise NewerStoreError(
            f"the database {redacted(database.url)} was made by a newer recall (it has {unknown[-1]})",
            "update recall; nothing was read or written",
        )


def _done(database: Database) -> set[str]:
    tables = _tables_of_interest(database)
    if "migration" in tables:
        return {row[0] for row in database.execute("SELECT name FROM migration")}
    if tables:
        raise StoreError(
            f"the database {redacted(database.url)} belongs to another program", "choose another file with --database"
        )
    return set()


def _tables_of_interest(database: Database) -> set[str]:
    """Those of `migration`, and of tables that tell of another program, that are there.

    One statement, and so one moment: another process may be making all of them just now.
    """
    if database.dialect == "sqlite":
        sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('migration', 'card', 'notes')"
    else:
        sql = (
            "SELECT tablename FROM pg_catalog.pg_tables"
            " WHERE schemaname = current_schema() AND tablename IN ('migration', 'card', 'notes')"
        )
    return {row[0] for row in database.execute(sql)}
