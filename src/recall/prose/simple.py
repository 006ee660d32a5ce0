"""Card text of plain paragraphs, read without the Markdown parser.

Most cards are sentences with a little code, math or emphasis. For these the result is known without a
parser, and the first card is on screen before the parser is even imported. Whatever is not surely
simple is left to the parser; a property test holds both to the same result.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from recall.prose.spans import Mark, Span

_OUTSIDE_BEFORE = r"(?<![^\s(])"
_OUTSIDE_AFTER = r"(?![^\s.,;:?)])"
_INNER = r"[A-Za-z0-9](?:[^*_`$\\\[\]<>&~\n]*[A-Za-z0-9])?"
_TOKEN = re.compile(
    r"(?<!`)`(?!`)(?P<code>[^`\n]+)(?<!`)`(?!`)"
    rf"|{_OUTSIDE_BEFORE}\*\*(?P<strong>{_INNER})\*\*{_OUTSIDE_AFTER}"
    rf"|{_OUTSIDE_BEFORE}\*(?P<emph>{_INNER})\*{_OUTSIDE_AFTER}"
    rf"|{_OUTSIDE_BEFORE}\$(?P<math>[^\s$`\n](?:[^$`\n]*[^\s$`\\\n])?)\${_OUTSIDE_AFTER}"
)
# What may begin a block, or end a line with a meaning of its own.
_BLOCK_LINE = re.compile(r"[\s#>\-+*=|~:<`$]|\d+[.)]|.*(?:\s|\\)\Z")
_SPECIAL = re.compile(r"[*_`\[\]\\$&~|\t\r\f\v\x00<\u2028\u2029\x85]|[^\S \n]")
_DISPLAY = re.compile(r"\$\$\n?(?P<tex>[^\s$`](?:[^$`\t]*[^\s$`\\])?)\n?\$\$")
_BLANK = re.compile(r"\n\n+")


class SimpleBlock(NamedTuple):
    """A block of simple text, as lines of spans: one for a paragraph or a formula, one an item for a list."""

    kind: Literal["paragraph", "formula", "items", "rule"]
    lines: list[list[Span]]


def simple_blocks(text: str) -> list[SimpleBlock] | None:
    """The blocks of *text*, or None when it needs the parser."""
    if "\t" in text:
        return None
    body = text.strip("\n")
    blocks: list[SimpleBlock] = []
    for part in _BLANK.split(body) if body else []:
        block = SimpleBlock("rule", []) if part == "---" else _formula(part) or _items(part) or _paragraph(part)
        # Two lists with a blank line between them are one list to the parser.
        if block is None or (block.kind == "items" and blocks and blocks[-1].kind == "items"):
            return None
        blocks.append(block)
    return blocks


def _formula(part: str) -> SimpleBlock | None:
    found = _DISPLAY.fullmatch(part)
    return SimpleBlock("formula", [[Span(found["tex"], frozenset({"math"}))]]) if found else None


def _items(part: str) -> SimpleBlock | None:
    lines = part.split("\n")
    if not all(line.startswith("- ") for line in lines):
        return None
    items = [_simple(line[2:]) for line in lines]
    simple = [item for item in items if item]
    return SimpleBlock("items", simple) if len(simple) == len(lines) else None


def _paragraph(part: str) -> SimpleBlock | None:
    spans = _simple(part)
    return None if spans is None else SimpleBlock("paragraph", [spans])


def _simple(paragraph: str) -> list[Span] | None:
    lines = paragraph.split("\n")
    # A line that begins with code or a formula is common and safe where it is no fence.
    if any(_BLOCK_LINE.match(line) and not _begins_inline(line) for line in lines):
        return None
    spans: list[Span] = []
    end = 0
    for token in _TOKEN.finditer(paragraph):
        if not _add_text(spans, paragraph[end : token.start()]):
            return None
        kind, content = next((name, part) for name, part in token.groupdict().items() if part is not None)
        spans.append(_span(kind, content))
        end = token.end()
    return spans if _add_text(spans, paragraph[end:]) else None


def _begins_inline(line: str) -> bool:
    token = _TOKEN.match(line)
    # A hard break or an escape at the end of the line is not for us.
    return token is not None and not line.endswith((" ", "\\")) and not line.startswith("$$")


def _add_text(spans: list[Span], text: str) -> bool:
    """Append the plain *text*, its line ends as soft breaks; False when it is not plain."""
    if _SPECIAL.search(text):
        return False
    for index, line in enumerate(text.split("\n")):
        if index:
            spans.append(Span("\n", frozenset({"soft"})))
        if line:
            spans.append(Span(line))
    return True


def _span(kind: str, content: str) -> Span:
    if kind == "code":
        if content.startswith(" ") and content.endswith(" ") and content.strip(" "):
            content = content[1:-1]
        return Span(content, frozenset({"code"}))
    marks: dict[str, Mark] = {"strong": "strong", "emph": "emph", "math": "math"}
    return Span(content, frozenset({marks[kind]}))
