"""Decks over time: hidden, shown again, and copied from the shipped ones to be changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from recall import paths
from recall.errors import DataError, UsageError
from recall.store import index, log
from recall.study.sitting import resolve_deck

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recall.content.notes import Note
    from recall.model.card import NoteId, Place
    from recall.settings import Settings
    from recall.store.index import IndexedDeck
    from recall.study.study import Study


def set_hidden(study: Study, deck: str, *, hidden: bool) -> tuple[str, ...]:
    """Hide *deck* and those below it from reviews and lists, or show them again; returns their identities.

    History and schedule stay as they are. Raises `UsageError` for a deck that does not exist.
    """
    chosen = [row.deck for row in _at_or_below(study, resolve_deck(study, deck))]
    with study.database.transaction():
        for name in chosen:
            index.hide(study.database, name, hidden=hidden)
    return tuple(chosen)


def copy_shipped(study: Study, deck: str) -> Path:
    """Copy the shipped *deck* among the user's own, where it can be changed, and return the copy.

    It keeps its identity, so that its cards keep their history; from now on the copy is the deck, and a new
    release leaves it alone. Raises `UsageError` for a deck that is not shipped or was copied before.
    """
    deck = resolve_deck(study, deck)
    row = next((row for row in _at_or_below(study, deck) if row.deck == deck), None)
    if row is None:
        raise UsageError(f"{deck!r} is no single deck", "name one of the decks below it")
    source = paths.bundled() / "decks" / f"{deck}.md"
    target = paths.own_decks() / f"{deck}.md"
    if target.exists():
        raise UsageError(f"{deck!r} is your own already", f"it stands in {target}")
    if not source.is_file():
        raise UsageError(f"{deck!r} is not a shipped deck", f"it stands in {row.file}, and can be changed there")
    try:
        paths.make_private(target.parent)
        # Under another name until it is whole: half a deck would be the deck.
        partial = target.with_name(f".{target.name}.part")
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, paths.PRIVATE_FILE), "wb") as stream:
            stream.write(source.read_bytes())
        partial.replace(target)
        _copy_media(source, target)
    except OSError as error:
        raise DataError(f"cannot copy {source} to {target}: {error.strerror or error}") from error
    study.sync()
    return target


def is_shipped(place: Place) -> bool:
    """Whether *place* is in a deck that came with the program."""
    return Path(place.file).is_relative_to(paths.bundled() / "decks")


def drop_unchanged_copy(deck: str) -> bool:
    """Remove the copy of the shipped *deck* if nothing in it was changed; returns whether it is gone.

    New releases reach the deck again then. The index learns of it with the next `sync`.
    """
    source, copy = paths.bundled() / "decks" / f"{deck}.md", paths.own_decks() / f"{deck}.md"
    try:
        if copy.read_bytes() == source.read_bytes():
            copy.unlink()
            return True
    except OSError:
        # The copy stays: it holds what the learner has.
        pass
    return False


def folders(study: Study) -> list[Path]:
    """Files and folders that hold the user's decks on this machine and are there."""
    followed = [Path(root.path) for root in index.roots(study.database, study.machine)]
    return [path for path in (paths.own_decks(), *followed) if path.exists()]


def reviewed(study: Study, notes: Iterable[Note]) -> frozenset[NoteId]:
    """Those of *notes* that have a history under their present id."""
    from recall.content.kinds import card_id, kind_of

    return frozenset(
        note.id
        for note in notes
        if any(log.logged_reviews(study.database, card_id(note, key)) for key in kind_of(note).keys(note))
    )


def known_names(settings: Settings) -> list[str]:
    """Identities of the decks that the index holds, and of those above them; nothing is made or read for it.

    Raises `StoreError`.
    """
    from recall.study.study import database_url, open_study

    url = database_url(settings)
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        return []
    study = open_study(settings)
    try:
        decks = [row.deck for row in index.decks(study.database) if not row.missing]
    finally:
        study.close()
    above = {deck[:at] for deck in decks for at, character in enumerate(deck) if character == "/"}
    return sorted({*decks, *above})


def _copy_media(source: Path, target: Path) -> None:
    """Copy the images and sounds that the deck names."""
    import shutil

    from recall.content.library import read_deck
    from recall.content.media import is_there, media_of, resolve

    names = {name for note in read_deck(source, source.stem).notes for name in media_of(note)}
    for name in sorted(names):
        medium, copy = resolve(name, source), resolve(name, target)
        if medium is not None and copy is not None and is_there(medium) and not copy.exists():
            paths.make_private(copy.parent)
            shutil.copyfile(medium, copy)


def _at_or_below(study: Study, deck: str) -> list[IndexedDeck]:
    return [row for row in index.decks(study.database) if row.deck == deck or row.deck.startswith(f"{deck}/")]
