"""A text field of one row, without a frame."""

from __future__ import annotations

from textual.widgets import Input


class LineInput(Input):
    """Text begins at the left edge; focus shows by the cursor."""

    DEFAULT_CSS = """
    LineInput, LineInput:focus {
        border: none; height: 1; padding: 0 1; background: $panel; background-tint: $panel 0%;
    }
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, select_on_focus=False)
        self.cursor_blink = False
