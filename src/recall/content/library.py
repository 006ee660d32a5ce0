"""Decks on disk: which files are decks, and what a file holds, whatever its bytes are."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from pathlib import Path
from typing import NamedTuple

from recall.content.deck import Deck, parse_deck
from recall.content.frontmatter import FrontMatter
from recall.content.source import Source
from recall.errors import DataError
from recall.model.card import Place
from recall.model.fault import Fault
from recall.prose.marks import strip_unsafe

ENDING = ".md"
NO_DECK = "readme.md"
"""Tells people about a folder of decks, in any spelling of the case; it is read only when named itself."""
_MOST_BAD_LINES = 20
_LINE_END = re.compile(r"\r\n|\r|\n")


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
        is_file = stat.S_ISREG(root.stat().st_mode)
    except OSError as error:
        raise DataError(f"{shown(root)}: {reason(error)}", "check the path") from error
    if is_file:
        return [DeckFile(root, identity(root.name))]
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


def read_deck(path: Path, deck: str) -> Deck:
    """The deck in the file *path*; *deck* is its identity, shown when it has no name. Raises nothing.

    A file that cannot be read, and bytes that are no UTF-8, are faults of the deck that is returned; the latter
    drop only the notes they stand in.
    """
    try:
        data = read_bytes(path)
    except OSError as error:
        return _empty(deck, file_fault(path, f"this deck cannot be read: {reason(error)}", "unreadable"))
    return deck_from_bytes(data, path, deck)


def deck_from_bytes(data: bytes, path: Path, deck: str) -> Deck:
    """The deck that *data*, the bytes of *path*, hold."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        fault = file_fault(path, "this file is in UTF-16", "encoding", "save it as UTF-8")
        return _empty(deck, fault)
    file = shown(path)
    try:
        return parse_deck(data.decode("utf-8"), file)
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    found = parse_deck(text, file)
    bad = _bad_bytes(data, file)
    lines = {fault.place.line for fault in bad}
    kept = tuple(
        note
        for note in found.notes
        if lines.isdisjoint(range(note.place.line, note.place.line + note.text.count("\n") + 1))
    )
    return found._replace(notes=kept, faults=(*bad[:_MOST_BAD_LINES], *found.faults))


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file. Raises `OSError`, also for what is no regular file and could block."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(0, "it is no file")
    return path.read_bytes()


def _empty(deck: str, fault: Fault) -> Deck:
    return Deck(deck, (), "", "", (), (), (), (fault,), FrontMatter(), Source("", fault.place.file))


def _bad_bytes(data: bytes, file: str) -> list[Fault]:
    """One fault for each line that holds bytes which are no UTF-8."""
    faults: list[Fault] = []
    for number, line in enumerate(_LINE_END.split(data.decode("utf-8", "surrogateescape")), 1):
        column = next((index for index, character in enumerate(line) if "\udc80" <= character <= "\udcff"), None)
        if column is None:
            continue
        value = ord(line[column]) - 0xDC00
        readable = strip_unsafe(line.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        faults.append(
            Fault(
                Place(file, number, column + 1),
                f"byte 0x{value:02x} is no UTF-8",
                "save the file as UTF-8",
                rule="encoding",
                source_line=readable,
            )
        )
    return faults
