"""Backups, restoring them, and the integrity of the database itself.

A backup is always one SQLite file of the present schema, also of a PostgreSQL database, so that it can be kept,
copied and restored anywhere.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from recall import paths
from recall.errors import DataError, NewerStoreError, StoreError
from recall.store.database import Database
from recall.store.migrations import MIGRATIONS, migrate

TABLES = (
    ("migration", "name, applied_at"),
    ("setting", "key, value"),
    ("machine", "id, label, gpu_name, driver, runtime, cpu, memory_bytes, first_seen, last_seen"),
    ("root", "machine, path, prefix, added_at"),
    ("deck", "deck, name, machine, file, modified_ns, size, cards, hidden, missing, faults, options, source, as_of"),
    ("card", "id, note, deck, kind, title, revision, tags, position, first_seen, missing_since"),
    ("content", "pk, note, text, file, line"),
    (
        "card_state",
        "card_id, deck, position, absent, state, step, stability, difficulty, due, last_review, last_day, reps,"
        " lapses, suspended, buried_until, marked",
    ),
    ("session", "id, machine, started_at, ended_at, filter"),
    (
        "review",
        "id, card_id, session, shown_at, rated_at, offset_min, rating, kind, suggested, outcome, answer,"
        " seed, revision, thinking_ms, hints, parts, measurement, source, voided",
    ),
    ("event", "id, card_id, action, machine, at, offset_min, act, value, text, voided"),
    (
        "measurement",
        "id, machine, check_name, check_version, value, unit, spread, samples, status, conditions, taken_at",
    ),
)
"""Every table with its columns, in an order in which they can be filled."""
_PARTIAL_KEPT_S = 3600
BOOLEANS = {"hidden", "missing", "absent", "suspended", "marked"}


def backup(database: Database, target: Path, now_ms: int) -> None:
    """Write a consistent copy of *database* to *target* while others go on writing.

    It appears under its name only when it is whole. Raises `StoreError` when it cannot be written.
    """
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    if database.file is not None and target.resolve() == database.file.resolve():
        raise StoreError(f"{target} is the database itself", "name another file for the backup")
    try:
        paths.make_private(target.parent)
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_RDWR, paths.PRIVATE_FILE))
        if database.dialect == "sqlite":
            copy = sqlite3.connect(partial, isolation_level=None)
            try:
                database.raw.backup(copy)
                # One file to keep: a copy in WAL mode would want two more beside it.
                copy.execute("PRAGMA journal_mode=DELETE")
            finally:
                copy.close()
        else:
            _copy_out(database, partial, now_ms)
        descriptor = os.open(partial, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        partial.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"cannot write the backup {target}: {error}", "choose another place or free some space"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def remove_partial(directory: Path) -> None:
    """Remove what backups into *directory* left that were killed before they were whole."""
    # A younger one may still be growing in another process. Files have the machine's time, whatever ours is.
    before = time.time() - _PARTIAL_KEPT_S
    for path in directory.glob(".*.part*"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink()


def _copy_out(database: Database, file: Path, now_ms: int) -> None:
    copy = Database(f"sqlite:///{file}")
    try:
        migrate(copy, now_ms)
        with database.snapshot(), copy.transaction():
            copy.execute("DELETE FROM migration")
            _copy_rows(database, copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    finally:
        copy.close()


def _copy_rows(source: Database | sqlite3.Connection, target: Database) -> None:
    for table, columns in TABLES:
        names = columns.split(", ")
        flags = [position for position, name in enumerate(names) if name in BOOLEANS]
        rows = source.execute(f"SELECT {columns} FROM {table}").fetchall()
        if flags:
            rows = [[bool(v) if i in flags else v for i, v in enumerate(row)] for row in rows]
        target.executemany(f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(names))})", rows)


def restore(database: Database, file: Path, now_ms: int, index_text: Callable[[Database], None]) -> None:
    """Replace everything in *database* by the backup *file*.

    *index_text* fills the full-text index anew where it does not come with the copy. Raises `DataError` when
    *file* is no whole backup; then nothing changed.
    """
    verify(file)
    # Only read, so that the backup stays as it is, wherever it lies.
    source = sqlite3.connect(_read_only(file), uri=True)
    try:
        if database.dialect == "sqlite":
            try:
                source.backup(database.raw)
            except sqlite3.Error as error:
                raise StoreError(
                    f"cannot restore into {database.file}: {error}", "close other recall windows first"
                ) from error
            database.execute("PRAGMA journal_mode=WAL")
            migrate(database, now_ms)
            if _lacks_words(database):
                with database.transaction():
                    index_text(database)
            return
        with database.transaction():
            for table, _ in reversed(TABLES):
                database.execute(f"DELETE FROM {table}")
            _copy_rows(source, database)
            database.execute(
                "SELECT setval(pg_get_serial_sequence('content', 'pk'), coalesce(max(pk), 1)) FROM content"
            )
            index_text(database)
    finally:
        source.close()


def _lacks_words(database: Database) -> bool:
    """Whether texts are missing in the full-text index: the copy was made of a PostgreSQL database."""
    texts = database.execute("SELECT count(*) FROM content").fetchone()[0]
    return texts != database.execute("SELECT count(*) FROM content_text_docsize").fetchone()[0]


def verify(file: Path) -> None:
    """Raise unless *file* is a whole backup that this program can read. It is only read."""
    if not file.is_file():
        raise DataError(
            f"there is no backup {file}", "`recall backup` makes one; the daily ones are listed by `recall doctor`"
        )
    try:
        check = sqlite3.connect(_read_only(file), uri=True)
        try:
            found = check.execute("PRAGMA integrity_check(1)").fetchone()[0]
            names = {row[0] for row in check.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            steps: list[str] = []
            if "migration" in names:
                steps = [row[0] for row in check.execute("SELECT name FROM migration")]
        finally:
            check.close()
    except sqlite3.Error as error:
        raise DataError(f"{file} is no backup of recall: {error}") from error
    if found != "ok":
        raise DataError(f"the backup {file} is damaged: {found}", "try an older one")
    if missing := {table for table, _ in TABLES} - names:
        raise DataError(f"{file} is no backup of recall: it has no table {min(missing)!r}")
    if unknown := set(steps) - {name for name, _ in MIGRATIONS}:
        raise NewerStoreError(
            f"the backup {file} was made by a newer recall (it has {max(unknown)})",
            "update recall; nothing was changed",
        )


def _read_only(file: Path) -> str:
    from urllib.parse import quote

    file = file.resolve()
    log = file.with_name(f"{file.name}-wal")
    # A database that was copied with its log, or left by a killed program: the last ratings stand in the log.
    alone = not (log.is_file() and log.stat().st_size)
    return f"file:{quote(str(file))}?mode=ro{'&immutable=1' if alone else ''}"


def integrity_faults(database: Database) -> list[str]:
    """What the database says is wrong with itself: damaged pages, rows of cards that are in no index."""
    faults: list[str] = []
    if database.dialect == "sqlite":
        faults += [row[0] for row in database.execute("PRAGMA quick_check(20)") if row[0] != "ok"]
    for sql, words in (
        (
            "SELECT count(*) FROM card c LEFT JOIN card_state s ON s.card_id = c.id WHERE s.card_id IS NULL",
            "cards without a state",
        ),
        (
            "SELECT count(*) FROM card_state s LEFT JOIN card c ON c.id = s.card_id WHERE c.id IS NULL",
            "states without a card",
        ),
    ):
        count = database.execute(sql).fetchone()[0]
        if count:
            faults.append(f"{count} {words}")
    return faults
