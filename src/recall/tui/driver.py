"""The terminal under the app: reads whatever bytes come, notices when the terminal is gone, stops at once.

Textual 8.2 stops on bytes that are not UTF-8 and on key reports that it does not expect, spins when the terminal
closes, leaves it as it is at a signal, and waits up to 200 ms for its reading thread when the app ends.
"""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys
from textual.message import Message

if TYPE_CHECKING:
    from textual.app import App

_OLD_MOUSE = b"\x1b[M"
"""Begins a mouse report of the old form; three bytes follow, which may be any."""
_OLD_MOUSE_LENGTH = 6
_READ_BYTES = 65_536
_LARGEST_SCREEN = 1_000_000
"""Cells; what reports more is no terminal but stray bytes, and drawing it would take all memory."""


class Gone:
    """A terminal's output that may vanish: writing to it then does nothing."""

    def __init__(self, file: Any, on_gone: Callable[[], None]) -> None:
        self._file = file
        self._on_gone = on_gone
        self.is_gone = False

    def write(self, text: str) -> None:
        self._try(lambda: self._file.write(text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def fileno(self) -> int:
        return int(self._file.fileno())

    def isatty(self) -> bool:
        return bool(self._file.isatty())

    def _try(self, action: Callable[[], object]) -> None:
        if self.is_gone:
            return
        try:
            action()
        except UnicodeEncodeError:
            # A lone surrogate from a broken file: that one write is lost, the terminal is there.
            return
        except (OSError, ValueError):
            self.is_gone = True
            self._on_gone()


class OldMouse:
    """Takes mouse reports of the old form (X10) out of a stream of bytes.

    They come after `tmux` re-attaches with modes of its own; read as text, their bytes would be keys.
    """

    def __init__(self) -> None:
        self._kept = b""
        self.found = False

    def without(self, data: bytes) -> bytes:
        """*data* without such reports; one that is cut off waits for the next call."""
        data = self._kept + data
        self._kept = b""
        clean = b""
        while (at := data.find(_OLD_MOUSE)) >= 0:
            self.found = True
            clean += data[:at]
            if len(data) - at < _OLD_MOUSE_LENGTH:
                self._kept = data[at:]
                return clean
            data = data[at + _OLD_MOUSE_LENGTH :]
        return clean + data


class Answers:
    """Takes a terminal's answers out of a stream of bytes: colours, names, the clipboard.

    Over a slow line the answer to the question for the background comes when the app is running already; read as
    keys, its letters would act.
    """

    _WHOLE = re.compile(rb"\x1b\][0-9]+;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[01>!][^\x1b]*\x1b\\")
    _BEGUN = re.compile(rb"\x1b(?:\][0-9]+;[^\x07\x1b]*|P[01>!][^\x1b]*)\x1b?\Z")
    _LONGEST = 4096

    def __init__(self) -> None:
        self._kept = b""

    def without(self, data: bytes) -> bytes:
        """*data* without answers; one that is cut off waits for the next call."""
        data = self._WHOLE.sub(b"", self._kept + data)
        begun = self._BEGUN.search(data)
        self._kept = begun[0] if begun and len(begun[0]) <= self._LONGEST else b""
        return data[: len(data) - len(self._kept)]


class Pasted:
    """Finds text that was pasted in a terminal that does not mark pastes.

    Key by key an editor would take minutes for a large one. Elsewhere keys act, and stay keys.
    """

    AT_ONCE = 16
    """Characters that come together and are not typed."""

    def __init__(self) -> None:
        self._before = ""
        self._in_marked = False

    def is_unmarked(self, text: str) -> bool:
        """Whether *text*, which came after all texts before it, is such a paste or a part of one."""
        within = self._in_marked or "\x1b" in self._before
        seen = self._before + text
        self._before = seen[1 - len(BRACKETED_PASTE_START) :]
        began, ended = seen.rfind(BRACKETED_PASTE_START), seen.rfind(BRACKETED_PASTE_END)
        if began != ended:
            self._in_marked = began > ended
        is_text = all(character >= " " or character in "\t\r\n" for character in text)
        return not within and is_text and len(text) >= self.AT_ONCE


class TolerantParser(XTermParser):
    """Textual's parser of what a terminal sends; what makes no sense is no key."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> list[events.Key]:
        # Alternate keys and key releases, which a terminal sends when another program asked for them and did not
        # take it back, and numbers that are no character.
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
            for key in keys:
                (key.character or "").encode()
        except (ValueError, OverflowError):
            return [events.Key(Keys.Ignore, sequence)]
        return keys

    def parse_mouse_code(self, code: str) -> Message | None:
        # A stray report of a window without pixels spoils the arithmetic.
        try:
            return super().parse_mouse_code(code)
        except ArithmeticError:
            return None


class RecallDriver(LinuxDriver):
    """Textual's driver for POSIX terminals, hardened."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)  # pyright: ignore[reportUnknownMemberType] -- App is generic there without argument
        self._file: Any = Gone(sys.__stderr__, self._lost)
        self._wake_read, self._wake_write = os.pipe()

    def start_application_mode(self) -> None:
        # Before the first mode is changed: a signal ends the app in its own way, which changes them back.
        loop = asyncio.get_running_loop()
        for number, code in ((signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGINT, 130)):
            loop.add_signal_handler(number, self._app.exit, code)
        super().start_application_mode()

    def _lost(self) -> None:
        self._app.call_later(self._app.exit)

    def disable_input(self) -> None:
        os.write(self._wake_write, b".")
        super().disable_input()

    def _in_editor(self) -> bool:
        from textual.app import ScreenError
        from textual.widgets import TextArea

        try:
            return isinstance(self._app.focused, TextArea)
        except ScreenError:
            return False

    def run_input_thread(self) -> None:
        """Read the terminal until the app ends or the terminal is gone."""
        parser = TolerantParser(self._debug)
        decode = getincrementaldecoder("utf-8")(errors="ignore").decode
        old_mouse = OldMouse()
        answers = Answers()
        pasted = Pasted()
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ, "terminal")
            selector.register(self._wake_read, selectors.EVENT_READ, "wake")
            while not self.exit_event.is_set():
                ready = [key.data for key, _ in selector.select(0.1)]
                if "wake" in ready:
                    os.read(self._wake_read, 16)
                elif "terminal" in ready:
                    try:
                        data = os.read(self.fileno, _READ_BYTES)
                    except OSError:
                        data = b""
                    if not data:
                        self._lost()
                        return
                    # To the parser, no text is the end of all input.
                    text = decode(old_mouse.without(answers.without(data)))
                    if pasted.is_unmarked(text) and self._in_editor():
                        self.process_message(events.Paste(text.replace("\r", "\n")))
                        continue
                    for event in parser.feed(text) if text else ():
                        if not isinstance(event, events.Resize) or 0 < event.size.area <= _LARGEST_SCREEN:
                            self.process_message(event)
                    if old_mouse.found:
                        # The terminal forgot the modes that we asked for.
                        old_mouse.found = False
                        self._enable_mouse_support()
                for event in parser.tick():
                    self.process_message(event)
