"""The one Markdown parser: CommonMark with tables, strikethrough and `$` math; HTML stays text."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@cache
def parser() -> MarkdownIt:
    """The parser that finds the structure of card text: for holes, and for showing it."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    return (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    )
