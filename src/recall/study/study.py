"""One learner's cards on one database: what every use case stands on.

A `Study` ties together the store, the settings, the clock and this machine's name. It is opened once a process
and is not shared between threads; work beside the app opens its own with `again()`.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recall import paths
from recall.clock import Clock, open_clock
from recall.errors import StoreError
from recall.model.card import CardId, NoteId
from recall.model.options import Options
from recall.model.review import Act, CardState, Moment
from recall.schedule.days import day_of, study_day_start
from recall.store import daily, index
from recall.store.database import Database
from recall.store.log import refold_card
from recall.store.migrations import migrate

if TYPE_CHECKING:
    from recall.model.fault import Fault
    from recall.schedule.replay import EventRow, ReviewRow
    from recall.settings import Settings
    from recall.store.index import IndexedDeck
    from recall.store.search import FoundCard
    from recall.study.home import Overview
    from recall.study.session import Session
    from recall.study.sync import SyncReport


class Study:
    """Open store, settings, clock and machine; the use cases take it as their first argument."""

    def __init__(self, database: Database, settings: Settings, clock: Clock, machine: str) -> None:
        self.database = database
        self.settings = settings
        self.clock = clock
        self.machine = machine
        self.rollover_hour = settings.rollover_hour
        self._decks: dict[str, IndexedDeck] | None = None
        self.file_faults: tuple[Fault, ...] = ()
        """Faults of the last `sync` that belong to no deck that could be read: a folder that is gone, for one."""

    def again(self) -> Study:
        """The same study on a connection of its own, for another thread."""
        return Study(Database(self.database.url), self.settings, self.clock, self.machine)

    def close(self) -> None:
        """Close the connection."""
        self.database.close()

    # --- days ------------------------------------------------------------------------------------------------------

    def today(self) -> int:
        """The study day that it is now."""
        return day_of(self.clock.now(), self.rollover_hour)

    def day_start(self, day: int) -> int:
        """First instant of the study day *day*, in ms."""
        return study_day_start(day, self.clock, self.rollover_hour)

    # --- folding ---------------------------------------------------------------------------------------------------

    def fold(self, card: CardId, reviews: Sequence[ReviewRow], events: Sequence[EventRow]) -> CardState:
        """The state of *card* after its log, by the options of its deck."""
        from recall.schedule.replay import replay

        facts = daily.card_facts(self.database, card)
        options = self.settings.options(facts.deck if facts else "")
        return replay(card, reviews, events, options, self.rollover_hour)

    def refold(self, card: CardId) -> CardState:
        """Fold the log of *card* and store the state."""
        return refold_card(self.database, card, self.fold)

    def fingerprint(self, deck: str) -> str:
        """Changes whenever the states of the cards of *deck* have to be folded anew."""
        return options_fingerprint(self.settings.options(deck), self.rollover_hour)

    def fold_changed_options(self) -> int:
        """Fold the cards of decks whose options changed since they were last folded; returns how many decks."""
        changed = [deck.deck for deck in index.decks(self.database) if deck.options != self.fingerprint(deck.deck)]
        if changed:
            # NumPy is imported for this, which is rare: only after a setting was changed.
            from recall.study.rebuild import rebuild

            with self.database.transaction():
                rebuild(self, changed)
                for deck in changed:
                    index.write_options(self.database, deck, self.fingerprint(deck))
        return len(changed)

    # --- use cases -------------------------------------------------------------------------------------------------

    def session(
        self,
        decks: Sequence[str] = (),
        query: str = "",
        limit: int | None = None,
        new: int | None = None,
        ahead: bool = False,
        cram: bool = False,
    ) -> Session:
        """Begin a session; see `recall.study.sitting.Choice`. Raises `UsageError` for an unknown deck or a query."""
        from recall.study.sitting import Choice, begin

        return begin(self, Choice(tuple(decks), query, limit, new, ahead, cram))

    def overview(self) -> Overview:
        """What home shows."""
        from recall.study.home import overview

        return overview(self)

    def search(self, query: str, limit: int | None = 50) -> list[FoundCard]:
        """The first *limit* cards that *query* finds. Raises `UsageError` for a query that cannot be read."""
        from recall.study.searching import search

        return search(self, query, limit)

    def wake(self, card: CardId) -> None:
        """Let the suspended *card* come again."""
        from recall.store import log

        log.act(self.database, [card], Act.UNSUSPEND, self.machine, self.clock.now(), self.fold)

    def add(self, text: str) -> NoteId:
        """Write the note *text* into the learner's inbox. Raises `DataError` with its faults."""
        from recall.study.authoring import add_note

        return add_note(self, text)

    # --- files -----------------------------------------------------------------------------------------------------

    def sync(self, force: Sequence[str] = ()) -> SyncReport:
        """Bring the index up to the deck files."""
        from recall.study.sync import sync

        self._decks = None
        report = sync(self, force=force)
        self.file_faults = tuple(report.faults)
        return report

    def deck_name(self, deck: str) -> str:
        """The name that *deck* shows: from its front matter, else its own."""
        row = self.deck_row(deck)
        return (row.name if row else "") or deck.rpartition("/")[2]

    def deck_row(self, deck: str) -> IndexedDeck | None:
        """What the index says of *deck*; None when it does not have it."""
        if self._decks is None:
            self._decks = {row.deck: row for row in index.decks(self.database)}
        return self._decks.get(deck)


