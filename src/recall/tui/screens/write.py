"""Write a new card without leaving the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static, TextArea

from recall.model.card import NoteId
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.widgets.header import Header
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.side_panel import EXAMPLE


class WriteScreen(RecallScreen):
    """Dismissed with the new card's id, or None. Text that is not saved is there the next time."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("write",)
    NAME: ClassVar[str] = "new card"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("write")
    AUTO_FOCUS: ClassVar[str | None] = "TextArea"
    DEFAULT_CSS = """
    WriteScreen #how { padding: 1 2; height: auto; color: $muted; }
    WriteScreen TextArea, WriteScreen TextArea:focus {
        border: none; padding: 0 1; margin: 0 1; height: 1fr; background: $surface;
    }
    """

    def __init__(self, save: Callable[[str], NoteId]) -> None:
        super().__init__()
        self._save = save

    def compose(self) -> ComposeResult:
        yield Header()
        example = Content("\n").join(Content.styled(f"  {line}", "$foreground") for line in EXAMPLE.split("\n"))
        yield Static(Content("Two ways to write a card, as in a deck file:\n") + example, id="how")
        area = TextArea(self.recall.draft, soft_wrap=True, show_line_numbers=False, tab_behavior="focus")
        yield area
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Header).show([("recall", "bold $primary"), ("  new card", "$muted")], [("into inbox", "$muted")])
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        return [self.hint("save", "save"), self.hint("cancel", "back")]

    def action_save(self) -> None:
        text = self.query_one(TextArea).text.strip()
        if not text:
            self.say("nothing is written yet", "$muted")
            return
        with self.telling("The card was not saved"):
            card = self._save(f"{text}\n")
            self.recall.draft = ""
            self.dismiss(card)

    def action_cancel(self) -> None:
        self.recall.draft = self.query_one(TextArea).text
        self.dismiss(None)
