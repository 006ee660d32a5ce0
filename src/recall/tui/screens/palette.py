"""Every command by name, with its key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.theme import THEMES
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.line_input import LineInput
from recall.tui.widgets.rows import Rows
from recall.tui.widgets.text_rows import TextRow, TextRows


class PaletteScreen(RecallScreen):
    """Over another screen; dismissed with the action to run there, or None."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("find",)
    NAME: ClassVar[str] = "commands"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("find")
    AUTO_FOCUS: ClassVar[str | None] = "LineInput"
    DEFAULT_CSS = """
    PaletteScreen { align: center top; background: $background 70%; }
    #commands { width: 76; max-width: 100%; height: auto; max-height: 100%; margin: 1 0 2 0; background: $surface; }
    #commands LineInput { margin: 1 0; }
    #commands Rows { height: 16; max-height: 70vh; background: $surface; }
    PaletteScreen KeyLine { dock: bottom; }
    """

    def __init__(self, below: RecallScreen) -> None:
        super().__init__()
        # The screen below stays in view.
        self._modal = True
        self._commands = list(commands(below))

    def compose(self) -> ComposeResult:
        with Vertical(id="commands"):
            yield LineInput("command")
            yield TextRows()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(TextRows).show(self._commands)
        self.show_keys()

    def hints(self) -> Sequence[Hint]:
        return [self.hint("choose", "run"), self.hint("find.down", "next"), self.hint("leave", "close")]

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        words = event.value.lower().split()
        self.query_one(TextRows).show(
            [row for row in self._commands if all(word in f"{row.text} {row.beside}".lower() for word in words)]
        )

    @on(Input.Submitted)
    @on(Rows.Chosen)
    def action_choose(self) -> None:
        row = self.query_one(TextRows).chosen
        if row is not None:
            self.dismiss(row.value)

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        self.query_one(TextRows).move(by)

    def action_move_pages(self, pages: float) -> None:
        self.query_one(TextRows).move_pages(pages)


def commands(below: RecallScreen) -> Iterator[TextRow]:
    """All that can be done on the screen *below*, and what can be done everywhere."""
    keymap = below.surroundings.keymap
    for context in (*below.CONTEXTS, "everywhere"):
        for key in keys.TABLE[context]:
            if key.palette:
                bound = keys.keys_of(context, key.id, keymap)
                action = key.action if context != "everywhere" else f"app.{key.action}"
                yield TextRow(action, _sentence(key.about), keys.shown(bound), "bold $accent")
    for name in THEMES:
        yield TextRow(f"app.use_theme('{name}')", f"Theme: {name.removeprefix('recall-').replace('-', ' ')}")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
