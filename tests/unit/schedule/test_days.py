"""Study days: local calendar days from rollover to rollover."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from recall.clock import ZoneClock
from recall.schedule.days import date_of, day_of, study_day, study_day_start

EPOCH = date(1970, 1, 1)


def at(zone: str, text: str) -> tuple[int, int]:
    """(ms, offset in minutes) of the local time *text* in *zone*."""
    instant = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
    offset = instant.utcoffset()
    assert offset is not None
    return int(instant.timestamp() * 1000), int(offset.total_seconds() // 60)


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("2026-03-02 03:59:59", date(2026, 3, 1)),
        ("2026-03-02 04:00:00", date(2026, 3, 2)),
        ("2026-03-02 23:59:59", date(2026, 3, 2)),
        ("2026-03-03 00:30:00", date(2026, 3, 2)),
    ],
)
@pytest.mark.parametrize("zone", ["Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"])
def test_a_day_lasts_from_four_to_four_local_time(zone: str, local: str, expected: date) -> None:
    """A review after midnight belongs to the evening before, east and west of Greenwich."""
    assert date_of(study_day(*at(zone, local))) == expected


def test_evening_and_next_morning_are_two_days() -> None:
    """11 hours apart, but a night between: FSRS must see one day, not zero."""
    evening, morning = at("Europe/Berlin", "2026-03-02 21:00"), at("Europe/Berlin", "2026-03-03 08:00")
    assert study_day(*morning) - study_day(*evening) == 1


def test_the_day_keeps_the_offset_of_its_own_instant() -> None:
    """Either side of the change to summer time, 09:00 is the same place in its day."""
    before, after = at("Europe/Berlin", "2026-03-28 09:00"), at("Europe/Berlin", "2026-03-29 09:00")
    assert after[0] - before[0] == 23 * 3_600_000
    assert study_day(*after) - study_day(*before) == 1


def test_rollover_at_midnight_is_the_calendar_day() -> None:
    assert date_of(study_day(*at("Asia/Tokyo", "2026-03-02 00:00"), rollover_h=0)) == date(2026, 3, 2)


@pytest.mark.parametrize("rollover", [0, 4, 23])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "UTC"])
def test_a_day_starts_where_study_day_changes(zone: str, rollover: int) -> None:
    """The start of a day belongs to it and the millisecond before does not, over both changes of the year."""
    clock = ZoneClock(ZoneInfo(zone))
    for first in (date(2026, 3, 27), date(2026, 10, 23), date(2018, 11, 2)):
        for day in range((first - EPOCH).days, (first - EPOCH).days + 5):
            start = study_day_start(day, clock, rollover)
            assert day_of(clock.at(start), rollover) == day
            assert day_of(clock.at(start - 1), rollover) == day - 1


def test_a_day_that_a_zone_skips_starts_with_the_next() -> None:
    """Samoa went from 29 to 31 December 2011."""
    clock = ZoneClock(ZoneInfo("Pacific/Apia"))
    skipped = (date(2011, 12, 30) - EPOCH).days
    assert study_day_start(skipped, clock) <= study_day_start(skipped + 1, clock)
    assert day_of(clock.at(study_day_start(skipped + 1, clock))) == skipped + 1


def test_dates_and_days_are_the_same_thing() -> None:
    assert date_of(0) == EPOCH
    assert date_of(20_514) == date(2026, 3, 2)
