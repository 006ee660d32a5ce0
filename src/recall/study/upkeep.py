"""Backups by hand and by the day, restoring one, and a doctor for the whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recall import paths
from recall.errors import RecallError, StoreError
from recall.model.review import DAY_MS
from recall.schedule.days import date_of
from recall.store import index, upkeep
from recall.store.database import redacted

if TYPE_CHECKING:
    from recall.store.database import Database
    from recall.study.study import Study

KEPT_BACKUPS = 10


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the doctor looked at."""

    subject: Literal["database", "log", "decks", "clock", "backups", "terminal", "gpu"]
    status: Literal["ok", "warning", "fault"]
    message: str
    mend: str = ""


def back_up(study: Study, target: Path | None = None) -> Path:
    """Write a consistent copy to *target*, or to a dated file among the backups; returns where it is."""
    now = study.clock.now()
    if target is None:
        base = paths.backups() / f"recall-{date_of(study.today()).isoformat()}"
        target = base.with_suffix(".db")
        number = 2
        while target.exists():
            target = base.with_name(f"{base.name}-{number}.db")
            number += 1
    upkeep.backup(study.database, target, now.ms)
    return target


def daily_backup(study: Study) -> Path | None:
    """The day's own backup, unless there is one; keeps the last `KEPT_BACKUPS`. Returns the new one.

    Meant for a thread after the first frame, with a `Study` of its own: ratings do not wait for it.
    """
    target = paths.backups() / f"daily-{date_of(study.today()).isoformat()}.db"
    if target.exists():
        return None
    upkeep.backup(study.database, target, study.clock.now().ms)
    for old in sorted(paths.backups().glob("daily-*.db"), reverse=True)[KEPT_BACKUPS:]:
        old.unlink(missing_ok=True)
    upkeep.remove_partial(paths.backups())
    return target


def restore(study: Study, file: Path) -> Path:
    """Replace everything by the backup *file*; what was there is backed up first, to the path returned.

    Raises `DataError` when *file* is no whole backup; then nothing changed.
    """
    upkeep.verify(file)
    now = study.clock.now()
    saved = paths.backups() / f"before-restore-{date_of(study.today()).isoformat()}-{now.ms % DAY_MS}.db"
    upkeep.backup(study.database, saved, now.ms)
    upkeep.restore(study.database, file, now.ms, index.index_all_words)
    study.sync()
    return saved


def examine(study: Study, *, fix: bool = False) -> list[Finding]:
    """Look at everything that can be wrong; with *fix*, store what the log gives where a state differs from it."""
    findings = [_database(study), *_log(study, fix=fix), *_decks(study), _clock(study), _backups(), _terminal()]
    return [*findings, _gpu()]


def _database(study: Study) -> Finding:
    try:
        faults = upkeep.integrity_faults(study.database)
    except StoreError as error:
        faults = [error.message]
    where = redacted(study.database.url)
    if faults:
        return Finding("database", "fault", f"{where}: {'; '.join(faults)}", "recall restore FILE brings back a backup")
    return Finding("database", "ok", f"{where}: whole, {_size(study.database)}")


def _size(database: Database) -> str:
    reviews = database.execute("SELECT count(*) FROM review").fetchone()[0]
    cards = database.execute("SELECT count(*) FROM card").fetchone()[0]
    return f"{cards} cards, {reviews} ratings"


def _log(study: Study, *, fix: bool) -> list[Finding]:
    from recall.study.rebuild import differing, rebuild

    try:
        wrong = rebuild(study) if fix else differing(study)[2]
    except RecallError as error:
        return [Finding("log", "fault", error.message)]
    if not wrong:
        found = [Finding("log", "ok", "every state is what the log gives")]
    elif fix:
        found = [Finding("log", "ok", f"{len(wrong)} states were not what the log gives; they are now")]
    else:
        found = [
            Finding("log", "fault", f"{len(wrong)} states are not what the log gives", "recall doctor --fix mends them")
        ]
    lost = study.database.execute(
        "SELECT count(DISTINCT r.card_id) FROM (SELECT DISTINCT card_id FROM review WHERE voided IS NULL) r"
        " LEFT JOIN card c ON c.id = r.card_id WHERE c.id IS NULL"
    ).fetchone()[0]
    if lost:
        found.append(Finding("log", "warning", f"{lost} cards have a log and are in no index"))
    return found


def _decks(study: Study) -> list[Finding]:
    report = study.sync()
    rows = index.decks(study.database)
    present = [row for row in rows if not row.missing]
    from recall.study.sync import faults_from_json

    faults = [*report.faults, *(fault for row in present for fault in faults_from_json(row.faults))]
    errors = [fault for fault in faults if fault.severity == "error"]
    findings = [Finding("decks", "fault", str(fault.place) + ": " + fault.message, fault.mend) for fault in errors]
    orphans = study.database.execute(
        "SELECT count(*) FROM card c JOIN card_state s ON s.card_id = c.id"
        " WHERE c.missing_since IS NOT NULL AND s.reps > 0"
    ).fetchone()[0]
    if orphans:
        findings.append(
            Finding(
                "decks",
                "warning",
                f"{orphans} cards with a history are in no file",
                "recall search is:orphan lists them",
            )
        )
    cards = sum(row.cards for row in present)
    return findings or [Finding("decks", "ok", f"{len(present)} decks, {cards} cards, no errors")]


def _clock(study: Study) -> Finding:
    now = study.clock.now()
    last = study.database.execute("SELECT max(rated_at) FROM review WHERE voided IS NULL").fetchone()[0] or 0
    if last > now.ms + DAY_MS:
        return Finding(
            "clock", "warning", "the last rating lies more than a day ahead of the clock", "check date and time zone"
        )
    hours = now.offset_min / 60
    return Finding("clock", "ok", f"study day {date_of(study.today()).isoformat()}, UTC{hours:+g}")


def _backups() -> Finding:
    found = sorted(paths.backups().glob("*.db"), key=lambda path: path.stat().st_mtime)
    if not found:
        return Finding("backups", "ok", f"none yet in {paths.backups()}; the first review of a day makes one")
    return Finding("backups", "ok", f"{len(found)} in {paths.backups()}, the latest {found[-1].name}")


def _terminal() -> Finding:
    import os
    import sys

    term = os.environ.get("TERM", "")
    encoding = (sys.stdout.encoding or "").lower()
    if "utf" not in encoding:
        return Finding("terminal", "warning", f"the output encoding is {encoding or 'unknown'}", "set a UTF-8 locale")
    if term in ("", "dumb"):
        return Finding("terminal", "ok", "no cursor control (TERM is dumb or unset): plain mode is used")
    return Finding("terminal", "ok", f"TERM={term}, UTF-8")


def _gpu() -> Finding:
    from importlib.util import find_spec

    if find_spec("cupy") is None:
        return Finding("gpu", "ok", "CuPy is not installed: nothing here needs it yet")
    return Finding("gpu", "ok", "CuPy is installed")
