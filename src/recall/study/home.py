"""What home shows: decks with what waits in them, the week, leeches, faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall.model.card import CardId
from recall.model.fault import Fault
from recall.schedule.days import date_of, study_day
from recall.schedule.order import limits
from recall.schedule.statistics import streak
from recall.store import daily, index, sittings
from recall.study.sitting import done_today
from recall.study.sync import SHIPPED, faults_from_json

if TYPE_CHECKING:
    from recall.model.options import Options
    from recall.study.study import Study

RETENTION_DAYS = 30
SECONDS_PER_CARD = 20.0
"""Until the learner's own pace is known."""


@dataclass(frozen=True, slots=True)
class DeckRow:
    """One deck with what a session of it alone would bring today, by its own daily limits."""

    deck: str
    name: str
    due: int
    new: int
    total: int
    """Cards."""
    retention: float | None
    """Share of due cards recalled in the last `RETENTION_DAYS` days; None when there was none."""
    hidden: bool
    bundled: bool
    file: str


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything on home."""

    decks: tuple[DeckRow, ...]
    due: int
    new: int
    """Of all decks together, by the limits that hold for all: fewer than the rows may add up to."""
    minutes: int
    week: tuple[int, ...]
    """Ratings on each day of this week, from Monday on."""
    streak: int
    """Study days in a row with a review, up to today or yesterday."""
    leeches: tuple[tuple[CardId, str, int], ...]
    """(card, title, lapses), the worst first."""
    faults: tuple[Fault, ...]
    """Errors in deck files; warnings are for `recall lint`."""
    first_run: bool
    """Nothing was ever rated."""
    database: str
    """Where it is, without a password."""


def overview(study: Study) -> Overview:
    """What waits today. The files are not read: call `Study.sync` before."""
    from recall.store.database import redacted

    rows = index.decks(study.database)
    today_only = waiting(study)
    today = study.today()
    retention = sittings.retention_by_deck(study.database, study.day_start(today - RETENTION_DAYS))
    decks = tuple(
        DeckRow(
            deck=row.deck,
            name=row.name or row.deck.rpartition("/")[2],
            due=today_only.due.get(row.deck, 0),
            new=today_only.new.get(row.deck, 0),
            total=row.cards,
            retention=_share(retention.get(row.deck)),
            hidden=row.hidden,
            bundled=row.machine == SHIPPED,
            file=row.file,
        )
        for row in rows
        if not row.missing
    )
    cards = today_only.all_due + today_only.all_new
    pace = sittings.seconds_per_review(study.database) or SECONDS_PER_CARD
    stored = [fault for row in rows if not row.missing for fault in faults_from_json(row.faults)]
    threshold = study.settings.options().leech_threshold
    return Overview(
        decks=decks,
        due=today_only.all_due,
        new=today_only.all_new,
        minutes=round(cards * pace / 60 + 0.5) if cards else 0,
        week=_week(study, today),
        streak=_streak(study, today),
        leeches=tuple((row.card, row.title, row.lapses) for row in sittings.leeches(study.database, threshold)),
        faults=(*study.file_faults, *(fault for fault in stored if fault.severity == "error")),
        first_run=not sittings.has_reviews(study.database),
        database=redacted(study.database.url),
    )


class WaitingToday(NamedTuple):
    """Cards that may still come today."""

    due: dict[str, int]
    new: dict[str, int]
    """Of each deck, by its own limits; learning cards are limited by none."""
    all_due: int
    all_new: int
    """Of a session with all decks."""


def waiting(study: Study) -> WaitingToday:
    """What waits today, within the daily limits."""
    today = study.today()
    counts = daily.counts_by_deck(study.database, study.clock.now().ms, today)
    done = done_today(study, today)
    due = _limited(study, "reviews", counts.reviews, done.reviews, alone=True)
    for deck, learning in counts.learning.items():
        due[deck] = due.get(deck, 0) + learning
    all_due = sum(_limited(study, "reviews", counts.reviews, done.reviews).values())
    return WaitingToday(
        due,
        _limited(study, "new", counts.new, done.new, alone=True),
        all_due + sum(counts.learning.values()),
        sum(_limited(study, "new", counts.new, done.new).values()),
    )


def _limited(
    study: Study,
    kind: Literal["new", "reviews"],
    counts: Mapping[str, int],
    done: Mapping[str, int],
    *,
    alone: bool = False,
) -> dict[str, int]:
    """As many of *counts* as may come: of each deck *alone*, or of all together."""
    left = limits(kind, counts, _OptionsByDeck(study), dict(done), tuple(counts) if alone else ())
    return {deck: left.take_up_to(deck, counts[deck]) for deck in sorted(counts)}


class _OptionsByDeck(dict[str, "Options"]):
    def __init__(self, study: Study) -> None:
        super().__init__()
        self._study = study

    def __missing__(self, deck: str) -> Options:
        return self._study.settings.options(deck)


def _share(counts: tuple[int, int] | None) -> float | None:
    return None if counts is None or not counts[1] else counts[0] / counts[1]


def _week(study: Study, today: int) -> tuple[int, ...]:
    monday = today - date_of(today).weekday()
    moments = sittings.moments_since(study.database, study.day_start(monday))
    days = Counter(study_day(ms, offset_min, study.rollover_hour) for ms, offset_min in moments)
    return tuple(days[day] for day in range(monday, monday + 7))


def _streak(study: Study, today: int) -> int:
    def has_review(day: int) -> bool:
        return sittings.has_review_between(study.database, study.day_start(day), study.day_start(day + 1))

    return streak(has_review, today)
