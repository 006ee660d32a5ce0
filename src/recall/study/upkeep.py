"""Backups by hand and by the day, and restoring one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from recall import paths
from recall.model.review import DAY_MS
from recall.schedule.days import date_of
from recall.store import index, upkeep

if TYPE_CHECKING:
    from recall.study.study import Study

KEPT_BACKUPS = 10


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
