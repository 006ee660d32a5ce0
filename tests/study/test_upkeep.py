"""Backups, restoring them, and what the doctor finds."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from threading import Event, Thread

import pytest

from databases import DIALECTS, fresh_url
from learner import Learner, all_states, asked, assert_folded, many, state, whole
from recall.errors import DataError, NewerStoreError, StoreError
from recall.model.review import Rating
from recall.store import columns, upkeep
from recall.store.index import index_all_words
from recall.study.doctor import examine
from recall.study.rebuild import differing
from recall.study.study import Study
from recall.study.upkeep import KEPT_BACKUPS, back_up, daily_backup, restore

TABLES = [table for table, _ in upkeep.TABLES]


def rows(study: Study) -> dict[str, list[tuple[object, ...]]]:
    """All that is stored, with booleans as both databases give them."""
    return {
        table: sorted(
            (
                tuple(int(value) if isinstance(value, bool) else value for value in row)
                for row in study.database.execute(f"SELECT {columns} FROM {table}").fetchall()
            ),
            key=str,
        )
        for table, columns in upkeep.TABLES
    }


@pytest.fixture
def reviewed(both: Learner) -> tuple[Learner, Study]:
    """A deck of which some cards were rated."""
    both.write("gpu", many(6))
    study = both.open()
    session = study.session()
    asked(session, 3)
    session.toggle_mark()
    session.suspend()
    session.undo()
    session.close()
    return both, study


def test_a_backup_is_whole_private_and_brings_everything_back(reviewed: tuple[Learner, Study], tmp_path: Path):
    learner, study = reviewed
    before = rows(study)
    file = back_up(study, tmp_path / "safe" / "copy.db")
    assert whole(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["copy.db"]
    as_it_was = file.read_bytes()
    learner.clock.pass_by(days=40)
    asked(study.session())
    learner.clock.pass_by(days=-40)
    saved = restore(study, file)
    assert whole(saved)
    assert rows(study) == before
    assert file.read_bytes() == as_it_was, "a backup is only read"
    assert_folded(study)
    assert [card.id for card in study.search("deck:gpu 3")] == ["card-3"]
    assert learner.open().session().shown.card.id == "card-3"


@pytest.mark.parametrize("dialect", DIALECTS[1:])
def test_a_backup_goes_from_one_database_to_the_other_and_back(learner: Learner, tmp_path: Path, dialect: str):
    learner.write("gpu", many(6))
    study = learner.open()
    asked(study.session(), 3)
    before = rows(study)
    file = back_up(study)
    with fresh_url(dialect, tmp_path) as url:
        other = Learner(learner.home, learner.folder, url, learner.clock)
        theirs = other.open(follow=False)
        restore(theirs, file)
        assert {**rows(theirs), "migration": 0} == {**before, "migration": 0}
        assert [card.id for card in theirs.search("question 4")] == ["card-4"]
        asked(theirs.session(), 1)
        assert_folded(theirs)
        # New texts get new keys.
        other.write("more", many(2, 10))
        theirs.sync()
        after = rows(theirs)
        back = back_up(theirs, tmp_path / "back.db")
        other.close()
    restore(study, back)
    assert {**rows(study), "migration": 0} == {**after, "migration": 0}
    assert [card.id for card in study.search("question 11")] == ["card-11"]
    assert_folded(study)


def test_a_backup_is_consistent_while_others_write(reviewed: tuple[Learner, Study], tmp_path: Path):
    _, study = reviewed
    stop = Event()
    raised: list[BaseException] = []

    def write() -> None:
        own = study.again()
        try:
            session = own.session(cram=True)
            while not stop.is_set() and session.shown is not None:
                session.rate(Rating.AGAIN)
                session._queue.come_back("card-0", 0)
                session.resume()
                session.toggle_mark()
        except Exception as error:
            raised.append(error)
        finally:
            own.close()

    thread = Thread(target=write)
    thread.start()
    try:
        files = [back_up(study, tmp_path / f"{n}.db") for n in range(4)]
    finally:
        stop.set()
        thread.join()
    assert raised == []
    counts = []
    for file in files:
        copy = sqlite3.connect(file)
        counts.append(copy.execute("SELECT count(*) FROM review").fetchone()[0])
        marks, marked = copy.execute(
            "SELECT (SELECT sum(CASE act WHEN 'mark' THEN 1 WHEN 'unmark' THEN -1 ELSE 0 END) FROM event"
            " WHERE voided IS NULL), (SELECT count(*) FROM card_state WHERE marked)"
        ).fetchone()
        copy.close()
        assert marks == marked, "log and states of one moment"
    assert counts == sorted(counts)


def test_the_last_ten_daily_backups_are_kept(learner: Learner):
    learner.write("gpu", many(1))
    study = learner.open()
    first = daily_backup(study)
    assert first == learner.home / "backups" / "daily-2026-03-02.db"
    assert daily_backup(study) is None
    other = back_up(study)
    for _ in range(KEPT_BACKUPS + 2):
        learner.clock.pass_by(days=1)
        assert whole(daily_backup(study))
    kept = sorted(path.name for path in (learner.home / "backups").glob("daily-*"))
    assert len(kept) == KEPT_BACKUPS
    assert kept[0] == "daily-2026-03-05.db"
    assert other.exists(), "one that was asked for stays"


def damaged(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for at in range(4096, len(data) - 4096, 4096):
        data[at : at + 600] = b"\xa5" * 600
    file.write_bytes(data)


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def foreign(file: Path) -> None:
    file.unlink()
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE notes (id INTEGER)")
    other.commit()
    other.close()


def newer(file: Path) -> None:
    other = sqlite3.connect(file)
    other.execute("INSERT INTO migration (name, applied_at) VALUES ('2099-future', 0)")
    other.commit()
    other.close()


def no_database(file: Path) -> None:
    file.write_text("Q: Is this a backup?\nA: No.\n" * 99)


def empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize("spoil", [damaged, truncated, foreign, newer, no_database, empty, Path.unlink])
def test_what_is_no_whole_backup_changes_nothing(learner: Learner, tmp_path: Path, spoil):
    learner.write("gpu", many(40))
    study = learner.open()
    file = back_up(study, tmp_path / "copy.db")
    spoil(file)
    asked(study.session(), 2)
    before = rows(study)
    with pytest.raises(DataError) as told:
        restore(study, file)
    assert "copy.db" in told.value.message
    assert isinstance(told.value, NewerStoreError) == (spoil is newer)
    assert rows(study) == before
    asked(study.session(), 1)
    assert_folded(study)


def test_a_database_is_restored_with_what_is_in_its_log(learner: Learner, tmp_path: Path):
    """Copied by hand, or left by a killed program, the last ratings stand in the file beside it."""
    learner.write("gpu", many(3))
    study = learner.open()
    study.database.checkpoint()
    asked(study.session(), 2)
    before = rows(study)
    for ending in ("", "-wal"):
        shutil.copy(learner.home / f"recall.db{ending}", tmp_path / f"found.db{ending}")
    assert (tmp_path / "found.db-wal").stat().st_size
    asked(study.session(), 1)
    restore(study, tmp_path / "found.db")
    assert rows(study)["review"] == before["review"]
    assert_folded(study)


def test_a_backup_below_a_file_is_told_in_words(learner: Learner, tmp_path: Path):
    (tmp_path / "note").write_text("no folder")
    with pytest.raises(StoreError, match="cannot write the backup"):
        back_up(learner.open(), tmp_path / "note" / "copy.db")


def test_the_database_is_no_place_for_its_backup(learner: Learner):
    study = learner.open()
    with pytest.raises(StoreError, match="database itself"):
        back_up(study, learner.home / "recall.db")
    with pytest.raises(StoreError, match="cannot write the backup"):
        back_up(study, learner.folder)
    study.database.execute("DELETE FROM setting")


def test_the_doctor_finds_a_wrong_state_and_mends_it(reviewed: tuple[Learner, Study]):
    _, study = reviewed
    right = all_states(study)
    assert {finding.status for finding in examine(study) if finding.subject in ("database", "log", "decks")} == {"ok"}
    study.database.execute("UPDATE card_state SET due = due + 1 WHERE card_id = 'card-0'")
    study.database.execute("UPDATE card_state SET stability = stability * 1.0001 WHERE card_id = 'card-1'")
    study.database.execute("UPDATE card_state SET marked = NOT marked WHERE card_id = 'card-5'")
    wrong = next(finding for finding in examine(study) if finding.subject == "log")
    assert (wrong.status, wrong.message) == ("fault", "3 states are not what the log gives")
    assert state(study, "card-0") != right["card-0"]
    mended = next(finding for finding in examine(study, fix=True) if finding.subject == "log")
    assert mended.status == "ok"
    found = all_states(study)
    assert found["card-5"] == right["card-5"]
    assert found["card-0"].due == right["card-0"].due
    assert found["card-1"].stability == pytest.approx(right["card-1"].stability, rel=1e-9)
    assert next(finding for finding in examine(study) if finding.subject == "log").status == "ok"


def test_a_rating_while_the_doctor_looks_is_no_fault(both: Learner, monkeypatch: pytest.MonkeyPatch):
    """Log and states are read as they were at one moment."""
    both.write("gpu", many(3))
    study, other = both.open(), both.open()
    session = other.session()
    read = columns.load

    def load_and_be_overtaken(*arguments: object):
        loaded = read(*arguments)
        asked(session, 1)
        return loaded

    monkeypatch.setattr(columns, "load", load_and_be_overtaken)
    assert differing(study)[2] == []


def test_the_doctor_finds_rows_that_miss_their_other_half(learner: Learner):
    learner.write("gpu", many(3))
    study = learner.open()
    study.database.execute("DELETE FROM card_state WHERE card_id = 'card-1'")
    found = next(finding for finding in examine(study) if finding.subject == "database")
    assert found.status == "fault"
    assert "1 cards without a state" in found.message


def test_the_text_index_is_made_anew_from_the_texts(reviewed: tuple[Learner, Study]):
    _, study = reviewed
    with study.database.transaction():
        index_all_words(study.database)
    assert [card.id for card in study.search("question 5")] == ["card-5"]
