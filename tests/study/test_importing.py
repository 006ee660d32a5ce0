"""Following decks where they are: what an import says, and what a second one changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learner import Learner, all_states, asked, many, qa
from recall.errors import DataError, UsageError
from recall.store import index
from recall.study.importing import Imported, follow


def cards(imported: Imported) -> tuple[int, int, int, int]:
    return imported.added, imported.updated, imported.unchanged, imported.missing


@pytest.fixture
def theirs(learner: Learner, tmp_path: Path) -> Path:
    folder = tmp_path / "theirs"
    learner.write("gpu", many(3), folder=folder)
    learner.write("deep/er", qa("deep"), folder=folder)
    return folder


def test_a_second_import_changes_nothing(both: Learner, tmp_path: Path):
    folder = tmp_path / "theirs"
    both.write("gpu", many(3), folder=folder)
    study = both.open()
    assert cards(follow(study, folder)) == (3, 0, 0, 0)
    before = study.database.execute("SELECT * FROM card ORDER BY id").fetchall()
    assert cards(follow(study, folder)) == (0, 0, 3, 0)
    assert study.database.execute("SELECT * FROM card ORDER BY id").fetchall() == before
    both.write("gpu", qa(0) + "\n" + qa(1, answer="Edited.") + "\n" + qa(7), folder=folder)
    assert cards(follow(study, folder)) == (1, 1, 1, 1)


def test_a_dry_run_says_the_same_and_changes_nothing(learner: Learner, theirs: Path):
    study = learner.open()
    tables = ("root", "deck", "card", "card_state", "content", "review", "event")
    before = [study.database.execute(f"SELECT * FROM {table}").fetchall() for table in tables]
    texts = {path: path.read_bytes() for path in theirs.rglob("*.md")}
    assert cards(follow(study, theirs, dry_run=True, write_ids=True)) == (4, 0, 0, 0)
    assert [study.database.execute(f"SELECT * FROM {table}").fetchall() for table in tables] == before
    assert {path: path.read_bytes() for path in theirs.rglob("*.md")} == texts
    assert cards(follow(study, theirs)) == (4, 0, 0, 0)


def test_overlapping_paths_are_refused_before_anything_is_written(learner: Learner, theirs: Path):
    study = learner.open()
    follow(study, theirs)
    plain = learner.write("plain", "Q: Without an id?\nA: Yes.\n", folder=theirs / "deep")
    before = plain.read_bytes()
    for path in (theirs / "deep", plain, theirs.parent):
        with pytest.raises(UsageError, match=r"overlaps|holds"):
            follow(study, path, write_ids=True)
    assert plain.read_bytes() == before
    assert [root.path for root in index.roots(study.database, study.machine)][1:] == [str(theirs)]


def test_another_spelling_of_a_path_is_the_same_path(learner: Learner, theirs: Path):
    study = learner.open()
    follow(study, theirs)
    link = theirs.parent / "link"
    link.symlink_to(theirs)
    with pytest.raises(UsageError, match="followed already"):
        follow(study, link)
    assert follow(study, theirs / ".." / "theirs").path == str(theirs.resolve())


def test_a_path_through_another_folder_does_not_depend_on_it(learner: Learner, theirs: Path):
    study = learner.open()
    aside = theirs.parent / "aside"
    aside.mkdir()
    follow(study, aside / ".." / theirs.name)
    aside.rmdir()
    assert study.sync().faults == []


@pytest.mark.parametrize("prefix", ["..", "../other", "a/./b", "a\nb"])
def test_a_name_that_is_a_way_is_no_name_for_a_deck(learner: Learner, theirs: Path, prefix: str):
    with pytest.raises(UsageError, match="no name for a deck"):
        follow(learner.open(), theirs, prefix=prefix)


def test_what_the_program_keeps_is_not_followed_twice(learner: Learner):
    study = learner.open()
    learner.own("mine", qa(1))
    with pytest.raises(UsageError, match="followed already"):
        follow(study, learner.home / "decks")
    with pytest.raises(UsageError, match="followed already"):
        follow(study, learner.home / "decks" / "mine.md")


def test_what_is_no_deck_is_refused(learner: Learner, tmp_path: Path):
    study = learner.open()
    with pytest.raises(DataError, match="nowhere"):
        follow(study, tmp_path / "nowhere")
    (tmp_path / "bare").mkdir()
    with pytest.raises(DataError, match="no deck"):
        follow(study, tmp_path / "bare")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="neither a file nor a folder"):
        follow(study, tmp_path / "pipe")
    other = tmp_path / "deck.xyz"
    other.write_text("x")
    with pytest.raises(UsageError, match=r"deck\.xyz"):
        follow(study, other)


def test_ids_that_an_import_writes_keep_the_history(learner: Learner, tmp_path: Path):
    folder = tmp_path / "theirs"
    path = learner.write("gpu", "Q: What is a warp?\nA: 32 threads.\n\nQ: What is a block?\nA: Warps.\n", folder=folder)
    study = learner.open()
    follow(study, folder)
    asked(study.session(), 1)
    rated = {card: state for card, state in all_states(study).items() if state.reps}
    imported = follow(study, folder, write_ids=True)
    assert imported.ids == 2
    assert imported.faults == ()
    assert path.read_text().count("id: ") == 2
    assert [state.reps for state in all_states(study).values() if state.reps] == [1]
    assert [state.last_review for state in all_states(study).values() if state.reps] == [
        state.last_review for state in rated.values()
    ]
    assert cards(follow(study, folder, write_ids=True)) == (0, 0, 2, 0)


def test_faults_are_told_with_their_places(learner: Learner, theirs: Path):
    learner.write("bad", qa("good") + "\nQ: Nothing?\n", folder=theirs)
    study = learner.open()
    for _ in range(2):
        faults = [fault for fault in follow(study, theirs).faults if fault.severity == "error"]
        assert [(fault.place.file, fault.place.line) for fault in faults] == [(str(theirs / "bad.md"), 5)]
