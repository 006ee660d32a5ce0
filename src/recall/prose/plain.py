"""Card text as plain lines: for pipes, screen readers and lists. No byte below 0x20 except the line end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recall.prose.blocks import Block, Code, Heading, Items, Math, Paragraph, Quote, Rule, Table, parse
from recall.prose.layout import Glyphs, Typesetter
from recall.prose.spans import text_of
from recall.prose.spelling import Spelling

PLAIN = Glyphs()
_PLAIN_SPELLING = Spelling()
_TITLE_SPELLING = Spelling(addresses=False)
_SPACES = re.compile(r"\s+")


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


def one_line(markdown: str) -> str:
    """*markdown* as one line of any length, for lists: the first words count, structure is left out."""
    return _SPACES.sub(" ", " ".join(_texts(parse(markdown)))).strip()


def _texts(blocks: Sequence[Block]) -> list[str]:
    texts: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(spans) | Heading(_, spans) | Math(spans):
                texts.append("".join(span.text for span in _TITLE_SPELLING.spans(spans)))
            case Items(items):
                texts += [text for item in items for text in _texts(item)]
            case Quote(inner):
                texts += _texts(inner)
            case Code(text, _):
                texts.append(text)
            case Table(_, head, rows):
                cells = [cell for row in (head, *rows) for cell in row]
                texts += ["".join(span.text for span in _TITLE_SPELLING.spans(cell)) for cell in cells]
            case Rule():
                pass
    return texts
