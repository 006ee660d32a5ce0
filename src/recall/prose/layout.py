"""Blocks set into lines of a width: the one typesetter, under the screen and under plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from recall.prose.blocks import Align, Block, Code, Heading, Items, Math, Paragraph, Quote, Rule, Table
from recall.prose.spans import Line, Mark, Span, text_of
from recall.prose.width import cell_width

Measure = Callable[[str], int]
"""Cells that a text takes on screen."""
Highlight = Callable[[str, str], "list[Line] | None"]
"""The lines of a code block (text, language) with marks for its parts; None when it knows no such language."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What the typesetter draws by itself."""

    bullets: tuple[str, ...] = ("-", "*", "+")
    """One for each depth of lists, used in turn."""
    quote: str = "> "
    rule: str = "-"
    column: str = "  "
    """Between the columns of a table."""
    crossing: str = "  "
    """Between the columns, in the line below the table's head."""
    code: str = "    "
    """Before each line of code."""
    math: str = "    "


@dataclass(frozen=True, slots=True)
class Typesetter:
    """Turns blocks into lines that are at most `width` cells wide."""

    width: int
    glyphs: Glyphs = field(default_factory=Glyphs)
    measure: Measure = cell_width
    highlight: Highlight | None = None
    fill_code: bool = False
    """Whether the lines of a code block are made equally long, for a ground of their own."""

    def lines(self, blocks: Sequence[Block]) -> list[Line]:
        """All lines of *blocks*, one empty line between blocks."""
        return list(self._blocks(blocks, max(1, self.width), 0, loose=True))

    def _blocks(self, blocks: Sequence[Block], width: int, depth: int, *, loose: bool) -> Iterator[Line]:
        previous: Block | None = None
        for block in blocks:
            # In a tight list a nested list follows its sentence directly.
            if previous is not None and (loose or not isinstance(block, Items)):
                yield ()
            yield from self._block(block, width, depth)
            previous = block

    def _block(self, block: Block, width: int, depth: int) -> Iterator[Line]:
        match block:
            case Paragraph(spans):
                yield from wrap(_told(spans), width, self.measure)
            case Heading(_, spans):
                yield from wrap([_with(span, "heading") for span in _told(spans)], width, self.measure)
            case Items():
                yield from self._items(block, width, depth)
            case Quote(blocks):
                bar = Span(self.glyphs.quote, frozenset({"quote"}))
                inner = max(1, width - self.measure(bar.text))
                for line in self._blocks(blocks, inner, depth, loose=True):
                    yield (bar, *line)
            case Code():
                yield from self._code(block, width)
            case Table():
                yield from self._table(block, width)
            case Rule():
                yield (Span(self.glyphs.rule * width, frozenset({"rule"})),)
            case Math(spans):
                indent = Span(self.glyphs.math)
                for line in wrap(spans, max(1, width - self.measure(indent.text)), self.measure):
                    yield (indent, *line)

    def _items(self, block: Items, width: int, depth: int) -> Iterator[Line]:
        bullets = self.glyphs.bullets
        count = len(block.items)
        last = 0 if block.start is None else self.measure(f"{block.start + count - 1}. ")
        for index, item in enumerate(block.items):
            if index and block.loose:
                yield ()
            marker = bullets[depth % len(bullets)] + " " if block.start is None else f"{block.start + index}. "
            marker = marker.rjust(last)
            indent = self.measure(marker)
            first = True
            for line in self._blocks(item, max(1, width - indent), depth + 1, loose=block.loose):
                yield (Span(marker if first else " " * indent, frozenset({"bullet"})), *line) if line or first else ()
                first = False
            if first:
                yield (Span(marker.rstrip(), frozenset({"bullet"})),)

    def _code(self, block: Code, width: int) -> Iterator[Line]:
        indent = Span(self.glyphs.code, frozenset({"block"}))
        inner = max(1, width - self.measure(indent.text))
        lines = self.highlight(block.text, block.language) if self.highlight else None
        if lines is None:
            lines = [(Span(line),) for line in block.text.split("\n")]
        folded = [part for line in lines for part in fold([_with(span, "block") for span in line], inner, self.measure)]
        longest = max(self.measure(text_of(part)) for part in folded) if self.fill_code else 0
        for part in folded:
            space = min(longest + self.measure(indent.text), inner) - self.measure(text_of(part))
            yield (indent, *part, Span(" " * space, frozenset({"block"}))) if longest and space > 0 else (indent, *part)

    def _table(self, table: Table, width: int) -> Iterator[Line]:
        columns = len(table.align)
        if not columns:
            return
        gap = self.measure(self.glyphs.column)
        rows = [[_told(cell) for cell in row] for row in (table.head, *table.rows)]
        natural = [
            max(max((self.measure(text) for text in text_of(row[column]).split("\n")), default=0) for row in rows)
            for column in range(columns)
        ]
        widths = _share(natural, max(columns, width - gap * (columns - 1)))
        for number, row in enumerate(rows):
            cells = [
                wrap([_with(span, "head") for span in cell] if number == 0 else cell, widths[column], self.measure)
                for column, cell in enumerate(row)
            ]
            for height in range(max(1, *(len(cell) for cell in cells))):
                yield self._table_line(table.align, widths, [c[height] if height < len(c) else () for c in cells])
            if number == 0:
                rule = self.glyphs.crossing.join(self.glyphs.rule * max(1, cells) for cells in widths)
                yield (Span(rule, frozenset({"rule"})),)

    def _table_line(self, align: Sequence[Align], widths: Sequence[int], cells: Sequence[Line]) -> Line:
        line: list[Span] = []
        for column, (side, cells_wide, cell) in enumerate(zip(align, widths, cells, strict=True)):
            if column:
                line.append(Span(self.glyphs.column, frozenset({"rule"})))
            space = max(0, cells_wide - self.measure(text_of(cell)))
            left = {"left": 0, "center": space // 2, "right": space}[side]
            line += [Span(" " * left), *cell]
            if column < len(widths) - 1:
                line.append(Span(" " * (space - left)))
        return tuple(span for span in line if span.text)


def _told(spans: Sequence[Span]) -> Line:
    """*spans* with images as words: what they show, or else their file."""
    return tuple(
        Span(f"image: {span.text or span.target}", span.marks, span.target) if "image" in span.marks else span
        for span in spans
    )


def _with(span: Span, mark: Mark) -> Span:
    return Span(span.text, frozenset((*span.marks, mark)), span.target)


def _share(natural: Sequence[int], room: int) -> list[int]:
    """Widths of columns that want *natural* cells and have *room* in all: the wide ones give way first."""
    widths = [max(1, cells) for cells in natural]
    while sum(widths) > room and max(widths) > 1:
        widest = max(widths)
        second = max((cells for cells in widths if cells < widest), default=1)
        wide = [index for index, cells in enumerate(widths) if cells == widest]
        excess = sum(widths) - room
        cut = min(widest - second, -(-excess // len(wide)))
        for index in wide:
            cut_here = min(cut, excess)
            widths[index] -= cut_here
            excess -= cut_here
    return widths


_NO_BREAK_BEFORE = "、。，．：；！？）」』】〉》〕’”…—％"
_NO_BREAK_AFTER = "（「『【〈《〔‘“"
_WIDE = "\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
_NARROW_PIECE = re.compile(r"\n|[^\S\n]+|\S+")
_FIRST_WIDE = "\u2e80"


@cache
def _piece() -> re.Pattern[str]:
    """Compiled when the first wide character comes: that takes longer than to lay out a card."""
    return re.compile(
        rf"\n|[^\S\n]+|[{_NO_BREAK_AFTER}]*[{_WIDE}][\u0300-\u036f\ufe00-\ufe0f\u3099\u309a]*[{_NO_BREAK_BEFORE}]*"
        rf"|[^\s{_WIDE}]+"
    )


def wrap(spans: Sequence[Span], width: int, measure: Measure = cell_width) -> list[Line]:
    """*spans* broken at spaces, and between characters of scripts without spaces, into lines of *width* cells.

    A word wider than a line is broken inside.
    """
    text = "".join(span.text for span in spans)
    ends: list[tuple[int, int]] = []
    start = end = used = 0
    pieces = _NARROW_PIECE if text.isascii() or max(text, default="") < _FIRST_WIDE else _piece()
    for piece in pieces.finditer(text):
        word = piece.group()
        if word == "\n":
            ends.append((start, end))
            start, end, used = piece.end(), piece.end(), 0
            continue
        cells = measure(word)
        if word.isspace():
            # A space counts only when a word follows on the same line.
            used += cells
            continue
        if used + cells > width and end > start:
            ends.append((start, end))
            start, used = piece.start(), 0
        elif end == start and start < piece.start() and used + cells > width:
            start, used = piece.start(), 0
        end, used = piece.end(), used + cells
        while used > width:
            cut = _fitting(text, start, end, width, measure)
            ends.append((start, cut))
            start, used = cut, measure(text[cut:end])
    ends.append((start, end))
    return [_slice(spans, first, last) for first, last in ends]


def fold(spans: Sequence[Span], width: int, measure: Measure = cell_width) -> list[Line]:
    """One line of code broken hard at *width* cells; every space stays."""
    text = "".join(span.text for span in spans)
    ends: list[tuple[int, int]] = []
    start = 0
    while measure(text[start:]) > width:
        cut = _fitting(text, start, len(text), width, measure)
        ends.append((start, cut))
        start = cut
    ends.append((start, len(text)))
    return [_slice(spans, first, last) for first, last in ends]


def _fitting(text: str, start: int, end: int, width: int, measure: Measure) -> int:
    """The last place after *start* up to which *text* fits; at least one character, with what combines with it."""
    cut = start + 1
    used = measure(text[start])
    while cut < end:
        cells = measure(text[cut])
        if cells and used + cells > width:
            break
        used += cells
        cut += 1
    return cut


def _slice(spans: Sequence[Span], first: int, last: int) -> Line:
    line: list[Span] = []
    at = 0
    for span in spans:
        begin, end = max(first - at, 0), min(last - at, len(span.text))
        if begin < end:
            line.append(Span(span.text[begin:end], span.marks, span.target))
        at += len(span.text)
        if at >= last:
            break
    return tuple(line)
