"""Beside the decks: what waits, the week, what is hard, what is broken. Without decks: how to get some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from recall.tui.glyphs import Glyphs
from recall.tui.widgets.header import Part, safe_part

if TYPE_CHECKING:
    from recall.tui.ports import Overview

_DAYS = "MTWTFSS"
_LEECHES = 5
_FAULTS = 3

EXAMPLE = """Q: What limits an elementwise kernel?
A: Memory bandwidth: one operation for each element moved.

C: A warp is [32] threads."""
"""A deck in four lines."""


class SidePanel(Widget):
    """Drawn from the overview."""

    DEFAULT_CSS = """
    SidePanel { padding: 1 2; border-left: vkey $rule; background: $background; text-wrap: nowrap; }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._overview: Overview | None = None
        self._weekday = 0

    def show(self, overview: Overview, weekday: int) -> None:
        """Show *overview*; *weekday* is today, Monday 0."""
        self._overview, self._weekday = overview, weekday
        self.refresh()

    def render(self) -> Content:
        overview = self._overview
        if overview is None:
            return Content("")
        width = self.content_size.width
        lines = self._without_decks() if not overview.decks else self._lines(overview)
        return Content("\n").join(
            Content.assemble(*map(safe_part, line)).truncate(width, ellipsis=True) for line in lines
        )

    def _lines(self, overview: Overview) -> Iterator[list[Part]]:
        glyphs = self._glyphs
        if overview.due or overview.new:
            kinds = [f"{count} {word}" for count, word in ((overview.due, "due"), (overview.new, "new")) if count]
            yield [(", ".join(kinds), "bold")]
            yield [(f"about {overview.minutes} {'minute' if overview.minutes == 1 else 'minutes'}", "$muted")]
        else:
            yield [(f"{glyphs.right} ", "$success"), ("nothing due", "bold")]
        yield []
        yield [("this week", "$muted")]
        yield self._week(overview)
        yield [(" ".join(_DAYS[: self._weekday]), "$muted"), *self._today()]
        if overview.leeches:
            yield []
            yield [("leeches", "$muted")]
            for _, title, lapses in overview.leeches[:_LEECHES]:
                yield [(glyphs.bar, "$error"), f"{title} ({lapses} lapses)"]
        if overview.faults:
            yield []
            yield [("deck faults", "$muted")]
            for fault in overview.faults[:_FAULTS]:
                place = fault.place
                yield [
                    (f"{glyphs.bar}{glyphs.attention} ", "$warning"),
                    f"{place.file.rpartition('/')[2]}:{place.line}",
                ]
                yield [(f"  {fault.message}", "$muted")]
            if len(overview.faults) > _FAULTS:
                yield [(f"  and {len(overview.faults) - _FAULTS} more: recall lint", "$muted")]

    def _week(self, overview: Overview) -> list[Part]:
        levels = self._glyphs.levels
        most = max(*overview.week, 1)
        line: list[Part] = []
        for day, count in enumerate(overview.week):
            level = levels[-(-count * (len(levels) - 1) // most)] if count else levels[0]
            style = "$rule" if not count else "bold $success" if day == self._weekday else "$success"
            line.append((f"{level} ", style))
        return line

    def _today(self) -> Iterator[Part]:
        yield (f"{' ' if self._weekday else ''}{_DAYS[self._weekday]}", "bold")
        rest = " ".join(_DAYS[self._weekday + 1 :])
        yield (f" {rest}" if rest else "", "$muted")

    def _without_decks(self) -> Iterator[list[Part]]:
        yield [("There are no decks yet.", "bold"), " Three ways to get cards:"]
        yield []
        yield [
            ("recall import PATH", "bold $accent"),
            ("   a Markdown file or a folder, followed where it is", "$muted"),
        ]
        yield [("a", "bold $accent"), ("                    write a card here", "$muted")]
        yield [("a text file", "bold $accent"), ("          ending in .md, with cards like these:", "$muted")]
        yield []
        for line in EXAMPLE.split("\n"):
            yield [("    "), (line, "$foreground")]
