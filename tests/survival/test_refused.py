"""Commands on a full disk and at places that may not be written: one clear line, nothing lost, and it works again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from folds import differing_cards
from program import Ran, Recall
from sessions import ratings
from small_disk import fill, small_disk

NOBODY = 65534
AsNobody = Callable[..., list[Ran]]
# Where the interpreter is root's own, another user can import nothing: all that is needed is imported before, by doing
# the same in another place.
PROGRAM = f"""
import contextlib, io, json, os, sys, tempfile
from recall.cli.main import main

def run(words):
    sys.stdin = io.StringIO("\\n3\\nq\\n")
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()

home = os.environ["RECALL_HOME"]
with tempfile.TemporaryDirectory() as place:
    os.environ["RECALL_HOME"] = place + "/home"
    deck = place + "/deck.md"
    with open(deck, "w") as file:
        file.write("Q: One?\\nA: *Two*.\\n\\nQ: bad")
    for words in (
        ["import", deck], ["import", deck, "--ids"], ["review"], ["decks"], ["stats"], ["doctor"], ["backup"],
        ["lint", deck, "--fix"], ["config", "theme", "light"], ["backup", deck + ".db"], ["restore", deck + ".db"],
        ["config", "no-key"], ["show", "nothing"], ["backup", "/proc/copy"], ["review", "--nonsense"],
    ):
        run(words)
os.environ["RECALL_HOME"] = home
commands = json.load(sys.__stdin__)
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
json.dump([run(words) for words in commands], sys.__stdout__)
"""


def assert_clear(ran: Ran) -> None:
    """Exit code 3 and one message with its mend."""
    assert ran.code == 3, (ran.code, ran.err)
    assert 1 <= len(ran.err.strip().splitlines()) <= 2, ran.err
    assert "bug" not in ran.err


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "small", "4m") as place:
        yield place


def test_a_full_disk_at_an_import_a_backup_and_a_restore(recall: Recall, few: Path, disk: Path, tmp_path: Path) -> None:
    home = {"RECALL_HOME": str(disk)}
    assert recall("review", stdin="\n3\nq\n", **home).code == 1
    saved = tmp_path / "saved.db"
    assert recall("backup", saved, **home).code == 0
    before = ratings(disk / "recall.db")
    with fill(disk):
        (few / "more.md").write_text("\n\n".join(f"Q: More {n}?\nA: {'x' * 400}" for n in range(500)), encoding="utf-8")
        assert_clear(recall("import", few, **home))
        assert_clear(recall("backup", **home))
        assert_clear(recall("backup", disk / "copy.db", **home))
        assert_clear(recall("restore", saved, **home))
        # Neither a copy that is not whole nor a part of one stays.
        assert {path.name for path in disk.iterdir()} <= {
            "recall.db", "recall.db-wal", "recall.db-shm", "machine", "filler", "backups", "config.toml", "decks",
        }  # fmt: skip
        assert list((disk / "backups").glob(".*")) == []
    assert ratings(disk / "recall.db") == before
    assert differing_cards(disk / "recall.db") == []
    imported = recall("import", few, "--json", **home).json["sources"][0]
    assert imported["added"] == 530
    assert recall("backup", **home).code == 0
    assert recall("restore", saved, **home).code == 0
    assert ratings(disk / "recall.db") == before


@pytest.fixture
def as_nobody(environment: dict[str, str], tmp_path: Path) -> AsNobody:
    """Run commands, one after the other, as a user who owns nothing here; reviews rate a card good."""
    if os.name != "posix" or os.getuid() != 0:
        pytest.skip("only root can be another user")
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)

    def run(*commands: list[str | Path], **variables: str) -> list[Ran]:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=json.dumps([list(map(str, words)) for words in commands]),
            env={**environment, "PYTHONDONTWRITEBYTECODE": "1", **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert "Traceback" not in done.stderr + done.stdout
        return [Ran(*one) for one in json.loads(done.stdout)]

    return run


def test_a_home_that_may_not_be_written(as_nobody: AsNobody, few: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o755)
    commands: list[list[str | Path]] = [
        ["review"], ["import", few], ["decks"], ["stats"], ["doctor"], ["config", "theme", "light"], ["backup"],
    ]  # fmt: skip
    for home in (closed, closed / "home"):
        for ran in as_nobody(*commands, RECALL_HOME=str(home)):
            assert_clear(ran)
    assert list(closed.iterdir()) == []


def test_a_database_that_may_only_be_read(as_nobody: AsNobody, recall: Recall, few: Path, database: Path) -> None:
    assert recall("review", "few", stdin="\n3\nq\n").code == 1
    database.parent.chmod(0o755)
    for path in database.parent.iterdir():
        path.chmod(0o755 if path.is_dir() else 0o644)
    for ran in as_nobody(["review"], ["import", few], ["backup"], ["restore", database]):
        assert_clear(ran)
    assert ratings(database) == [("card-0", 3)]
    assert recall("review", "few", stdin="\n3\nq\n").code == 1


def test_a_deck_and_a_place_for_a_backup_that_may_not_be_written(as_nobody: AsNobody, tmp_path: Path) -> None:
    home = tmp_path / "theirs"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    deck = tmp_path / "deck.md"
    deck.write_text("Q: One?\nA: Two.\n", encoding="utf-8")
    imported, *refused = as_nobody(
        ["import", deck],
        ["lint", deck, "--fix"],
        ["import", deck, "--ids"],
        ["backup", tmp_path / "copy.db"],
        RECALL_HOME=str(home),
    )
    assert imported.code == 0
    for ran in refused:
        assert_clear(ran)
    assert deck.read_text(encoding="utf-8") == "Q: One?\nA: Two.\n"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".", "copy"))] == []
    # Its card is asked as it was last read; what is wrong with the file is told.
    deck.chmod(0o600)
    deck.write_text("Q: One?\nA: Three, or more.\n", encoding="utf-8")
    (reviewed,) = as_nobody(["review", "deck"], RECALL_HOME=str(home))
    assert (reviewed.code, reviewed.err) == (1, f"{deck}:1:1: this deck cannot be read: permission denied\n")
    assert "Answer: Two." in reviewed.out
    assert "Saved: 3 good" in reviewed.out
