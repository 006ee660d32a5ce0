"""The one Markdown parser: CommonMark with tables, strikethrough and `$` math; HTML stays text, but for comments."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline


@cache
def parser() -> MarkdownIt:
    """The parser that finds the structure of card text, for showing it. Shared: never add rules to it."""
    return build()


def build() -> MarkdownIt:
    """A parser of one's own, to which rules may be added."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import fence
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).use(dollarmath_plugin)
    parser.inline.ruler.at("math_inline", _formula)
    parser.block.ruler.at("math_block", _display, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.at("html_block", _comment_block, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.block.ruler.at("table", _table_unless(fence, _display, _comment_block), {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.at("html_inline", _comment_inline)
    return parser


def formula_end(text: str, start: int) -> int | None:
    """Offset after the formula whose `$` or `$$` stands at *start*; None when the dollar is text.

    Prices are no formulas: no space may stand inside at either end of `$...$`, no digit right outside. The
    plug-in's own rule looks at the last character of the text for the one before the first.
    """
    width = 2 if text.startswith("$$", start) else 1
    body = start + width
    if text[start - 1 : start].isdigit() or (width == 1 and text[body : body + 1].isspace()):
        return None
    end = body
    while True:
        end = text.find("$" * width, end)
        if end < 0:
            return None
        before = text[body:end]
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            break
        end += 1
    after = end + width
    if end == body or (width == 1 and before[-1].isspace()) or text[after : after + 1].isdigit():
        return None
    return after


def _formula(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    end = formula_end(state.src, state.pos)
    if end is None or end > state.posMax:
        return False
    if not silent:
        width = 2 if state.src.startswith("$$", state.pos) else 1
        token = state.push("math_inline_double" if width == 2 else "math_inline", "math", 0)
        token.content = state.src[state.pos + width : end - width]
        token.markup = "$" * width
        token.meta = {"at": (state.pos, end)}
    state.pos = end
    return True


def _display(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula from a line that begins with `$$` to one that ends with it.

    It may follow a line of text directly. As in LaTeX, no blank line may stand inside; it ends with its container.
    """
    if state.is_code_block(start):
        return False
    at = state.bMarks[start] + state.tShift[start]
    first = state.src[at : state.eMarks[start]].strip(" \t")
    if not first.startswith("$$"):
        return False
    last = start
    # A line that ends its container is asked while the container is still open.
    indent = min(state.blkIndent, state.sCount[start])
    if len(first) <= 3 or not first.endswith("$$"):
        if "$$" in first[2:]:
            return False
        while True:
            last += 1
            if last >= end or state.isEmpty(last) or state.sCount[last] < indent:
                return False
            if state.src[state.bMarks[last] : state.eMarks[last]].rstrip(" \t").endswith("$$"):
                break
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block = True
        token.content = state.getLines(start, last + 1, state.blkIndent, False).strip(" \t")[2:-2]
        token.markup = "$$"
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _table_unless(
    *blocks: Callable[[StateBlock, int, int, bool], bool],
) -> Callable[[StateBlock, int, int, bool], bool]:
    """The table rule, after the rules *blocks*: a fence with `|` in its first line is no head of a table."""
    from markdown_it.rules_block import table

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return not any(block(state, start, end, True) for block in blocks) and table(state, start, end, silent)

    return rule


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    from markdown_it.rules_block import html_block

    at = state.bMarks[start] + state.tShift[start]
    return state.src.startswith("<!--", at) and html_block(state, start, end, silent)


def _comment_inline(state: StateInline, silent: bool) -> bool:
    from markdown_it.rules_inline import html_inline

    return state.src.startswith("<!--", state.pos) and html_inline(state, silent)
