"""Rows of ready text with something small at the right edge: for the palette and for search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from recall.prose.marks import strip_unsafe
from recall.tui.widgets.rows import Rows


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row; *value* is what choosing it means."""

    value: str
    text: str
    beside: str = ""
    beside_style: str = "$muted"


class TextRows(Rows):
    """A list that is replaced as a whole."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[TextRow, ...] = ()

    def show(self, rows: Sequence[TextRow]) -> None:
        """Show *rows*, the cursor on the first."""
        self._rows = tuple(rows)
        self.rows_changed()

    @property
    def count(self) -> int:
        return len(self._rows)

    @property
    def chosen(self) -> TextRow | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def draw_row(self, row: int, width: int, *, under_cursor: bool) -> Content:
        this = self._rows[row]
        beside = Content.styled(strip_unsafe(this.beside), "" if under_cursor else this.beside_style)
        room = max(4, width - beside.cell_length - 3)
        return (
            Content(" ")
            + Content(strip_unsafe(this.text).replace("\n", " ")).truncate(room, ellipsis=True, pad=True)
            + " "
            + beside
            + " "
        )
