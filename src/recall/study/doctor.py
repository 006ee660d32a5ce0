"""A doctor for the whole: database, log against states, decks, clock, backups, terminal, GPU stack."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from recall import paths
from recall.errors import RecallError, StoreError
from recall.model.review import DAY_MS
from recall.schedule.days import date_of
from recall.store import index, upkeep
from recall.store.database import redacted
from recall.study.sync import faults_from_json

if TYPE_CHECKING:
    from recall.store.database import Database
    from recall.study.study import Study


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the doctor looked at."""

    subject: Literal["database", "log", "decks", "clock", "backups", "terminal", "gpu"]
    status: Literal["ok", "warning", "fault"]
    message: str
    mend: str = ""


def examine(study: Study, *, fix: bool = False) -> list[Finding]:
    """Look at everything that can be wrong; with *fix*, store what the log gives where a state differs from it."""
    # Reading every page and folding the log take equally long and need not wait for each other.
    with ThreadPoolExecutor(max_workers=1) as beside:
        database = beside.submit(_database, study)
        rest = [*_log(study, fix=fix), *_decks(study), _clock(study), _backups(), _terminal(), _gpu()]
        return [*database.result(), *rest]


def _database(study: Study) -> list[Finding]:
    """The database itself, on a connection of its own."""
    where = redacted(study.database.url)
    try:
        own = study.again()
    except StoreError as error:
        return [Finding("database", "fault", error.message, error.mend)]
    try:
        return [_whole(own, where), *_logs_without_card(own)]
    except StoreError as error:
        return [Finding("database", "fault", f"{where}: {error.message}", error.mend)]
    finally:
        own.close()


def _whole(study: Study, where: str) -> Finding:
    faults = upkeep.integrity_faults(study.database)
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
    return found


def _logs_without_card(study: Study) -> list[Finding]:
    lost = study.database.execute(
        "SELECT count(*) FROM (SELECT DISTINCT card_id FROM review WHERE voided IS NULL) r"
        " LEFT JOIN card c ON c.id = r.card_id WHERE c.id IS NULL"
    ).fetchone()[0]
    return [Finding("log", "warning", f"{lost} cards have a log and are in no index")] if lost else []


def _decks(study: Study) -> list[Finding]:
    report = study.sync()
    rows = index.decks(study.database)
    present = [row for row in rows if not row.missing]
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
    # The last in the order of the log: a clock that was ahead left it there until it is right again.
    row = study.database.execute("SELECT rated_at FROM review WHERE voided IS NULL ORDER BY id DESC LIMIT 1").fetchone()
    if row is not None and row[0] > now.ms + DAY_MS:
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
