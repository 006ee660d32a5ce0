"""The second row: how far the session is."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from recall.tui.glyphs import Glyphs


class SessionBar(Widget):
    """A line across the screen: done, to come again, to do."""

    DEFAULT_CSS = "SessionBar { height: 1; background: $background; text-wrap: nowrap; }"

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._counts = (0, 0, 0)

    def show(self, done: int, again: int, waiting: int) -> None:
        """Cards done, cards waiting to come again, and all others that wait."""
        if (done, again, waiting) != self._counts:
            self._counts = (done, again, waiting)
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        total = sum(self._counts)
        if not total:
            return Content("")
        done = round(self._counts[0] / total * width)
        again = min(width - done, -(-self._counts[1] * width // total))
        # Without colours to tell it apart, what is to do is drawn by its absence.
        waiting = " " if self.has_pseudo_class("ansi") else self._glyphs.progress
        return Content.assemble(
            (self._glyphs.progress * done, "$success"),
            (self._glyphs.progress * again, "$warning"),
            (waiting * (width - done - again), "$panel"),
        )
