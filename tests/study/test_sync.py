"""Deck files and the index: what was edited is read, what vanished rests, and nothing of the history is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from learner import Learner, all_states, asked, assert_folded, folded, log_rows, many, qa, state
from recall import paths
from recall.model.review import NEW_STATE, Rating, State
from recall.store import daily, index
from recall.study.decks import copy_shipped, set_hidden
from recall.study.importing import follow
from recall.study.sync import DeckReport, SyncReport


def reports(report: SyncReport) -> dict[str, DeckReport]:
    return {deck.deck: deck for deck in report.decks}


def row(study, deck: str) -> index.IndexedDeck:
    return next(found for found in index.decks(study.database) if found.deck == deck)


def present(study, deck: str) -> set[str]:
    """Cards of *deck* that are asked."""
    rows = study.database.execute("SELECT card_id FROM card_state WHERE deck = ? AND NOT absent", (deck,)).fetchall()
    return {card for (card,) in rows}


def test_a_new_deck_is_read_once(both: Learner):
    both.write("gpu/memory", many(3))
    study = both.open()
    assert row(study, "gpu/memory").cards == 3
    assert present(study, "gpu/memory") == {"card-0", "card-1", "card-2"}
    assert state(study, "card-0") == NEW_STATE
    report = study.sync()
    assert report.decks == []
    assert report.faults == []


def test_nothing_is_read_when_nothing_changed(learner: Learner):
    """Not even a byte: the text is other than before, its time and size are not."""
    path = learner.write("gpu", many(2))
    study = learner.open()
    about = path.stat()
    path.write_bytes(path.read_bytes().replace(b"Answer 1", b"Reply 01"))
    import os

    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert study.sync().decks == []
    assert [deck.deck for deck in study.sync(["gpu"]).decks] == ["gpu"]


def test_an_edited_answer_is_told_at_the_next_review(both: Learner):
    both.write("gpu", many(2))
    study = both.open()
    session = study.session()
    asked(session, 2)
    both.clock.pass_by(days=90)
    both.write("gpu", qa(0, answer="Another answer.") + "\n" + qa(1, question="Reworded, question 1?"))
    report = reports(study.sync())["gpu"]
    assert (report.changes.updated, report.changes.added) == (2, 0)
    shown = {}
    session = study.session()
    while session.shown is not None:
        shown[session.shown.card.id] = (session.shown.changed, session.shown.question, session.shown.answer)
        session.rate(Rating.EASY)
    assert shown["card-0"] == (True, "Question 0?", "Another answer.")
    assert shown["card-1"] == (False, "Reworded, question 1?", "Answer 1.")
    both.clock.pass_by(days=700)
    assert not study.session().shown.changed, "told once"


def test_a_card_that_moves_keeps_its_state(both: Learner):
    both.write("a", many(3))
    both.write("b", many(2, 3))
    study = both.open()
    asked(study.session())
    before = all_states(study)
    both.write("a", qa(0))
    both.write("b", many(4, 1))
    report = reports(study.sync())
    assert set(report["b"].changes.moved) == {"card-1", "card-2"}
    assert all_states(study) == before
    assert present(study, "b") == {"card-1", "card-2", "card-3", "card-4"}
    # Whichever of the two files is read first.
    both.write("b", many(2, 3))
    both.write("a", many(3))
    study.sync()
    assert all_states(study) == before
    assert present(study, "a") == {"card-0", "card-1", "card-2"}


def test_a_card_that_moves_is_scheduled_by_its_new_deck(both: Learner):
    both.configure('[deck."b"]\ndesired_retention = 0.97\n')
    both.write("a", many(3))
    both.write("b", qa("b"))
    study = both.open()
    asked(study.session(), rating=Rating.EASY)
    before = state(study, "card-0")
    both.write("a", many(2, 1))
    both.write("b", qa("b") + "\n" + qa(0))
    study.sync()
    after = state(study, "card-0")
    assert after.due < before.due
    assert after.stability == pytest.approx(before.stability, rel=1e-9)
    assert_folded(study)


def test_a_renamed_deck_takes_its_history_along(both: Learner):
    path = both.write("gpu", many(3))
    study = both.open()
    asked(study.session())
    before = all_states(study)
    path.rename(both.folder / "hardware.md")
    report = reports(study.sync())
    assert set(report) == {"gpu", "hardware"}
    assert row(study, "gpu").missing
    assert all_states(study) == before
    assert present(study, "hardware") == {"card-0", "card-1", "card-2"}
    assert present(study, "gpu") == set()


def test_a_deleted_deck_rests_until_it_is_back(both: Learner):
    path = both.write("gpu", many(3))
    both.write("other", qa("other"))
    study = both.open()
    asked(study.session(["gpu"]), 2)
    before = all_states(study)
    text = path.read_text()
    path.unlink()
    study.sync()
    assert row(study, "gpu").missing
    assert row(study, "gpu").cards == 0
    assert asked(study.session()) == ["card-other"]
    both.write("gpu", text)
    report = reports(study.sync())["gpu"]
    assert (report.changes.added, report.changes.updated) == (0, 3)
    assert {card: state(study, card) for card in ("card-0", "card-1", "card-2")} == {
        card: before[card] for card in ("card-0", "card-1", "card-2")
    }
    assert asked(study.session()) == ["card-2"]


def test_a_card_that_is_taken_out_rests_until_it_is_back(both: Learner):
    both.write("gpu", many(2))
    study = both.open()
    asked(study.session(), 1)
    before = state(study, "card-0")
    both.write("gpu", qa(1))
    assert reports(study.sync())["gpu"].changes.missing == 1
    assert present(study, "gpu") == {"card-1"}
    both.write("gpu", many(2))
    study.sync()
    assert present(study, "gpu") == {"card-0", "card-1"}
    assert state(study, "card-0") == before


def test_a_deck_that_cannot_be_read_keeps_its_cards(both: Learner):
    """Its file became a link that leads nowhere; then it is a file again."""
    path = both.write("gpu", many(3))
    study = both.open()
    text = path.read_text()
    path.unlink()
    path.symlink_to(both.folder / "nowhere")
    report = reports(study.sync())["gpu"]
    assert [fault.rule for fault in report.faults] == ["unreadable"]
    assert row(study, "gpu").cards == 3
    assert len(asked(study.session(), 2)) == 2
    assert [deck.deck for deck in study.sync().decks] == ["gpu"], "tried again each time"
    path.unlink()
    both.write("gpu", text)
    assert reports(study.sync())["gpu"].faults == ()
    assert row(study, "gpu").cards == 3


def test_a_deck_that_became_a_directory_rests(learner: Learner):
    path = learner.write("gpu", many(2))
    study = learner.open()
    path.unlink()
    path.mkdir()
    study.sync()
    assert row(study, "gpu").missing
    assert study.session().shown is None


def test_two_files_for_one_deck_are_told_and_the_first_counts(learner: Learner, tmp_path: Path):
    learner.write("gpu", qa("first"))
    study = learner.open()
    second = learner.write("gpu", qa("second"), folder=tmp_path / "more")
    imported = follow(study, second.parent)
    assert [fault.message for fault in imported.faults] == [
        f"the deck 'gpu' is also in {learner.folder / 'gpu.md'}",
    ]
    assert present(study, "gpu") == {"card-first"}
    second.rename(second.with_name("gpu-2.md"))
    study.sync()
    assert present(study, "gpu-2") == {"card-second"}


def test_an_id_in_two_decks_is_told_with_both_places_and_mended_later(both: Learner):
    both.write("a", many(2))
    both.write("b", qa("b"))
    study = both.open()
    both.write("b", qa("b") + "\n" + qa(1, answer="Of the other deck."))
    faults = reports(study.sync())["b"].faults
    assert [fault.rule for fault in faults] == ["duplicate-id"]
    told = faults[0].render()
    assert f"{both.folder / 'a.md'}:5" in told
    assert f"{both.folder / 'b.md'}:5" in told
    assert present(study, "b") == {"card-b"}
    assert present(study, "a") == {"card-0", "card-1"}
    assert daily.note_text(study.database, "card-1").text.startswith("Q: Question 1?\nA: Answer 1.")
    # Mended in the other file: this one is read again though it did not change.
    both.write("a", qa(0))
    report = reports(study.sync())
    assert report["b"].faults == ()
    assert present(study, "b") == {"card-b", "card-1"}
    assert "Of the other deck." in daily.note_text(study.database, "card-1").text


def test_an_id_in_two_new_decks_belongs_to_the_first(learner: Learner):
    learner.write("a", qa(1))
    learner.write("b", qa(1, answer="Of the other deck."))
    study = learner.open()
    assert present(study, "a") == {"card-1"}
    assert present(study, "b") == set()
    (learner.folder / "a.md").unlink()
    study.sync()
    assert present(study, "b") == {"card-1"}


def test_an_id_that_was_written_joins_the_history(both: Learner):
    plain = "Q: How many threads has a warp?\nA: 32.\n"
    both.write("gpu", plain)
    study = both.open()
    session = study.session()
    hashed = session.shown.card.id
    session.rate(Rating.GOOD)
    session.toggle_mark()
    before = state(study, hashed)
    both.write("gpu", plain + "id: warp-size\n")
    study.sync()
    assert daily.card_facts(study.database, hashed) is None
    assert state(study, "warp-size")._replace(due=0) == before._replace(due=0)
    assert log_rows(study, "warp-size") == [(3, 0)]
    assert state(study, "warp-size") == folded(study, "warp-size")
    assert state(study, "warp-size").marked
    # The rating can still be taken back, after the mark.
    again = study.session()
    assert again.undo().what == "mark"
    undone = again.undo()
    assert (undone.what, undone.card) == ("rating", "warp-size")
    assert state(study, "warp-size") == NEW_STATE


def test_a_new_question_without_an_id_is_a_new_card(learner: Learner):
    learner.write("gpu", "Q: How many threads has a warp?\nA: 32.\n")
    study = learner.open()
    asked(study.session())
    learner.write("gpu", "Q: How many threads are in a warp?\nA: 32.\n")
    changes = reports(study.sync())["gpu"].changes
    assert (changes.added, changes.missing) == (1, 1)


def test_a_copy_takes_the_place_of_the_shipped_deck_and_gives_it_back(learner: Learner):
    study = learner.open()
    set_hidden(study, "batch-norm", hidden=False)
    shipped = present(study, "batch-norm")
    assert len(shipped) >= 12
    first = study.session(["batch-norm"])
    card = first.shown.card.id
    first.rate(Rating.EASY)
    before = state(study, card)
    copy = copy_shipped(study, "batch-norm")
    assert copy == learner.home / "decks" / "batch-norm.md"
    assert row(study, "batch-norm").machine == study.machine
    assert present(study, "batch-norm") == shipped
    assert state(study, card) == before
    assert study.sync().all_faults == []
    copy.unlink()
    study.sync()
    assert row(study, "batch-norm").machine == ""
    assert row(study, "batch-norm").file == str(paths.bundled() / "decks" / "batch-norm.md")
    assert present(study, "batch-norm") == shipped
    assert state(study, card) == before


def test_a_folder_is_followed_below_a_prefix_and_a_file_by_a_name(learner: Learner, tmp_path: Path):
    study = learner.open()
    learner.write("deep/gpu", qa("folder"), folder=tmp_path / "theirs")
    file = learner.write("notes", qa("file"), folder=tmp_path / "single")
    follow(study, tmp_path / "theirs", prefix="theirs")
    follow(study, file, prefix="mine/own")
    assert present(study, "theirs/deep/gpu") == {"card-folder"}
    assert present(study, "mine/own") == {"card-file"}
    asked(study.session())
    before = all_states(study)
    # Another prefix is another identity; the cards go along.
    follow(study, tmp_path / "theirs", prefix="friends")
    assert present(study, "friends/deep/gpu") == {"card-folder"}
    assert all_states(study) == before


def test_a_followed_folder_that_is_gone_is_told_and_its_cards_rest(learner: Learner, tmp_path: Path):
    study = learner.open()
    folder = tmp_path / "theirs"
    learner.write("gpu", qa(0), folder=folder)
    follow(study, folder)
    folder.rename(tmp_path / "away")
    report = study.sync()
    assert [(fault.place.file, fault.severity) for fault in report.faults] == [(str(folder), "warning")]
    assert present(study, "gpu") == set()
    (tmp_path / "away").rename(folder)
    assert study.sync().faults == []
    assert present(study, "gpu") == {"card-0"}


def test_good_cards_of_a_faulty_deck_and_other_decks_go_on(both: Learner):
    both.write("good", qa("good"))
    both.write("bad", qa("before") + "\nQ: A question without an answer\nid: none\n\n" + qa("after"))
    study = both.open()
    assert present(study, "bad") == {"card-before", "card-after"}
    assert present(study, "good") == {"card-good"}
    faults = study.overview().faults
    assert len(faults) == 1
    assert faults[0].place.line == 5
    assert faults[0].place.file == str(both.folder / "bad.md")


def test_a_card_whose_text_broke_keeps_its_history(learner: Learner):
    learner.write("gpu", many(2))
    study = learner.open()
    asked(study.session())
    before = all_states(study)
    learner.write("gpu", qa(0) + "\nQ: Question 1?\nid: card-1\n")
    study.sync()
    assert present(study, "gpu") == {"card-0"}
    learner.write("gpu", many(2))
    study.sync()
    assert all_states(study) == before
    assert present(study, "gpu") == {"card-0", "card-1"}


def test_a_hidden_deck_rests_and_stays_hidden_when_it_is_edited(both: Learner):
    both.write("gpu/memory", many(2))
    both.write("gpu/warps", qa("warps"))
    both.write("other", qa("other"))
    study = both.open()
    asked(study.session(), 1, Rating.GOOD)
    assert set_hidden(study, "gpu", hidden=True) == ("gpu/memory", "gpu/warps")
    both.write("gpu/memory", many(3))
    study.sync()
    assert asked(study.session()) == ["card-other"]
    assert [deck.deck for deck in study.overview().decks if not deck.hidden] == ["other"]
    # A card that leaves the hidden deck is asked again.
    both.write("gpu/memory", qa(0))
    both.write("other", qa("other") + "\n" + many(2, 1))
    study.sync()
    assert set(asked(study.session())) == {"card-1", "card-2"}
    set_hidden(study, "gpu", hidden=False)
    both.clock.pass_by(hours=1)
    assert set(asked(study.session())) == {"card-0", "card-warps"}
    assert_folded(study)


def test_names_that_are_no_utf8_are_decks_too(learner: Learner):
    learner.folder.mkdir()
    import os

    name = os.fsdecode(os.fsencode(str(learner.folder)) + b"/caf\xe9.md")
    Path(name).write_text(qa(0), encoding="utf-8")
    study = learner.open()
    assert asked(study.session()) == ["card-0"]
    assert study.sync().decks == []


def test_an_interrupted_reading_leaves_the_index_as_it_was(learner: Learner):
    learner.write("gpu", many(2))
    study = learner.open()
    learner.write("gpu", many(4))
    study.database.execute("CREATE TRIGGER full BEFORE INSERT ON card BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    from recall.errors import StoreError

    with pytest.raises(StoreError, match="no space left"):
        study.sync()
    study.database.execute("DROP TRIGGER full")
    assert present(study, "gpu") == {"card-0", "card-1"}
    assert reports(study.sync())["gpu"].changes.added == 2


def test_a_study_on_a_folder_without_decks_is_empty(learner: Learner):
    study = learner.open()
    session = study.session()
    assert session.phase == "done"
    assert session.shown is None
    assert session.summary().reviewed == 0
    assert State.NEW == 0
