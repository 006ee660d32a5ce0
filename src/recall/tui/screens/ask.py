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


class AskScreen(RecallScreen):
    """Dismissed with the answer, or None."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("find",)
    NAME: ClassVar[str] = "question"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("find")
    AUTO_FOCUS: ClassVar[str | None] = "Input"
    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 60%; }
    AskScreen #ask { width: 60; max-width: 100%; height: auto; padding: 1 2; background: $surface; }
    AskScreen Input { border: none; height: 1; padding: 0 1; margin-top: 1; background: $panel; }
    AskScreen KeyLine { dock: bottom; }
    """

    def __init__(self, question: str, placeholder: str = "") -> None:
        super().__init__()
        self._question = question
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        with Vertical(id="ask"):
            yield Static(Content(self._question))
            yield Input(placeholder=self._placeholder, select_on_focus=False)
        yield KeyLine()

    def on_mount(self) -> None:
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        return [self.hint("choose", "done"), self.hint("leave", "cancel")]

    @on(Input.Submitted)
    def action_choose(self) -> None:
        self.dismiss(self.query_one(Input).value)

    def action_leave(self) -> None:
        self.dismiss(None)
