"""A plain review that a test leads line by line, and what its log holds."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path


class Led:
    """A plain review whose lines are written and read one at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdin
        assert process.stdout
        self._in, self._out = process.stdin, process.stdout

    def until(self, beginning: str) -> str:
        """Read up to the first line that begins so, and return it."""
        for line in self._out:
            if line.startswith(beginning):
                return line
        raise AssertionError(f"no line {beginning!r}; it said {self.ended()}")

    def type(self, line: str) -> None:
        self._in.write(f"{line}\n")
        self._in.flush()

    def rate(self, digit: str = "4") -> str:
        """Reveal and rate the card that is asked; returns the confirmation."""
        self.until("Enter shows")
        self.type("")
        self.until("rate 1")
        self.type(digit)
        return self.until("Saved")

    def ended(self) -> tuple[int, str, str]:
        """Close its input and wait: exit code, the rest of its output, and its errors."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


Begin = Callable[..., Led]


def ratings(database: Path) -> list[tuple[str, int]]:
    """What the log holds, in order; the database is whole."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute("SELECT card_id, rating FROM review WHERE voided IS NULL ORDER BY id").fetchall()
