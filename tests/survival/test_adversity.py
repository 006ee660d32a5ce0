"""A plain session whose surroundings fail: one clear line, nothing lost."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from program import Recall
from sessions import Begin, ratings


def clear(err: str) -> bool:
    """Whether *err* is a message and its mend, and no more."""
    return 1 <= len(err.splitlines()) <= 2 and "Traceback" not in err and "bug" not in err


def test_a_database_that_another_program_holds(begin: Begin, many: Path, database: Path) -> None:
    session = begin()
    session.rate()
    session.until("Enter shows")
    session.type("")
    session.until("rate 1")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        session.type("3")
        code, out, err = session.ended()
        other.execute("ROLLBACK")
    assert code == 3
    assert clear(err), err
    assert "Saved" not in out
    assert ratings(database) == [("card-0", 4)]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_database_that_may_not_be_written(
    environment: dict[str, str], recall: Recall, many: Path, database: Path, tmp_path: Path
) -> None:
    """Root may write everywhere, so the program becomes another user once all its modules are loaded."""
    recall("review", "many", stdin="\n4\nq\n")
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    for path in (database.parent, *database.parent.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    code = (
        "import io, os, sys\nfrom recall.cli.main import main\n"
        "sys.stdin = io.StringIO('q\\n')\nroot = os.getuid() == 0\nroot and main(['review', 'many'])\n"
        "root and os.setuid(65534)\nprint('--', flush=True)\n"
        "sys.stdin = io.StringIO('\\n4\\n')\nsys.exit(main(['review', 'many']))"
    )
    before = ratings(database)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 3, done.stdout
    assert clear(done.stderr), done.stderr
    assert "Saved" not in done.stdout
    assert ratings(database) == before


def _fill(file: Path) -> None:
    """Write to *file* until the disk is full."""
    with file.open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(bytes(512))


def _tmpfs(place: Path) -> bool:
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)], capture_output=True, check=False
    )
    return done.returncode == 0


def test_a_disk_that_is_full(recall: Recall, begin: Begin, tmp_path: Path) -> None:
    home = tmp_path / "small"
    if os.name != "posix" or os.getuid() != 0 or not _tmpfs(home):
        pytest.skip("needs to mount a small disk")
    try:
        folder = tmp_path / "decks"
        folder.mkdir()
        cards = "\n\n".join(f"Q: Question {n}?\nA: Answer {n}.\nid: card-{n}" for n in range(200))
        (folder / "many.md").write_text(cards, encoding="utf-8")
        assert recall("import", folder, RECALL_HOME=str(home)).code == 0
        recall("config", "new_per_day", "9999", RECALL_HOME=str(home))
        # No room for the day's backup either: the session says so and goes on.
        session = begin(RECALL_HOME=str(home))
        session.rate()
        _fill(home / "filler")
        confirmed = 1
        code = None
        for _ in range(150):
            try:
                session.rate()
                confirmed += 1
            except (AssertionError, BrokenPipeError):
                code, _, err = session.ended()
                break
        assert code == 3
        assert clear(
            "\n".join(line for line in err.splitlines() if "backup" not in line and "free some" not in line)
        ), err
        (home / "filler").unlink()
        assert len(ratings(home / "recall.db")) == confirmed
        assert recall("doctor", RECALL_HOME=str(home)).code == 0
    finally:
        subprocess.run(["umount", "-l", str(home)], check=False)


@pytest.mark.parametrize(
    "what",
    [
        "deleted",
        "unreadable",
        *(pytest.param(what, marks=pytest.mark.slow) for what in ("renamed", "a directory", "emptied")),
    ],
)
def test_a_deck_that_vanishes_under_a_session(
    begin: Begin, recall: Recall, many: Path, database: Path, what: str
) -> None:
    session = begin()
    session.rate()
    deck = many / "many.md"
    match what:
        case "deleted":
            deck.unlink()
        case "renamed":
            deck.rename(many / "other.md")
        case "a directory":
            deck.unlink()
            deck.mkdir()
        case "unreadable":
            deck.write_bytes(b"\xff\xfe\x00\x00")
        case _:
            deck.write_text("", encoding="utf-8")
    # The cards in hand go on; the next start sees what became of the file.
    session.rate()
    session.type("q")
    code, _, err = session.ended()
    assert (code, err) == (1, "")
    assert len(ratings(database)) == 2
    after = recall("search", "id:card-0", "--json")
    assert after.code == 0
    doctor = recall("doctor", "--json").json
    assert [finding for finding in doctor["findings"] if finding["subject"] in ("database", "log")] != []
    assert all(finding["status"] == "ok" for finding in doctor["findings"] if finding["subject"] in ("database", "log"))


def test_a_clock_set_back_a_year_loses_nothing(begin: Begin, recall: Recall, many: Path, database: Path) -> None:
    session = begin()
    session.rate("3")
    session.type("q")
    session.ended()
    back = begin("--limit", "3", RECALL_NOW="2025-03-02T09:00:00+01:00")
    back.rate("3")
    back.type("q")
    assert back.ended()[0] == 1
    assert len(ratings(database)) == 2
    assert recall("doctor").code == 0


def test_two_sessions_at_once_lose_nothing(begin: Begin, recall: Recall, many: Path, database: Path) -> None:
    one, two = begin(), begin()
    for _ in range(5):
        one.rate("4")
        two.rate("3")
    for session in (one, two):
        session.type("q")
        assert session.ended()[0] == 1
    assert len(ratings(database)) == 10
    assert recall("doctor").code == 0
