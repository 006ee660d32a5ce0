"""Terminals of every kind: no more is asked of one than it can do."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from sessions import ratings
from terminal import App, sequences

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
FIRST_CARD = "show answer"
_SGR = re.compile(rb"\x1b\[([0-9;:]*)m")


def colors(output: bytes | bytearray) -> set[str]:
    """The depths of colour that *output* uses: `16`, `256`, `true`."""
    found: set[str] = set()
    for match in _SGR.finditer(output):
        codes = re.split(rb"[;:]", match[1])
        while codes:
            code = int(codes.pop(0) or b"0")
            if code in (38, 48):
                depth = codes.pop(0)
                found.add("256" if depth == b"5" else "true")
                del codes[: 1 if depth == b"5" else 3]
            elif (30 <= code <= 49 and code not in (39, 49)) or 90 <= code <= 107:
                found.add("16")
    return found


@pytest.mark.parametrize(
    ("variables", "used"),
    [
        ({"TERM": "linux", "COLORTERM": ""}, {"16"}),
        pytest.param({"TERM": "xterm", "COLORTERM": ""}, {"16"}, marks=pytest.mark.slow),
        ({"TERM": "screen-256color", "COLORTERM": ""}, {"16", "256"}),
        pytest.param(
            {"TERM": "xterm-256color", "COLORTERM": "truecolor"}, {"16", "256", "true"}, marks=pytest.mark.slow
        ),
        ({"NO_COLOR": "1"}, set()),
    ],
    ids=["linux", "16 colours", "256 colours", "all colours", "NO_COLOR"],
)
def test_no_more_colours_are_used_than_there_are(
    app: App, few: Path, database: Path, variables: dict[str, str], used: set[str]
) -> None:
    screen = app("review", "few", **variables)
    screen.until(FIRST_CARD)
    screen.type(" ")
    screen.until("Answer 0.")
    screen.type("3")
    screen.until("reviewed 1 ")
    screen.type("q")
    assert screen.ended() == 0
    screen.assert_restored()
    assert colors(screen.output) <= used
    assert ratings(database) == [("card-0", 3)]
    if variables.get("TERM") == "linux":
        assert screen.text.isascii(), "a console shows other characters as boxes"


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_without_a_cursor_gets_lines(app: App, few: Path, database: Path, term: str) -> None:
    screen = app("review", "few", TERM=term)
    screen.until("Enter shows the answer.")
    screen.type("\n")
    screen.until("rate 1 again")
    screen.type("3\n")
    screen.until("Saved: 3 good")
    screen.type("\x03")
    assert screen.ended() == 130
    assert sequences(screen.output) == set()
    assert b"Traceback" not in screen.output
    screen.assert_restored()
    assert ratings(database) == [("card-0", 3)]
