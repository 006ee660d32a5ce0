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
    if not _has_table(database, "migration"):
        if _has_table(database, "card") or _has_table(database, "notes"):
            raise StoreError(
                f"the database {redacted(database.url)} belongs to another program",
                "choose another file with --database",
            )
        return set()
    return {row[0] for row in database.execute("SELECT name FROM migration")}


def _has_table(database: Database, name: str) -> bool:
    if database.dialect == "sqlite":
        sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    else:
        sql = "SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ?"
    return database.execute(sql, (name,)).fetchone() is not None
