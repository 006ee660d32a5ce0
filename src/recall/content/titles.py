"""A question in one line of plain text, for lists and search."""

from __future__ import annotations

import re

_IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^()\s]*\)")
_LINK = re.compile(r"(?<!\\)\[([^\]\n]+)\]\([^()\s]*\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,}).*$", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_BLOCK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)", re.MULTILINE)
_LONGEST = 200
"""Characters."""


def title_of(text: str) -> str:
    """*text*, Markdown, in one line: images and links by their words, without emphasis and block marks.

    Formulas and code keep their source.
    """
    if len(text) > 4 * _LONGEST:
        text = text[: 4 * _LONGEST]
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub("", text)
    if "\n" in text or text[:1] in "#>-*+":
        text = _BLOCK.sub("", text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\2", text)
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
