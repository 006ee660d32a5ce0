"""A list of one-line rows with a cursor; only the rows on screen are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip


class Rows(ScrollView):
    """A subclass says how many rows there are and draws one of them."""

    DEFAULT_CSS = """
    Rows { background: $background; scrollbar-size: 1 1; height: 1fr; }
    Rows > .rows--cursor { background: $cursor-background; color: $cursor-foreground; }
    Rows:ansi > .rows--cursor { text-style: reverse; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"rows--cursor"}

    @dataclass
    class Chosen(Message):
        """A row was clicked twice."""

        row: int

    def __init__(self) -> None:
        super().__init__()
        self.can_focus = False
        self._cursor = 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def draw_row(self, row: int, width: int, *, under_cursor: bool) -> Content:
        """One row, at most *width* cells. Under the cursor it should bring no colours of its own."""
        raise NotImplementedError

    @property
    def cursor(self) -> int:
        return self._cursor

    def rows_changed(self, cursor: int = 0) -> None:
        """Draw anew after the rows are others."""
        self._cursor = max(0, min(cursor, self.count - 1))
        self.virtual_size = Size(1, self.count)
        self._show_cursor()
        self.refresh()

    def move(self, by: int) -> None:
        """Move the cursor *by* rows."""
        self.move_to(self._cursor + by)

    def move_pages(self, pages: float) -> None:
        self.move(int(pages * max(1, self.size.height - 1)))

    def move_to(self, row: int) -> None:
        row = max(0, min(row, self.count - 1))
        if row != self._cursor:
            self._cursor = row
            self._show_cursor()
            self.refresh()

    def _show_cursor(self) -> None:
        height = self.size.height
        if not height:
            return
        top = round(self.scroll_offset.y)
        if self._cursor < top:
            self.scroll_to(y=self._cursor, animate=False, immediate=True)
        elif self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        self._show_cursor()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        row = y + round(self.scroll_offset.y)
        style = self.visual_style
        if row >= self.count:
            return Strip.blank(width, style.rich_style)
        under_cursor = row == self._cursor
        if under_cursor:
            style = self.get_visual_style("rows--cursor")
        content = self.draw_row(row, width, under_cursor=under_cursor)
        content = content.truncate(width, ellipsis=True, pad=True)
        segments: list[Segment] = content.render_segments(style)
        return Strip(segments, width)

    def on_click(self, event: events.Click) -> None:
        row = event.get_content_offset_capture(self).y + round(self.scroll_offset.y)
        if 0 <= row < self.count:
            self.move_to(row)
            if event.chain == 2:
                self.post_message(self.Chosen(row))
