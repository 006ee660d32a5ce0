"""The one Markdown parser: CommonMark with tables, strikethrough and `$` math; HTML stays text, but for comments."""

from __future__ import annotations

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
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.dollarmath.index import math_block_dollar

    parser = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    )
    # Display math may follow a line of text directly; as in LaTeX, no blank line may stand inside.
    formula = math_block_dollar(allow_labels=False, allow_blank_lines=False)
    parser.block.ruler.at("math_block", formula, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.at("html_block", _comment_block, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.inline.ruler.at("html_inline", _comment_inline)
    return parser


def _comment_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    from markdown_it.rules_block import html_block

    at = state.bMarks[start] + state.tShift[start]
    return state.src.startswith("<!--", at) and html_block(state, start, end, silent)


def _comment_inline(state: StateInline, silent: bool) -> bool:
    from markdown_it.rules_inline import html_inline

    return state.src.startswith("<!--", state.pos) and html_inline(state, silent)
