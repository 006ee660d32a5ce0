"""Cells that text takes in a terminal."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


def cell_width(text: str) -> int:
    """Columns of *text* (one line): wide East Asian characters and emoji take two, what combines takes none."""
    if text.isascii():
        return len(text)
    return sum(map(_of_character, text))


@lru_cache(maxsize=4096)
def _of_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
