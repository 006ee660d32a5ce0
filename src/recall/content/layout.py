"""Which brackets of a cloze text are text by Markdown's rules, and where its formulas are.

Most texts are plain paragraphs with code, formulas and escapes at most; these are read here. The others need the
Markdown parser (`inline`); a property test holds the two to the same result.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from recall.prose.commonmark import formula_end


class Bracket(NamedTuple):
    """A bracket that is text by Markdown's rules."""

    offset: int
    block: int
    """Which paragraph, heading or table cell it stands in."""


class Layout(NamedTuple):
    """What Markdown makes of a text, as far as holes need it."""

    brackets: tuple[Bracket, ...]
    formulas: tuple[tuple[int, int], ...]
    """Spans of the formulas, dollars included."""


_NEEDS_PARSER = re.compile(
    # Links, images, definitions, comments, tables, fences, display math.
    r"[<|]|\]\(|\]\[|\]:|```|~~~|\$\$"
    # Lists, quotations, headings, rules, indented code.
    r"|(?:\A|\n)(?:[ \t]*(?:[-+*>#=_]|\d{1,9}[.)])| {4}| *\t)"
)
_EVENT = re.compile(r"\\.|`+|[$\[\]]|\n[ \t]*(?=\n)", re.DOTALL)


def layout_of(text: str) -> Layout:
    """Brackets and formulas of *text*, by the Markdown parser where that is needed."""
    if not _NEEDS_PARSER.search(text):
        return _plain_layout(text)
    from recall.content.inline import parsed_layout  # the Markdown parser: not needed for most texts

    return parsed_layout(text)


def _plain_layout(text: str) -> Layout:
    brackets: list[Bracket] = []
    formulas: list[tuple[int, int]] = []
    block, search, match = 0, _EVENT.search, _EVENT.search(text)
    while match:
        at, event = match.span()[0], match[0]
        position = match.end()
        if event in "[]":
            brackets.append(Bracket(at, block))
        elif event == "$":
            end = formula_end(_paragraph(text, at), at)
            if end is not None:
                formulas.append((at, end))
                position = end
        elif event[0] == "`":
            closing = re.compile(rf"(?<!`){event}(?!`)").search(_paragraph(text, at), position)
            position = closing.end() if closing else position
        elif event[0] == "\\":
            position = at + 1 if event[1] == "\n" else position
        else:
            block += 1
        match = search(text, position)
    return Layout(tuple(brackets), tuple(formulas))


def _paragraph(text: str, at: int) -> str:
    """*text* up to the end of the paragraph around *at*: neither code nor a formula goes beyond it."""
    end = re.compile(r"\n[ \t]*\n").search(text, at)
    return text[: end.start()].rstrip() if end else text
