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
    wrong: str = "✗"
    close: str = "≈"
    attention: str = "!"
    unknown: str = "?"
    revealed: str = "–"
    dot: str = "·"
    ellipsis: str = "…"
    path: str = "›"
    progress: str = "▁"
    line: str = "─"
    vertical: str = "│"
    branch: str = "├─ "
    last_branch: str = "└─ "
    trunk: str = "│  "
    open_fold: str = "▾"
    closed_fold: str = "▸"
    full: str = "━"
    levels: str = "▁▂▃▄▅▆▇█"
    """Eight heights of a bar, lowest first."""
    no_value: str = "–"
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
    wrong="x",
    close="~",
    revealed="-",
    dot="-",
    ellipsis="...",
    path=">",
    progress="_",
    line="-",
    vertical="|",
    branch="|- ",
    last_branch="`- ",
    trunk="|  ",
    open_fold="v",
    closed_fold=">",
    full="=",
    levels="_.-=oO#@",
    no_value="-",
    text=TextGlyphs(bullets=("*", "-", "+"), quote="| ", rule="-", column=" | ", crossing="-+-", code="  "),
)
