"""Card text as plain lines: for pipes and screen readers. No byte below 0x20 except the line end."""

from __future__ import annotations

from recall.prose.blocks import parse
from recall.prose.layout import Glyphs, Typesetter
from recall.prose.spans import text_of
from recall.prose.spelling import Spelling

PLAIN = Glyphs()
_PLAIN_SPELLING = Spelling()


def plain_lines(markdown: str, width: int = 80) -> list[str]:
    """The lines of *markdown* at a *width* in cells.

    A hole stands in brackets, asked or revealed; a link is followed by its address, an image is its
    description, a formula its source.
    """
    blocks = tuple(_PLAIN_SPELLING.block(block) for block in parse(markdown))
    return [text_of(line).rstrip() for line in Typesetter(width, PLAIN).lines(blocks)]


def plain_text(markdown: str, width: int = 80) -> str:
    """`plain_lines`, joined."""
    return "\n".join(plain_lines(markdown, width))
