"""The keys that scroll, for screens with one column of text."""

from __future__ import annotations

from textual.containers import VerticalScroll

from recall.tui.screens.base import RecallScreen


class ScrollingScreen(RecallScreen):
    """Has a `VerticalScroll` with the id `stage`."""

    @property
    def stage(self) -> VerticalScroll:
        return self.query_one("#stage", VerticalScroll)

    def action_scroll_card(self, lines: int) -> None:
        self.stage.scroll_relative(y=lines, animate=False)

    def action_scroll_pages(self, pages: float) -> None:
        self.stage.scroll_relative(y=int(pages * max(1, self.stage.size.height - 1)), animate=False)

    def action_scroll_to(self, where: str) -> None:
        if where == "top":
            self.stage.scroll_home(animate=False)
        else:
            self.stage.scroll_end(animate=False)
