"""Figures of progress: reviews, true retention by study day, what falls due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recall.model.review import DAY_MS, State
from recall.schedule.days import date_of, study_day
from recall.schedule.statistics import due_forecast, streak

if TYPE_CHECKING:
    from recall.store.history import DayOfReviews
    from recall.study.study import Study

FORECAST_DAYS = 30


@dataclass(frozen=True, slots=True)
class Progress:
    """What `recall stats` prints."""

    deck: str
    """Empty: all decks."""
    today: int
    """Study day."""
    days: tuple[DayOfReviews, ...]
    """Every study day with reviews, in order."""
    forecast: tuple[int, ...]
    """Cards that fall due on each of the next days, overdue ones on the first."""
    states: dict[State, int]
    streak: int

    def retention(self, last_days: int | None = None) -> float | None:
        """True retention of the last days (all, if None): of cards in review; None when there was none."""
        days = [day for day in self.days if last_days is None or day.day > self.today - last_days]
        recalls = sum(day.recalls for day in days)
        return sum(day.recalled for day in days) / recalls if recalls else None


def progress(study: Study, deck: str = "") -> Progress:
    """The figures of *deck* and those below it, or of all. Raises `UsageError` for an unknown deck."""
    from recall.store.history import History
    from recall.study.sitting import resolve_deck

    deck = resolve_deck(study, deck) if deck else ""
    now, today = study.clock.now(), study.today()
    history = History(study.database.url)
    try:
        days = history.days(study.rollover_hour, deck)
        due = history.due_days(deck)
        states = history.memories(deck)
    finally:
        history.close()
    cards = (
        (state, day)
        for state, value, count in due
        for day in [value // DAY_MS if state == State.REVIEW else study_day(value, now.offset_min, study.rollover_hour)]
        for _ in range(count)
    )
    forecast = due_forecast(cards, today, FORECAST_DAYS)
    return Progress(
        deck, today, tuple(days), tuple(forecast), states, streak({day.day for day in days}.__contains__, today)
    )


def iso_date(day: int) -> str:
    """The study day *day* as `YYYY-MM-DD`."""
    return date_of(day).isoformat()
