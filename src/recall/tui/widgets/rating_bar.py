"""The four ratings and what each brings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from recall.model.review import Rating
from recall.tui.glyphs import Glyphs
from recall.tui.widgets.card_text import COLUMN

if TYPE_CHECKING:
    from recall.tui.ports import Button

_COLORS = {Rating.AGAIN: "$error", Rating.HARD: "$warning", Rating.GOOD: "$success", Rating.EASY: "$primary"}
_GAP = 1
_MARGIN = 2
"""Cells left and right of the text column on narrow screens."""
_WIDEST = 22
_TINT = "22%"


class RatingBar(Widget):
    """Two rows; empty while the question is open, so that nothing moves when the answer comes."""

    DEFAULT_CSS = """
    RatingBar { height: 2; background: $background; text-wrap: nowrap; }
    RatingBar.-open { background: $surface; }
    """

    @dataclass
    class Chosen(Message):
        """A rating was clicked."""

        rating: Rating

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._buttons: tuple[Button, ...] = ()
        self._suggested: Rating | None = None

    def show(self, buttons: Sequence[Button], suggested: Rating | None) -> None:
        """Show *buttons*, the suggested one tinted; none: stay empty."""
        self._buttons = tuple(buttons)
        self._suggested = suggested
        self.set_class(bool(buttons), "-open")
        self.refresh()

    def render(self) -> Content:
        if not self._buttons:
            return Content("")
        left, each = self._measures()
        rows: list[list[tuple[str, str]]] = [[(" " * left, "")], [(" " * left, "")]]
        for button in self._buttons:
            color = _COLORS[button.rating]
            ground = "on $panel"
            bold = "bold"
            if button.rating == self._suggested:
                # Where there is no colour to tint with, the suggested one is drawn reversed.
                ground = "reverse" if self.has_pseudo_class("ansi") else f"on {color} {_TINT}"
                bold = "bold underline"
            name = button.rating.name.lower()
            inner = each - 1 - _GAP
            number = f"{button.rating.value} "
            pad = max(0, inner - len(number) - len(name))
            rows[0] += [
                (self._glyphs.bar, color),
                (" " * (pad // 2), ground),
                (number, f"bold {ground}"),
                (name, f"{bold if button.rating == self._suggested else ''} {ground}"),
                (" " * (pad - pad // 2), ground),
                (" " * _GAP, ""),
            ]
            label = button.label[:inner]
            rows[1] += [
                (self._glyphs.bar, color),
                (label.center(inner), f"{'$foreground' if button.rating == self._suggested else '$muted'} {ground}"),
                (" " * _GAP, ""),
            ]
        return Content.assemble(*rows[0], "\n", *rows[1])

    def _measures(self) -> tuple[int, int]:
        """Cells left of the first button, and cells of each with the gap after it."""
        width = self.content_size.width
        column = min(COLUMN, width - 2 * _MARGIN)
        each = max(8, min(_WIDEST + 1 + _GAP, column // 4))
        return max(0, (width - column) // 2), each

    def on_click(self, event: events.Click) -> None:
        left, each = self._measures()
        number = (event.get_content_offset_capture(self).x - left) // each
        if 0 <= number < len(self._buttons):
            self.post_message(self.Chosen(self._buttons[number].rating))
