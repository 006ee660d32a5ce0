"""Ratings and acts: durable with their state, undone and redone as the user did them."""

from __future__ import annotations

import pytest

from recall.errors import StoreBusyError, StoreError
from recall.model.card import Card, CardId, Place
from recall.model.options import Options
from recall.model.review import DAY_MS, NEW_STATE, Act, Moment, Rating, Review, ReviewKind, State
from recall.schedule.replay import replay
from recall.schedule.scheduler import answer
from recall.store import daily, index, log, states
from recall.store.database import Database

NOW = 1_800_000_000_000
OPTIONS = Options()
MACHINE = "m1"


def fold(card, reviews, events):
    return replay(card, reviews, events, OPTIONS)


def card(number: int) -> Card:
    return Card(
        id=CardId(f"card-{number}"),
        deck="gpu/memory",
        kind="text",
        title=f"Question {number}?",
        revision="r1",
        source=f"Q: Question {number}?\nA: Answer about HBM {number}.\nid: card-{number}\n",
        place=Place("decks/gpu/memory.md", number * 4),
        tags=("gpu", "bank conflict"),
        position=number,
    )


@pytest.fixture
def deck(database):
    """Five new cards in one deck."""
    row = index.IndexedDeck("gpu/memory", "Memory", "", "memory.md", 1, 1, 5, False, False, "[]", "o")
    with database.transaction():
        index.write_deck(database, row)
        index.write_cards(database, "gpu/memory", [card(n) for n in range(5)], NOW)
    return database


def log_session(database: Database) -> int:
    """The one session of these tests, on `MACHINE`."""
    found = database.execute("SELECT id FROM session").fetchone()
    return found[0] if found else log.begin_session(database, MACHINE, Moment(NOW - 1, 60), "{}")


def rate(database: Database, number: int, rating: Rating, *, at: int = NOW, kind=ReviewKind.REVIEW, also=()):
    review = Review(
        id=0,
        card=CardId(f"card-{number}"),
        session=log_session(database),
        shown_at=at - 5000,
        rated_at=at,
        offset_min=60,
        rating=rating,
        kind=kind,
    )
    moment = Moment(at, 60)
    return log.rate(database, review, MACHINE, lambda s: answer(review.card, s, rating, moment, OPTIONS), also)


def state(database: Database, number: int):
    return states.state_of(database, CardId(f"card-{number}"))


def test_a_new_card_starts_new(deck):
    assert state(deck, 0) == NEW_STATE
    assert [row.card for row in daily.new_rows(deck, "gpu/memory", today=0, limit=3)] == ["card-0", "card-1", "card-2"]


def test_a_rating_is_logged_with_the_state_that_follows_from_it(deck):
    review, after = rate(deck, 0, Rating.EASY)
    assert after.state is State.REVIEW
    assert state(deck, 0) == after
    assert state(deck, 0) == fold("card-0", log.logged_reviews(deck, "card-0"), [])
    assert review.id >> 21 == NOW


def test_ids_rise_though_the_clock_is_set_back_a_year(deck):
    first, _ = rate(deck, 0, Rating.GOOD)
    second, after = rate(deck, 0, Rating.GOOD, at=NOW - 365 * DAY_MS)
    assert second.id > first.id
    assert after == fold("card-0", log.logged_reviews(deck, "card-0"), [])


def test_a_cram_review_is_logged_and_changes_no_state(deck):
    rate(deck, 0, Rating.EASY)
    before = state(deck, 0)
    rate(deck, 0, Rating.AGAIN, at=NOW + DAY_MS, kind=ReviewKind.CRAM)
    assert state(deck, 0) == before
    assert len(log.logged_reviews(deck, "card-0")) == 2


def test_undo_to_the_start_and_redo_to_the_end(deck):
    rate(deck, 0, Rating.GOOD)
    rate(deck, 1, Rating.AGAIN, at=NOW + 1000, also=[(Act.MARK, None)])
    log.act(deck, [CardId("card-2"), CardId("card-3")], Act.SUSPEND, MACHINE, Moment(NOW + 2000, 60), fold)
    done = [state(deck, n) for n in range(5)]
    assert done[1].marked
    assert done[2].suspended
    assert done[3].suspended

    moment = Moment(NOW + 3000, 60)
    taken_back = [log.undo(deck, MACHINE, moment, fold) for _ in range(4)]
    assert [u and (u.what, u.card) for u in taken_back] == [
        ("suspend", "card-3"),
        ("rating", "card-1"),
        ("rating", "card-0"),
        None,
    ]
    assert [state(deck, n) for n in range(5)] == [NEW_STATE] * 5

    again = [log.redo(deck, MACHINE, fold) for _ in range(4)]
    assert [u and u.what for u in again] == ["rating", "rating", "suspend", None]
    assert [state(deck, n) for n in range(5)] == done


