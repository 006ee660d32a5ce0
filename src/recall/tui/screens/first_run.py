"""The first run: what was found, and one key to begin. Nothing is changed before it is pressed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.widgets.card_text import CardText, Piece, said
from recall.tui.widgets.header import Header
from recall.tui.widgets.key_line import Hint, KeyLine

if TYPE_CHECKING:
    from recall.tui.ports import Overview
    from recall.tui.screens.home import HomeScreen

_FIRST_CARDS = 10
_MINUTES = 4


class FirstRunScreen(RecallScreen):
    """Welcome."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("first_run",)
    NAME: ClassVar[str] = "first run"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("first_run")

    def __init__(self, overview: Overview) -> None:
        super().__init__()
        self.overview = overview

    def compose(self) -> ComposeResult:
        yield Header()
        with VerticalScroll(id="stage", can_focus=False):
            yield CardText(self.surroundings.glyphs)
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Header).show([("recall", "bold $primary"), ("  first run", "$muted")])
        self.query_one(CardText).show(list(self._pieces()))
        self.show_keys()

    def _pieces(self) -> Iterator[Piece]:
        glyphs = self.surroundings.glyphs
        decks = self.overview.decks
        cards = sum(deck.total for deck in decks)
        found = (f"{glyphs.right} ", "$success")
        lacking = (f"{glyphs.attention} ", "$warning")
        yield said(("Welcome.", "bold"), (" This was found; nothing was changed yet.", ""))
        if decks:
            built_in = sum(deck.bundled for deck in decks)
            own = f", {len(decks) - built_in} of your own" if built_in < len(decks) else ""
            yield said(found, ("decks       ", ""), (f"{built_in} built in{own}, {cards} cards", "$muted"))
        else:
            yield said(lacking, ("decks       ", ""), ("none yet", "$muted"))
        yield said(found if _has_colors() else lacking, ("terminal    ", ""), (_terminal_words(), "$muted"), gap=0)
        yield said(found, ("reviews     ", ""), (f"kept in {self.overview.database}", "$muted"), gap=0)
        keymap = self.surroundings.keymap

        def choice(name: str, what: str, more: str, gap: int = 0) -> Piece:
            key = keys.shown(keys.keys_of("first_run", name, keymap))
            return said((f"{key:<8}", "bold $accent"), (f"{what:<26}", ""), (more, "$muted"), gap=gap)

        yield choice("start", f"start with {_FIRST_CARDS} cards", f"about {_MINUTES} minutes", gap=1)
        yield choice("look", "look at the decks first", "")
        yield choice("write", "write a card of your own", "four lines of text")
        yield choice("import", "import decks", "a Markdown file or a folder")

    def hints(self) -> Sequence[Hint]:
        return [self.hint("start", "start"), self.hint("look", "decks"), self.hint("quit", "quit")]

    def action_start(self) -> None:
        home = self._home()
        if self.overview.decks:
            home.call_after_refresh(home.open_review, (), _FIRST_CARDS)

    def action_look(self) -> None:
        self._home()

    def action_write(self) -> None:
        home = self._home()
        home.call_after_refresh(home.action_write)

    def _home(self) -> HomeScreen:
        from recall.tui.screens.home import HomeScreen

        home = HomeScreen(self.overview)
        self.recall.push_screen(home)
        return home

    def action_import(self) -> None:
        self.tell("recall import PATH reads a Markdown file or a folder of them.", title="import", error=False)

    def action_quit(self) -> None:
        self.recall.exit(0)


def _has_colors() -> bool:
    return "256" in os.environ.get("TERM", "") or os.environ.get("COLORTERM", "") in ("truecolor", "24bit")


def _terminal_words() -> str:
    if os.environ.get("NO_COLOR"):
        return "no colour, as NO_COLOR asks"
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return "all colours"
    return "256 colours" if _has_colors() else "16 colours"
