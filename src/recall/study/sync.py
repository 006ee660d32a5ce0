"""Reconcile the deck files with the index: read what changed, mark what vanished, leave the rest alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from recall import paths
from recall.errors import DataError
from recall.model.card import Card, CardId, NoteId, Place
from recall.model.fault import Fault
from recall.store import daily, index
from recall.store.index import Changes, IndexedDeck, Root
from recall.study.identity import join_named, join_rewritten, rewritten_holes

if TYPE_CHECKING:
    from recall.content.deck import Deck
    from recall.content.folders import DeckFile
    from recall.study.study import Study

SHIPPED = ""
"""`machine` of decks that come with the program."""
GONE = "followed-gone"
"""Rule of a followed folder that is not there any more: no card is wrong, yet some are missed."""
_DUPLICATE = "duplicate-id"


class DeckReport(NamedTuple):
    """What reading one deck file did."""

    deck: str
    file: str
    changes: Changes
    faults: tuple[Fault, ...] = ()


class SyncReport:
    """What a reconciliation did."""

    def __init__(self) -> None:
        self.decks: list[DeckReport] = []
        self.faults: list[Fault] = []
        """Faults that belong to no deck that could be read: a folder that is gone, two files for one deck."""

    @property
    def all_faults(self) -> list[Fault]:
        return [*self.faults, *(fault for deck in self.decks for fault in deck.faults)]


class _Found(NamedTuple):
    file: DeckFile
    name: str
    """Path of the file as text that can be stored."""
    machine: str
    modified_ns: int
    size: int


def sync(study: Study, *, force: Iterable[str] = ()) -> SyncReport:
    """Bring the index up to the files. Decks named in *force* are read even when their file seems unchanged.

    One transaction: a kill leaves the index as it was before. Raises `StoreError`.
    """
    report = SyncReport()
    found = _find(study, report)
    indexed = {deck.deck: deck for deck in index.decks(study.database)}
    forced = set(force)
    changed = [deck for deck, here in found.items() if deck in forced or not _is_same(here, indexed.get(deck))]
    # What stands below a folder that cannot be read now is not gone.
    hidden_from_view = [Path(fault.place.file) for fault in report.faults if fault.rule == "unreadable"]
    gone = [
        deck.deck
        for deck in indexed.values()
        if not deck.missing
        and deck.deck not in found
        and deck.machine in (SHIPPED, study.machine)
        and not any(Path(deck.file).is_relative_to(folder) for folder in hidden_from_view)
    ]
    if changed or gone:
        # A duplicate may have been mended in the other file.
        changed += [
            deck for deck, row in indexed.items() if deck in found and deck not in changed and _DUPLICATE in row.faults
        ]
        _update(study, report, {deck: found[deck] for deck in changed}, gone, indexed)
    study.fold_changed_options()
    return report


def _find(study: Study, report: SyncReport) -> dict[str, _Found]:
    """Every deck on this machine by its identity; the user's own come before shipped ones of the same name."""
    from recall.content.folders import find_decks, shown

    found: dict[str, _Found] = {}
    followed = [Root(str(paths.own_decks()), ""), *index.roots(study.database, study.machine)]
    shipped = Root(str(paths.bundled() / "decks"), "")
    for root in (*followed, shipped):
        machine = SHIPPED if root is shipped else study.machine
        try:
            files = find_decks(Path(root.path), report.faults)
        except DataError:
            if root is not followed[0] and root is not shipped:
                place = Place(root.path, 1)
                report.faults.append(
                    Fault(place, "is not there any more", "its cards rest until it is back", "warning", GONE)
                )
            continue
        for file in files:
            # A folder's prefix ends in `/`; that of a single file is its whole identity.
            is_whole = root.prefix and not root.prefix.endswith("/")
            deck = root.prefix if is_whole else f"{root.prefix}{file.deck}"
            if deck in found:
                if root is not shipped:
                    report.faults.append(
                        Fault(
                            Place(shown(file.path), 1),
                            f"the deck {deck!r} is also in {found[deck].name}",
                            "rename one of the two files",
                        )
                    )
                continue
            try:
                status = file.path.stat()
                modified_ns, size = status.st_mtime_ns, status.st_size
            except OSError:
                # A link that leads nowhere, for one: reading it will say so.
                modified_ns, size = -1, 0
            found[deck] = _Found(file, shown(file.path), machine, modified_ns, size)
    return found


