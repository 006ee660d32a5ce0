"""What the terminal is, asked before the app is even imported. Standard library only."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from types import TracebackType
from typing import Any

ANSWER_WAIT_S = 0.05
"""How long after the question a terminal may take to report its background."""
_REPORT = re.compile(rb"\x1b\]11;rgb:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)(?:\x07|\x1b\\)")


def can_show_app() -> bool:
    """Whether this is a terminal that can show a full screen; else plain mode."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def ascii_only() -> bool:
    """Whether signs beyond ASCII would come out wrong."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return os.environ.get("TERM", "") == "linux" or not encoding.startswith("utf")


class BackgroundQuery:
    """Asks the terminal for its background colour without waiting: the answer arrives while the app is imported.

        with BackgroundQuery() as query:
            ... # import, open
            light = query.is_light()

    Outside a POSIX terminal it asks nothing, and `is_light` is None.
    """

    def __init__(self) -> None:
        self._modes: list[object] | None = None
        self._asked_at = 0.0
        self._light: bool | None = None
        self._done = False
        self._handlers: dict[int, Any] = {}
        """What signals did before."""

    def __enter__(self) -> BackgroundQuery:
        if os.name != "posix" or not can_show_app() or os.environ.get("TERM", "").startswith("linux"):
            self._done = True
            return self
        import termios

        self._catch_signals()
        descriptor = sys.stdin.fileno()
        try:
            self._modes = termios.tcgetattr(descriptor)
            quiet = termios.tcgetattr(descriptor)
            quiet[3] &= ~(termios.ICANON | termios.ECHO)
            termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
            os.write(sys.stdout.fileno(), b"\x1b]11;?\x1b\\")
        except (termios.error, OSError):
            self._done = True
        self._asked_at = time.monotonic()
        return self

    def is_light(self) -> bool | None:
        """Whether the background is light; None when the terminal did not say. Waits for what is left of 50 ms."""
        if self._done:
            return self._light
        import select

        self._done = True
        descriptor = sys.stdin.fileno()
        seen = b""
        while True:
            left = max(0.0, self._asked_at + ANSWER_WAIT_S - time.monotonic())
            if not select.select([descriptor], [], [], left)[0]:
                break
            seen += os.read(descriptor, 256)
            if report := _REPORT.search(seen):
                red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in report.groups())
                self._light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
                break
        return self._light

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._modes is not None:
            import termios

            try:
                self.is_light()
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._modes)  # pyright: ignore[reportArgumentType] -- as tcgetattr gave it
            except (termios.error, OSError):
                # The terminal is gone.
                pass
        import signal

        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _catch_signals(self) -> None:
        """Let signals that end the program set the modes back first."""
        import signal
        import termios

        def end(number: int, frame: object) -> None:
            with contextlib.suppress(termios.error):
                if self._modes is not None:
                    termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._modes)  # pyright: ignore[reportArgumentType] -- as tcgetattr gave it
            # An exception from here could be lost in whatever is being imported.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

        for number in (signal.SIGTERM, signal.SIGHUP):
            self._handlers[number] = signal.signal(number, end)