def options_fingerprint(options: Options, rollover_hour: int) -> str:
    """A short text that differs when two sets of options schedule differently."""
    scheduling = (
        options.model,
        options.parameters,
        options.desired_retention,
        options.learning_steps_s,
        options.relearning_steps_s,
        options.maximum_interval,
        options.fuzz,
        rollover_hour,
    )
    return f"{zlib.crc32(repr(scheduling).encode()):08x}"


def database_url(settings: Settings) -> str:
    """Where the reviews are kept."""
    return settings.database_url or f"sqlite:///{paths.database_file()}"


def open_study(settings: Settings, clock: Clock | None = None) -> Study:
    """Open the database that *settings* name, at the present schema; it is made when missing.

    Reads no deck: call `sync` for that. Raises `StoreError` (`NewerStoreError`, `StoreBusyError`), `UsageError`.
    """
    clock = clock or open_clock(settings.timezone)
    database = Database(database_url(settings))
    try:
        migrate(database, clock.now().ms)
        return Study(database, settings, clock, _machine(database, clock.now()))
    except BaseException:
        database.close()
        raise


def _machine(database: Database, now: Moment) -> str:
    """The name of this machine in the log: made once, kept beside the settings, known to the database."""
    file = paths.home() / "machine"
    try:
        machine = _read_or_make(file)
    except OSError as error:
        raise StoreError(
            f"cannot write {file}: {error.strerror or error}", "choose another place with RECALL_HOME"
        ) from error
    if database.execute("SELECT 1 FROM machine WHERE id = ?", (machine,)).fetchone() is None:
        import platform

        database.execute(
            "INSERT INTO machine (id, label, first_seen, last_seen) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            (machine, platform.node(), now.ms, now.ms),
        )
    return machine


def _read_or_make(file: Path) -> str:
    if file.exists() and (known := file.read_text(encoding="ascii", errors="replace").strip()):
        return known
    paths.make_private(file.parent)
    made = os.urandom(8).hex()
    # Written under a name of its own, then linked: of two first starts at once one wins, and both read its name.
    own = file.with_name(f".machine-{made}")
    descriptor = os.open(own, os.O_CREAT | os.O_EXCL | os.O_WRONLY, paths.PRIVATE_FILE)
    try:
        os.write(descriptor, made.encode("ascii"))
        os.close(descriptor)
        with contextlib.suppress(FileExistsError):
            file.hardlink_to(own)
    finally:
        own.unlink(missing_ok=True)
    return file.read_text(encoding="ascii", errors="replace").strip()
