"""The keys of a screen, made from its bindings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input

from recall.tui import keys
from recall.tui.keys import Context, Group
from recall.tui.screens.base import RecallScreen
from recall.tui.screens.scrolling import ScrollingScreen
from recall.tui.widgets.card_text import CardText, Piece, said
from recall.tui.widgets.header import Header
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.line_input import LineInput

_KEYS_WIDE = 18
_GROUPS: tuple[Group, ...] = ("answer", "card", "session", "move", "app")


class HelpScreen(ScrollingScreen):
    """Over another screen, whose keys it tells."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("help", "scroll")
    NAME: ClassVar[str] = "help"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("help", "scroll")
    DEFAULT_CSS = """
    HelpScreen LineInput { display: none; }
    HelpScreen.-filtering LineInput { display: block; }
    """

    def __init__(self, below: RecallScreen) -> None:
        super().__init__()
        self._below = below

    def compose(self) -> ComposeResult:
        yield Header()
        line = LineInput("filter")
        line.can_focus = False
        yield line
        with VerticalScroll(id="stage", can_focus=False):
            yield CardText(self.surroundings.glyphs)
        yield KeyLine()

    def on_mount(self) -> None:
        dot = self.surroundings.glyphs.dot
        self.query_one(Header).show([("recall", "bold $primary"), (f"  help {dot} {self._below.NAME}", "$muted")])
        self._show("")
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        return [self.hint("filter", "filter"), self.hint("close", "close")]

    def _show(self, text: str) -> None:
        pieces = list(help_pieces(self._below, text))
        self.query_one(CardText).show(pieces or [said(("no key does that", "$warning"))])

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        self._show(event.value)

    def action_filter(self) -> None:
        line = self.query_one(LineInput)
        line.can_focus = True
        self.add_class("-filtering")
        line.focus()

    @on(Input.Submitted)
    def leave_line(self) -> None:
        self.query_one(LineInput).can_focus = False
        self.set_focus(None)

    def action_close(self) -> None:
        line = self.query_one(LineInput)
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
            line.value = ""
            self.leave_line()
        else:
            self.dismiss(None)


def help_pieces(below: RecallScreen, text: str) -> Iterator[Piece]:
    """The keys of the screen *below* by group, those whose line holds *text*."""
    keymap = below.surroundings.keymap
    contexts: tuple[Context, ...] = (*below.CONTEXTS, "everywhere")
    for number, group in enumerate(_GROUPS):
        lines: list[tuple[str, str]] = []
        for context in contexts:
            for key in keys.TABLE[context]:
                bound = keys.shown(keys.keys_of(context, key.id, keymap), None) or "palette"
                if key.group == group and text.lower() in f"{bound} {key.about}".lower():
                    lines.append((bound, key.about))
        if lines:
            yield said((group, "$muted"), gap=1 if number else 0)
            for bound, about in lines:
                yield said(
                    (f"{bound:<{_KEYS_WIDE}}", "bold $accent" if bound != "palette" else "$muted"), (about, ""), gap=0
                )
