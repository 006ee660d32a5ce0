"""Home: the decks, what waits, and how it goes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from recall.schedule.days import date_of
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.widgets.deck_tree import DeckTree
from recall.tui.widgets.header import Header, Part
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.rows import Rows
from recall.tui.widgets.side_panel import SidePanel

if TYPE_CHECKING:
    from recall.tui.ports import Overview


_PHONE = 72
"""Columns below which the tree stands alone: beside the panel a deck would have nine columns for its name."""


class HomeScreen(RecallScreen):
    """The tree of decks and a panel beside it."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("home", "list")
    NAME: ClassVar[str] = "home"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("home", "list")
    DEFAULT_CSS = """
    #body { height: 1fr; }
    #body DeckTree { width: 1fr; max-width: 76; height: 100%; }
    #body SidePanel { width: 1fr; height: 100%; }
    HomeScreen.-narrow #body SidePanel { width: 30; }
    HomeScreen.-phone #body SidePanel { display: none; }
    HomeScreen.-no-decks #body DeckTree { display: none; }
    HomeScreen.-no-decks #body SidePanel { width: 1fr; border-left: none; padding: 1 4; }
    """

    def __init__(self, overview: Overview) -> None:
        super().__init__()
        self.overview = overview

    def compose(self) -> ComposeResult:
        glyphs = self.surroundings.glyphs
        yield Header()
        with Horizontal(id="body"):
            yield DeckTree(glyphs)
            yield SidePanel(glyphs)
        yield KeyLine()

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        # Names of decks need the room more than the panel does; without decks the panel is all there is.
        self.set_class(event.size.width < _PHONE and bool(self.overview.decks), "-phone")

    def draw(self) -> None:
        """Draw the overview."""
        overview = self.overview
        self.set_class(not overview.decks, "-no-decks")
        self.query_one(DeckTree).show(overview.decks)
        self.query_one(SidePanel).show(overview, date_of(self.surroundings.today()).weekday())
        right: list[Part] = [(self._date(), "$muted")]
        if overview.streak:
            right += [(f" {self.surroundings.glyphs.dot} streak ", "$muted"), f"{overview.streak} d"]
        self.query_one(Header).show([("recall", "bold $primary")], right, right[-1:])
        self.show_keys()

    def refresh_overview(self) -> None:
        """Ask the study again, after a session."""
        with self.telling("The decks could not be read"):
            self.overview = self.recall.study.overview()
            self.draw()

    def _date(self) -> str:
        moment = self.surroundings.clock.now()
        local = time.gmtime(moment.ms // 1000 + moment.offset_min * 60)
        return time.strftime("%a %d %b", local).replace(" 0", " ")

    def hints(self) -> Sequence[Hint]:
        if not self.overview.decks:
            return [self.hint("write", "write a card"), self.hint("import", "import"), self.hint("quit", "quit")]
        waiting = self.overview.due + self.overview.new
        return [
            self.hint("review_all", f"review {waiting}" if waiting else "review"),
            self.hint("review_deck", "this deck"),
            self.hint("find", "search"),
            self.hint("write", "new card"),
            self.hint("quit", "quit"),
        ]

    # --- actions ---------------------------------------------------------------------------------------------------

    def action_review_all(self) -> None:
        self.open_review()

    def action_review_deck(self) -> None:
        deck = self.query_one(DeckTree).deck
        if deck is not None:
            self.open_review([deck])

    @on(Rows.Chosen)
    def review_by_mouse(self) -> None:
        self.action_review_deck()

    def open_review(self, decks: Sequence[str] = (), limit: int | None = None) -> None:
        """Begin a session of *decks* (all when empty)."""
        from recall.tui.screens.review import ReviewScreen

        with self.telling("The review could not begin"):
            self.recall.push_screen(ReviewScreen(self.recall.study.session(decks, limit=limit)))

    def action_refresh_home(self) -> None:
        with self.telling("The decks could not be read"):
            self.recall.study.sync()
            self.refresh_overview()
            self.recall.say("decks read again")

    def action_find(self) -> None:
        from recall.tui.screens.find import FindScreen

        def found(deck: str | None) -> None:
            if deck is not None:
                self.open_review([deck])

        self.recall.push_screen(FindScreen(), found)

    def action_write(self) -> None:
        from recall.tui.screens.write import WriteScreen

        def written(card: str | None) -> None:
            self.refresh_overview()
            if card is not None:
                self.recall.say(f"written: {card}")

        self.recall.push_screen(WriteScreen(self.recall.study.add), written)

    def action_import(self) -> None:
        self.tell("recall import PATH reads a Markdown file or a folder of them.", title="import", error=False)

    def action_fold(self) -> None:
        self.query_one(DeckTree).fold()

    def action_unfold(self) -> None:
        self.query_one(DeckTree).unfold()

    def action_move(self, by: int) -> None:
        self.query_one(DeckTree).move(by)

    def action_move_pages(self, pages: float) -> None:
        self.query_one(DeckTree).move_pages(pages)

    def action_move_to(self, where: str) -> None:
        tree = self.query_one(DeckTree)
        tree.move_to(0 if where == "top" else tree.count - 1)

    def action_quit(self) -> None:
        self.recall.exit(0)
