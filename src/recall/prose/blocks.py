"""Card text as a tree of frozen values: the one form that every writer (screen, plain, speech) reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from recall.prose.marks import ANSWER_CLOSE, ANSWER_OPEN, HOLE_CLOSE, HOLE_OPEN, strip_around_marks
from recall.prose.simple import SimpleBlock, simple_blocks
from recall.prose.spans import Mark, Span

if TYPE_CHECKING:
    from markdown_it.token import Token

Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    """1 to 6."""
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item is blocks of its own, so lists nest."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None
    """First number; None for a list with bullets."""
    loose: bool = False
    """Whether its items are paragraphs with a blank line between them."""


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    """Without its last line end; tabs are four columns."""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    align: tuple[Align, ...]
    head: tuple[tuple[Span, ...], ...]
    rows: tuple[tuple[tuple[Span, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    pass


@dataclass(frozen=True, slots=True)
class Math:
    """A display formula as LaTeX source, split at its holes."""

    spans: tuple[Span, ...]

    @property
    def source(self) -> str:
        return "".join(span.text for span in self.spans)


Block = Paragraph | Heading | Items | Quote | Code | Table | Rule | Math

_HOLES: dict[str, Mark | None] = {
    HOLE_OPEN: "asked",
    HOLE_CLOSE: None,
    ANSWER_OPEN: "answer",
    ANSWER_CLOSE: None,
}
_SPLIT_HOLES = re.compile(f"([{''.join(_HOLES)}])")
_ENTITY_MARK = re.compile(r"&#(?:[xX]0*[eE]0[0-9a-fA-F]{2}|0*5734[4-9]|0*573[5-9]\d|0*57[45]\d\d);")
"""Numeric references to the private characters that mark holes: a deck could forge a hole with them."""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAB = "    "


def parse(markdown: str) -> tuple[Block, ...]:
    """The blocks of *markdown*: CommonMark, tables, strikethrough, `$` math, and holes between their marks.

    HTML is text, except comments, which are left out. Any string is accepted; control characters and bidi
    controls are dropped, also those that are written as character references.
    """
    text = strip_around_marks(_ENTITY_MARK.sub("", markdown))
    simple = simple_blocks(text)
    if simple is not None:
        return tuple(map(_of_simple, simple))
    # Imported here: its 25 ms are spared when the first card is simple text.
    from recall.prose.commonmark import parser

    return tuple(_blocks(_Cursor(parser().parse(text)), ""))


def _of_simple(block: SimpleBlock) -> Block:
    match block.kind:
        case "paragraph":
            return Paragraph(_holes(block.lines[0]))
        case "formula":
            return Math(_holes(block.lines[0]))
        case "items":
            return Items(tuple((Paragraph(_holes(line)),) for line in block.lines))
        case "rule":
            return Rule()


class _Cursor:
    """The parser's flat list of tokens, read from left to right."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def take(self) -> Token | None:
        if self._next >= len(self._tokens):
            return None
        self._next += 1
        return self._tokens[self._next - 1]

    def peek(self) -> Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def until(self, end: str) -> Iterator[Token]:
        """The tokens up to the one of type *end*, which is taken too."""
        while (token := self.take()) is not None and token.type != end:
            yield token


def _blocks(cursor: _Cursor, end: str) -> Iterator[Block]:
    for token in cursor.until(end):
        match token.type:
            case "paragraph_open":
                if spans := _inline_of(cursor, "paragraph_close"):
                    yield Paragraph(spans)
            case "heading_open":
                yield Heading(int(token.tag[1:]), _inline_of(cursor, "heading_close"))
            case "bullet_list_open":
                yield _items(cursor, "bullet_list_close", None)
            case "ordered_list_open":
                yield _items(cursor, "ordered_list_close", int(token.attrs.get("start", 1)))
            case "blockquote_open":
                yield Quote(tuple(_blocks(cursor, "blockquote_close")))
            case "fence" | "code_block":
                language = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
                yield Code(_clean(token.content.removesuffix("\n")).replace("\t", _TAB), _clean(language))
            case "table_open":
                yield _table(cursor)
            case "hr":
                yield Rule()
            case "math_block" | "math_block_label":
                yield Math(_holes([Span(_safe(token.content.strip()), frozenset({"math"}))]))
            case "html_block":
                if shown := _COMMENT.sub("", token.content).strip():
                    yield Paragraph(_holes([Span(_safe(shown))]))
            case _:
                # Nothing else is switched on in the parser; an unknown block shows its source.
                if token.content.strip():
                    yield Paragraph(_holes([Span(_safe(token.content))]))


