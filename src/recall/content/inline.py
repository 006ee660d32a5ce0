"""Which brackets of a text are text, and where its formulas are: by the Markdown parser, with places.

The parser gives no places within a line. A rule is added to it that takes every bracket which is neither link nor
image, and notes where it stood; the rule for formulas does so anyway.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from recall.content.layout import Bracket, Layout
from recall.prose.commonmark import build

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_TASK_BOX = re.compile(r"\[[ xX]\][ \t]")


def parsed_layout(text: str) -> Layout:
    """Brackets and formulas of *text*."""
    lines = _lines(text)
    brackets: list[Bracket] = []
    formulas: list[tuple[int, int]] = []
    reached: dict[int, int] = {}
    tokens = _parser().parse(text)
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        if token.type == "math_block":
            formulas.append((lines[token.map[0]][0], lines[token.map[1] - 1][1]))
        elif token.type == "inline":
            in_cell = tokens[index - 1].type in {"th_open", "td_open"}
            places = _Places(text, token, lines, reached if in_cell else None)
            box = tokens[index - 2].type == "list_item_open" and _TASK_BOX.match(token.content)
            for child in token.children or []:
                at: Any = child.meta.get("at")
                if at is None or (box and at[0] < 3):
                    continue
                start, end = places.offset(at[0]), places.offset(at[1] - 1) + 1
                if child.type != "bracket":
                    formulas.append((start, end))
                elif text[start : start + 1] == child.content:
                    brackets.append(Bracket(start, index))
    return Layout(tuple(sorted(brackets)), tuple(formulas))


def _lines(text: str) -> list[tuple[int, int]]:
    """Start and end of every line."""
    spans: list[tuple[int, int]] = []
    at = 0
    for line in text.split("\n"):
        spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


class _Places:
    """Offsets in the text for offsets in the content of one inline token.

    Content leaves out what stands before the lines, such as `> ` and indentation; in a table cell it is a piece of
    one line, with `|` for `\\|`.
    """

    def __init__(self, text: str, token: Token, lines: list[tuple[int, int]], reached: dict[int, int] | None) -> None:
        assert token.map is not None
        first = token.map[0]
        self._cell: list[int] | None = None
        self._rows: list[tuple[int, int]] = []
        if reached is not None:
            start, end = lines[first]
            source = token.content.replace("|", "\\|")
            at = text.find(source, reached.get(first, start), end)
            at = start if at < 0 else at
            reached[first] = at + len(source)
            self._cell = [at + index for index, character in _unescaped(source) if character]
            return
        # The parser takes every kind of space from the front of a paragraph, lines of them included.
        while first < token.map[1] - 1 and not text[slice(*lines[first])].strip():
            first += 1
        content_at = 0
        for row, content in enumerate(token.content.split("\n"), first):
            start, end = lines[min(row, len(lines) - 1)]
            # The content is the rest of the line, except in a heading that ends in `#`: then it is found.
            stripped = text[start:end].rstrip()
            kept = content.rstrip()
            at = start + len(stripped) - len(kept) if stripped.endswith(kept) else text.find(kept, start, end)
            self._rows.append((content_at, max(at, start)))
            content_at += len(content) + 1

    def offset(self, index: int) -> int:
        if self._cell is not None:
            return self._cell[index] if index < len(self._cell) else -1
        begin, start = next(row for row in reversed(self._rows) if row[0] <= index)
        return start + index - begin


def _unescaped(source: str) -> list[tuple[int, bool]]:
    """Each index of a table cell, and whether its character is content: the backslash of `\\|` is not."""
    return [(index, not source.startswith("\\|", index)) for index in range(len(source))]


@cache
def _parser() -> MarkdownIt:
    parser = build()
    parser.inline.ruler.after("image", "bracket", _bracket)
    return parser


def _bracket(state: StateInline, silent: bool) -> bool:
    character = state.src[state.pos]
    if character not in "[]":
        return False
    if not silent:
        token = state.push("bracket", "", 0)
        token.content = character
        if state.linkLevel == 0:
            token.meta = {"at": (state.pos, state.pos + 1)}
    state.pos += 1
    return True
