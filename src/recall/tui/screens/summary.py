"""What the session came to, and what may follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from recall.model.review import Rating
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen, clock_time
from recall.tui.widgets.card_text import CardText, Piece, said
from recall.tui.widgets.header import Header
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.session_bar import SessionBar

if TYPE_CHECKING:
    from recall.tui.ports import Session, Summary

_BAR = 40
_COLUMN = 92
"""The widest that text goes."""
_MARGINS = 4
_LOOK_AGAIN_S = 5.0
_MORE_NEW = 5
_WEAKEST = 10
_COLORS = {Rating.AGAIN: "$error", Rating.HARD: "$warning", Rating.GOOD: "$success", Rating.EASY: "$primary"}


class SummaryScreen(RecallScreen):
    """Dismissed with `go on` when the session has a card again, with `leave` else."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("summary",)
    NAME: ClassVar[str] = "summary"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("summary")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        glyphs = self.surroundings.glyphs
        yield Header()
        yield SessionBar(glyphs)
        with VerticalScroll(id="stage", can_focus=False):
            yield CardText(glyphs)
        yield KeyLine()

    def on_mount(self) -> None:
        summary = self.session.summary()
        self.query_one(Header).show([("recall", "bold $primary"), ("  nothing due", "$muted")], [])
        self.query_one(SessionBar).show(1, 0, 0)
        self.query_one(CardText).show(list(self._pieces(summary)))
        self.show_keys()
        self.set_interval(_LOOK_AGAIN_S, self._look_again)

    def _look_again(self) -> None:
        """A card of the learning steps may be ready by now."""
        if self.session.waiting_until is not None and self.session.resume():
            self.dismiss("go on")

    def _pieces(self, summary: Summary) -> Iterator[Piece]:
        glyphs = self.surroundings.glyphs
        yield said((f"{glyphs.right} ", "bold $success"), ("Nothing is due.", "bold"))
        if summary.reviewed:
            right = f"{summary.first_try} right at first try"
            share = f" ({summary.first_try / summary.firsts:.0%})".replace("%", " %") if summary.firsts else ""
            yield said((f"{_cards(summary.reviewed)} in {_duration(summary.seconds)}, {right}{share}.", ""))
            most = max(summary.by_rating.values(), default=0)
            for rating in Rating:
                count = summary.by_rating.get(rating, 0)
                length = -(-count * _BAR // most) if most else 0
                yield said(
                    (f"{rating.name.lower():<8}", "$muted"),
                    (glyphs.full * length, _COLORS[rating]),
                    (f"{' ' if length else ''}{count}", "" if count else "$muted"),
                    gap=1 if rating is Rating.AGAIN else 0,
                )
        if self.session.waiting_until is not None:
            time = clock_time(self.surroundings.clock.at(self.session.waiting_until))
            yield said(("today     ", "$muted"), (f"a card comes again at {time}", ""))
        yield said(
            ("tomorrow  ", "$muted"),
            (f"{summary.tomorrow} due", ""),
            gap=1 if self.session.waiting_until is None else 0,
        )
        if summary.longest is not None:
            title, before, after = summary.longest
            yield self._card("farthest  ", title, f"{before} d {glyphs.path} {after} d")
        if summary.slowest is not None:
            yield self._card("slowest   ", summary.slowest[0], f"{summary.slowest[1]:.0f} s")
        if summary.weakest is not None:
            lapses = summary.weakest[1]
            yield self._card("weakest   ", summary.weakest[0], f"{lapses} {'lapse' if lapses == 1 else 'lapses'}")

    def _card(self, word: str, title: str, figure: str) -> Piece:
        """One line about a card, with as much of its title as fits."""
        room = min(self.recall.size.width, _COLUMN) - _MARGINS - len(word) - len(figure) - 2
        short = Content(title.replace("\n", " ")).truncate(max(room, 1), ellipsis=True).plain
        return said((word, "$muted"), (short, ""), (f"  {figure}", "$muted"), gap=0)

    def hints(self) -> Sequence[Hint]:
        return [
            self.hint("home", "home"),
            self.hint("more_new", f"{_MORE_NEW} more new"),
            self.hint("ahead", "review ahead"),
            self.hint("weakest", f"weakest {_WEAKEST}"),
            self.hint("undo", "undo"),
        ]

    def action_done(self) -> None:
        self.dismiss("leave")

    def action_more_new(self) -> None:
        with self.telling("No new cards"):
            self.session.more_new(_MORE_NEW)
            self._go_on("there are no new cards left")

    def action_ahead(self) -> None:
        with self.telling("Nothing ahead"):
            self.session.ahead()
            self._go_on("there is nothing to review ahead")

    def action_weakest(self) -> None:
        with self.telling("No weak cards"):
            self.session.weakest(_WEAKEST)
            self._go_on("no card was reviewed yet")

    def action_undo(self) -> None:
        with self.telling("Nothing was undone"):
            self.session.undo()
            self._go_on("nothing to undo")

    def _go_on(self, otherwise: str) -> None:
        if self.session.shown is not None:
            self.dismiss("go on")
        else:
            self.say(otherwise, "$muted")


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
