"""Every sign that the app draws by itself, each with its ASCII twin."""

from __future__ import annotations

from dataclasses import dataclass

from recall.prose.layout import Glyphs as TextGlyphs

_UNICODE_TEXT = TextGlyphs(
    bullets=("•", "◦", "▪"), quote="▌ ", rule="─", column=" │ ", crossing="─┼─", code="  ", math="    "
)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Signs of the basic plane, one cell each; no emoji, no private use."""

    count: str = "●"
    bar: str = "▌"
    right: str = "✓"
    attention: str = "!"
    dot: str = "·"
    path: str = "›"
    progress: str = "▁"
    line: str = "─"
    branch: str = "├─ "
    last_branch: str = "└─ "
    open_fold: str = "▾"
    closed_fold: str = "▸"
    full: str = "━"
    levels: str = "▁▂▃▄▅▆▇█"
    """Eight heights of a bar, lowest first."""
    text: TextGlyphs = _UNICODE_TEXT


DRAWN_BY_TEXTUAL = str.maketrans(
    {"…": ".", "▏": "|", "▎": "|", "▌": "|", "▁": "_", "▔": "-", "▄": " ", "▀": " ", "█": " "}
)
"""ASCII twins, cell by cell, of what comes from Textual: cut text, borders, scroll bars."""

UNICODE = Glyphs()
ASCII = Glyphs(
    count="*",
    bar="|",
    right="v",
    dot="-",
    path=">",
    progress="_",
    line="-",
    branch="|- ",
    last_branch="`- ",
    open_fold="v",
    closed_fold=">",
    full="=",
    levels="_.-=oO#@",
    text=TextGlyphs(bullets=("*", "-", "+"), quote="| ", rule="-", column=" | ", crossing="-+-", code="  "),
)
