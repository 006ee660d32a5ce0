"""What must hold of scheduling for every history, options and zone."""

from __future__ import annotations

import hashlib
import importlib.resources
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall.model.card import CardId
from recall.model.options import FSRS6_DEFAULTS, Options
from recall.model.review import DAY_MS, NEW_STATE, Act, CardState, Moment, Rating, ReviewKind, State
from recall.schedule.days import study_day
from recall.schedule.fold import CardEvent, Cards, Reviews, fold_all
from recall.schedule.fsrs6 import WEIGHT_BOUNDS
from recall.schedule.plan import card_seed
from recall.schedule.replay import EventRow, ReviewRow, replay
from recall.schedule.scheduler import answer, previews

CARD = CardId("ring-all-reduce/2")
START = 20_000 * DAY_MS

weights = st.one_of(
    st.just(FSRS6_DEFAULTS),
    st.tuples(
        *(
            st.floats(max(low, default * 0.6), min(high, default * 1.5), allow_nan=False)
            for default, (low, high) in zip(FSRS6_DEFAULTS, WEIGHT_BOUNDS, strict=True)
        )
    ),
)
steps = st.lists(st.integers(1, 200_000), max_size=4).map(tuple)
option_sets = st.builds(
    lambda **chosen: Options(**chosen),  # a bare named tuple would have every field drawn
    parameters=weights,
    desired_retention=st.floats(0.7, 0.99),
    learning_steps_s=steps,
    relearning_steps_s=steps,
    maximum_interval=st.integers(1, 36_500),
    fuzz=st.booleans(),
)
gaps = st.one_of(st.integers(1, 3_600_000), st.integers(0, 400 * DAY_MS), st.integers(-400 * DAY_MS, 0))
"""Milliseconds to the next review; negative: the clock was set back."""
offsets = st.sampled_from([-720, -210, 0, 60, 345, 840])


@st.composite
def histories(draw: st.DrawFn, kinds: tuple[ReviewKind, ...] = (ReviewKind.REVIEW,)) -> list[ReviewRow]:
    """Reviews of one card; ids rise, instants need not."""
    rows: list[ReviewRow] = []
    ms = START
    for number in range(draw(st.integers(0, 12))):
        rows.append(
            ReviewRow(10 * number, ms, draw(offsets), draw(st.integers(1, 4)), int(draw(st.sampled_from(kinds))))
        )
        ms = max(DAY_MS * 400, ms + draw(gaps))
    return rows


def stepwise(rows: list[ReviewRow], options: Options) -> Iterator[tuple[CardState, ReviewRow, CardState]]:
    """Each review with the state before and after it, as answers gave them."""
    state = NEW_STATE
    for row in rows:
        after = answer(
            CARD,
            state,
            Rating(row.rating),
            Moment(row.rated_at, row.offset_min),
            options,
            ReviewKind(row.kind),
        )
        yield state, row, after
        state = after


def assert_same(found: CardState, expected: CardState) -> None:
    """Integers exactly, floats to 1e-9."""
    assert found.stability == pytest.approx(expected.stability, rel=1e-9)
    assert found.difficulty == pytest.approx(expected.difficulty, rel=1e-9)
    for field in CardState.__annotations__:
        if field not in ("stability", "difficulty"):
            assert getattr(found, field) == getattr(expected, field), field


@given(histories((ReviewKind.REVIEW, ReviewKind.AHEAD, ReviewKind.CRAM)), option_sets)
def test_the_folded_log_equals_step_by_step(rows: list[ReviewRow], options: Options) -> None:
    """After every review the fold of the log so far is the state that the answer gave; so undo is a shorter log."""
    for count, (_, _, after) in enumerate(stepwise(rows, options), start=1):
        assert_same(replay(CARD, rows[:count], (), options), after)


@given(histories(), option_sets)
def test_undo_of_all_returns_to_the_start(rows: list[ReviewRow], options: Options) -> None:
    states = [replay(CARD, rows[:count], (), options) for count in range(len(rows) + 1)]
    for count in reversed(range(len(rows))):
        assert replay(CARD, rows[:count], (), options) == states[count]
    assert states[0] == NEW_STATE


events = st.lists(
    st.tuples(st.integers(0, 13), st.sampled_from(list(Act)), st.integers(19_000, 22_000)), max_size=5
).map(lambda drawn: [EventRow(10 * at - 5, act.value, day) for at, act, day in sorted(drawn, key=lambda e: e[0])])


