"""The first row: where one is, what is left, what time it is."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from recall.prose.marks import strip_unsafe

Part = str | tuple[str, str]
"""Text, or text with its style."""


class Header(Widget):
    """Left side and right side; the right side is the longest of its forms that fits."""

    DEFAULT_CSS = "Header { height: 1; padding: 0 1; background: $surface; text-wrap: nowrap; }"

    def __init__(self) -> None:
        super().__init__()
        self._left = Content("")
        self._right: tuple[Content, ...] = ()

    def show(self, left: Sequence[Part], *right: Sequence[Part]) -> None:
        """Show *left*, and the first of *right* that has room."""
        drawn = (_drawn(left), tuple(_drawn(form) for form in right))
        if drawn != (self._left, self._right):
            self._left, self._right = drawn
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        left = self._left
        for form in self._right:
            gap = width - left.cell_length - form.cell_length
            if gap >= 2:
                return left + Content(" " * gap) + form
        if self._right and (room := width - self._right[-1].cell_length - 2) > 0:
            return left.truncate(room, ellipsis=True, pad=True) + Content("  ") + self._right[-1]
        return left.truncate(width, ellipsis=True)


def _drawn(parts: Sequence[Part]) -> Content:
    # Names of decks come from files.
    return Content.assemble(*map(safe_part, parts))


def safe_part(part: Part) -> Part:
    """*part* without what a terminal would obey."""
    return strip_unsafe(part) if isinstance(part, str) else (strip_unsafe(part[0]), part[1])
