"""Following decks: a Markdown file or folder is read where it is, now and whenever it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from recall import paths
from recall.errors import DataError, UsageError
from recall.model.fault import Fault
from recall.store import index
from recall.store.index import Root

if TYPE_CHECKING:
    from recall.content.ids import Written
    from recall.study.study import Study


@dataclass(frozen=True, slots=True)
class Imported:
    """What following one path came to, in cards."""

    path: str
    format: str
    added: int
    updated: int
    unchanged: int
    missing: int
    reviews: int
    faults: tuple[Fault, ...]
    ids: int = 0
    """Ids that were written."""


def follow(study: Study, path: Path, *, prefix: str = "", write_ids: bool = False, dry_run: bool = False) -> Imported:
    """Follow the decks at *path* from now on and bring the index up to them. A second time changes nothing.

    *prefix*: put before the identities of the decks, so that two folders can hold decks of one name; for a single
    file, its whole identity. *dry_run*: say what would change, and change nothing. Raises `DataError` when there
    is no such file, `UsageError` for a format that is not read.
    """
    path = Path(path).expanduser()
    # Without `..` the folder is still found when the one that it was named from is moved away.
    path = path.resolve() if ".." in path.parts else path.absolute()
    root = _root(path, prefix)
    _check_new(study, root)
    written = _write_ids(study, path) if write_ids and not dry_run else []
    if not dry_run:
        index.add_root(study.database, study.machine, root, study.clock.now().ms)
        return replace(_report(study, root), ids=len(written))
    return _rehearse(study, root)


def _root(path: Path, prefix: str) -> Root:
    from recall.content.folders import ENDING, find_decks

    if path.suffix.lower() != ENDING and path.is_file():
        raise UsageError(
            f"{path.name}: recall does not read {path.suffix or 'such'} files yet",
            "Markdown decks (.md) can be followed",
        )
    decks = find_decks(path)
    if not decks:
        raise DataError(f"{path}: no deck in this folder", "a deck is a file that ends in .md")
    prefix = prefix.strip("/")
    if any(part in (".", "..") or not part.isprintable() for part in prefix.split("/")):
        raise UsageError(f"{prefix!r} is no name for a deck", "use letters, digits, - and /")
    return Root(str(path), f"{prefix}/" if prefix and path.is_dir() else prefix)


def _check_new(study: Study, root: Root) -> None:
    """Raise for a path that is followed already by another name, inside the shipped decks, or the program's own."""
    inside = Path(root.path)
    for known in (paths.own_decks(), paths.bundled() / "decks"):
        if inside.is_relative_to(known):
            raise UsageError(f"{root.path} is followed already", "decks there are read without an import")
        if known.is_relative_to(inside):
            raise UsageError(f"{root.path} holds {known}, which is followed already", "name a folder inside it")
    inside = inside.resolve()
    for other in index.roots(study.database, study.machine):
        there = Path(other.path).resolve()
        if there == inside and other.path != root.path:
            raise UsageError(f"{root.path} is followed already as {other.path}")
        if there != inside and (inside.is_relative_to(there) or there.is_relative_to(inside)):
            raise UsageError(f"{root.path} overlaps {other.path}, which is followed already")


def _write_ids(study: Study, path: Path) -> list[Written]:
    from recall.content.folders import find_decks
    from recall.content.ids import write_ids
    from recall.content.library import read_deck
    from recall.study.decks import reviewed

    taken = {row[0] for row in study.database.execute("SELECT DISTINCT note FROM card")}
    written: list[Written] = []
    for file in find_decks(path):
        without = [note for note in read_deck(file.path, file.deck).notes if not note.explicit_id]
        found = write_ids(file.path, taken, keep=reviewed(study, without))
        taken.update(one.note for one in found)
        written += found
    return written


def _report(study: Study, root: Root) -> Imported:
    """Synchronise, and say what became of the decks below *root*."""
    report = study.sync()
    below = _below(root)
    mine = [deck for deck in report.decks if below(deck.file)]
    read = {deck.deck for deck in mine}
    still = [row for row in index.decks(study.database) if below(row.file) and row.deck not in read and not row.missing]
    from recall.study.sync import faults_from_json

    return Imported(
        path=root.path,
        format="markdown",
        added=sum(deck.changes.added for deck in mine),
        updated=sum(deck.changes.updated for deck in mine),
        unchanged=sum(deck.changes.unchanged for deck in mine) + sum(row.cards for row in still),
        missing=sum(deck.changes.missing for deck in mine),
        reviews=0,
        faults=(
            *(fault for fault in report.faults if below(fault.place.file)),
            *(fault for deck in mine for fault in deck.faults),
            *(fault for row in still for fault in faults_from_json(row.faults)),
        ),
    )


def _below(root: Root) -> Callable[[str], bool]:
    folder = Path(root.path)

    def is_below(file: str) -> bool:
        return Path(file).is_relative_to(folder)

    return is_below


def _rehearse(study: Study, root: Root) -> Imported:
    """The report of an import that is not kept: it is done and taken back."""
    with study.database.rehearsal():
        index.add_root(study.database, study.machine, root, study.clock.now().ms)
        return _report(study, root)
