"""A learner for tests: a home, a folder of decks, a clock that moves, real files and a real database."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from recall.clock import ZoneClock
from recall.model.card import CardId
from recall.model.review import CardState, Rating
from recall.schedule.replay import replay
from recall.settings import load_settings
from recall.store import index, log
from recall.store.states import STATE_COLUMNS, state_of
from recall.store.upkeep import verify
from recall.study.session import Session
from recall.study.study import Study, open_study
from recall.study.sync import SHIPPED

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=BERLIN)
"""A Monday morning, four weeks before the clocks go forward."""
MINUTE = 60_000
HOUR = 60 * MINUTE


class MovedClock(ZoneClock):
    """A clock that stands until the test moves it, in a zone that the test may change."""

    def __init__(self, instant: datetime = MONDAY) -> None:
        assert instant.tzinfo is not None
        super().__init__(instant.tzinfo)
        self.ms = int(instant.timestamp() * 1000)

    def now(self):
        return self.at(self.ms)

    def pass_by(self, *, days: int = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        """Let time go by; days are days of the calendar at the same hour, whatever the clocks do."""
        if days:
            here = datetime.fromtimestamp(self.ms / 1000, self._zone)
            there = datetime.fromordinal(here.toordinal() + days).replace(
                hour=here.hour, minute=here.minute, second=here.second, microsecond=here.microsecond, tzinfo=self._zone
            )
            self.ms = round(there.timestamp() * 1000)
        self.ms += round(hours * HOUR + minutes * MINUTE + seconds * 1000)

    def set(self, *when: int) -> None:
        """Set it to a local date and time."""
        self.ms = int(datetime(*when, tzinfo=self._zone).timestamp() * 1000)  # type: ignore[arg-type, misc]

    def travel(self, zone: str) -> None:
        """The same instant, elsewhere."""
        self._zone = ZoneInfo(zone)


def qa(number: int | str, *, answer: str = "", question: str = "", extra: str = "") -> str:
    """One basic card with the id `card-NUMBER`."""
    question = question or f"Question {number}?"
    return f"Q: {question}\nA: {answer or f'Answer {number}.'}\n{extra}id: card-{number}\n"


def many(count: int, start: int = 0) -> str:
    """So many basic cards."""
    return "\n".join(qa(number) for number in range(start, start + count))


@dataclass
class Learner:
    """Opens studies of one home on one database, and edits their decks."""

    home: Path
    folder: Path
    url: str
    clock: MovedClock = field(default_factory=MovedClock)
    opened: list[Study] = field(default_factory=list)
    _edits: int = 0

    def configure(self, text: str) -> None:
        """Write the settings file."""
        self.home.mkdir(exist_ok=True)
        (self.home / "config.toml").write_text(text, encoding="utf-8")

    def write(self, deck: str, text: str, *, folder: Path | None = None) -> Path:
        """Write or change a deck below the followed folder; its time differs from every time before."""
        path = (folder or self.folder) / f"{deck}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self._edits += 1
        os.utime(path, (1_700_000_000 + self._edits, 1_700_000_000 + self._edits))
        return path

    def own(self, deck: str, text: str) -> Path:
        """Write a deck among those that the program keeps."""
        return self.write(deck, text, folder=self.home / "decks")

    def open(self, *, follow: bool = True) -> Study:
        """A study with the present settings, as a new process would open it; shipped decks are hidden."""
        flags = {} if self.url.startswith("sqlite") else {"database_url": self.url}
        study = open_study(load_settings(flags), self.clock)
        self.opened.append(study)
        if follow:
            self.folder.mkdir(exist_ok=True)
            study.database.execute(
                "INSERT INTO root (machine, path, prefix, added_at) VALUES (?, ?, '', 0) ON CONFLICT DO NOTHING",
                (study.machine, str(self.folder)),
            )
            study.sync()
            for row in index.decks(study.database):
                if row.machine == SHIPPED and not row.hidden:
                    index.hide(study.database, row.deck, hidden=True)
        return study

    def close(self) -> None:
        for study in self.opened:
            study.close()


def at_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Let the program find *home*, and nothing else in its variables."""
    for name in list(os.environ):
        if name.startswith("RECALL_") and name != "RECALL_TEST_POSTGRES":
            patch.delenv(name)
    patch.setenv("RECALL_HOME", str(home))


def asked(session: Session, count: int | None = None, rating: Rating = Rating.EASY) -> list[str]:
    """The next cards of *session*, rated as they come."""
    cards: list[str] = []
    while session.shown is not None and (count is None or len(cards) < count):
        cards.append(session.shown.card.id)
        session.reveal()
        session.rate(rating)
    return cards


def state(study: Study, card: str) -> CardState:
    """The stored state of *card*, which must be there."""
    found = state_of(study.database, CardId(card))
    assert found is not None, card
    return found


def folded(study: Study, card: str) -> CardState:
    """The state that the log of *card* gives."""
    deck = study.database.execute("SELECT deck FROM card_state WHERE card_id = ?", (card,)).fetchone()[0]
    name = CardId(card)
    return replay(
        name,
        log.logged_reviews(study.database, name),
        log.logged_events(study.database, name),
        study.settings.options(deck),
        study.rollover_hour,
    )


def all_states(study: Study) -> dict[str, CardState]:
    """Stored states of all cards that were ever touched or are not new."""
    cards = study.database.execute("SELECT card_id FROM card_state").fetchall()
    return {card: state(study, card) for (card,) in cards}


def assert_folded(study: Study) -> None:
    """Every stored state is what the log gives, to the last bits that a sum in another order may change."""
    touched = study.database.execute(
        "SELECT card_id FROM review UNION SELECT card_id FROM event UNION"
        " SELECT card_id FROM card_state WHERE state > 0 OR suspended OR marked OR buried_until > 0"
    ).fetchall()
    for (card,) in touched:
        if state_of(study.database, card) is None:
            continue
        found, expected = state(study, card), folded(study, card)
        for name in STATE_COLUMNS.split(", "):
            wanted = getattr(expected, name)
            wanted = pytest.approx(wanted, rel=1e-9) if isinstance(wanted, float) else wanted
            assert getattr(found, name) == wanted, (card, name, found, expected)


def log_rows(study: Study, card: str) -> list[tuple[int, int]]:
    """(rating, kind) of each rating of *card* that was not taken back."""
    return [(row.rating, row.kind) for row in log.logged_reviews(study.database, CardId(card))]


def whole(file: Path) -> bool:
    """Whether *file* is a backup that can be restored."""
    verify(file)
    return True