def _is_same(here: _Found, row: IndexedDeck | None) -> bool:
    return (
        row is not None
        and not row.missing
        and (row.file, row.modified_ns, row.size, row.machine) == (here.name, here.modified_ns, here.size, here.machine)
    )


def _update(
    study: Study,
    report: SyncReport,
    changed: dict[str, _Found],
    gone: Sequence[str],
    indexed: dict[str, IndexedDeck],
) -> None:
    from recall.content.library import read_deck

    read = {deck: read_deck(here.file.path, deck) for deck, here in changed.items()}
    now = study.clock.now()
    moved: list[CardId] = []
    with study.database.transaction():
        for deck in gone:
            missing = index.forget_deck(study.database, deck, now.ms)
            report.decks.append(DeckReport(deck, indexed[deck].file, Changes(missing=missing)))
        owners = _owners(study, read)
        for deck, content in read.items():
            here, before = changed[deck], indexed.get(deck)
            cards, faults = _cards_of(study, read, content, deck, owners)
            row = IndexedDeck(
                deck=deck,
                name=content.name,
                machine=here.machine,
                file=here.name,
                modified_ns=here.modified_ns,
                size=here.size,
                cards=len(cards),
                hidden=before is not None and before.hidden,
                missing=False,
                faults=faults_to_json(faults),
                options=before.options if before else study.fingerprint(deck),
                source=content.source,
                as_of=content.as_of,
            )
            if any(fault.rule == "unreadable" for fault in faults):
                # Its cards stay as they were last read; the file is tried again next time.
                cards_before = before.cards if before else 0
                index.write_deck(study.database, row._replace(modified_ns=0, cards=cards_before))
                report.decks.append(DeckReport(deck, row.file, Changes(), tuple(faults)))
                continue
            mine = [note for note in content.notes if owners[note.id] == deck]
            rewritten = rewritten_holes(study, mine) if before is not None else []
            index.write_deck(study.database, row)
            changes = index.write_cards(study.database, deck, cards, now.ms)
            moved += (*changes.moved, *join_rewritten(study, rewritten))
            report.decks.append(DeckReport(deck, row.file, changes, tuple(faults)))
        for card in (*moved, *join_named(study, read, owners)):
            study.refold(card)


def _owners(study: Study, read: dict[str, Deck]) -> dict[str, str]:
    """Which deck each note id belongs to: the one that had it and still has it, else the first that has it now."""
    ids = {deck: {note.id for note in content.notes} for deck, content in read.items()}
    every = {note for notes in ids.values() for note in notes}
    owners: dict[str, str] = {}
    for note, deck in index.decks_of(study.database, every).items():
        if deck not in ids or note in ids[deck]:
            owners[note] = deck
    for deck, notes in ids.items():
        for note in notes:
            owners.setdefault(note, deck)
    return owners


def _cards_of(
    study: Study, read: dict[str, Deck], content: Deck, deck: str, owners: dict[str, str]
) -> tuple[list[Card], list[Fault]]:
    from recall.content.kinds import cards_of

    cards: list[Card] = []
    faults = list(content.faults)
    for note in content.notes:
        if owners[note.id] == deck:
            cards += cards_of(note, deck, content.tags)
        else:
            faults.append(
                Fault(
                    note.place,
                    f"the id {note.id!r} is taken by the card at {_place(study, read, note.id, owners[note.id])}",
                    "give one of the two cards another id; until then only the other one is asked",
                    rule=_DUPLICATE,
                )
            )
    return [card._replace(position=position) for position, card in enumerate(cards)], faults


def _place(study: Study, read: dict[str, Deck], note: NoteId, deck: str) -> str:
    """Where *note* of *deck* stands: by the file if it was read now, else by the index."""
    for other in read[deck].notes if deck in read else ():
        if other.id == note:
            return str(other.place)
    stored = daily.note_text(study.database, note)
    return deck if stored is None else str(Place(stored.file, stored.line))


def faults_to_json(faults: Sequence[Fault]) -> str:
    """*faults* as they are stored with their deck."""
    return json.dumps([{**fault._asdict(), "place": fault.place._asdict()} for fault in faults], ensure_ascii=False)


def faults_from_json(stored: str) -> list[Fault]:
    """The faults that `faults_to_json` stored."""
    found: list[Fault] = []
    for fields in json.loads(stored):
        place = fields.pop("place")
        found.append(Fault(place=Place(**place), **fields))
    return found
