"""Cards of the learner's own: writing a new one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from recall import paths
from recall.errors import DataError, UsageError
from recall.model.card import NoteId

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
    from recall.content.writing import write_section

    file = own_file(deck)
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
    try:
        paths.make_private(file.parent)
        if not file.exists():
            os.close(os.open(file, os.O_CREAT | os.O_WRONLY, paths.PRIVATE_FILE))
        before = file.read_bytes()
        gap = b"" if not before else b"\n" if before.endswith(b"\n") else b"\n\n"
        replace_file(file, before + gap + f"{written}\n".encode(), expected=before)
    except OSError as error:
        raise DataError(f"cannot write {file}: {error.strerror or error}", "the text was not saved") from error
    study.sync()
    return parse_deck(written, file.name).notes[0].id


def own_file(deck: str) -> Path:
    """The file of the learner's own *deck*. Raises `UsageError` for a name that would leave the folder."""
    file = (paths.own_decks() / f"{deck}.md").resolve()
    if not deck or not file.is_relative_to(paths.own_decks().resolve()):
        raise UsageError(f"{deck!r} is no name for a deck", "use letters, digits, - and /")
    return file
