"""The last row: the keys that matter now, or what was just done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from recall.prose.marks import strip_unsafe

_GAP = "   "


class Hint(NamedTuple):
    """One key with its word, and what a click on it does."""

    keys: str
    word: str
    action: str


class KeyLine(Widget):
    """Hints from the left, dropped from the right where there is no room; the last one always stays."""

    DEFAULT_CSS = "KeyLine { height: 1; padding: 0 1; background: $surface; text-wrap: nowrap; }"

    @dataclass
    class Clicked(Message):
        """A hint was clicked."""

        action: str

    def __init__(self) -> None:
        super().__init__()
        self._hints: tuple[Hint, ...] = ()
        self._notice: Content | None = None

    def show(self, hints: Sequence[Hint]) -> None:
        """Show *hints*; a notice stays over them."""
        if tuple(hints) != self._hints:
            self._hints = tuple(hints)
            self.refresh()

    def forget(self) -> None:
        """Take the notice away."""
        if self._notice is not None:
            self._notice = None
            self.refresh()

    def notice(self, text: str, style: str = "$foreground") -> None:
        """Show *text* instead of the hints."""
        self._notice = Content.styled(strip_unsafe(text).replace("\n", " "), style)
        self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        if self._notice is not None:
            room = width - self._length(self._hints[-1:]) - len(_GAP)
            return self._notice.truncate(max(0, room), ellipsis=True, pad=True) + _GAP + self._drawn(self._hints[-1:])
        return self._drawn(self._fitting(width))

    def _fitting(self, width: int) -> tuple[Hint, ...]:
        first, last = self._hints[:-1], self._hints[-1:]
        while first and self._length((*first, *last)) > width:
            first = first[:-1]
        return (*first, *last)

    def _length(self, hints: Sequence[Hint]) -> int:
        return sum(len(hint.keys) + 1 + len(hint.word) for hint in hints) + len(_GAP) * max(0, len(hints) - 1)

    def _drawn(self, hints: Sequence[Hint]) -> Content:
        parts: list[str | tuple[str, str]] = []
        for number, hint in enumerate(hints):
            parts += [_GAP if number else "", (hint.keys, "bold $accent"), (f" {hint.word}", "$muted")]
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        if self._notice is not None:
            return
        x = event.get_content_offset_capture(self).x
        at = 0
        for hint in self._fitting(self.content_size.width):
            end = at + self._length((hint,))
            if at <= x < end:
                self.post_message(self.Clicked(hint.action))
                return
            at = end + len(_GAP)
