"""Ids for the notes that have none: a slug of the question, written into the deck file and nowhere else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path

from recall.content.deck import Deck, parse_deck
from recall.content.files import replace_file
from recall.content.folders import reason, shown
from recall.content.holes import find_holes
from recall.content.library import read_bytes
from recall.content.notes import LONGEST_ID, Note
from recall.content.titles import title_of
from recall.errors import DataError
from recall.model.card import NoteId, Place

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_LONGEST_SLUG = 60
"""Characters; leaves room for a number, and for a person to read it."""


@dataclass(frozen=True, slots=True)
class Written:
    """An id that was written."""

    note: NoteId
    place: Place
    """Of the new line."""
    before: NoteId
    """The id that the note had while it was made from the question: its history goes over to the new one."""


def slug(text: str) -> str:
    """An id from *text*, Markdown: its words in lower case joined by `-`, in NFC; `card` when it has no word.

    Letters and digits of every script count, with the marks that belong to them.
    """
    words: list[str] = [""]
    for character in unicodedata.normalize("NFC", title_of(text).lower()):
        if character.isalnum() or (words[-1] and unicodedata.category(character)[0] == "M"):
            words[-1] += character
        elif words[-1] and character not in "'’":
            words.append("")
    made = ""
    for word in filter(None, words):
        if made and len(made) + 1 + len(word) > _LONGEST_SLUG:
            break
        made = f"{made}-{word}" if made else word[:_LONGEST_SLUG]
    return unicodedata.normalize("NFC", made) or "card"


def new_id(note: Note, taken: set[str]) -> NoteId:
    """An id for *note* that is not in *taken*, and is added to it."""
    text = note.parts[0].question.text
    if note.kind == "cloze":
        for hole in reversed(find_holes(text).holes):
            text = f"{text[: hole.start]}{hole.text}{text[hole.end :]}"
    base = slug(text)
    made, count = base, 1
    while made in taken:
        count += 1
        ending = f"-{count}"
        made = base[: LONGEST_ID - len(ending)] + ending
    taken.add(made)
    return NoteId(made)


def write_ids(path: Path, taken: Iterable[str] = (), keep: Container[str] = ()) -> list[Written]:
    """Write an `id:` line below each note of *path* that has none; return what was written, in order.

    *taken* are the ids of the rest of the library; notes whose made id is in *keep* are given that one, since
    they have a history under it. No other byte changes: BOM, line ends and a missing last line
    end stay. Notes with errors get no id. Raises `DataError` when the file is no UTF-8 or cannot be read or
    written; then it is as it was.
    """
    try:
        data = read_bytes(path)
        text = data.decode("utf-8")
    except OSError as error:
        raise DataError(f"{shown(path)}: {reason(error)}", "check its permissions") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{shown(path)}: the file is no UTF-8", "save it as UTF-8") from error
    file = shown(path)
    deck = parse_deck(text, file)
    used = {*taken, *(note.id for note in deck.notes)}
    lines = _LINE.findall(text)
    wanted = [
        (_last_line(note), note, note.id if note.id in keep else new_id(note, used))
        for note in deck.notes
        if not note.explicit_id
    ]
    sound = _sound(lines, wanted, deck, file)
    if not sound:
        return []
    replace_file(path, _with_ids(lines, sound).encode("utf-8"), expected=data)
    return [
        Written(note_id, Place(file, line + 1 + count), note.id) for count, (line, note, note_id) in enumerate(sound)
    ]


_Wanted = list[tuple[int, Note, NoteId]]
"""The last line of a note, from 1; the note; its id to be."""


def _last_line(note: Note) -> int:
    return note.place.line + note.text.count("\n")


def _with_ids(lines: list[str], wanted: _Wanted) -> str:
    """The file's text with the new lines; each ends as the line above it does."""
    new = list(lines)
    for line, _, note_id in reversed(wanted):
        above = new[line - 1]
        content = above.rstrip("\r\n")
        end = above[len(content) :]
        if end:
            new.insert(line, f"id: {note_id}{end}")
        else:
            # The last line of a file without a last line end: the new last line has none either.
            usual = next((other[len(other.rstrip("\r\n")) :] for other in new if other[-1:] in ("\r", "\n")), "\n")
            new.insert(line, f"{usual}id: {note_id}")
    return "".join(new)


def _sound(lines: list[str], wanted: _Wanted, deck: Deck, file: str) -> _Wanted:
    """Those of *wanted* whose line is read as the note's id, and as nothing else.

    It would not be inside a fence that is left open at the end of the file.
    """
    expected = [note.id for note in deck.notes]
    for keep in (wanted, wanted[:-1]):
        ids = {note.id: note_id for _, note, note_id in keep}
        found = parse_deck(_with_ids(lines, keep), file)
        if keep and [note.id for note in found.notes] == [ids.get(note, note) for note in expected]:
            return keep
    return []
