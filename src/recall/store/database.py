"""One connection to SQLite or PostgreSQL, over DB-API: opening, transactions, time-ordered ids, errors in words.

Importing an ORM takes twice as long as importing the whole app, so nothing between process start and the first
card, or between a key and its log row, may need one. Statements are written once, with `?` for parameters, in the
SQL that both databases share.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from recall import paths
from recall.errors import StoreBusyError, StoreError

if TYPE_CHECKING:
    import psycopg

Row = tuple[Any, ...]
BUSY_TIMEOUT_MS = 1_500
"""How long a write waits for another program's; the app stands still meanwhile."""
RANDOM_BITS = 21
_BEGIN_ALONE = (
    f"BEGIN; SET LOCAL lock_timeout = {BUSY_TIMEOUT_MS};"
    " SELECT pg_advisory_xact_lock(725326172, hashtext(current_schema()))"
)
"""PostgreSQL: a transaction that waits for all others of this program to end. The first number means this program."""


class Cursor(Protocol):
    """What this package uses of a DB-API cursor."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Any: ...


def redacted(url: str) -> str:
    """*url* as it may be shown: without a password."""
    scheme, separator, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    if not at:
        return url
    return f"{scheme}{separator}{login.partition(':')[0]}@{place}"


def first_id_of(ms: int) -> int:
    """The smallest time-ordered id of the instant *ms*."""
    return ms << RANDOM_BITS


class Database:
    """An open connection. Not shared between threads: each thread opens its own."""

    def __init__(self, url: str) -> None:
        """Connect to *url*: `sqlite:///FILE` or `postgresql://...`; the file and its directory are made if missing.

        Raises `StoreError` when that cannot be done.
        """
        self.url = url
        self._depth = 0
        self.dialect: Literal["sqlite", "postgresql"]
        if url.startswith("sqlite:///"):
            self.dialect = "sqlite"
            self.file = Path(url.removeprefix("sqlite:///"))
            self._connection: Any = self._open_sqlite(self.file)
        elif url.startswith(("postgresql://", "postgresql+psycopg://", "postgres://")):
            self.dialect = "postgresql"
            self.file = None
            self._connection = self._open_postgresql(url)
        else:
            raise StoreError(
                f"cannot open the database {redacted(url)!r}",
                "use sqlite:///FILE or postgresql://USER@HOST/NAME",
            )

    def _open_sqlite(self, file: Path) -> sqlite3.Connection:
        try:
            paths.make_private(file.parent)
            if not file.exists():
                # Made here, so that the file is never readable by others, not even for a moment.
                os.close(os.open(file, os.O_CREAT | os.O_RDWR, paths.PRIVATE_FILE))
            connection = sqlite3.connect(
                file, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, cached_statements=256
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"cannot open the database {file}: {_reason(error)}", "choose another place with RECALL_HOME"
            ) from error
        with self._errors():
            # FULL: a rating that was confirmed survives a power cut.
            _use_wal(connection)
            for pragma in ("synchronous=FULL", "temp_store=MEMORY", "cache_size=-16000"):
                connection.execute(f"PRAGMA {pragma}")
            # A log that is often emptied is written over, and a commit that does not make its file longer takes
            # little more than half the time; each emptying takes about 2 ms (both measured: benchmarks/README.md).
            connection.execute("PRAGMA wal_autocheckpoint=100")
        return connection

    def _open_postgresql(self, url: str) -> psycopg.Connection[Row]:
        try:
            import psycopg
        except ImportError as error:
            raise StoreError(
                "PostgreSQL needs the package psycopg", "install it beside recall: pip install 'psycopg[binary]'"
            ) from error
        try:
            return psycopg.connect(
                url.replace("postgresql+psycopg://", "postgresql://", 1), autocommit=True, connect_timeout=5
            )
        except psycopg.Error as error:
            raise StoreError(
                f"cannot reach the database {redacted(url)}: {_reason(error)}",
                # A server that answers says FATAL, and what it refused.
                "check user, password and name of the database" if "FATAL:" in str(error) else "is the server running?",
            ) from error

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Cursor:
        """Run one statement, with `?` for each parameter."""
        with self._errors():
            return self._connection.execute(self._translated(sql), parameters)

    def executemany(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for each of *rows*."""
        with self._errors():
            cursor = self._connection.cursor()
            cursor.executemany(self._translated(sql), rows)

    def script(self, statements: str) -> None:
        """Run *statements*, which end with `;` and a blank line each."""
        for statement in statements.split(";\n\n"):
            if statement.strip():
                self.execute(statement)

    def _translated(self, sql: str) -> str:
        return sql if self.dialect == "sqlite" else sql.replace("%", "%%").replace("?", "%s")

    @contextmanager
    def transaction(self) -> Generator[None]:
        """All or nothing. Nested transactions join the outer one.

        It begins as the only writer, so that what it reads cannot change before it writes.
        """
        if self._depth:
            yield
            return
        self._begin()
        self._depth = 1
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            self._rollback()
            raise
        finally:
            self._depth = 0

    def _begin(self) -> None:
        if self.dialect == "sqlite":
            self.execute("BEGIN IMMEDIATE")
            return
        try:
            with self._errors():
                # Without parameters, so that all of it is one message to the server.
                self._connection.execute(_BEGIN_ALONE)
        except StoreError:
            self._rollback()
            raise

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """A transaction that only reads, and sees what was there at its beginning; nobody waits for it.

        Inside another transaction it is a part of that one.
        """
        if self._depth:
            yield
            return
        self.execute("BEGIN" if self.dialect == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        self._depth = 1
        try:
            yield
        finally:
            self._depth = 0
            self._rollback()

    @contextmanager
    def rehearsal(self) -> Generator[None]:
        """A transaction that is always taken back."""
        self._begin()
        self._depth = 1
        try:
            yield
        finally:
            self._depth = 0
            self._rollback()

    def _rollback(self) -> None:
        # A full disk may have ended the transaction already; then there is nothing left to roll back.
        if self.dialect == "sqlite" and not self._connection.in_transaction:
            return
        try:
            self._connection.execute("ROLLBACK")
        except Exception as error:
            if not isinstance(error, _database_errors()):
                raise

    def next_id(self, now_ms: int) -> int:
        """A new id for the log: 42 bits of milliseconds, 21 bits that keep it unique. It is above every id before.

        The order of ids is the order in which things were done, even when the clock was set back in between.
        Call it inside a transaction.
        """
        row = self.execute(
            "SELECT max(m) FROM (SELECT max(id) AS m FROM review UNION ALL SELECT max(id) FROM event"
            " UNION ALL SELECT max(voided) FROM review WHERE voided IS NOT NULL"
            " UNION ALL SELECT max(voided) FROM event WHERE voided IS NOT NULL"
            " UNION ALL SELECT max(id) FROM session) AS ids"
        ).fetchone()
        return max(first_id_of(now_ms) | int.from_bytes(os.urandom(4), "big") >> (32 - RANDOM_BITS), (row[0] or 0) + 1)

    def checkpoint(self) -> None:
        """Move what is in SQLite's write-ahead log into the database file, as far as no reader stands in the way."""
        if self.dialect == "sqlite":
            self.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close the connection. Safe to call twice."""
        self._connection.close()

    @property
    def raw(self) -> Any:
        """The DB-API connection, for SQLite's online backup and PostgreSQL's COPY."""
        return self._connection

    @contextmanager
    def _errors(self) -> Generator[None]:
        try:
            yield
        except Exception as error:
            if not isinstance(error, _database_errors()):
                raise
            raise in_words(error, redacted(self.url)) from error


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch a new database to the write-ahead log; for others it says what is so already.

    SQLite answers "locked" at once, without its time-out, when another process is making the switch just now.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _database_errors() -> tuple[type[Exception], ...]:
    # Without an import: psycopg is an extra, and only there when its connection is.
    import sys

    psycopg = sys.modules.get("psycopg")
    return (sqlite3.Error,) if psycopg is None else (sqlite3.Error, psycopg.Error)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


def in_words(error: Exception, url: str) -> StoreError:
    """The same error as one clear line."""
    reason = _reason(error)
    if "locked" in reason or "busy" in reason or "lock timeout" in reason:
        return StoreBusyError(
            f"the database {url} is in use by another program", "nothing was written; try again in a moment"
        )
    if "full" in reason:
        return StoreError(f"no space left for the database {url}", "nothing was written; free some space and try again")
    if "readonly" in reason or "read-only" in reason:
        return StoreError(
            f"the database {url} may not be written", "check the permissions of the file and its directory"
        )
    if "malformed" in reason or "not a database" in reason:
        return StoreError(f"the database {url} is damaged: {reason}", "`recall restore FILE` brings back a backup")
    if "unable to open" in reason or "disk I/O" in reason:
        return StoreError(f"cannot read or write the database {url}: {reason}", "check the disk and the permissions")
    return StoreError(f"the database {url} failed: {reason}")
