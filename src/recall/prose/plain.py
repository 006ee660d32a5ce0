"""Card text as plain lines: for pipes, screen readers and lists. No byte below 0x20 except the line end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recall.prose.blocks import Block, Code, Heading, Items, Math, Paragraph, Quote, Rule, Table, parse
from recall.prose.layout import Glyphs, Typesetter
from recall.prose.spans import Span, text_of

PLAIN = Glyphs()
_SPACES = re.compile(r"\s+")


def plain_lines(markdown: str, width: int = 80) -> list[str]:
    """The lines of *markdown* at a *width* in cells.

    A hole stands in brackets, asked or revealed; a link is followed by its address, an image is its
    description, a formula its source.
    """
    blocks = tuple(_spelled(block) for block in parse(markdown))
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
                texts.append("".join(span.text for span in spell(spans, addresses=False)))
            case Items(items):
                texts += [text for item in items for text in _texts(item)]
            case Quote(inner):
                texts += _texts(inner)
            case Code(text, _):
                texts.append(text)
            case Table(_, head, rows):
                cells = [cell for row in (head, *rows) for cell in row]
                texts += ["".join(span.text for span in spell(cell, addresses=False)) for cell in cells]
            case Rule():
                pass
    return texts


def _spelled(block: Block) -> Block:
    match block:
        case Paragraph(spans):
            return Paragraph(spell(spans))
        case Heading(level, spans):
            return Heading(level, spell(spans))
        case Math(spans):
            return Math(spell(spans))
        case Items(items, start, loose):
            return Items(tuple(tuple(_spelled(inner) for inner in item) for item in items), start, loose)
        case Quote(blocks):
            return Quote(tuple(_spelled(inner) for inner in blocks))
        case Table(align, head, rows):
            return Table(align, tuple(map(spell, head)), tuple(tuple(map(spell, row)) for row in rows))
        case Code() | Rule():
            return block


def spell(spans: Sequence[Span], *, addresses: bool = True) -> tuple[Span, ...]:
    """*spans* with what style would tell written out: brackets for holes, addresses of links."""
    spelled: list[Span] = []
    for index, span in enumerate(spans):
        before = spans[index - 1] if index else None
        after = spans[index + 1] if index + 1 < len(spans) else None
        opens = _is_hole(span) and not (before and _is_hole(before))
        closes = _is_hole(span) and not (after and _is_hole(after))
        text = f"{'[' * opens}{span.text}{']' * closes}"
        ends_link = "link" in span.marks and not (after and "link" in after.marks and after.target == span.target)
        if addresses and ends_link and span.target not in ("", span.text, f"mailto:{span.text}"):
            text += f" ({span.target})"
        spelled.append(Span(text, span.marks, span.target))
    return tuple(spelled)


def _is_hole(span: Span) -> bool:
    return bool(span.marks & {"asked", "answer"})
