"""One question, one line of answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.line_input import LineInput


class AskScreen(RecallScreen):
    """Dismissed with the answer, or None."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("find",)
    NAME: ClassVar[str] = "question"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("find")
    AUTO_FOCUS: ClassVar[str | None] = "LineInput"
    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 70%; }
    AskScreen #ask { width: 60; max-width: 100%; height: auto; padding: 1 2; background: $surface; }
    AskScreen LineInput { margin-top: 1; }
    AskScreen KeyLine { dock: bottom; }
    """

    def __init__(self, question: str, placeholder: str = "") -> None:
        super().__init__()
        self._modal = True
        self._question = question
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        with Vertical(id="ask"):
            yield Static(Content(self._question))
            yield LineInput(self._placeholder)
        yield KeyLine()

    def on_mount(self) -> None:
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        return [self.hint("choose", "done"), self.hint("leave", "cancel")]

    @on(Input.Submitted)
    def action_choose(self) -> None:
        self.dismiss(self.query_one(LineInput).value)

    def action_leave(self) -> None:
        self.dismiss(None)
