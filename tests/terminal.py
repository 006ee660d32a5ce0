"""A program in a real pseudo-terminal: what it draws, what it leaves behind."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyte

DEADLINE_S = 30.0
SOURCES = Path(__file__).resolve().parent.parent / "src"


class Terminal:
    """Starts *command* on a terminal of 80x24, and draws what it writes."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        variables = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(SOURCES)}
        variables.pop("NO_COLOR", None)
        variables.update(environment or {})
        self.status: int | None = None
        self.descriptor, child = pty.openpty()
        self.resize(80, 24)
        self.modes_before = termios.tcgetattr(child)
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(child, termios.TIOCSCTTY, 0)
            for number in range(3):
                os.dup2(child, number)
            os.closerange(3, 256)
            os.execvpe(command[0], list(command), variables)
        # Kept open, so that the modes can be read after the program has ended.
        self._child = child

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        for descriptor in {self.descriptor, self._child} - {-1}:
            os.close(descriptor)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def send(self, keys: bytes | str) -> None:
        """Type *keys*; what the program writes meanwhile is read, so that neither waits for the other."""
        data = keys.encode() if isinstance(keys, str) else keys
        while data:
            readable, writable, _ = select.select([self.descriptor], [self.descriptor], [], 1)
            if readable:
                self._read()
            if writable:
                data = data[os.write(self.descriptor, data[:512]) :]

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Close the terminal under the program, as a closed window does."""
        for descriptor in (self.descriptor, self._child):
            os.close(descriptor)
        self.descriptor = self._child = -1

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def modes(self) -> list[object]:
        return termios.tcgetattr(self._child)

    def wait_for(self, what: str | Callable[[], bool]) -> None:
        """Read until *what* is on the screen, or holds."""
        holds = (lambda: what in self.text) if isinstance(what, str) else what
        until = time.monotonic() + DEADLINE_S
        while not holds():
            left = until - time.monotonic()
            if left <= 0 or not self._read(left):
                raise AssertionError(f"{what!r} never came; the screen:\n{self.text}")

    def wait_for_end(self) -> int:
        """Read until the program has ended; returns its exit status."""
        until = time.monotonic() + DEADLINE_S
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > until:
                raise AssertionError(f"the program did not end; the screen:\n{self.text}")
            elif self.descriptor >= 0:
                self._read(0.02)
            else:
                select.select([], [], [], 0.02)
        while self.descriptor >= 0 and self._read(0):
            pass
        return self.status

    def _read(self, wait_s: float = 0.0) -> bool:
        if not select.select([self.descriptor], [], [], wait_s)[0]:
            return False
        try:
            data = os.read(self.descriptor, 65_536)
        except OSError:
            return False
        self.written += data
        self._stream.feed(data)
        return bool(data)


def python(script: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-X", "faulthandler", str(script), *arguments]
