"""Runs of text with what is true of them: the smallest part of card text that writers see."""

from __future__ import annotations

from typing import Literal, NamedTuple

Mark = Literal[
    # From Markdown.
    "strong", "emph", "strike", "code", "link", "image", "math", "soft",
    # A hole that is asked, and its text once revealed.
    "asked", "answer",
    # Given by the layout to what it draws itself.
    "heading", "head", "rule", "bullet", "quote", "block",
    # Given by a highlighter to parts of code.
    "keyword", "name", "string", "number", "comment", "operator",
]  # fmt: skip


class Span(NamedTuple):
    """A run of text under the same marks."""

    text: str
    marks: frozenset[Mark] = frozenset()
    target: str = ""
    """Address of a link or file of an image."""


Line = tuple[Span, ...]
"""One line as it stands on screen."""


def text_of(line: Line) -> str:
    return "".join(span.text for span in line)
