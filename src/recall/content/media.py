"""Images and sounds that a note names, and where they lie."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from recall.content.notes import Note

_IMAGE = re.compile(r"!\[[^\]\n]*\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def media_of(note: Note) -> tuple[str, ...]:
    """What the `![...](...)` of *note* name, in order, each once."""
    if "![" not in note.text:
        return ()
    return tuple(dict.fromkeys(bracketed or plain for bracketed, plain in _IMAGE.findall(note.text)))


def resolve(name: str, deck_file: Path) -> Path | None:
    """The file that *name* means in *deck_file*; None when it is not below the deck's own folder.

    A deck is data from elsewhere: it cannot make the program open what lies outside, nor an address.
    """
    name = unquote(name)
    if not name or "\0" in name or "\\" in name or _SCHEME.match(name) or name.startswith(("/", "~", "#")):
        return None
    folder = deck_file.resolve().parent
    try:
        path = (folder / name).resolve()
    except (OSError, RuntimeError):
        return None
    return path if path.is_relative_to(folder) and path != folder else None


def is_there(path: Path) -> bool:
    """Whether *path*, which a deck names, is a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False
