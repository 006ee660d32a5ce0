"""The block structure of a section's text, by the Markdown parser: where a nested fence, comment or formula ends.

Only texts in which one of these stands inside a list or a quotation come here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from recall.content.sections import HEAD
from recall.content.words import WORDS
from recall.prose.commonmark import build

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

_HEAD = re.compile(rf"^{HEAD}", re.MULTILINE)
_SENTINEL = "\ue010"
"""Stands before every word that would begin a section; deck text cannot hold it."""


@dataclass(frozen=True, slots=True)
class Structure:
    """Spans of a text, as offsets and in order, that no section may begin in."""

    spans: tuple[tuple[int, int], ...]

    def end_of(self, offset: int) -> int | None:
        """End of the span around *offset*, None when there is none."""
        index = bisect_right(self.spans, offset, key=lambda span: span[0]) - 1
        return self.spans[index][1] if index >= 0 and offset < self.spans[index][1] else None


def structure_of(text: str, start: int) -> Structure:
    """Fences, comments and formulas of the section whose text begins at *start*, up to the next section.

    The parser reads on over twice as many would-be sections each time, until it meets one that is real.
    """
    following = (match.start() for match in _HEAD.finditer(text, start + 1) if match[0][:-1] in WORDS)
    heads: list[int] = []
    while True:
        new = list(islice(following, max(1, len(heads))))
        heads += new
        stop = text.find("\n", heads[-1]) if new else -1
        stop = len(text) if stop < 0 else stop
        spans, met = _parse(text, start, heads, stop)
        if met or not new:
            return Structure(spans)


def _parse(text: str, start: int, heads: list[int], stop: int) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Spans in `text[start:stop]`, and whether a section was met there."""
    pieces: list[str] = []
    at = start
    for head in heads:
        pieces += [text[at:head], _SENTINEL]
        at = head
    pieces.append(text[at:stop])
    starts = [start]
    for match in re.compile("\n").finditer(text, start, stop):
        starts.append(match.end())
    tokens = _blocks().parse("".join(pieces))
    spans: list[tuple[int, int]] = []
    for token in tokens:
        if token.type == "section":
            return tuple(spans), True
        if token.type in {"fence", "html_block", "math_block"} and token.map:
            first, last = token.map
            # A line break ends a span before the next line, so that a section may begin on that one.
            end = starts[last] - 1 if last < len(starts) else stop
            spans.append((starts[first] if first else start, len(text) if stop == len(text) and end == stop else end))
    return tuple(spans), False


@cache
def _blocks() -> MarkdownIt:
    """The block parser, with one more block: a section, which ends every other block but the protected ones."""
    parser = build()
    parser.disable(["inline"])
    parser.block.ruler.before("table", "section", _section, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return parser


def _section(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start]
    if not state.src.startswith(_SENTINEL, at) or (at and state.src[at - 1] != "\n"):
        return False
    if not silent:
        state.push("section", "", 0)
        state.line = end  # what follows is another section's
    return True
