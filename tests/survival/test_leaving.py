"""However the app ends, the terminal is as it was before, and what was rated is in the log."""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path

import pytest

from folds import differing_cards
from sessions import ratings
from terminal import App, Terminal, opened

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
FIRST_CARD = "show answer"


def rated(app: App, **variables: str) -> Terminal:
    """A review in which one card was rated."""
    screen = app("review", "few", **variables)
    screen.until(FIRST_CARD)
    screen.type(" 3")
    screen.until("reviewed 1 ")
    return screen


def assert_kept(database: Path) -> None:
    assert ratings(database) == [("card-0", 3)]
    assert differing_cards(database) == []


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("q", 0),
        (signal.SIGTERM, 1),
        pytest.param(signal.SIGHUP, 1, marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),
    ],
    ids=["q", "SIGTERM", "SIGHUP", "SIGINT"],
)
def test_every_way_out_restores_the_terminal(
    app: App, few: Path, database: Path, ending: str | signal.Signals, code: int
) -> None:
    screen = rated(app)
    if isinstance(ending, signal.Signals):
        screen.signal(ending)
    else:
        screen.type(ending)
    assert screen.ended() == code
    screen.assert_restored()
    assert b"Traceback" not in screen.output
    assert_kept(database)


def test_ctrl_c_warns_once_and_then_quits(app: App, few: Path, database: Path) -> None:
    screen = rated(app)
    screen.type("\x03")
    screen.until("ctrl+c again quits")
    screen.type("\x03")
    assert screen.ended() != 0
    screen.assert_restored()
    assert_kept(database)


def test_a_closed_window_ends_the_app(app: App, few: Path, database: Path) -> None:
    screen = rated(app)
    screen.hang_up()
    screen.ended()
    assert_kept(database)


@pytest.mark.parametrize("times", [pytest.param(3, id="3"), pytest.param(60, id="60", marks=pytest.mark.slow)])
def test_a_signal_while_the_app_starts_restores_the_terminal(app: App, few: Path, times: int) -> None:
    """From the question for the background colour on, the terminal is changed; the app listens only later."""
    moments = random.Random(20260304)
    for _ in range(times):
        screen = app("review", "few")
        screen.until_written(b"\x1b]11;?")
        screen.for_a_while(moments.uniform(0.0, 0.6))
        screen.signal(moments.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGINT]))
        screen.ended()
        screen.assert_restored()
        assert b"Traceback" not in screen.output
        screen.close()


CRASHING = """
import sys
from recall.study.session import Session
def fail(*_): raise ZeroDivisionError("a bug")
Session.undo = fail
sys.argv = ["recall", "review", "few"]
from recall.cli.main import main
sys.exit(main())
"""


def test_a_crash_restores_the_terminal_and_says_one_sentence(
    environment: dict[str, str], few: Path, database: Path
) -> None:
    with opened([sys.executable, "-c", CRASHING], {**environment, "TERM": "xterm-256color"}) as screen:
        screen.until(FIRST_CARD)
        screen.type(" 3")
        screen.until("reviewed 1 ")
        screen.type("u")
        assert screen.ended() != 0
        screen.assert_restored()
        said = screen.output.rpartition(b"\x1b[?1049l")[2].decode()
        assert "every rating is saved" in said
        assert "Traceback" not in said
    assert_kept(database)


@pytest.mark.parametrize("way", ["Z", pytest.param(signal.SIGTSTP, marks=pytest.mark.slow)], ids=["key", "SIGTSTP"])
def test_the_app_stops_to_the_shell_and_comes_back(
    app: App, few: Path, database: Path, way: str | signal.Signals
) -> None:
    screen = rated(app)
    if isinstance(way, signal.Signals):
        screen.signal(way)
    else:
        screen.type(way)
    screen.until_written(b"\x1b[?1049l")
    _, status = os.waitpid(screen.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    screen.assert_restored()
    before = len(screen.output)
    screen.signal(signal.SIGCONT)
    screen.until_written(b"\x1b[?1049h", before)
    # The shell has written over it: all is drawn again.
    screen.until_written(b"Question 1?", before)
    screen.type(" 4")
    screen.until("reviewed 2 ")
    screen.type("q")
    assert screen.ended() == 0
    screen.assert_restored()
    assert ratings(database) == [("card-0", 3), ("card-1", 4)]
