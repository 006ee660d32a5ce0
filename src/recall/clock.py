"""The one source of the time: the machine's clock in the learner's zone, or a frozen instant."""

from __future__ import annotations

import os
import time
from datetime import datetime, tzinfo
from typing import Protocol

from recall.errors import UsageError
from recall.model.review import Moment

_EXAMPLE = "for example 2026-03-01T09:00:00+01:00"


class Clock(Protocol):
    """Says what time it is, and where."""

    def now(self) -> Moment:
        """The present instant with the local offset by the zone's rules at that instant."""
        ...

    def at(self, ms: int) -> Moment:
        """The instant *ms* with the local offset of that instant."""
        ...


class ZoneClock:
    """The machine's clock; the zone is the system's unless one is given. Read at each call, since people travel."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def now(self) -> Moment:
        return self.at(time.time_ns() // 1_000_000)

    def at(self, ms: int) -> Moment:
        if self._zone is None:
            return Moment(ms, time.localtime(ms / 1000).tm_gmtoff // 60)
        offset = datetime.fromtimestamp(ms / 1000, self._zone).utcoffset()
        assert offset is not None  # an aware datetime has one
        return Moment(ms, int(offset.total_seconds() // 60))


class FrozenClock(ZoneClock):
    """Always the same instant: for demos and tests (`RECALL_NOW`)."""

    def __init__(self, instant: datetime, zone: tzinfo | None = None) -> None:
        super().__init__(zone or instant.tzinfo)
        self._ms = int(instant.timestamp() * 1000)

    def now(self) -> Moment:
        return self.at(self._ms)


def open_clock(timezone: str = "") -> Clock:
    """The clock for this run: `RECALL_NOW` if set, else the machine's, in *timezone* (IANA name) or the system's zone.

    Raises `UsageError` for an unknown zone or a `RECALL_NOW` that is no ISO 8601 instant with an offset.
    """
    zone: tzinfo | None = None
    if timezone:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            zone = ZoneInfo(timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise UsageError(f"unknown time zone {timezone!r}", "use an IANA name such as Europe/Berlin") from error
    frozen = os.environ.get("RECALL_NOW")
    if not frozen:
        return ZoneClock(zone)
    try:
        instant = datetime.fromisoformat(frozen)
    except ValueError as error:
        raise UsageError(f"RECALL_NOW={frozen!r} is no ISO 8601 time", _EXAMPLE) from error
    if instant.tzinfo is None:
        raise UsageError(f"RECALL_NOW={frozen!r} has no offset from UTC", _EXAMPLE)
    return FrozenClock(instant, zone)
