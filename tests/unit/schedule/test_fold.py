"""All states at once: the same as card by card."""

from __future__ import annotations

import numpy as np
import pytest

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import DAY_MS, CardState, ReviewKind, State
from recall.schedule.fold import CardEvent, Cards, Reviews, States, fold_all
from recall.schedule.plan import card_seed
from recall.schedule.replay import EventRow, ReviewRow, replay

OPTIONS = [
    Options(),
    Options(desired_retention=0.8, learning_steps_s=(60, 600, 3600), relearning_steps_s=(), maximum_interval=60),
    Options(fuzz=False, learning_steps_s=(), relearning_steps_s=(300, 86_400)),
]


def random_log(cards: int, reviews: int, seed: int) -> list[list[ReviewRow]]:
    """A log of each card; days, same-day steps, clocks that run back, and rows that do not count."""
    source = np.random.default_rng(seed)
    kinds = [int(kind) for kind in ReviewKind]
    log: list[list[ReviewRow]] = []
    number = 0
    for _ in range(cards):
        rows: list[ReviewRow] = []
        ms = 20_000 * DAY_MS + int(source.integers(DAY_MS))
        for _ in range(int(source.integers(reviews + 1))):
            number += 10
            kind = int(ReviewKind.REVIEW) if source.random() < 0.9 else kinds[int(source.integers(len(kinds)))]
            rating = int(source.choice([1, 2, 3, 4], p=[0.2, 0.15, 0.55, 0.1]))
            offset = int(source.choice([-600, 0, 60, 345, 840]))
            rows.append(ReviewRow(number, ms, offset, rating, kind))
            ms += int(source.choice([60_000, 600_000, -40 * DAY_MS, int(DAY_MS * source.exponential(20))]))
        log.append(rows)
    return log


def columns(log: list[list[ReviewRow]]) -> Reviews:
    """The rows of *log* as the fold takes them."""
    rows = [(card, *row[:4], row.kind) for card, one in enumerate(log) for row in one]
    table = np.array(rows, np.int64).reshape(-1, 6)
    card, number, rated_at, offset, rating, kind = table.T
    small = np.int8
    return Reviews(
        card.astype(np.int32), rated_at, offset.astype(np.int16), rating.astype(small), kind.astype(small), number
    )


def name(card: int) -> CardId:
    return CardId(f"note-{card}/hole")


def cards(count: int) -> Cards:
    seeds = np.array([card_seed(name(card)) for card in range(count)], np.uint32)
    return Cards(seeds, np.arange(count) % len(OPTIONS))


def assert_same(found: CardState, expected: CardState) -> None:
    """Integers exactly, floats to a few units in the last place."""
    assert found.stability == pytest.approx(expected.stability, rel=1e-9)
    assert found.difficulty == pytest.approx(expected.difficulty, rel=1e-9)
    for field in CardState.__annotations__:
        if field not in ("stability", "difficulty"):
            assert getattr(found, field) == getattr(expected, field), field


def assert_equals_replay(states: States, log: list[list[ReviewRow]], events: list[CardEvent]) -> None:
    for card, rows in enumerate(log):
        own = [EventRow(*event[1:]) for event in events if event.card == card]
        assert_same(states.card(card), replay(name(card), rows, own, OPTIONS[card % len(OPTIONS)]))


@pytest.mark.parametrize("seed", range(3))
def test_the_fold_equals_the_replay_of_every_card(seed: int) -> None:
    log = random_log(200, 25, seed)
    assert_equals_replay(fold_all(columns(log), cards(200), OPTIONS), log, [])


@pytest.mark.parametrize("seed", range(3))
def test_events_take_their_place(seed: int) -> None:
    """Forget and set-due among the reviews, flags beside them."""
    source = np.random.default_rng(seed + 100)
    log = random_log(120, 12, seed)
    acts = ["suspend", "unsuspend", "bury", "unbury", "mark", "unmark", "forget", "set_due", "set_due", "relink"]
    latest = max(row.id for rows in log for row in rows)
    events = sorted(
        (
            CardEvent(int(source.integers(120)), 10 * int(source.integers(latest // 10)) + 5, str(source.choice(acts)))
            for _ in range(400)
        ),
        key=lambda event: event.id,
    )
    events = [event._replace(value=20_000 + int(source.integers(500))) for event in events]
    states = fold_all(columns(log), cards(120), OPTIONS, events)
    assert_equals_replay(states, log, events)


def test_an_empty_log_leaves_new_cards() -> None:
    states = fold_all(columns([[], []]), cards(2), OPTIONS, [CardEvent(1, 5, "set_due", 20_001)])
    assert states.card(0) == CardState()
    assert states.card(1) == CardState(due=20_001 * DAY_MS)


def test_the_rollover_is_an_option() -> None:
    log = [[ReviewRow(1, 20_000 * DAY_MS + 2 * 3_600_000, 0, 4, ReviewKind.LEARN)]]
    for rollover, day in ((0, 20_000), (4, 19_999)):
        assert fold_all(columns(log), cards(1), OPTIONS, rollover_h=rollover).last_day[0] == day


def test_events_need_review_ids() -> None:
    whole = columns(random_log(3, 5, 1))
    bare = Reviews(whole.card, whole.rated_at, whole.offset_min, whole.rating, whole.kind)
    with pytest.raises(ValueError, match="id"):
        fold_all(bare, cards(3), OPTIONS, [CardEvent(0, 5, "forget")])
    assert fold_all(bare, cards(3), OPTIONS, [CardEvent(0, 5, "mark")]).marked[0]


def test_a_long_history_of_one_card_is_no_harm() -> None:
    log = [[ReviewRow(index, 20_000 * DAY_MS + index * DAY_MS, 0, 3, ReviewKind.REVIEW) for index in range(400)]]
    states = fold_all(columns(log), cards(1), OPTIONS)
    assert states.card(0).reps == 400
    assert states.card(0).state is State.REVIEW
    assert_equals_replay(states, log, [])
