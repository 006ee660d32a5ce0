"""`kill -9` at any moment of a plain session: what was confirmed is there, and the next session goes on."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from folds import differing_cards
from program import NOW, Recall
from sessions import ratings


@pytest.mark.parametrize("kills", [pytest.param(6, id="6"), pytest.param(150, id="150", marks=pytest.mark.slow)])
def test_every_confirmed_rating_survives(
    recall: Recall, environment: dict[str, str], many: Path, database: Path, tmp_path: Path, kills: int
) -> None:
    typed = tmp_path / "typed"
    # Most stay in their learning steps and come again, so that the deck is never done.
    typed.write_text(("\n2\n\n1\nu\n\n2\n" * 20 + "\n3\n\n4\n") * 20, encoding="utf-8")
    moments = random.Random(20260302)
    for number in range(kills):
        # A day later each time: cards come back, and the day's backup is made.
        environment["RECALL_NOW"] = (datetime.fromisoformat(NOW) + timedelta(days=number)).isoformat()
        before = ratings(database)
        with typed.open("rb") as lines:
            process = subprocess.Popen(
                [sys.executable, "-m", "recall", "review", "many"],
                env=environment,
                stdin=lines,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            try:
                out, err = process.communicate(timeout=moments.uniform(0.05, 1.5))
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
        assert err == b""
        expected = _replayed(out.decode(), before)
        found = ratings(database)
        # What was stored and not yet confirmed may be there, too: one rating, or the undo of a rating `again`.
        undone = expected[:-1] if expected and expected[-1][1] == 1 else expected
        assert found in (expected, undone) or found[:-1] == expected, (expected[-3:], found[-3:])
        assert not database.exists() or differing_cards(database) == []
    assert ratings(database), "every kill came before the first rating"
    assert recall("doctor", "--json").json["healthy"] is True
    assert recall("review", "many", stdin="\n4\nq\n").code == 1


def _replayed(out: str, before: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The log after what *out* confirms."""
    log = list(before)
    card = ""
    for line in out.splitlines():
        if asked := re.fullmatch(r"Question (\d+)\?", line):
            card = f"card-{asked[1]}"
        elif saved := re.match(r"Saved: (\d) ", line):
            log.append((card, int(saved[1])))
        elif line.startswith("Undone: rating"):
            log.pop()
    return log


def test_what_a_killed_backup_left_is_removed(recall: Recall, few: Path, database: Path) -> None:
    backups = database.with_name("backups")
    backups.mkdir()
    left = backups / ".daily-2026-03-01.db.123.part"
    growing = backups / ".daily-2026-03-02.db.124.part"
    for path in (left, growing):
        path.write_bytes(b"half")
    os.utime(left, (0, 0))
    assert recall("review", "few", stdin="\n3\nq\n").code == 1
    assert not left.exists()
    assert growing.exists()
