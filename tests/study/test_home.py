"""Home: what waits, the week, the streak, what keeps being forgotten, what is wrong."""

from __future__ import annotations

import pytest

from learner import Learner, asked, many, qa
from recall.model.review import Rating
from recall.study.home import DeckRow
from recall.study.progress import FORECAST_DAYS, iso_date, progress


def decks(study) -> dict[str, DeckRow]:
    return {row.deck: row for row in study.overview().decks if not row.hidden}


def test_counts_are_those_of_the_next_session(both: Learner):
    both.configure('new_per_day = 5\n[deck."a"]\nnew_per_day = 2\n')
    both.write("a", '---\nname = "First"\n---\n' + many(4))
    both.write("b/c", many(6, 4))
    study = both.open()
    home = study.overview()
    assert home.first_run
    assert (home.due, home.new) == (0, 5)
    # A row says what the deck alone would bring; the five for all decks are fewer than two and five.
    assert {deck: (row.name, row.due, row.new, row.total) for deck, row in decks(study).items()} == {
        "a": ("First", 0, 2, 4),
        "b/c": ("c", 0, 5, 6),
    }
    session = study.session()
    assert session.counts.new == home.new
    asked(session, 3)
    home = study.overview()
    assert not home.first_run
    assert (home.due, home.new) == (0, 2)
    both.clock.pass_by(days=200)
    home = study.overview()
    assert (home.due, home.new) == (3, 5)
    assert study.session().counts.due == 3
    assert home.minutes > 0


def test_learning_cards_are_counted_at_their_time_and_beyond_the_limit(learner: Learner):
    learner.configure("reviews_per_day = 1\n")
    learner.write("gpu", many(4))
    study = learner.open()
    session = study.session()
    asked(session, 2)
    asked(session, 2, Rating.AGAIN)
    assert study.overview().due == 0
    learner.clock.pass_by(minutes=1)
    assert study.overview().due == 2
    learner.clock.pass_by(days=100)
    assert study.overview().due == 3, "two in their steps, one of the two in review"
    assert sum(study.session().counts[:1]) + study.session().counts.again == 3


def test_the_week_begins_on_monday(learner: Learner):
    learner.write("gpu", many(20))
    study = learner.open()
    for count in (3, 0, 2):
        asked(study.session(), count)
        learner.clock.pass_by(days=1)
    assert study.overview().week == (3, 0, 2, 0, 0, 0, 0)
    learner.clock.pass_by(days=4)
    assert study.overview().week == (0,) * 7


@pytest.mark.parametrize("start", [(2026, 3, 24), (2026, 10, 20)], ids=["spring", "autumn"])
def test_a_streak_lasts_across_the_change_of_the_clocks(learner: Learner, start: tuple[int, int, int]):
    learner.configure("new_per_day = 99\n")
    learner.write("gpu", many(40))
    study = learner.open()
    learner.clock.set(*start, 23, 30)
    for day in range(9):
        assert study.overview().streak == day
        asked(study.session(), 1)
        assert study.overview().streak == day + 1
        learner.clock.pass_by(days=1)
    assert study.overview().streak == 9, "today still has time"
    learner.clock.pass_by(days=1)
    assert study.overview().streak == 0
    asked(study.session(), 1)
    assert study.overview().streak == 1
    assert progress(study).streak == 1


def test_a_rating_before_four_counts_for_the_day_before(learner: Learner):
    learner.write("gpu", many(5))
    study = learner.open()
    learner.clock.set(2026, 3, 4, 3, 30)
    asked(study.session(), 1)
    learner.clock.set(2026, 3, 4, 9, 0)
    assert study.overview().week == (0, 1, 0, 0, 0, 0, 0)
    assert study.overview().streak == 1


def test_retention_is_of_due_cards(both: Learner):
    both.write("gpu", many(4))
    study = both.open()
    asked(study.session())
    assert decks(study)["gpu"].retention is None
    both.clock.pass_by(days=60)
    session = study.session()
    for rating in (Rating.GOOD, Rating.AGAIN, Rating.HARD, Rating.EASY):
        session.rate(rating)
    asked(session, 1, Rating.GOOD)
    assert decks(study)["gpu"].retention == 0.75
    figures = progress(study, "gpu")
    assert figures.retention() == 0.75
    assert [(iso_date(day.day), day.reviews, day.recalls, day.recalled) for day in figures.days] == [
        ("2026-03-02", 4, 0, 0),
        ("2026-05-01", 5, 4, 3),
    ]
    both.clock.pass_by(days=31)
    assert decks(study)["gpu"].retention is None, "older than a month"
    assert progress(study).retention() == 0.75
    assert progress(study).retention(7) is None


def test_the_forecast_counts_every_card_once_and_the_overdue_today(both: Learner):
    both.configure("fuzz = false\n")
    both.write("gpu", many(4))
    both.write("other", qa("other"))
    study = both.open()
    session = study.session()
    asked(session, 2)
    asked(session, 1, Rating.AGAIN)
    figures = progress(study)
    assert len(figures.forecast) == FORECAST_DAYS
    assert {day: count for day, count in enumerate(figures.forecast) if count} == {0: 1, 8: 2}
    assert sum(figures.states.values()) == 5
    both.clock.pass_by(days=10)
    assert progress(study).forecast[0] == 3
    assert sum(progress(study, "other").forecast) == 0


def test_faults_are_errors_of_decks_that_are_there(learner: Learner):
    path = learner.write("bad", "Q: Nothing?\n")
    study = learner.open()
    assert [fault.rule for fault in study.overview().faults] == ["no-answer"]
    path.unlink()
    study.sync()
    assert study.overview().faults == ()


def test_the_place_of_the_database_has_no_password(learner: Learner):
    study = learner.open()
    assert study.overview().database == f"sqlite:///{learner.home / 'recall.db'}"


def test_figures_of_a_database_that_cannot_be_read_are_told_so(learner: Learner):
    from recall.errors import StoreError
    from recall.store.history import History

    file = learner.home / "50%?#.db"
    file.write_bytes(b"no database, but text of the length that a header has, and more" * 20)
    history = History(f"sqlite:///{file}")
    with pytest.raises(StoreError, match="damaged"):
        history.machines()
    history.close()
