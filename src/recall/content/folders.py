"""Folders of decks: which files are decks. It reads no file, so that a day without changes parses none."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path
from typing import NamedTuple

from recall.errors import DataError
from recall.model.card import Place
from recall.model.fault import Fault
from recall.prose.marks import strip_unsafe

ENDING = ".md"
NO_DECK = "readme.md"
"""Tells people about a folder of decks, in any spelling of the case; it is read only when named itself."""


class DeckFile(NamedTuple):
    """A file that holds a deck."""

    path: Path
    deck: str
    """Identity: the path below the root without ending, `/` between levels, in NFC."""


def find_decks(root: Path, faults: list[Fault] | None = None) -> list[DeckFile]:
    """The decks at or below *root*, by identity.

    A deck is a file that ends in `.md`; hidden files and folders and `README.md` are none. Symbolic links are
    followed; a file or folder that is reached twice counts once. Folders that cannot be read are added to
    *faults*. Raises `DataError` when there is no such file or folder.
    """
    try:
        mode = root.stat().st_mode
    except OSError as error:
        raise DataError(f"{shown(root)}: {reason(error)}", "check the path") from error
    if stat.S_ISREG(mode):
        return [DeckFile(root, identity(root.name))]
    if not stat.S_ISDIR(mode):
        raise DataError(f"{shown(root)} is neither a file nor a folder", "name a Markdown deck, or a folder of them")
    found: dict[tuple[int, int], DeckFile] = {}
    folders: set[tuple[int, int]] = set()
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            about = folder.stat()
            key = about.st_dev, about.st_ino
            if key in folders:
                continue
            folders.add(key)
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            if faults is not None:
                faults.append(file_fault(folder, f"this folder cannot be read: {reason(error)}", "unreadable"))
            continue
        for entry in entries:
            if not entry.name.startswith("."):
                _visit(entry, root, waiting, found)
    return sorted(found.values(), key=lambda file: (file.deck.split("/"), str(file.path)))


def _visit(entry: os.DirEntry[str], root: Path, waiting: list[Path], found: dict[tuple[int, int], DeckFile]) -> None:
    path = Path(entry.path)
    try:
        about = entry.stat()
    except OSError:
        # A dangling link is reported where it would have been a deck: when it is read.
        about = None
    if about is not None and stat.S_ISDIR(about.st_mode):
        waiting.append(path)
        return
    name = entry.name.lower()
    if not name.endswith(ENDING) or name == NO_DECK or (about and not stat.S_ISREG(about.st_mode)):
        return
    file = DeckFile(path, identity(path.relative_to(root).as_posix()))
    key = (about.st_dev, about.st_ino) if about else (-1, len(found))
    other = found.get(key)
    # A file and a link to it: the file's own name is the deck's.
    if other is None or (other.path.is_symlink() and not entry.is_symlink()):
        found[key] = file


def identity(path: str) -> str:
    """Identity of the deck at *path* below its root, `/` between levels."""
    name = path[: -len(ENDING)] if path.lower().endswith(ENDING) else path
    return strip_unsafe(unicodedata.normalize("NFC", shown(name))).replace("\n", " ")


def shown(path: Path | str) -> str:
    """*path* as text that can be written anywhere: bytes that are no UTF-8 become `�`."""
    return os.fsencode(path).decode("utf-8", "replace")


def reason(error: OSError) -> str:
    """Why the system refused, in a few words."""
    return (error.strerror or str(error)).lower()


def file_fault(path: Path, message: str, rule: str, mend: str = "") -> Fault:
    """A fault of a whole file or folder."""
    return Fault(Place(shown(path), 1), message, mend, rule=rule)
