"""The program in a real pseudo-terminal: what it writes, what a screen shows of it, and which modes it leaves."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

import pyte

DEADLINE_S = 30.0
"""How long anything may take before a test gives up; generous, since machines that run tests are busy."""

# A session leader without a controlling terminal takes the one on its standard input, as a login does. Signals that the
# tests were started to ignore, as by `nohup`, are heeded again.
_TAKE_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_SEQUENCE = re.compile(
    # Control sequences, the operating system's commands up to their end, and two-character escapes.
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[^\[\]PX^_]"
)
CURSOR_SHOWN, LINE_WRAP = 25, 7


class Terminal:
    """A terminal with one program in it. Use `opened`."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], columns: int, rows: int, directory: str | None
    ) -> None:
        self._master, self._slave = pty.openpty()
        self.output = bytearray()
        """All that the program wrote."""
        self._drawn = 0
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._set_size(columns, rows)
        self.modes_before = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-c", _TAKE_TERMINAL, *command],
            env=dict(environment),
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            cwd=directory,
        )

    # --- what is shown ---------------------------------------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The rows of the screen as they are now."""
        self._draw()
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def until(self, wanted: str | Callable[[str], bool], deadline_s: float = DEADLINE_S) -> str:
        """Read until the screen shows *wanted*, and return its text."""
        shows = (lambda text: wanted in text) if isinstance(wanted, str) else wanted
        end = time.monotonic() + deadline_s
        while not shows(text := self.text):
            if not self._more(end):
                if shows(text := self.text):
                    break
                raise AssertionError(f"{wanted!r} is not shown (exit code {self.process.poll()}); the screen:\n{text}")
        return text

    def until_written(self, wanted: bytes, since: int = 0, deadline_s: float = DEADLINE_S) -> None:
        """Read until *wanted* is among the bytes written since the offset *since*."""
        end = time.monotonic() + deadline_s
        while self.output.find(wanted, since) < 0:
            if not self._more(end) and self.output.find(wanted, since) < 0:
                raise AssertionError(f"{wanted!r} was not written: {bytes(self.output[since:])[-500:]!r}")

    def for_a_while(self, seconds: float) -> None:
        """Take what comes for *seconds*, or until the program ends."""
        end = time.monotonic() + seconds
        while self._more(end):
            pass

    # --- what is done ----------------------------------------------------------------------------------------------

    def type(self, keys: str | bytes) -> None:
        """Send *keys*, taking what the program writes meanwhile, so that neither waits for the other."""
        left = keys.encode() if isinstance(keys, str) else keys
        end = time.monotonic() + DEADLINE_S
        while left and self.process.poll() is None:
            assert time.monotonic() < end, f"the program does not read; {len(left)} bytes are left"
            readable, writable, _ = select.select([self._master], [self._master], [], 0.05)
            if readable:
                self._read(0)
            if writable:
                # As much as a terminal's buffer always takes.
                left = left[os.write(self._master, left[:256]) :]

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size; the system tells the program."""
        # All is drawn anew; what was written so far was meant for the old size.
        self._drawn = len(self.output)
        self._set_size(columns, rows)
        self._screen.resize(rows, columns)

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)

    def hang_up(self) -> None:
        """Close the window."""
        for descriptor in (self._master, self._slave):
            os.close(descriptor)
        self._master = self._slave = -1

    def ended(self, deadline_s: float = DEADLINE_S) -> int:
        """Read to the end of the program and return its exit code."""
        end = time.monotonic() + deadline_s
        while self._more(end):
            pass
        assert self.process.poll() is not None, f"it does not end; the screen:\n{self.text}"
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for descriptor in {self._master, self._slave} - {-1}:
            os.close(descriptor)
        self._master = self._slave = -1

    # --- what is left behind ---------------------------------------------------------------------------------------

    @property
    def modes(self) -> dict[int, bool]:
        """The private modes that the program set or reset, as they are after all it wrote."""
        found: dict[int, bool] = {}
        for match in _MODE.finditer(self.output):
            for number in match[1].split(b";"):
                found[int(number)] = match[2] == b"h"
        return found

    def assert_restored(self) -> None:
        """The terminal is as it was before the program began."""
        assert termios.tcgetattr(self._slave) == self.modes_before
        modes = self.modes
        # Alternate screen, mouse, bracketed paste, focus and size reports are all modes of this kind.
        assert {number for number, is_on in modes.items() if is_on} <= {CURSOR_SHOWN, LINE_WRAP}, modes
        assert modes.get(CURSOR_SHOWN, True)
        assert modes.get(LINE_WRAP, True)
        pushed, popped = (len(re.findall(form, self.output)) for form in (rb"\x1b\[>\d+u", rb"\x1b\[<\d*u"))
        assert pushed <= popped, "the keyboard protocol is still changed"

    # --- inside ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        if self._drawn < len(self.output):
            self._stream.feed(bytes(self.output[self._drawn :]))
            self._drawn = len(self.output)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _more(self, end: float) -> bool:
        """Wait for output, until the instant *end* at most; whether there may be more."""
        left = end - time.monotonic()
        if left <= 0:
            return False
        if self._read(min(left, 0.05)) or self.process.poll() is None:
            return True
        # Its last words may have come between the two questions.
        return self._read(0)

    def _read(self, wait_s: float) -> bool:
        """Take what there is, waiting up to *wait_s* for it; whether anything came."""
        # A window that was closed has nothing to read: then this only waits.
        watched = [self._master] if self._master >= 0 else []
        if not select.select(watched, [], [], wait_s)[0]:
            return False
        try:
            part = os.read(self._master, 65536)
        except OSError:  # a terminal that nobody holds open any more
            return False
        self.output += part
        return bool(part)


@contextmanager
def opened(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    columns: int = 120,
    rows: int = 40,
    directory: str | None = None,
) -> Generator[Terminal]:
    """*command* in a terminal of its own, killed at the end if it still runs."""
    terminal = Terminal(command, environment, columns, rows, directory)
    try:
        yield terminal
    finally:
        terminal.close()


App = Callable[..., Terminal]
"""Starts `recall WORDS...` in a terminal of its own."""


def sequences(output: bytes | bytearray) -> set[str]:
    """The forms of the escape sequences in *output*: `#` stands for their numbers."""
    return {re.sub(r"[0-9;:]+", "#", match[0]) for match in _SEQUENCE.finditer(output.decode("utf-8", "replace"))}


def text_of(output: bytes | bytearray) -> str:
    """*output* without its escape sequences."""
    return _SEQUENCE.sub("", output.decode("utf-8", "replace"))
