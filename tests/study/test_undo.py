"""What was done to a card besides rating it, and how it is taken back and done again, also after a restart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from learner import Learner, all_states, asked, assert_folded, many, qa, state
from recall.errors import StoreBusyError, StoreError, UsageError
from recall.model.review import NEW_STATE, Rating, State
from recall.study.session import Session

ACTS: list[tuple[str, Callable[[Session], object]]] = [
    ("rating", lambda session: session.rate(Rating.GOOD)),
    ("suspend", Session.suspend),
    ("bury", Session.bury),
    ("mark", Session.toggle_mark),
    ("forget", Session.forget),
    ("set_due", lambda session: session.set_due(9)),
]


@pytest.mark.parametrize(("what", "act"), ACTS, ids=[what for what, _ in ACTS])
@pytest.mark.parametrize("restart", [False, True], ids=["at once", "after a restart"])
def test_each_act_is_taken_back_and_done_again(
    learner: Learner, what: str, act: Callable[[Session], object], restart: bool
):
    learner.write("gpu", many(3))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=40)
    session = study.session()
    card = session.shown.card.id
    before = all_states(study)
    act(session)
    after = all_states(study)
    assert {name for name in after if after[name] != before[name]} == {card}
    assert (session.shown.card.id == card) == (what == "mark")
    for _ in range(2):
        if restart:
            session.close()
            session = learner.open().session()
        undone = session.undo()
        assert (undone.what, undone.card) == (what, card)
        assert all_states(study) == before
        assert session.shown.card.id == card
        if restart:
            session = learner.open().session()
        redone = session.redo()
        assert (redone.what, redone.card) == (what, card)
        assert all_states(study) == after
        assert what == "mark" or session.shown.card.id != card
        assert min(session.counts.due, session.counts.new, session.counts.again, session.counts.reviewed) >= 0
    assert session.redo() is None
    assert_folded(study)


def test_a_buried_card_comes_tomorrow_and_a_suspended_one_never(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    session = study.session()
    session.bury()
    session.suspend()
    assert asked(session) == ["card-2"]
    assert learner.open().session().phase == "done"
    learner.clock.pass_by(days=1)
    assert asked(study.session()) == ["card-0"]
    learner.clock.pass_by(days=300)
    assert set(asked(study.session())) == {"card-0", "card-2"}
    assert [card.id for card in study.search("is:suspended")] == ["card-1"]


def test_a_forgotten_card_is_new_and_its_log_stays(both: Learner):
    both.write("gpu", many(1))
    study = both.open()
    asked(study.session())
    both.clock.pass_by(days=30)
    session = study.session()
    session.toggle_mark()
    session.forget()
    assert state(study, "card-0").state is State.NEW
    assert state(study, "card-0").marked
    assert study.database.execute("SELECT count(*) FROM review").fetchone()[0] == 1
    assert study.session().counts.new == 1
    assert_folded(study)


@pytest.mark.parametrize("days", [0, 1, 30, 4000])
def test_a_card_comes_on_the_day_that_was_set(learner: Learner, days: int):
    learner.write("gpu", many(1))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=30)
    session = study.session()
    session.set_due(days)
    assert state(study, "card-0").due_day == study.today() + days
    if days:
        learner.clock.pass_by(days=days - 1)
        assert study.session().shown is None
        learner.clock.pass_by(days=1)
    assert asked(study.session()) == ["card-0"]
    assert_folded(study)


def test_a_day_that_no_database_holds_is_refused(learner: Learner):
    learner.write("gpu", many(1))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=30)
    session = study.session()
    before = state(study, "card-0")
    with pytest.raises(UsageError, match="too many"):
        session.set_due(10**12)
    assert state(study, "card-0") == before
    assert session.shown.card.id == "card-0"


def test_a_new_card_waits_for_the_day_that_was_set(learner: Learner):
    learner.write("gpu", many(1))
    study = learner.open()
    study.session().set_due(3)
    learner.clock.pass_by(days=2)
    assert study.session().shown is None
    learner.clock.pass_by(days=1)
    assert asked(study.session()) == ["card-0"]


def test_a_mark_comes_and_goes(learner: Learner):
    learner.write("gpu", many(1))
    study = learner.open()
    session = study.session()
    session.reveal()
    session.toggle_mark()
    assert session.shown.state.marked
    assert session.phase == "revealed", "it is not asked anew"
    session.toggle_mark()
    assert not session.shown.state.marked
    assert [session.undo().what for _ in range(2)] == ["unmark", "mark"]
    assert session.undo() is None
    assert state(study, "card-0") == NEW_STATE


def test_a_rating_after_an_undo_ends_what_could_be_redone(learner: Learner):
    learner.write("gpu", many(3))
    session = learner.open().session()
    asked(session, 2)
    session.undo()
    session.undo()
    session.rate(Rating.HARD)
    assert session.redo() is None
    assert session.counts.reviewed == 1


def test_undo_brings_back_a_card_of_another_deck_and_an_earlier_day(learner: Learner):
    learner.write("a", qa("a"))
    learner.write("b", qa("b"))
    study = learner.open()
    asked(study.session(["a"]))
    learner.clock.pass_by(days=3)
    session = study.session(["b"])
    assert session.shown.card.id == "card-b"
    assert session.undo().card == "card-a"
    assert session.shown.card.id == "card-a"
    assert session.counts.new == 2
    session.rate(Rating.GOOD)
    assert session.shown.card.id == "card-b", "what was shown follows"


def test_nothing_changes_where_nothing_can_be_stored(learner: Learner):
    """Another program holds the database: the same card stays, and every count."""
    learner.write("gpu", many(3))
    study = learner.open()
    session = study.session()
    asked(session, 1)
    other = learner.open(follow=False)
    study.database.execute("PRAGMA busy_timeout=1")
    before, counts = all_states(study), session.counts
    session.reveal()
    other.database.execute("BEGIN IMMEDIATE")
    for act in (*(act for _, act in ACTS), Session.undo, Session.redo):
        with pytest.raises(StoreBusyError, match="in use by another program"):
            act(session)
        assert session.shown.card.id == "card-1"
        assert session.phase == "revealed"
        assert session.counts == counts
    other.database.execute("ROLLBACK")
    assert all_states(study) == before
    session.rate(Rating.GOOD)
    assert session.shown.card.id == "card-2"


def test_a_full_disk_is_told_and_loses_nothing(learner: Learner):
    learner.write("gpu", many(2))
    study = learner.open()
    session = study.session()
    session.rate(Rating.EASY)
    before = all_states(study)
    pages = study.database.execute("PRAGMA page_count").fetchone()[0]
    study.database.execute(f"PRAGMA max_page_count={pages}")

    def rate_on() -> None:
        for _ in range(500):
            session.rate(Rating.AGAIN)
            learner.clock.pass_by(minutes=2)
            session.resume()

    with pytest.raises(StoreError, match="no space left"):
        rate_on()
    assert session.shown is not None
    study.database.execute("PRAGMA max_page_count=1000000")
    assert_folded(study)
    assert all_states(study)["card-0"] == before["card-0"]
    session.rate(Rating.GOOD)
    assert_folded(study)
