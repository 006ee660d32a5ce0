"""Two programs on one database at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

import pytest

from recall.errors import StoreBusyError
from recall.model.card import Card, CardId, Place
from recall.model.options import Options
from recall.model.review import Act, CardState, Moment, Rating, Review, ReviewKind
from recall.schedule.replay import replay
from recall.schedule.scheduler import answer
from recall.store import index, log, states
from recall.store.database import Database
from recall.store.migrations import MIGRATIONS, migrate

NOW = 1_800_000_000_000
CARD = CardId("warp-size")
OPTIONS = Options()


def fold(card, reviews, events) -> CardState:
    return replay(card, reviews, events, OPTIONS)


def together(*works: Callable[[], object]) -> list[BaseException]:
    """Run all at once, each on its own thread; returns what was raised."""
    raised: list[BaseException] = []
    start = Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        start.wait()
        try:
            work()
        except Exception as error:
            raised.append(error)

    threads = [Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.fixture
def card(database: Database) -> CardId:
    row = index.IndexedDeck("gpu", "", "", "gpu.md", 1, 1, 1, False, False, "[]", "o")
    with database.transaction():
        index.write_deck(database, row)
        index.write_cards(
            database, "gpu", [Card(CARD, "gpu", "text", "?", "r", "Q: ?\nA: 32", Place("gpu.md", 1))], NOW
        )
    return CARD


def test_ratings_and_acts_at_once_are_all_in_the_log_and_in_the_state(database: Database, url: str, card: CardId):
    times = 25

    def rate(machine: str) -> None:
        own = Database(url)
        session = log.begin_session(own, machine, Moment(NOW, 0), "{}")
        for n in range(times):
            moment = Moment(NOW + n, 0)
            review = Review(0, card, session, NOW, moment.ms, 0, Rating.AGAIN, ReviewKind.LEARN)
            log.rate(own, review, machine, lambda s, m=moment: answer(card, s, Rating.AGAIN, m, OPTIONS))
            act = Act.UNMARK if n % 2 else Act.MARK
            log.act(own, [card], act, machine, moment, fold)
        own.close()

    assert together(lambda: rate("m1"), lambda: rate("m2")) == []
    reviews, events = log.logged_reviews(database, card), log.logged_events(database, card)
    assert (len(reviews), len(events)) == (2 * times, 2 * times)
    stored = states.state_of(database, card)
    assert stored is not None
    assert stored.reps == 2 * times
    assert stored == fold(card, reviews, events)


def test_a_new_database_is_made_once(url: str):
    done: list[list[str]] = []

    def open_it() -> None:
        own = Database(url)
        done.append(migrate(own, NOW))
        own.close()

    assert together(*[open_it] * 4) == []
    assert sorted(done) == [[], [], [], [name for name, _ in MIGRATIONS]]


def test_one_who_waits_too_long_is_told_and_may_try_again(database: Database, url: str, card: CardId):
    waiting = Database(url)
    if waiting.dialect == "sqlite":
        waiting.execute("PRAGMA busy_timeout=50")
    with database.transaction():
        log.act(database, [card], Act.MARK, "m1", Moment(NOW, 0), fold)
        with pytest.raises(StoreBusyError, match="in use by another program"):
            log.act(waiting, [card], Act.SUSPEND, "m2", Moment(NOW, 0), fold)
    log.act(waiting, [card], Act.SUSPEND, "m2", Moment(NOW, 0), fold)
    stored = states.state_of(database, card)
    assert stored is not None
    assert (stored.marked, stored.suspended) == (True, True)
    waiting.close()
