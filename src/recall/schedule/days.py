"""Study days: which local day an instant belongs to, when a day begins at the rollover hour and not at midnight.

Everything that says "today" asks here. A day is a number: local calendar days since 1970-01-01. It follows
from the instant and the local offset *at that instant*, so a logged review keeps its day whatever zone the
learner is in later; local days are counted, never spans of 86,400 seconds.
"""

from __future__ import annotations

from datetime import date

from recall.clock import Clock
from recall.model.review import DAY_MS, Moment

DEFAULT_ROLLOVER_H = 4
"""Hour of the local day at which a study day begins. At 4 no zone change from 1970 to 2037 (tz database
2026) brings a study day back: each falls wholly before the rollover or wholly after it."""

MINUTE_MS = 60_000
HOUR_MS = 3_600_000
_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()


def study_day(ms: int, offset_min: int, rollover_h: int = DEFAULT_ROLLOVER_H) -> int:
    """The study day of the instant *ms*, where local time is UTC plus *offset_min* minutes at that instant."""
    return (ms + offset_min * MINUTE_MS - rollover_h * HOUR_MS) // DAY_MS


def day_of(moment: Moment, rollover_h: int = DEFAULT_ROLLOVER_H) -> int:
    """The study day of *moment*."""
    return study_day(moment.ms, moment.offset_min, rollover_h)


def study_day_start(day: int, clock: Clock, rollover_h: int = DEFAULT_ROLLOVER_H) -> int:
    """The first instant, in ms, of study day *day* in the zone of *clock*.

    A zone may skip the rollover hour, or a whole day (Samoa skipped 2011-12-30); then it is the first instant
    of a later study day. Found by bisection on `study_day`, so that both always agree.
    """
    nominal = day * DAY_MS + rollover_h * HOUR_MS
    # Local offsets lie within 26 hours of UTC; a day to spare for a day that a zone skips.
    low, high = nominal - 2 * DAY_MS, nominal + 2 * DAY_MS
    while low < high:
        middle = (low + high) // 2
        if day_of(clock.at(middle), rollover_h) >= day:
            high = middle
        else:
            low = middle + 1
    return low


def date_of(day: int) -> date:
    """The calendar date of study day *day*."""
    return date.fromordinal(_EPOCH_ORDINAL + day)
