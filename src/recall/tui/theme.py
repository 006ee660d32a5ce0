"""Colours by meaning, in five themes.

Text has a contrast of at least 7:1, muted and coloured text of at least 4.5:1, on each surface that it is
used on; a test computes it.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from recall.tui.glyphs import DRAWN_BY_TEXTUAL

_ANSI_VARIABLES = {
    "ansi-background": "ansi_black",
    "ansi-foreground": "ansi_white",
    "muted": "ansi_bright_black",
    "rule": "ansi_bright_black",
    "border": "ansi_blue",
    "border-blurred": "ansi_bright_black",
    "cursor-background": "ansi_blue",
    "cursor-foreground": "ansi_bright_white",
    "suggested": "ansi_default",
    "block-cursor-foreground": "ansi_bright_white",
    "block-cursor-background": "ansi_blue",
    "input-cursor-background": "ansi_white",
    "input-cursor-foreground": "ansi_black",
    "input-selection-background": "ansi_blue",
    "input-selection-foreground": "ansi_bright_white",
    "screen-selection-background": "ansi_blue",
    "screen-selection-foreground": "ansi_bright_white",
    "scrollbar": "ansi_bright_black",
    "scrollbar-hover": "ansi_white",
    "scrollbar-active": "ansi_white",
    "scrollbar-background": "ansi_default",
    "scrollbar-corner-color": "ansi_default",
    "scrollbar-background-hover": "ansi_default",
    "scrollbar-background-active": "ansi_default",
}


def _variables(
    *, muted: str, rule: str, cursor: str, on_cursor: str, selection: str, thumb: str, ground: str
) -> dict[str, str]:
    return {
        "muted": muted,
        "rule": rule,
        "border-blurred": rule,
        "cursor-background": cursor,
        "cursor-foreground": on_cursor,
        "block-cursor-background": cursor,
        "block-cursor-foreground": on_cursor,
        "block-cursor-text-style": "none",
        "input-selection-background": selection,
        "screen-selection-background": selection,
        "scrollbar": thumb,
        "scrollbar-background": ground,
        "scrollbar-background-hover": ground,
        "scrollbar-background-active": ground,
        "scrollbar-corner-color": ground,
    }


DARK = Theme(
    name="recall-dark",
    primary="#7aa2f7",
    secondary="#5ec4b6",
    accent="#e0af68",
    success="#8fca7a",
    warning="#e5b567",
    error="#ee7a82",
    foreground="#d5d9e6",
    background="#14161e",
    surface="#1a1d27",
    panel="#232733",
    variables=_variables(
        muted="#8b90a3",
        rule="#39405a",
        cursor="#33406b",
        on_cursor="#eef1fb",
        selection="#33406b",
        thumb="#39405a",
        ground="#14161e",
    ),
)
LIGHT = Theme(
    name="recall-light",
    dark=False,
    primary="#2f5fc4",
    secondary="#0c625c",
    accent="#8a5a00",
    success="#276b27",
    warning="#7d5200",
    error="#b3262f",
    foreground="#22262f",
    background="#fbfaf7",
    surface="#f3f1ea",
    panel="#e7e4da",
    variables=_variables(
        muted="#66625a",
        rule="#c9c4b5",
        cursor="#cfdcf8",
        on_cursor="#14213d",
        selection="#cfdcf8",
        thumb="#c9c4b5",
        ground="#fbfaf7",
    ),
)
HIGH_CONTRAST = Theme(
    name="recall-high-contrast",
    primary="#9dc1ff",
    secondary="#5ff0dd",
    accent="#ffd75f",
    success="#87ff87",
    warning="#ffd75f",
    error="#ff9e9e",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    variables=_variables(
        muted="#d0d0d0",
        rule="#d0d0d0",
        cursor="#ffffff",
        on_cursor="#000000",
        selection="#005fd7",
        thumb="#ffffff",
        ground="#000000",
    ),
)
ANSI = Theme(
    name="recall-ansi",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_yellow",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables=_ANSI_VARIABLES,
)
MONO = Theme(
    name="recall-mono",
    ansi=True,
    primary="ansi_default",
    secondary="ansi_default",
    accent="ansi_default",
    success="ansi_default",
    warning="ansi_default",
    error="ansi_default",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables=dict.fromkeys(_ANSI_VARIABLES, "ansi_default"),
)
THEMES = {theme.name: theme for theme in (DARK, LIGHT, ANSI, HIGH_CONTRAST, MONO)}
VARIABLE_DEFAULTS = DARK.variables


class AsciiSigns(LineFilter):
    """Replaces the signs that Textual draws by their ASCII twins, for terminals that have no others."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text.translate(DRAWN_BY_TEXTUAL), style, control) for text, style, control in segments]


class WithoutColor(LineFilter):
    """Takes every colour out of what is drawn; bold, underline and reverse stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, style.without_color if style is not None else None, control)
            for text, style, control in segments
        ]
