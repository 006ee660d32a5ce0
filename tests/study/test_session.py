"""A session: which cards come, what is stored for each key, and how all of it is taken back."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from learner import Learner, all_states, asked, assert_folded, folded, log_rows, many, qa, state
from recall import paths
from recall.errors import DataError, UsageError
from recall.model.review import NEW_STATE, Rating, ReviewKind, State
from recall.store import daily, log
from recall.study.decks import set_hidden
from recall.study.session import Session

CLOZE = "C: A warp is [32]{width} threads in [lockstep]{how}, on [every]{which} GPU.\nid: warp\n"


def counts(session: Session) -> tuple[int, int, int, int]:
    found = session.counts
    return found.due, found.new, found.again, found.reviewed


def rate(session: Session, rating: Rating) -> str:
    """Reveal and rate the shown card, and return it."""
    card = session.shown.card.id
    session.reveal()
    session.rate(rating)
    return card


# --- which cards come ----------------------------------------------------------------------------------------------


def test_new_cards_come_in_the_order_of_the_deck(learner: Learner):
    learner.write("gpu", "\n".join(qa(number) for number in (3, 1, 2, 0)))
    assert asked(learner.open().session()) == ["card-3", "card-1", "card-2", "card-0"]


def test_the_daily_limit_counts_what_was_done_today(both: Learner):
    both.configure("new_per_day = 3\n")
    both.write("gpu", many(9))
    study = both.open()
    session = study.session()
    assert counts(session) == (0, 3, 0, 0)
    assert asked(session, 2) == ["card-0", "card-1"]
    session.close()
    # A new process on the same day.
    again = both.open()
    assert asked(again.session()) == ["card-2"]
    assert asked(study.session()) == []
    both.clock.pass_by(days=1)
    assert asked(again.session()) == ["card-3", "card-4", "card-5"]


def test_a_forgotten_card_counts_as_new_again(learner: Learner):
    learner.configure("new_per_day = 2\n")
    learner.write("gpu", many(6))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=1)
    session = study.session([], "id:card-0 or id:card-1", cram=True)
    session.forget()
    session.forget()
    assert asked(study.session()) == ["card-0", "card-1"]
    assert asked(study.session()) == [], "two new cards were introduced today"


def test_a_card_that_was_crammed_before_still_counts_as_new(learner: Learner):
    learner.configure("new_per_day = 2\n")
    learner.write("gpu", many(4))
    study = learner.open()
    asked(study.session(cram=True), rating=Rating.GOOD)
    learner.clock.pass_by(days=1)
    assert asked(study.session()) == ["card-0", "card-1"]
    assert asked(study.session()) == []


def test_reviews_have_a_limit_and_learning_cards_none(learner: Learner):
    learner.write("gpu", many(8))
    study = learner.open()
    asked(study.session())
    learner.configure("reviews_per_day = 3\nnew_per_day = 0\n")
    learner.clock.pass_by(days=200)
    study = learner.open()
    session = study.session()
    assert counts(session) == (3, 0, 0, 0)
    rate(session, Rating.AGAIN)
    assert counts(session) == (2, 0, 1, 1)
    asked(session, 2)
    learner.clock.pass_by(minutes=10)
    resumed = learner.open().session()
    assert counts(resumed) == (0, 0, 1, 0), "the relearning card is left, the limit is used up"


def test_a_limit_of_a_deck_binds_that_deck(learner: Learner):
    learner.configure('new_per_day = 10\n[deck."a"]\nnew_per_day = 1\n')
    learner.write("a", many(5))
    learner.write("b", many(3, 5))
    assert asked(learner.open().session()) == ["card-0", "card-5", "card-6", "card-7"]


def test_a_session_may_name_its_own_numbers(learner: Learner):
    learner.configure("new_per_day = 2\n")
    learner.write("gpu", many(9))
    study = learner.open()
    assert counts(study.session(new=5)) == (0, 5, 0, 0)
    assert counts(study.session(new=0)) == (0, 0, 0, 0)
    assert counts(study.session(limit=1)) == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("mix", "expected"),
    [
        ("new_first", ["new", "new", "old", "old", "old", "old"]),
        ("new_last", ["old", "old", "old", "old", "new", "new"]),
        ("spread", ["old", "new", "old", "old", "new", "old"]),
    ],
)
def test_new_cards_stand_among_due_ones_as_the_setting_says(learner: Learner, mix: str, expected: list[str]):
    learner.configure(f'mix = "{mix}"\nnew_per_day = 4\n')
    learner.write("gpu", many(4))
    study = learner.open()
    asked(study.session())
    learner.configure(f'mix = "{mix}"\nnew_per_day = 2\n')
    learner.write("gpu", many(6))
    learner.clock.pass_by(days=300)
    cards = asked(learner.open().session())
    assert ["new" if card in ("card-4", "card-5") else "old" for card in cards] == expected


def test_one_card_of_a_note_comes_a_day(learner: Learner):
    learner.write("gpu", CLOZE + "\n" + qa(0))
    study = learner.open()
    session = study.session()
    assert counts(session) == (0, 2, 0, 0)
    assert asked(session) == ["warp/width", "card-0"]
    assert asked(learner.open().session()) == [], "also after a restart"
    learner.clock.pass_by(days=1)
    assert asked(learner.open().session()) == ["warp/how"]


def test_siblings_come_together_where_the_setting_says_so(learner: Learner):
    learner.configure('[deck."gpu"]\nbury_siblings = false\n')
    learner.write("gpu", CLOZE)
    assert asked(learner.open().session()) == ["warp/width", "warp/how", "warp/which"]


def test_a_backlog_comes_most_urgent_first(learner: Learner):
    learner.write("gpu", many(6))
    study = learner.open()
    session = study.session()
    for rating in (Rating.EASY, Rating.GOOD, Rating.EASY, Rating.HARD, Rating.GOOD, Rating.EASY):
        rate(session, rating)
    learner.clock.pass_by(days=1)
    while (session := study.session()).shown is not None:
        rate(session, Rating.GOOD)
    learner.clock.pass_by(days=60)
    session = study.session()
    stabilities = []
    while session.shown is not None:
        stabilities.append(session.shown.state.stability)
        rate(session, Rating.EASY)
    assert len(stabilities) == 6
    assert stabilities == sorted(stabilities)
    assert stabilities[0] < stabilities[-1]


def test_learning_steps_come_back_in_time(both: Learner):
    both.configure("learn_ahead_s = 60\n")
    both.write("gpu", many(2))
    study = both.open()
    session = study.session()
    rate(session, Rating.GOOD)
    rate(session, Rating.EASY)
    assert session.phase == "done"
    assert counts(session) == (0, 0, 1, 2)
    assert session.waiting_until == both.clock.ms + 600_000
    assert not session.resume()
    both.clock.pass_by(minutes=8)
    assert not session.resume()
    both.clock.pass_by(minutes=1)
    assert session.resume(), "a minute before its time, nothing else is left"
    assert session.shown.card.id == "card-0"
    rate(session, Rating.GOOD)
    assert state(study, "card-0").state is State.REVIEW
    assert_folded(study)


def test_a_learning_card_whose_time_has_come_goes_first(learner: Learner):
    learner.write("gpu", many(5))
    study = learner.open()
    session = study.session()
    rate(session, Rating.AGAIN)
    assert session.shown.card.id == "card-1", "its minute is not over"
    learner.clock.pass_by(seconds=61)
    rate(session, Rating.EASY)
    assert session.shown.card.id == "card-0"
    session.close()
    # Also for another process.
    assert learner.open().session().shown.card.id == "card-0"


def test_the_learn_ahead_of_twenty_minutes_ends_a_session_early(learner: Learner):
    learner.write("gpu", many(1))
    session = learner.open().session()
    assert asked(session, 3, Rating.GOOD) == ["card-0", "card-0"]
    assert session.phase == "done"


# --- days ----------------------------------------------------------------------------------------------------------


def test_a_day_ends_at_four_in_the_morning(learner: Learner):
    learner.configure("new_per_day = 1\n")
    learner.write("gpu", many(5))
    study = learner.open()
    learner.clock.set(2026, 3, 2, 23, 50)
    assert asked(study.session()) == ["card-0"]
    learner.clock.set(2026, 3, 3, 3, 59)
    assert asked(study.session()) == []
    learner.clock.set(2026, 3, 3, 4, 0)
    assert asked(study.session()) == ["card-1"]


def test_a_card_rated_after_midnight_counts_for_the_day_before(learner: Learner):
    learner.configure("fuzz = false\n")
    learner.write("gpu", many(1))
    study = learner.open()
    learner.clock.set(2026, 3, 3, 2, 0)
    session = study.session()
    today = study.today()
    rate(session, Rating.EASY)
    after = state(study, "card-0")
    assert after.last_day == today
    assert after.due_day == today + 8
    learner.clock.set(2026, 3, 10, 3, 59)
    assert study.session().shown is None
    learner.clock.set(2026, 3, 10, 4, 0)
    assert study.session().shown is not None


def test_the_day_may_turn_during_a_session(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    learner.clock.set(2026, 3, 3, 3, 58)
    session = study.session()
    rate(session, Rating.EASY)
    learner.clock.set(2026, 3, 3, 4, 5)
    rate(session, Rating.EASY)
    session.bury()
    first, second = state(study, "card-0"), state(study, "card-1")
    assert second.last_day == first.last_day + 1
    assert state(study, "card-2").buried_until == study.today() + 1
    assert_folded(study)


@pytest.mark.parametrize("night", [(2026, 3, 29), (2026, 10, 25)])
def test_days_stay_days_when_the_clocks_change(learner: Learner, night: tuple[int, int, int]):
    """Both nights in Berlin; the card comes on the eighth calendar day from 04:00 on."""
    learner.configure("fuzz = false\n")
    learner.write("gpu", many(1))
    study = learner.open()
    year, month, day = night
    learner.clock.set(year, month, day - 1, 21, 0)
    rate(study.session(), Rating.EASY)
    learner.clock.pass_by(days=7)
    assert study.session().shown is None
    learner.clock.pass_by(hours=7)
    assert study.session().shown is not None
    assert_folded(study)


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_a_learner_who_travels_keeps_the_days_of_the_log(learner: Learner, zone: str):
    learner.write("gpu", many(4))
    study = learner.open()
    session = study.session()
    rate(session, Rating.EASY)
    learner.clock.travel(zone)
    rate(session, Rating.EASY)
    rate(session, Rating.GOOD)
    before = all_states(study)
    assert_folded(study)
    learner.clock.travel("Europe/Berlin")
    assert learner.open().fold_changed_options() == 0
    assert all_states(study) == before


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Kiritimati", "Europe/Berlin", "Etc/GMT+12"])
def test_what_is_due_is_the_same_everywhere(learner: Learner, zone: str):
    """Session, home and search agree, morning and evening, in the far east and the far west."""
    learner.configure("fuzz = false\n")
    learner.write("gpu", many(2))
    study = learner.open()
    learner.clock.travel(zone)
    learner.clock.set(2026, 3, 2, 12, 0)
    rate(study.session(), Rating.EASY)
    for hour in (5, 9, 15, 20, 23):
        for day, due in ((9, 0), (10, 1)):
            learner.clock.set(2026, 3, day, hour, 0)
            session = study.session(new=0)
            assert session.counts.due == due, (day, hour)
            assert study.overview().due == due, (day, hour)
            assert len(study.search("is:due")) == due, (day, hour)


def test_a_clock_set_back_a_year_blocks_nothing(learner: Learner):
    learner.configure("new_per_day = 2\n")
    learner.write("gpu", many(9))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=-365)
    session = study.session()
    assert asked(session) == ["card-2", "card-3"], "what was done in a year is not of today"
    assert session.summary().reviewed == 2
    assert_folded(study)
    assert session.undo().card == "card-3"
    learner.clock.pass_by(days=365)
    assert asked(study.session()) == ["card-2"], "due since long; two new ones were done today"
    learner.clock.pass_by(days=1)
    assert asked(study.session()) == ["card-3", "card-4"]
    assert_folded(study)


def test_a_session_begun_by_a_fast_clock_does_not_hide_later_ratings(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    learner.clock.pass_by(days=30)
    study.session()
    learner.clock.pass_by(days=-30)
    session = study.session()
    asked(session)
    assert session.summary().reviewed == 3


# --- what is stored ------------------------------------------------------------------------------------------------


def test_what_the_buttons_show_is_what_is_stored(both: Learner):
    both.write("gpu", many(4))
    study = both.open()
    for _ in range(6):
        session = study.session()
        for rating in (Rating.AGAIN, Rating.HARD, Rating.GOOD, Rating.EASY) * 2:
            if session.shown is None:
                break
            card = session.shown.card.id
            session.reveal()
            buttons = session.buttons()
            assert [button.rating for button in buttons] == list(Rating)
            rated = session.rate(rating)
            assert rated.state == buttons[rating - 1].state == state(study, card)
            both.clock.pass_by(minutes=3)
        both.clock.pass_by(days=5)
    assert_folded(study)


def test_labels_say_when_a_card_comes(learner: Learner):
    learner.configure("fuzz = false\n")
    learner.write("gpu", many(1))
    session = learner.open().session()
    assert [(button.label, button.words) for button in session.buttons()] == [
        ("1 min", "1 minute"),
        ("6 min", "6 minutes"),
        ("10 min", "10 minutes"),
        ("8 d", "8 days"),
    ]


def test_time_is_capped_and_never_negative(learner: Learner):
    learner.configure("answer_cap_s = 30\n")
    learner.write("gpu", many(3))
    study = learner.open()
    session = study.session()
    learner.clock.pass_by(seconds=12)
    rate(session, Rating.EASY)
    learner.clock.pass_by(hours=5)
    rate(session, Rating.EASY)
    learner.clock.pass_by(hours=-1)
    rate(session, Rating.EASY)
    rows = study.database.execute("SELECT thinking_ms FROM review ORDER BY id").fetchall()
    assert [row[0] for row in rows] == [12_000, 30_000, 0]
    assert session.summary().seconds == 42


def test_a_leech_is_marked_told_and_taken_back(both: Learner):
    both.configure("leech_threshold = 2\nfuzz = false\n")
    both.write("gpu", many(1))
    study = both.open()
    rate(study.session(), Rating.EASY)
    told = []
    for _ in range(2):
        both.clock.pass_by(days=60)
        session = study.session()
        session.reveal()
        told.append(session.rate(Rating.AGAIN).leech)
        session.reveal()
        session.rate(Rating.GOOD)
    assert told == [False, True]
    assert state(study, "card-0").marked
    assert state(study, "card-0").lapses == 2
    assert study.overview().leeches == (("card-0", "Question 0?", 2),)
    assert session.undo().what == "rating"
    assert state(study, "card-0").marked
    undone = session.undo()
    assert undone.what == "rating"
    assert not state(study, "card-0").marked, "the mark came with the rating and goes with it"
    assert session.redo().what == "rating"
    assert state(study, "card-0").marked
    assert_folded(study)


def test_a_leech_may_be_suspended(learner: Learner):
    learner.configure('leech_threshold = 1\nleech_action = "suspend"\n')
    learner.write("gpu", many(2))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=60)
    session = study.session()
    card = session.shown.card.id
    session.reveal()
    assert session.rate(Rating.AGAIN).leech
    assert state(study, card).suspended
    assert counts(session) == (1, 0, 0, 1), "it does not come back"
    assert session.undo().card == card
    assert not state(study, card).suspended
    assert session.shown.card.id == card
    assert session.redo().card == card
    assert session.shown.card.id != card
    assert_folded(study)


def test_a_lapse_ahead_of_time_counts_for_a_leech(learner: Learner):
    learner.configure("leech_threshold = 1\n")
    learner.write("gpu", many(1))
    study = learner.open()
    rate(study.session(), Rating.EASY)
    learner.clock.pass_by(days=1)
    session = study.session(ahead=True)
    session.reveal()
    assert session.rate(Rating.AGAIN).leech
    assert state(study, "card-0").lapses == 1


def test_cramming_is_logged_and_changes_no_schedule(both: Learner):
    both.write("gpu", many(3))
    study = both.open()
    asked(study.session(), 2)
    before = all_states(study)
    session = study.session(cram=True)
    assert [button.label for button in session.buttons()] == ["-"] * 4
    assert {button.state for button in session.buttons()} == {state(study, session.shown.card.id)}
    assert len(asked(session, rating=Rating.GOOD)) == 3
    assert all_states(study) == before
    assert log_rows(study, "card-0") == [(4, ReviewKind.LEARN), (3, ReviewKind.CRAM)]
    assert_folded(study)


def test_a_card_that_was_not_known_comes_again_in_a_cram_session(learner: Learner):
    learner.write("gpu", many(3))
    session = learner.open().session(cram=True)
    first = rate(session, Rating.AGAIN)
    rest = asked(session)
    assert first in rest
    assert len(rest) == 3


def test_before_its_time_a_card_is_logged_as_ahead(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    assert study.session(ahead=True).shown is None
    asked(study.session())
    learner.clock.pass_by(days=1)
    session = study.session(ahead=True, limit=2)
    assert counts(session) == (2, 0, 0, 0)
    card = rate(session, Rating.GOOD)
    assert log_rows(study, card) == [(4, ReviewKind.LEARN), (3, ReviewKind.AHEAD)]
    assert_folded(study)


# --- going on from the summary -------------------------------------------------------------------------------------


def test_a_card_ahead_waits_for_its_step_where_no_card_comes_early(learner: Learner):
    learner.configure("learn_ahead_s = 0\n")
    learner.write("gpu", qa(1))
    study = learner.open()
    assert asked(study.session()) == ["card-1"]
    session = study.session(ahead=True)
    rate(session, Rating.AGAIN)
    assert session.shown is None
    assert session.waiting_until == learner.clock.ms + 600_000
    learner.clock.pass_by(minutes=10)
    assert session.resume()


def test_more_new_cards_come_when_asked_for(learner: Learner):
    learner.configure("new_per_day = 2\n")
    learner.write("gpu", many(5))
    session = learner.open().session()
    asked(session)
    assert session.phase == "done"
    assert session.more_new(2) == 2
    assert asked(session) == ["card-2", "card-3"]
    assert session.more_new(10) == 1
    assert asked(session) == ["card-4"]
    assert session.more_new(10) == 0
    assert session.phase == "done"


def test_cards_ahead_come_when_asked_for_and_only_of_the_chosen_decks(learner: Learner):
    learner.write("a", many(3))
    learner.write("b", many(3, 3))
    study = learner.open()
    asked(study.session())
    learner.clock.pass_by(days=1)
    session = study.session(["a"])
    assert session.ahead(2) == 2
    cards = asked(session, rating=Rating.GOOD)
    assert set(cards) < {"card-0", "card-1", "card-2"}
    assert {log_rows(study, card)[-1][1] for card in cards} == {ReviewKind.AHEAD}
    assert_folded(study)


def test_the_weakest_come_once_more_without_a_trace_in_the_schedule(learner: Learner):
    learner.write("a", many(4))
    learner.write("b", many(3, 4))
    study = learner.open()
    session = study.session(["a"])
    asked(session)
    asked(study.session(["b"]))
    before = all_states(study)
    assert session.weakest(3) == 3
    cards = asked(session, rating=Rating.HARD)
    assert len(cards) == 3
    assert set(cards) < {"card-0", "card-1", "card-2", "card-3"}
    assert all_states(study) == before
    assert {log_rows(study, card)[-1][1] for card in cards} == {ReviewKind.CRAM}
    # A card is crammed as often as it was asked for, not for ever.
    learner.clock.pass_by(days=1)
    assert session.ahead(1) == 1
    card = rate(session, Rating.GOOD)
    assert log_rows(study, card)[-1][1] == ReviewKind.AHEAD


def test_a_rating_that_is_taken_back_through_a_cram_is_a_rating_again(learner: Learner):
    learner.write("gpu", many(1))
    study = learner.open()
    session = study.session()
    rate(session, Rating.EASY)
    session.weakest(1)
    rate(session, Rating.HARD)
    session.undo()
    session.undo()
    assert state(study, "card-0") == NEW_STATE
    assert session.buttons()[3].label != "-"
    rate(session, Rating.EASY)
    assert state(study, "card-0").state is State.REVIEW
    assert log_rows(study, "card-0") == [(4, ReviewKind.LEARN)]


def test_the_summary_says_what_a_session_came_to(both: Learner):
    both.configure("fuzz = false\n")
    both.write("gpu", many(3))
    study = both.open()
    session = study.session()
    assert session.summary().reviewed == 0
    for seconds, rating in ((5, Rating.AGAIN), (20, Rating.EASY), (7, Rating.EASY), (4, Rating.GOOD), (3, Rating.GOOD)):
        both.clock.pass_by(seconds=seconds)
        rate(session, rating)
    summary = session.summary()
    assert summary.reviewed == 5
    assert summary.by_rating == {Rating.AGAIN: 1, Rating.HARD: 0, Rating.GOOD: 2, Rating.EASY: 2}
    assert summary.seconds == 39
    assert (summary.first_try, summary.firsts) == (2, 3)
    assert summary.longest == ("Question 1?", 0, 8)
    assert summary.slowest == ("Question 1?", 20)
    assert summary.weakest is None
    assert summary.tomorrow == sum(state(study, f"card-{n}").due_day == study.today() + 1 for n in range(3))
    session.undo()
    assert session.summary().reviewed == 4


# --- editing and adding --------------------------------------------------------------------------------------------


def test_an_edited_card_is_shown_as_it_is_now(learner: Learner):
    learner.write("gpu", many(3))
    session = learner.open().session()
    session.reveal()
    assert str(session.source()) == f"{learner.folder / 'gpu.md'}:1:1"
    learner.write("gpu", "# Cards\n\n" + qa(0, answer="A better answer.") + "\n" + many(2, 1))
    assert session.reload() == ()
    assert session.phase == "revealed"
    assert session.shown.card.id == "card-0"
    assert session.shown.answer == "A better answer."
    assert session.source().line == 3


def test_a_suspended_card_comes_again_once_it_is_woken(learner: Learner):
    learner.write("gpu", many(2))
    study = learner.open()
    session = study.session()
    session.suspend()
    session.close()
    assert asked(study.session(), 1) == ["card-1"]
    assert [found.id for found in study.search("is:suspended")] == ["card-0"]
    study.wake(study.search("is:suspended")[0].id)
    assert asked(study.session(), 1) == ["card-0"]
    assert_folded(study)


def test_a_shipped_card_is_edited_in_a_copy_and_the_copy_goes_when_nothing_was_changed(learner: Learner):
    """What is changed inside the installed program is gone with its next release."""
    study = learner.open()
    set_hidden(study, "batch-norm", hidden=False)
    shipped = paths.bundled() / "decks" / "batch-norm.md"
    before = shipped.read_bytes()
    session = study.session(["batch-norm"])
    card = session.shown.card.id
    session.reveal()
    copy = learner.home / "decks" / "batch-norm.md"
    assert session.source().file == str(copy)
    assert session.reload() == ()
    assert not copy.exists()
    assert (session.shown.card.id, session.shown.card.place.file) == (card, str(shipped))
    assert session.source().file == str(copy)
    copy.write_bytes(before + b"\nQ: One more?\nA: Yes.\nid: one-more\n")
    session.reload()
    assert (session.shown.card.id, session.phase) == (card, "revealed")
    assert session.shown.card.place.file == str(copy)
    assert state(study, "one-more") == NEW_STATE
    assert shipped.read_bytes() == before


def test_a_card_that_is_edited_away_gives_place_to_the_next(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    session = study.session()
    learner.write("gpu", many(2, 1))
    session.reload()
    assert session.shown.card.id == "card-1"
    assert counts(session) == (0, 2, 0, 0)
    # Broken by the edit: the fault is told, the card rests.
    learner.write("gpu", "Q: Question 1?\nid: card-1\n\n" + qa(2))
    faults = session.reload()
    assert [fault.rule for fault in faults] == ["no-answer"]
    assert session.shown.card.id == "card-2"
    learner.write("gpu", "")
    session.reload()
    assert session.phase == "done"


def test_the_whole_deck_may_vanish_during_a_session(learner: Learner):
    path = learner.write("gpu", many(3))
    study = learner.open()
    session = study.session()
    path.unlink()
    rate(session, Rating.EASY)
    assert session.shown.card.id == "card-1", "what is stored can be asked"
    session.reload()
    assert session.phase == "done"
    assert state(study, "card-0").state is State.REVIEW
    assert session.undo().card == "card-0"
    assert_folded(study)


def test_a_new_card_is_written_into_the_own_deck(learner: Learner):
    learner.write("gpu", many(2))
    study = learner.open()
    session = study.session()
    assert session.add("Q: What is a warp?\nA: 32 threads.") == "what-is-a-warp"
    assert session.add("Q: What is a warp?\nA: Threads in lockstep.\n") == "what-is-a-warp-2"
    assert session.add(CLOZE, "notes/gpu") == "warp"
    assert session.shown.card.id == "card-0"
    inbox = learner.home / "decks" / "inbox.md"
    assert inbox.read_text() == (
        "Q: What is a warp?\nA: 32 threads.\nid: what-is-a-warp\n\n"
        "Q: What is a warp?\nA: Threads in lockstep.\nid: what-is-a-warp-2\n"
    )
    assert inbox.stat().st_mode & 0o777 == 0o600
    assert set(asked(learner.open().session())) == {
        *("card-0", "card-1", "what-is-a-warp", "what-is-a-warp-2", "warp/width"),
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no card"),
        ("Just words", "no card"),
        ("Q: Open?", "no answer"),
        ("Q: a?\nA: b\n\nQ: c?\nA: d", "2 cards"),
        ("Q: Taken?\nA: yes\nid: card-0", "taken"),
        ("Q: Code?\nA: ```\nx = 1", "fence"),
    ],
)
def test_what_is_no_card_is_not_written(learner: Learner, text: str, words: str):
    learner.write("gpu", many(1))
    session = learner.open().session()
    with pytest.raises(DataError, match=words):
        session.add(text)
    assert not (learner.home / "decks" / "inbox.md").exists()


def test_a_new_card_is_not_swallowed_by_what_stands_before_it(learner: Learner):
    own = learner.own("inbox", "Q: Open fence\nA: ```\ncode\n")
    before = own.read_bytes()
    session = learner.open().session()
    with pytest.raises(DataError, match="inbox"):
        session.add(qa(1))
    assert own.read_bytes() == before


def test_a_new_card_keeps_the_line_ends_of_its_deck(learner: Learner):
    own = learner.own("inbox", "")
    own.write_bytes("\ufeffQ: First?\r\nA: Yes.\r\nid: first".encode())
    session = learner.open().session()
    session.add("Q: Second?\nA: No.")
    lines = ("\ufeffQ: First?", "A: Yes.", "id: first", "", "Q: Second?", "A: No.", "id: second", "")
    assert own.read_bytes() == "\r\n".join(lines).encode()


@pytest.mark.parametrize("deck", ["../outside", "", "/etc/passwd", "a/../../b", ".hidden", "readme", "a\0b"])
def test_a_deck_name_stays_inside_the_folder(learner: Learner, deck: str):
    session = learner.open().session()
    with pytest.raises(UsageError, match="no name for a deck"):
        session.add(qa(0), deck)
    assert not (learner.home / "decks").exists()


@pytest.mark.parametrize("deck", ["batch-norm", "gpu"])
def test_a_new_card_does_not_hide_a_deck_of_that_name(learner: Learner, deck: str):
    learner.write("gpu", many(1))
    session = learner.open().session()
    with pytest.raises(UsageError, match="stands in"):
        session.add(qa(7), deck)
    assert not (learner.home / "decks" / f"{deck}.md").exists()


# --- choosing ------------------------------------------------------------------------------------------------------


def test_a_session_holds_the_decks_that_were_named(learner: Learner):
    learner.write("gpu/memory", many(2))
    learner.write("gpu/warps", many(1, 2))
    learner.write("other", '---\nname = "Others"\n---\n' + many(1, 3))
    study = learner.open()
    assert asked(study.session(["gpu"]), 9, Rating.EASY) == ["card-0", "card-1", "card-2"]
    assert study.session(["Others"]).shown.card.id == "card-3"
    assert study.session(["other.md"]).shown.card.id == "card-3"
    assert study.session(["warps"]).shown is None
    with pytest.raises(UsageError) as told:
        study.session(["gpu/memry"])
    assert "gpu/memry" in told.value.message
    assert "gpu/memory" in told.value.mend


def test_a_session_holds_the_cards_of_a_query(both: Learner):
    both.write("gpu", many(30))
    study = both.open()
    session = study.session(query="id:card-2*")
    assert asked(session) == ["card-2", *(f"card-{n}" for n in range(20, 30))]
    with pytest.raises(UsageError, match="column 1"):
        study.session(query="dekc:gpu")


# --- two at once ---------------------------------------------------------------------------------------------------


def test_two_sessions_at_once_lose_nothing(both: Learner):
    both.write("gpu", many(4))
    first, second = both.open(), both.open()
    one, two = first.session(), second.session()
    assert asked(one, 3) == ["card-0", "card-1", "card-2"]
    assert asked(two) == ["card-0", "card-3"], "shown before, or not taken by the other"
    assert asked(one) == ["card-3"], "shown before"
    assert [len(log_rows(first, f"card-{n}")) for n in range(4)] == [2, 1, 1, 2]
    assert_folded(first)
    rows = first.database.execute("SELECT id FROM review").fetchall()
    assert len(rows) == len({row[0] for row in rows})


def test_a_card_that_another_session_rests_is_passed_over(learner: Learner):
    learner.write("gpu", many(4))
    study = learner.open()
    one, two = study.session(), learner.open().session()
    rate(two, Rating.EASY)
    two.suspend()
    two.bury()
    assert one.shown.card.id == "card-0", "shown before"
    rate(one, Rating.GOOD)
    assert one.shown.card.id == "card-3"
    assert_folded(study)


def test_the_clock_of_another_process_changes_nothing_here(learner: Learner):
    """A real second process rates while this one holds its session."""
    learner.write("gpu", many(2))
    study = learner.open()
    session = study.session()
    code = (
        "from recall.study.study import open_study; from recall.settings import load_settings\n"
        "from recall.model.review import Rating\n"
        "s = open_study(load_settings()).session()\ns.reveal()\ns.rate(Rating.EASY)\n"
    )
    now = datetime.fromtimestamp(learner.clock.ms / 1000, UTC).isoformat()
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "RECALL_NOW": now}, check=True, timeout=60)
    rate(session, Rating.HARD)
    assert [row[0] for row in log_rows(study, "card-0")] == [4, 2]
    assert state(study, "card-0") == folded(study, "card-0")


def test_texts_that_cannot_be_read_are_passed_over(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    study.database.execute("UPDATE content SET text = 'nothing' WHERE note = 'card-1'")
    assert asked(study.session()) == ["card-0", "card-2"]
    assert daily.note_text(study.database, "card-1").text == "nothing"
    assert log.logged_reviews(study.database, "card-1") == []
