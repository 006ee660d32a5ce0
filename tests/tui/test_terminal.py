"""The app in a real terminal: whatever happens to it, the terminal is left as it was and ratings are kept."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

import recall as package
from terminal import Terminal, opened

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
SOURCES = Path(package.__file__).resolve().parents[1]
SCRIPT = Path(__file__).with_name("app_in_terminal.py")
PASTE_BEGIN, PASTE_END = b"\x1b[200~", b"\x1b[201~"
COLOR = re.compile(rb"\x1b\[[0-9;:]*m")


def start(
    reports: Path, screen: str = "review", theme: str = "recall-dark", *more: str, **environment: str
) -> AbstractContextManager[Terminal]:
    command = [sys.executable, "-X", "faulthandler", str(SCRIPT), screen, theme, str(reports), *more]
    variables = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(SOURCES)}
    variables.pop("NO_COLOR", None)
    return opened(command, {**variables, **environment}, columns=80, rows=24)


def test_a_session_in_a_real_terminal_leaves_it_as_it_was(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        terminal.type(" ")
        terminal.until("Answer 1.")
        terminal.type("3")
        terminal.until("Question 2?")
        terminal.type("q")
        assert terminal.ended() == 0
        terminal.assert_restored()
        assert (tmp_path / "ratings").read_text() == "GOOD\n"
        assert (tmp_path / "closed").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_app_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        terminal.type(" 4")
        terminal.until("Question 2?")
        terminal.signal(number)
        assert terminal.ended() == 1
        terminal.assert_restored()
        assert (tmp_path / "ratings").read_text() == "EASY\n"
        assert b"Traceback" not in terminal.output


def test_a_closed_window_ends_the_app(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        terminal.type(" 4")
        terminal.until("Question 2?")
        terminal.hang_up()
        terminal.ended()
        assert (tmp_path / "ratings").read_text() == "EASY\n"


def test_a_crash_restores_the_terminal_and_then_says_one_sentence(tmp_path: Path) -> None:
    with start(tmp_path, "review", "recall-dark", "crash") as terminal:
        terminal.until("Question 1?")
        terminal.type(" 3")
        assert terminal.ended() == 1
        terminal.assert_restored()
        said = terminal.output.rpartition(b"\x1b[?1049l")[2].decode()
        assert "the app failed (ZeroDivisionError), every rating is saved" in said
        assert "Traceback" not in said
        (report,) = tmp_path.glob("crash-*.txt")
        assert str(report) in said.replace("\r\n", "")
        assert "ZeroDivisionError: a bug" in report.read_text()
        assert report.stat().st_mode & 0o777 == 0o600


def test_old_mouse_reports_and_bytes_that_are_no_text_are_ignored(tmp_path: Path) -> None:
    """After tmux re-attaches, the terminal may report the mouse in the old form, whose bytes are any."""
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        mark = len(terminal.output)
        terminal.type(b"\x1b[M  \x33\x1b[M\xff\xfe\x80\xc3\x28\x80\x80")
        terminal.type(b"\x1b[M 3")
        terminal.type(b"3")
        terminal.until(lambda _: b"\x1b[?1006h" in terminal.output[mark:])
        assert "Question 1?" in terminal.text, "no byte of a report acts as a key"
        assert "Answer 1." not in terminal.text
        terminal.type(" ")
        terminal.until("Answer 1.")
        terminal.type("q")
        assert terminal.ended() == 0


def test_a_storm_of_sizes_is_survived(tmp_path: Path) -> None:
    sizes = random.Random(2)
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        for _ in range(100):
            terminal.resize(sizes.randint(1, 200), sizes.randint(1, 60))
            terminal.for_a_while(0.005)
        terminal.resize(1, 1)
        terminal.for_a_while(0.05)
        terminal.resize(80, 24)
        terminal.until("Question 1?")
        terminal.type(" ")
        terminal.until("Answer 1.")
        terminal.type("q")
        assert terminal.ended() == 0
        assert b"Traceback" not in terminal.output


def test_a_paste_of_100_kb_is_text_in_a_field_and_nothing_elsewhere(tmp_path: Path) -> None:
    paste = PASTE_BEGIN + b"3 4 q s b u\n" * 8500 + PASTE_END
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        terminal.type(paste)
        terminal.type(" ")
        terminal.until("Answer 1.")
        assert not (tmp_path / "ratings").exists()
        terminal.type("a")
        terminal.until("new card")
        terminal.type(paste)
        terminal.until("3 4 q s b u")
        terminal.type("\x1b")
        terminal.until("Answer 1.")
        terminal.type("q")
        assert terminal.ended() == 0


def test_no_color_means_no_colour(tmp_path: Path) -> None:
    with start(tmp_path, "review", "recall-mono", NO_COLOR="1") as terminal:
        terminal.until("Question 1?")
        terminal.type(" ")
        terminal.until("Answer 1.")
        terminal.type("q")
        assert terminal.ended() == 0
        for sequence in set(COLOR.findall(terminal.output)):
            for code in sequence[2:-1].split(b";"):
                assert int(code or b"0") not in {*range(30, 50), *range(90, 108)}, sequence


def test_it_stops_to_the_shell_and_comes_back(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.until("Question 1?")
        terminal.type("Z")
        terminal.until(lambda _: b"\x1b[?1049l" in terminal.output)
        pid, status = os.waitpid(terminal.process.pid, os.WUNTRACED)
        assert pid
        assert os.WIFSTOPPED(status)
        terminal.assert_restored()
        mark = len(terminal.output)
        terminal.signal(signal.SIGCONT)
        terminal.until(lambda _: b"Question" in terminal.output[mark:])
        terminal.type("q")
        assert terminal.ended() == 0
        terminal.assert_restored()


def test_ctrl_c_twice_quits(tmp_path: Path) -> None:
    with start(tmp_path, "home") as terminal:
        terminal.until("24 due")
        terminal.type("\x03")
        terminal.until("ctrl+c again")
        terminal.type("\x03")
        assert terminal.ended() == 1
        terminal.assert_restored()


def test_leaving_is_quick(tmp_path: Path) -> None:
    """The share of it that is ours: Python's own end is not counted, a loaded machine is allowed for."""
    with start(tmp_path, "home") as terminal:
        terminal.until("24 due")
        asked = time.perf_counter()
        terminal.type("q")
        terminal.until(lambda _: b"\x1b[?1049l" in terminal.output)
        assert time.perf_counter() - asked < 1.0
        assert terminal.ended() == 0
