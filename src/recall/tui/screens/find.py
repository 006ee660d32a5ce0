"""Search all cards while typing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from recall.errors import RecallError
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.widgets.header import Header
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.line_input import LineInput
from recall.tui.widgets.rows import Rows
from recall.tui.widgets.text_rows import TextRow, TextRows

_LIMIT = 50


class FindScreen(RecallScreen):
    """Dismissed with the deck of the chosen card, or None."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("find",)
    NAME: ClassVar[str] = "search"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("find")
    AUTO_FOCUS: ClassVar[str | None] = "LineInput"
    DEFAULT_CSS = """
    FindScreen Rows { margin-top: 1; }
    """

    def compose(self) -> ComposeResult:
        yield Header()
        yield LineInput('words, "a phrase", deck: tag: is:due')
        yield TextRows()
        yield KeyLine()

    def on_mount(self) -> None:
        self._count("")
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        return [self.hint("choose", "review its deck"), self.hint("find.down", "next"), self.hint("leave", "back")]

    def _count(self, text: str, style: str = "$muted") -> None:
        self.query_one(Header).show([("recall", "bold $primary"), ("  search", "$muted")], [(text, style)])

    @on(Input.Changed)
    def search(self, event: Input.Changed) -> None:
        query = event.value.strip()
        if not query:
            self.query_one(TextRows).show([])
            self._count("")
            return
        try:
            found = self.recall.study.search(query, _LIMIT)
        except RecallError as error:
            # The query may only be half typed: said quietly and in one line, the list stays.
            self._count(error.message.partition("\n")[0], "$warning")
            return
        self.query_one(TextRows).show([TextRow(card.deck, card.title, card.deck) for card in found])
        if found:
            more = "the first " if len(found) == _LIMIT else ""
            self._count(f"{more}{len(found)} {'card' if len(found) == 1 else 'cards'}")
        else:
            self._count("no card matches", "$warning")

    @on(Input.Submitted)
    @on(Rows.Chosen)
    def action_choose(self) -> None:
        row = self.query_one(TextRows).chosen
        if row is not None:
            self.dismiss(row.value)

    def action_leave(self) -> None:
        line = self.query_one(LineInput)
        if line.value:
            line.value = ""
        else:
            self.dismiss(None)

    def action_move(self, by: int) -> None:
        self.query_one(TextRows).move(by)

    def action_move_pages(self, pages: float) -> None:
        self.query_one(TextRows).move_pages(pages)
