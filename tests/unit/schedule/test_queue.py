"""The order of a session."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import DAY_MS, NEW_STATE, CardState, State
from recall.schedule.order import chain, mixed
from recall.schedule.queue import Done, Queue, Remaining, build_queue

TODAY = 20_514
NOW = TODAY * DAY_MS + 9 * 3_600_000
MINUTE = 60_000
IN_REVIEW = CardState(State.REVIEW, 0, 10.0, 5.0, (TODAY + 10) * DAY_MS)


class Due(NamedTuple):
    card: CardId
    deck: str = "gpu"
    state: int = State.REVIEW
    due: int = TODAY * DAY_MS
    stability: float = 10.0
    last_day: int = TODAY - 10


class Unseen(NamedTuple):
    card: CardId
    deck: str = "gpu"
    position: int = 0


def due(*names: str, deck: str = "gpu") -> list[Due]:
    """Due cards, the first the most urgent."""
    return [Due(CardId(name), deck, stability=10.0 + index) for index, name in enumerate(names)]


def new(*names: str, deck: str = "gpu") -> list[Unseen]:
    return [Unseen(CardId(name), deck, index) for index, name in enumerate(names)]


def learning(name: str, due_ms: int, state: int = State.LEARNING) -> Due:
    return Due(CardId(name), state=state, due=due_ms)


def same(**changes: object) -> Callable[[str], Options]:
    """The same options for every deck."""
    options = Options(**changes)  # type: ignore[arg-type]
    return lambda deck: options


def drawn(queue: Queue, now: int = NOW) -> list[str]:
    """All cards as they come when each is rated good and leaves."""
    seen: list[str] = []
    while (card := queue.next(now)) is not None:
        seen.append(card)
        queue.after_rating(card, IN_REVIEW)
    return seen


def test_the_most_urgent_come_first() -> None:
    """Lowest retrievability first, not oldest due day first."""
    rows = [
        Due(CardId("strong-and-long-overdue"), due=(TODAY - 30) * DAY_MS, stability=300.0, last_day=TODAY - 330),
        Due(CardId("weak"), due=(TODAY - 2) * DAY_MS, stability=1.0, last_day=TODAY - 3),
        Due(CardId("in-time"), stability=10.0, last_day=TODAY - 10),
    ]
    assert drawn(build_queue(rows, [], TODAY, same())) == ["weak", "strong-and-long-overdue", "in-time"]


def test_cards_of_later_days_are_left_out() -> None:
    rows = [Due(CardId("tomorrow"), due=(TODAY + 1) * DAY_MS), *due("today")]
    assert drawn(build_queue(rows, [], TODAY, same())) == ["today"]


@pytest.mark.parametrize(
    ("mix", "expected"),
    [
        ("spread", ["a", "b", "n1", "c", "d", "n2", "e", "f"]),
        ("new_first", ["n1", "n2", "a", "b", "c", "d", "e", "f"]),
        ("new_last", ["a", "b", "c", "d", "e", "f", "n1", "n2"]),
    ],
)
def test_new_cards_are_mixed_in_as_the_options_say(mix: str, expected: list[str]) -> None:
    queue = build_queue(due(*"abcdef"), new("n1", "n2"), TODAY, same(mix=mix))
    assert drawn(queue) == expected


def test_mixing_loses_nothing() -> None:
    for old in range(7):
        for fresh in range(7):
            row = mixed([CardId(f"d{i}") for i in range(old)], [CardId(f"n{i}") for i in range(fresh)], "spread")
            assert len(row) == len(set(row)) == old + fresh


def test_learning_cards_come_at_their_time() -> None:
    """A card rated again comes after its minute, between the others."""
    queue = build_queue(due("a", "b", "c"), [], TODAY, same())
    assert queue.next(NOW) == "a"
    queue.after_rating(CardId("a"), CardState(State.RELEARNING, due=NOW + MINUTE))
    assert queue.remaining == Remaining(2, 0, 1)
    assert queue.next(NOW + 1) == "b"
    queue.after_rating(CardId("b"), IN_REVIEW)
    assert queue.next(NOW + 2 * MINUTE) == "a"
    queue.after_rating(CardId("a"), IN_REVIEW)
    assert queue.next(NOW + 2 * MINUTE) == "c"


def test_with_nothing_else_left_a_step_may_come_twenty_minutes_early() -> None:
    queue = build_queue([learning("soon", NOW + 19 * MINUTE)], [], TODAY, same())
    assert queue.next(NOW) == "soon"
    late = build_queue([learning("late", NOW + 21 * MINUTE)], [], TODAY, same())
    assert late.next(NOW) is None
    assert late.next_waiting() == NOW + 21 * MINUTE
    assert late.next(NOW + 2 * MINUTE) == "late"


def test_the_card_just_seen_lets_another_waiting_one_go_first() -> None:
    queue = build_queue([learning("a", NOW), learning("b", NOW + 5 * MINUTE)], [], TODAY, same())
    assert queue.next(NOW) == "a"
    queue.after_rating(CardId("a"), CardState(State.LEARNING, due=NOW + MINUTE))
    assert queue.next(NOW + 1) == "b"
    queue.after_rating(CardId("b"), IN_REVIEW)
    assert queue.next(NOW + 2) == "a"
    queue.after_rating(CardId("a"), CardState(State.LEARNING, due=NOW + MINUTE))
    assert queue.next(NOW + 3) == "a"


def test_the_shown_card_stays_until_something_became_of_it() -> None:
    queue = build_queue(due("a", "b"), [], TODAY, same())
    assert [queue.next(NOW), queue.next(NOW)] == ["a", "a"]
    assert queue.remaining.due == 2


def test_of_siblings_one_comes_a_day() -> None:
    queue = build_queue(due("x/1", "y", "x/2"), new("y/reverse", "z/1", "z/2"), TODAY, same())
    assert sorted(drawn(queue)) == ["x/1", "y", "z/1"]


def test_a_sibling_seen_today_holds_back_but_a_card_does_not_hold_back_itself() -> None:
    done = Done(cards=[CardId("x/1"), CardId("y/1")])
    rows = due("x/2", "y/1", "z")
    assert drawn(build_queue(rows, [], TODAY, same(), done)) == ["y/1", "z"]
    assert drawn(build_queue(rows, [], TODAY, same(bury_siblings=False), done)) == ["x/2", "y/1", "z"]


def test_a_learning_card_holds_back_its_siblings() -> None:
    queue = build_queue([learning("x/1", NOW), *due("x/2")], new("x/3"), TODAY, same())
    assert drawn(queue) == ["x/1"]


def test_daily_limits_count_what_was_done() -> None:
    done = Done(new={"gpu": 1}, reviews={"gpu": 2})
    options = same(new_per_day=2, reviews_per_day=4, mix="new_last")
    assert drawn(build_queue(due(*"abcd"), new("n1", "n2"), TODAY, options, done)) == ["a", "b", "n1"]


def test_the_limit_of_a_deck_caps_the_decks_below_it() -> None:
    """Root 10, gpu 3, gpu/memory 2: two of memory and one more of gpu; another deck is free of that."""
    limit = {"": 10, "gpu": 3, "gpu/memory": 2}

    def options_of(deck: str) -> Options:
        return Options(new_per_day=limit.get(deck, 10))

    rows = [*new("g1", "g2"), *new("m1", "m2", "m3", deck="gpu/memory"), *new("o1", "o2", deck="other")]
    assert sorted(drawn(build_queue([], rows, TODAY, options_of))) == ["g1", "g2", "m1", "o1", "o2"]
    below = build_queue([], rows[2:5], TODAY, options_of, tops=["gpu/memory"])
    assert drawn(below) == ["m1", "m2"]


def test_limits_above_the_chosen_deck_do_not_bind() -> None:
    assert chain("a/b/c", ["a/b"]) == ("a/b/c", "a/b")
    assert chain("a/b/c", []) == ("a/b/c", "a/b", "a", "")
    assert chain("a/b/c", ["a", "a/b/c"]) == ("a/b/c",)


def test_a_session_may_set_its_own_limits() -> None:
    rows = new("n1", "n2", "n3")
    assert len(drawn(build_queue([], rows, TODAY, same(new_per_day=0), new_limit=2))) == 2
    assert len(drawn(build_queue(due(*"abcd"), rows, TODAY, same(), card_limit=3))) == 3


def test_the_limit_of_a_session_holds_for_all_its_decks_together() -> None:
    rows = [*new("a1", "a2", deck="a"), *new("b1", "b2", deck="b/c")]
    queue = build_queue([], rows, TODAY, same(new_per_day=0), tops=["a", "b"], new_limit=3)
    assert len(drawn(queue)) == 3


def test_more_brings_cards_beyond_the_limit() -> None:
    options = same(new_per_day=1, reviews_per_day=1)
    queue = build_queue(due("a", "b"), new("n1", "n2", "n3"), TODAY, options)
    assert sorted(drawn(queue)) == ["a", "n1"]
    assert queue.more("new", 5) == 2
    assert drawn(queue) == ["n2", "n3"]
    assert queue.more("due", 5) == 1
    assert drawn(queue) == ["b"]
    assert queue.more("due", 5) == queue.more("new", 1) == 0


def test_random_order_is_of_the_day_and_stays_through_it() -> None:
    rows = new(*(f"n{index}" for index in range(50)))
    options = same(new_order="random", new_per_day=50)
    first = drawn(build_queue([], rows, TODAY, options))
    assert first != [row.card for row in rows]
    assert drawn(build_queue([], rows[::-1], TODAY, options)) == first
    assert drawn(build_queue([], rows, TODAY + 1, options)) != first
    rest = [row for row in rows if row.card not in first[:10]]
    assert drawn(build_queue([], rest, TODAY, options)) == first[10:]


def test_new_cards_come_deck_by_deck_in_position() -> None:
    rows = [*new("b1", deck="b"), Unseen(CardId("a2"), "a", 1), Unseen(CardId("a1"), "a", 0)]
    assert drawn(build_queue([], rows, TODAY, same())) == ["a1", "a2", "b1"]


def test_undo_puts_a_card_before_the_shown_one() -> None:
    queue = build_queue(due("a", "b", "c"), [], TODAY, same())
    queue.next(NOW)
    queue.after_rating(CardId("a"), CardState(State.RELEARNING, due=NOW + MINUTE))
    assert queue.next(NOW) == "b"
    queue.put_back(CardId("a"), IN_REVIEW)
    assert queue.remaining == Remaining(3, 0, 0)
    assert drawn(queue, NOW + 5 * MINUTE) == ["a", "b", "c"]


def test_undo_of_many_returns_to_the_start() -> None:
    queue = build_queue(due("a", "b"), new("n"), TODAY, same(mix="new_last"))
    start = queue.remaining
    order = [queue.next(NOW)]
    for state in (IN_REVIEW, CardState(State.LEARNING, due=NOW + MINUTE)):
        queue.after_rating(CardId(str(order[-1])), state)
        order.append(queue.next(NOW))
    queue.put_back(CardId("b"), IN_REVIEW)
    queue.put_back(CardId("a"), IN_REVIEW)
    assert queue.remaining == start
    assert drawn(queue, NOW + 5 * MINUTE) == ["a", "b", "n"]


def test_removed_cards_do_not_come() -> None:
    queue = build_queue([*due("a", "b"), learning("l", NOW + MINUTE)], new("n"), TODAY, same())
    for card in ("a", "l"):
        queue.remove(CardId(card))
    assert queue.remaining == Remaining(1, 1, 0)
    assert sorted(drawn(queue)) == ["b", "n"]
    assert len(queue) == 0


def test_a_suspended_leech_leaves_even_from_its_steps() -> None:
    queue = build_queue(due("a"), [], TODAY, same())
    queue.next(NOW)
    queue.after_rating(CardId("a"), CardState(State.RELEARNING, due=NOW, suspended=True))
    assert queue.next(NOW + MINUTE) is None


def test_a_queue_and_a_fold_need_neither_py_fsrs_nor_numpy() -> None:
    """They stand on the way to the first card, where both would cost more than all else."""
    script = (
        "import sys; from recall.model.options import Options; from recall.schedule.queue import build_queue;"
        "from recall.schedule.replay import ReviewRow, replay;"
        "build_queue([], [], 20514, lambda deck: Options());"
        "replay('a', [ReviewRow(1, 10**12, 0, 3, 0)], [], Options());"
        "sys.exit(not {'fsrs', 'numpy'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_an_undone_new_card_is_new_again() -> None:
    queue = build_queue([], new("n"), TODAY, same())
    queue.next(NOW)
    queue.after_rating(CardId("n"), CardState(State.LEARNING, due=NOW + MINUTE))
    queue.put_back(CardId("n"), NEW_STATE)
    assert queue.remaining == Remaining(0, 1, 0)
    assert queue.next(NOW) == "n"
