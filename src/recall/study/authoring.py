"""Cards of the learner's own: writing a new one."""

from __future__ import annotations

import codecs
import os
from pathlib import Path
from typing import TYPE_CHECKING

from recall import paths
from recall.errors import DataError, UsageError
from recall.model.card import NoteId
from recall.store import index

if TYPE_CHECKING:
    from recall.study.study import Study

INBOX = "inbox"


def add_note(study: Study, text: str, deck: str = INBOX) -> NoteId:
    """Append the note *text* to the learner's own *deck*, with an id if it has none; returns the id.

    Raises `DataError` with the faults of *text*; then nothing was written.
    """
    from recall.content.deck import parse_deck
    from recall.content.files import replace_file
    from recall.content.ids import new_id
    from recall.content.library import deck_from_bytes
    from recall.content.writing import write_section

    file = own_file(deck)
    _check_free(study, deck, file)
    draft = parse_deck(text, file.name)
    errors = [fault for fault in draft.faults if fault.severity == "error"]
    if errors:
        raise DataError("\n".join(fault.render() for fault in errors))
    if len(draft.notes) != 1:
        found = "no card" if not draft.notes else f"{len(draft.notes)} cards"
        raise DataError(f"{found} in this text", "write one: a line `Q: ...`, then a line `A: ...`")
    note = draft.notes[0]
    taken = {row[0] for row in study.database.execute("SELECT DISTINCT note FROM card")}
    written = note.text.rstrip("\n")
    if not note.explicit_id:
        written += f"\n{write_section('id', new_id(note, taken))}"
    elif note.id in taken:
        raise DataError(f"the id {note.id!r} is taken", "choose another, or leave the line out")
    named = parse_deck(written, file.name).notes
    if len(named) != 1 or not named[0].explicit_id:
        raise DataError("the text ends inside a code fence", "add the line that closes it")
    try:
        before = file.read_bytes() if file.exists() else b""
        after = _with_note(before, written)
        if not any(note.id == named[0].id for note in deck_from_bytes(after, file, deck).notes):
            raise DataError(
                f"a card at the end of {file} would not be read as one", "is a code fence or a comment left open there?"
            )
        paths.make_private(file.parent)
        if not file.exists():
            os.close(os.open(file, os.O_CREAT | os.O_WRONLY, paths.PRIVATE_FILE))
        replace_file(file, after, expected=before)
    except OSError as error:
        raise DataError(f"cannot write {file}: {error.strerror or error}", "the text was not saved") from error
    study.sync()
    return named[0].id


def _with_note(deck: bytes, note: str) -> bytes:
    """The bytes of *deck* with *note* behind a blank line; its lines end as those of the deck do."""
    end = "\r\n" if b"\r\n" in deck else "\n"
    gap = "" if not deck.removeprefix(codecs.BOM_UTF8) else end if deck.endswith(b"\n") else end * 2
    return deck + (gap + f"{note}\n".replace("\n", end)).encode()


def _check_free(study: Study, deck: str, file: Path) -> None:
    """Raise when *deck* stands elsewhere: a file of that name among the own decks would take its place."""
    there = next((row.file for row in index.decks(study.database) if row.deck == deck and not row.missing), None)
    if there is not None and Path(there).resolve() != file:
        raise UsageError(f"the deck {deck!r} stands in {there}", "write the card there, or choose another deck")


def own_file(deck: str) -> Path:
    """The file of the learner's own *deck*. Raises `UsageError` for a name that would leave the folder."""
    parts = deck.split("/")
    # Files that are no decks: hidden ones, and the one that tells people about a folder.
    good = all(part and part.isprintable() and not part.startswith(".") for part in parts)
    file = (paths.own_decks() / f"{deck}.md").resolve() if good else paths.own_decks()
    if not good or parts[-1].lower() == "readme" or not file.is_relative_to(paths.own_decks().resolve()):
        raise UsageError(f"{deck!r} is no name for a deck", "use letters, digits, - and /")
    return file
