"""Decks on disk: what a file holds, whatever its bytes are."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from recall.content.deck import Deck, parse_deck
from recall.content.folders import file_fault, reason, shown
from recall.content.frontmatter import FrontMatter
from recall.content.source import Source
from recall.model.card import Place
from recall.model.fault import Fault
from recall.prose.marks import strip_unsafe

_MOST_BAD_LINES = 20
_LINE_END = re.compile(r"\r\n|\r|\n")


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