def _items(cursor: _Cursor, end: str, start: int | None) -> Items:
    items: list[tuple[Block, ...]] = []
    loose = False
    for token in cursor.until(end):
        if token.type == "list_item_open":
            first = cursor.peek()
            # The parser hides the paragraphs of a tight list.
            loose = loose or (first is not None and first.type == "paragraph_open" and not first.hidden)
            items.append(tuple(_blocks(cursor, "list_item_close")))
    return Items(tuple(items), start, loose)


def _table(cursor: _Cursor) -> Table:
    align: list[Align] = []
    rows: list[list[tuple[Span, ...]]] = []
    for token in cursor.until("table_close"):
        match token.type:
            case "tr_open":
                rows.append([])
            case "th_open" | "td_open":
                if token.type == "th_open":
                    align.append(_align(str(token.attrs.get("style", ""))))
                rows[-1].append(_inline_of(cursor, token.type.replace("open", "close")))
            case _:
                pass
    head = tuple(rows[0]) if rows else ()
    return Table(tuple(align), head, tuple(tuple(row) for row in rows[1:]))


def _align(style: str) -> Align:
    if style.endswith("right"):
        return "right"
    return "center" if style.endswith("center") else "left"


def _inline_of(cursor: _Cursor, end: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    for token in cursor.until(end):
        spans += _inline(token.children or [])
    return _holes(spans)


def _inline(tokens: Sequence[Token]) -> Iterator[Span]:
    marks: list[Mark] = []
    targets: list[str] = []
    for token in tokens:
        text = _safe(token.content)
        extra: tuple[Mark, ...] = ()
        target = targets[-1] if targets else ""
        match token.type:
            case "strong_open" | "em_open" | "s_open" | "link_open":
                marks.append(_OPENS[token.type])
                if token.type == "link_open":
                    targets.append(_clean(str(token.attrs.get("href", ""))))
                continue
            case "strong_close" | "em_close" | "s_close" | "link_close":
                _drop_last(marks, _OPENS[token.type.replace("close", "open")])
                if token.type == "link_close":
                    targets.pop()
                continue
            case "code_inline":
                extra = ("code",)
            case "math_inline" | "math_inline_double":
                extra = ("math",)
            case "image":
                extra = ("image",)
                target = _clean(str(token.attrs.get("src", "")))
                text = "".join(span.text for span in _inline(token.children or []))
            case "softbreak":
                text = "\n"
                extra = ("soft",)
            case "hardbreak":
                text = "\n"
            case "html_inline":
                text = _COMMENT.sub("", text)
            case _:
                pass
        if text or token.type == "image":
            yield Span(text, frozenset((*marks, *extra)), target)


_OPENS: dict[str, Mark] = {
    "strong_open": "strong",
    "em_open": "emph",
    "s_open": "strike",
    "link_open": "link",
}


def _drop_last(marks: list[Mark], mark: Mark) -> None:
    for index in range(len(marks) - 1, -1, -1):
        if marks[index] == mark:
            del marks[index]
            return


def _holes(spans: Sequence[Span]) -> tuple[Span, ...]:
    """*spans* without the hole characters, the text between them marked; soft breaks made spaces."""
    found: list[Span] = []
    hole: Mark | None = None
    for index, span in enumerate(spans):
        if "soft" in span.marks:
            if space := _soft_break(spans, index):
                found.append(Span(space, _without_soft(span.marks), span.target))
            continue
        if not span.text:
            found.append(span)
            continue
        for piece in _SPLIT_HOLES.split(span.text):
            if piece in _HOLES:
                hole = _HOLES[piece]
            elif piece:
                found.append(Span(piece, frozenset((*span.marks, hole)) if hole else span.marks, span.target))
    return tuple(found)


def _without_soft(marks: frozenset[Mark]) -> frozenset[Mark]:
    soft: frozenset[Mark] = frozenset({"soft"})
    return marks - soft


def _soft_break(spans: Sequence[Span], index: int) -> str:
    """A space, or nothing where the line ends between two characters of a script without spaces."""
    before = spans[index - 1].text[-1:] if index else ""
    after = spans[index + 1].text[:1] if index + 1 < len(spans) else ""
    return "" if _without_spaces(before) and _without_spaces(after) else " "


def _without_spaces(character: str) -> bool:
    # Kana, CJK ideographs with their punctuation and full forms; Korean writes spaces.
    return bool(character) and (
        "\u3000" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or "\uff00" <= character <= "\uff60"
    )


def _safe(text: str) -> str:
    """*text* after references were decoded, tabs as spaces; the marks of holes stay."""
    return strip_around_marks(text).replace("\t", " ")


def _clean(text: str) -> str:
    """*text* where no hole can be: the marks go too."""
    return _SPLIT_HOLES.sub("", strip_around_marks(text))
