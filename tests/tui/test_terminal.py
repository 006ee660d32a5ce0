"""The app in a real terminal: whatever happens to it, the terminal is left as it was and ratings are kept."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from pathlib import Path

import pytest

from terminal import Terminal, python

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
SCRIPT = Path(__file__).with_name("app_in_terminal.py")
PASTE_BEGIN, PASTE_END = b"\x1b[200~", b"\x1b[201~"
COLOR = re.compile(rb"\x1b\[[0-9;:]*m")


def start(
    reports: Path, screen: str = "review", theme: str = "recall-dark", *more: str, **environment: str
) -> Terminal:
    return Terminal(python(SCRIPT, screen, theme, str(reports), *more), environment)


def assert_restored(terminal: Terminal) -> None:
    """Modes as before, alternate screen left, cursor shown, mouse and paste reports off."""
    assert terminal.modes == terminal.modes_before
    last = {
        code: terminal.written.rfind(code)
        for code in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?1003l", b"\x1b[?2004l")
    }
    for code, at in last.items():
        assert at > terminal.written.rfind(code[:-1] + (b"l" if code.endswith(b"h") else b"h")), code


def test_a_session_in_a_real_terminal_leaves_it_as_it_was(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        terminal.send(" ")
        terminal.wait_for("Answer 1.")
        terminal.send("3")
        terminal.wait_for("Question 2?")
        terminal.send("q")
        assert terminal.wait_for_end() == 0
        assert_restored(terminal)
        assert (tmp_path / "ratings").read_text() == "GOOD\n"
        assert (tmp_path / "closed").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_app_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        terminal.send(" 4")
        terminal.wait_for("Question 2?")
        terminal.signal(number)
        assert terminal.wait_for_end() == 1
        assert_restored(terminal)
        assert (tmp_path / "ratings").read_text() == "EASY\n"
        assert b"Traceback" not in terminal.written


def test_a_closed_window_ends_the_app(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        terminal.send(" 4")
        terminal.wait_for("Question 2?")
        terminal.hang_up()
        terminal.wait_for_end()
        assert (tmp_path / "ratings").read_text() == "EASY\n"


def test_a_crash_restores_the_terminal_and_then_says_one_sentence(tmp_path: Path) -> None:
    with start(tmp_path, "review", "recall-dark", "crash") as terminal:
        terminal.wait_for("Question 1?")
        terminal.send(" 3")
        assert terminal.wait_for_end() == 1
        assert_restored(terminal)
        said = terminal.written.rpartition(b"\x1b[?1049l")[2].decode()
        assert "the app failed (ZeroDivisionError), every rating is saved" in said
        assert "Traceback" not in said
        (report,) = tmp_path.glob("crash-*.txt")
        assert str(report) in said.replace("\r\n", "")
        assert "ZeroDivisionError: a bug" in report.read_text()
        assert report.stat().st_mode & 0o777 == 0o600


def test_old_mouse_reports_and_bytes_that_are_no_text_are_ignored(tmp_path: Path) -> None:
    """After tmux re-attaches, the terminal may report the mouse in the old form, whose bytes are any."""
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        mark = len(terminal.written)
        terminal.send(b"\x1b[M  \x33\x1b[M\xff\xfe\x80\xc3\x28\x80\x80")
        terminal.send(b"\x1b[M 3")
        terminal.send(b"3")
        terminal.wait_for(lambda: b"\x1b[?1006h" in terminal.written[mark:])
        assert "Question 1?" in terminal.text, "no byte of a report acts as a key"
        assert "Answer 1." not in terminal.text
        terminal.send(" ")
        terminal.wait_for("Answer 1.")
        terminal.send("q")
        assert terminal.wait_for_end() == 0


def test_a_storm_of_sizes_is_survived(tmp_path: Path) -> None:
    sizes = random.Random(2)
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        for _ in range(100):
            terminal.resize(sizes.randint(1, 200), sizes.randint(1, 60))
            terminal._read(0.005)
        terminal.resize(1, 1)
        terminal._read(0.05)
        terminal.resize(80, 24)
        terminal.wait_for("Question 1?")
        terminal.send(" ")
        terminal.wait_for("Answer 1.")
        terminal.send("q")
        assert terminal.wait_for_end() == 0
        assert b"Traceback" not in terminal.written


def test_a_paste_of_100_kb_is_text_in_a_field_and_nothing_elsewhere(tmp_path: Path) -> None:
    paste = PASTE_BEGIN + b"3 4 q s b u\n" * 8500 + PASTE_END
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        terminal.send(paste)
        terminal.send(" ")
        terminal.wait_for("Answer 1.")
        assert not (tmp_path / "ratings").exists()
        terminal.send("a")
        terminal.wait_for("new card")
        terminal.send(paste)
        terminal.wait_for("3 4 q s b u")
        terminal.send("\x1b")
        terminal.wait_for("Answer 1.")
        terminal.send("q")
        assert terminal.wait_for_end() == 0


def test_no_color_means_no_colour(tmp_path: Path) -> None:
    with start(tmp_path, "review", "recall-mono", NO_COLOR="1") as terminal:
        terminal.wait_for("Question 1?")
        terminal.send(" ")
        terminal.wait_for("Answer 1.")
        terminal.send("q")
        assert terminal.wait_for_end() == 0
        for sequence in set(COLOR.findall(terminal.written)):
            for code in sequence[2:-1].split(b";"):
                assert int(code or b"0") not in {*range(30, 50), *range(90, 108)}, sequence


def test_it_stops_to_the_shell_and_comes_back(tmp_path: Path) -> None:
    with start(tmp_path) as terminal:
        terminal.wait_for("Question 1?")
        terminal.send("Z")
        terminal.wait_for(lambda: b"\x1b[?1049l" in terminal.written)
        pid, status = os.waitpid(terminal.pid, os.WUNTRACED)
        assert pid
        assert os.WIFSTOPPED(status)
        assert terminal.modes == terminal.modes_before
        mark = len(terminal.written)
        terminal.signal(signal.SIGCONT)
        terminal.wait_for(lambda: b"Question" in terminal.written[mark:])
        terminal.send("q")
        assert terminal.wait_for_end() == 0
        assert_restored(terminal)


def test_ctrl_c_twice_quits(tmp_path: Path) -> None:
    with start(tmp_path, "home") as terminal:
        terminal.wait_for("24 due")
        terminal.send("\x03")
        terminal.wait_for("ctrl+c again")
        terminal.send("\x03")
        assert terminal.wait_for_end() == 1
        assert_restored(terminal)


def test_leaving_is_quick(tmp_path: Path) -> None:
    """The share of it that is ours: Python's own end is not counted, a loaded machine is allowed for."""
    with start(tmp_path, "home") as terminal:
        terminal.wait_for("24 due")
        asked = time.perf_counter()
        terminal.send("q")
        terminal.wait_for(lambda: b"\x1b[?1049l" in terminal.written)
        assert time.perf_counter() - asked < 1.0
        assert terminal.wait_for_end() == 0