@settings(deadline=None)
@given(st.lists(st.tuples(histories(tuple(ReviewKind)), events), min_size=1, max_size=6), option_sets, option_sets)
def test_the_vectorised_fold_equals_the_replay(
    logs: list[tuple[list[ReviewRow], list[EventRow]]], first: Options, second: Options
) -> None:
    """Cards under two sets of options, every kind of row, events among them."""
    options = [first, second]
    names = [CardId(f"note-{index}") for index in range(len(logs))]
    table = np.array(
        [(card, *row[:4], row.kind) for card, (rows, _) in enumerate(logs) for row in rows],
        np.int64,
    ).reshape(-1, 6)
    card, number, rated_at, offset, rating, kind = table.T
    states = fold_all(
        Reviews(card, rated_at, offset, rating, kind, number),
        Cards(np.array([card_seed(name) for name in names]), np.arange(len(logs)) % 2),
        options,
        [CardEvent(index, *event) for index, (_, own) in enumerate(logs) for event in own],
    )
    for index, (rows, own) in enumerate(logs):
        assert_same(states.card(index), replay(names[index], rows, own, options[index % 2]))


def due_day(state: CardState, offset_min: int) -> int:
    """The study day on which a card comes."""
    return state.due_day if state.state is State.REVIEW else study_day(state.due, offset_min)


@given(histories(), option_sets)
def test_buttons_rise_and_nothing_is_due_before_now(rows: list[ReviewRow], options: Options) -> None:
    """Again <= Hard <= Good <= Easy by day, and by instant within steps; days lie after today."""
    for before, row, after in stepwise(rows, options):
        moment = Moment(row.rated_at, row.offset_min)
        shown = previews(CARD, before, moment, options)
        assert shown[Rating(row.rating)] == after
        today = study_day(moment.ms, moment.offset_min)
        for state in shown.values():
            if state.state is State.REVIEW:
                assert today < state.due_day <= today + options.maximum_interval
            else:
                assert state.due >= moment.ms
        buttons = [shown[rating] for rating in Rating][1:]
        for harder, easier in pairwise(buttons):
            if harder.state is easier.state and harder.state is not State.REVIEW:
                assert harder.due <= easier.due
            else:
                longest = today + options.maximum_interval
                assert min(due_day(harder, row.offset_min), longest) <= due_day(easier, row.offset_min)


@given(histories(), option_sets)
def test_a_success_never_shortens_what_would_grow(rows: list[ReviewRow], options: Options) -> None:
    """Fuzz does not take an interval back below the last one when the unfuzzed one is above it."""
    for before, row, after in stepwise(rows, options):
        if before.state is State.REVIEW and row.rating > 1:
            last = before.due_day - before.last_day
            decay = -options.parameters[20]
            factor = 0.9 ** (1 / decay) - 1
            unfuzzed = round(after.stability / factor * (options.desired_retention ** (1 / decay) - 1))
            if unfuzzed > last:
                assert after.due_day - after.last_day >= min(last, options.maximum_interval)


def zones(*, all_names: bool) -> list[str]:
    """Names of the tz database; without *all_names*, one of each set of names with the same rules."""
    names = sorted(zoneinfo.available_timezones())
    if all_names:
        return names
    root = importlib.resources.files("tzdata").joinpath("zoneinfo")
    distinct: dict[str, str] = {}
    for name in names:
        file = root.joinpath(*name.split("/"))
        key = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else name
        distinct.setdefault(key, name)
    return list(distinct.values())


def backward_changes(zone: zoneinfo.ZoneInfo, stride_s: int) -> Iterator[tuple[int, int, int]]:
    """(UTC second, offset before, offset after), in minutes, of each change by which local time goes back.

    From 1970 through 2037, found by bisection between samples *stride_s* apart.
    """

    def offset(second: int) -> int:
        value = datetime.fromtimestamp(second, zone).utcoffset()
        assert value is not None
        return int(value.total_seconds() // 60)

    end = int(datetime(2038, 1, 1, tzinfo=UTC).timestamp())
    low, before = 0, offset(0)
    while low < end:
        high = min(low + stride_s, end)
        after = offset(high)
        if after == before:
            low = high
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if offset(middle) == before:
                low = middle
            else:
                high = middle
        after = offset(high)
        if after < before:
            yield high, before, after
        low, before = high, after


def assert_no_step_back(names: list[str], stride_s: int) -> None:
    changes = 0
    for name in names:
        for second, before, after in backward_changes(zoneinfo.ZoneInfo.no_cache(name), stride_s):
            changes += 1
            assert study_day(second * 1000 - 1, before) <= study_day(second * 1000, after), (name, second)
    assert changes > 5000


def test_the_study_day_never_steps_back_in_any_zone() -> None:
    """Weekly samples of every distinct zone of the tz database, 1970-2037."""
    assert_no_step_back(zones(all_names=False), 7 * 86_400)


@pytest.mark.slow
def test_the_study_day_never_steps_back_in_any_zone_whole() -> None:
    """Daily samples of every name, so that no pair of changes within a week is missed."""
    assert_no_step_back(zones(all_names=True), 86_400)
