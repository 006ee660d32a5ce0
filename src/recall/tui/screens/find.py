"""Search all cards while typing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

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

if TYPE_CHECKING:
    from recall.tui.ports import Found

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

    def __init__(self) -> None:
        super().__init__()
        self._found: Sequence[Found] = ()

    def compose(self) -> ComposeResult:
        yield Header()
        yield LineInput('words, "a phrase", deck: tag: is:due')
        yield TextRows()
        yield KeyLine()

    def on_mount(self) -> None:
        self._count("")
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        card = self._chosen()
        return [
            self.hint("choose", "review its deck"),
            *([self.hint("wake", "wake it")] if card and card.state.suspended else []),
            self.hint("find.down", "next"),
            self.hint("leave", "back"),
        ]

    def _chosen(self) -> Found | None:
        cursor = self.query_one(TextRows).cursor
        return self._found[cursor] if cursor < len(self._found) else None

    def _count(self, text: str, style: str = "$muted") -> None:
        self.query_one(Header).show([("recall", "bold $primary"), ("  search", "$muted")], [(text, style)])

    @on(Input.Changed)
    def search(self, event: Input.Changed) -> None:
        self._search(event.value)

    def _search(self, text: str) -> None:
        query = text.strip()
        if not query:
            self._show([])
            self._count("")
            return
        try:
            found = self.recall.study.search(query, _LIMIT)
        except RecallError as error:
            # The query may only be half typed: said quietly and in one line, the list stays.
            self._count(error.message.partition("\n")[0], "$warning")
            return
        self._show(found)
        if found:
            more = "the first " if len(found) == _LIMIT else ""
            self._count(f"{more}{len(found)} {'card' if len(found) == 1 else 'cards'}")
        else:
            self._count("no card matches", "$warning")

    def _show(self, found: Sequence[Found]) -> None:
        self._found = found
        dot = self.surroundings.glyphs.dot
        rows = [
            TextRow(card.deck, card.title, f"suspended {dot} {card.deck}" if card.state.suspended else card.deck)
            for card in found
        ]
        self.query_one(TextRows).show(rows)
        self.show_keys()

    def action_wake(self) -> None:
        card = self._chosen()
        if card is None:
            return
        if not card.state.suspended:
            self.say("this card is not suspended", "$muted")
            return
        with self.telling("The card was not woken"):
            self.recall.study.wake(card.id)
            rows = self.query_one(TextRows)
            cursor = rows.cursor
            self._search(self.query_one(LineInput).value)
            rows.move_to(min(cursor, rows.count - 1))
            self.say("awake: it comes again")

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
        self.show_keys()

    def action_move_pages(self, pages: float) -> None:
        self.query_one(TextRows).move_pages(pages)
        self.show_keys()