def test_nothing_is_redone_once_something_else_was_done(deck):
    rate(deck, 0, Rating.GOOD)
    log.undo(deck, MACHINE, Moment(NOW + 1, 60), fold)
    rate(deck, 1, Rating.GOOD, at=NOW + 2)
    assert log.redo(deck, MACHINE, fold) is None
    assert state(deck, 0) == NEW_STATE


def test_undo_leaves_other_machines_alone(deck):
    rate(deck, 0, Rating.GOOD)
    assert log.undo(deck, "m2", Moment(NOW, 60), fold) is None
    assert state(deck, 0) != NEW_STATE


def test_two_processes_at_once_lose_nothing(deck, url):
    other = Database(url)
    try:
        rate(deck, 0, Rating.GOOD)
        rate(other, 0, Rating.GOOD, at=NOW + 1)
        rate(deck, 0, Rating.GOOD, at=NOW + 2)
        assert len(log.logged_reviews(other, "card-0")) == 3
        assert state(other, 0) == fold("card-0", log.logged_reviews(other, "card-0"), [])
    finally:
        other.close()


def test_a_rating_of_a_card_that_is_gone_is_refused_in_words(deck):
    with pytest.raises(StoreError, match="card-77"):
        rate(deck, 77, Rating.GOOD)
    assert deck.execute("SELECT count(*) FROM review").fetchone()[0] == 0


def test_a_locked_database_is_told_and_nothing_is_written(tmp_path):
    from recall.store.migrations import migrate

    url = f"sqlite:///{tmp_path / 'recall.db'}"
    holder, waiting = Database(url), Database(url)
    migrate(holder, NOW)
    waiting.execute("PRAGMA busy_timeout=1")
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusyError, match="in use by another program"), waiting.transaction():
        pass
    holder.execute("ROLLBACK")
    with waiting.transaction():
        waiting.execute("DELETE FROM setting")
    holder.close()
    waiting.close()


def test_counts_and_due_rows_know_what_rests(deck):
    for number, rating in enumerate([Rating.EASY, Rating.EASY, Rating.EASY, Rating.EASY]):
        rate(deck, number, rating)
    tomorrow = (NOW // DAY_MS + 60) * DAY_MS
    today = tomorrow // DAY_MS
    log.act(deck, [CardId("card-0")], Act.SUSPEND, MACHINE, Moment(NOW, 60), fold)
    log.act(deck, [CardId("card-1")], Act.BURY, MACHINE, Moment(NOW, 60), fold, value=today + 1)
    assert {row.card for row in daily.due_rows(deck, tomorrow, today)} == {"card-2", "card-3"}
    assert daily.counts_by_deck(deck, tomorrow, today) == ({"gpu/memory": 2}, {}, {"gpu/memory": 1})
    index.hide(deck, "gpu/memory", hidden=True)
    assert daily.due_rows(deck, tomorrow, today) == []
    index.hide(deck, "gpu/memory", hidden=False)
    assert len(daily.due_rows(deck, tomorrow, today)) == 2


def test_what_was_done_today_tells_introduced_cards_apart(deck):
    rate(deck, 0, Rating.EASY, at=NOW - 40 * DAY_MS, kind=ReviewKind.LEARN)
    rate(deck, 0, Rating.GOOD)
    rate(deck, 1, Rating.GOOD, at=NOW + 1, kind=ReviewKind.LEARN)
    done = {row.card: (row.kind, row.introduced) for row in daily.done_rows(deck, NOW - 1000, NOW + DAY_MS)}
    assert done == {"card-0": (ReviewKind.REVIEW, False), "card-1": (ReviewKind.LEARN, True)}


def test_a_card_that_moves_to_another_deck_keeps_its_state(deck):
    rate(deck, 0, Rating.EASY)
    before = state(deck, 0)
    row = index.IndexedDeck("other", "Other", "", "other.md", 1, 1, 1, False, False, "[]", "o")
    moved = card(0)._replace(deck="other")
    with deck.transaction():
        index.write_deck(deck, row)
        changes = index.write_cards(deck, "other", [moved], NOW)
        index.write_cards(deck, "gpu/memory", [card(n) for n in range(1, 5)], NOW)
    assert changes.moved == ("card-0",)
    assert state(deck, 0) == before


def test_a_deck_that_vanishes_and_returns_keeps_its_history(deck):
    rate(deck, 0, Rating.EASY)
    before = state(deck, 0)
    assert index.forget_deck(deck, "gpu/memory", NOW) == 5
    assert daily.new_rows(deck, "gpu/memory", 0, 10) == []
    row = index.IndexedDeck("gpu/memory", "Memory", "", "memory.md", 1, 1, 5, False, False, "[]", "o")
    with deck.transaction():
        index.write_deck(deck, row)
        changes = index.write_cards(deck, "gpu/memory", [card(n) for n in range(5)], NOW)
    assert (changes.added, changes.updated) == (0, 5)
    assert state(deck, 0) == before
    assert len(daily.new_rows(deck, "gpu/memory", 0, 10)) == 4
