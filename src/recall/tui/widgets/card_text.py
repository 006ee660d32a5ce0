"""A card as one widget: our own writer from Markdown to styled text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from recall.prose.blocks import Block, parse
from recall.prose.layout import Typesetter, wrap
from recall.prose.marks import strip_unsafe
from recall.prose.spans import Line, Mark, Span
from recall.prose.spelling import Spelling
from recall.tui.glyphs import Glyphs

COLUMN = 92
"""Widest text column, in cells."""

# In order: a later colour wins over an earlier one.
_COLORS: tuple[tuple[Mark, str], ...] = (
    ("code", "$secondary"),
    ("math", "$secondary"),
    ("image", "$secondary"),
    ("heading", "$primary"),
    ("link", "$primary"),
    ("bullet", "$muted"),
    ("quote", "$muted"),
    ("rule", "$rule"),
    ("keyword", "$primary"),
    ("name", "$secondary"),
    ("string", "$success"),
    ("number", "$warning"),
    ("comment", "$muted"),
    ("asked", "$accent"),
    ("answer", "$success"),
)
_ATTRIBUTES: tuple[tuple[Mark, str], ...] = (
    ("strong", "bold"),
    ("emph", "italic"),
    ("strike", "strike"),
    ("heading", "bold"),
    ("head", "bold"),
    ("link", "underline"),
    ("comment", "italic"),
    ("asked", "bold underline"),
    ("answer", "bold underline"),
)
_CODE_GROUND = "on $surface"


@lru_cache(maxsize=256)
def style_of(marks: frozenset[Mark]) -> str:
    """The style of a run of text with these marks, in theme variables."""
    colors = [color for mark, color in _COLORS if mark in marks]
    attributes = [attribute for mark, attribute in _ATTRIBUTES if mark in marks]
    return " ".join([*attributes, *colors[-1:], *([_CODE_GROUND] if "block" in marks else [])])


def write(lines: Sequence[Line]) -> Content:
    """Lines as styled text; nothing in them is read as markup."""
    parts: list[str | tuple[str, str]] = []
    for number, line in enumerate(lines):
        if number:
            parts.append("\n")
        parts += [(span.text, style_of(span.marks)) if span.marks else span.text for span in line]
    return Content.assemble(*parts)


class Piece:
    """A stretch of the card: Markdown, or a line that the app says itself."""

    def __init__(self, blocks: tuple[Block, ...] = (), said: Sequence[tuple[str, str]] = (), gap: int = 1) -> None:
        self.blocks = blocks
        self.said = said
        """Text and style of each part, for a line of the app's own."""
        self.gap = gap
        """Empty lines before it."""


# Colour never carries meaning alone: what is asked also stands in brackets.
_SPELLING = Spelling(brackets=frozenset({"asked"}), addresses=False)


def markdown(text: str, gap: int = 1) -> Piece:
    """A piece of deck text."""
    return Piece(tuple(map(_SPELLING.block, parse(text))), gap=gap)


def said(*parts: tuple[str, str], gap: int = 1) -> Piece:
    """A piece of the app's own words: texts with their styles."""
    return Piece(said=parts, gap=gap)


RULE = "\0rule"
"""Text of a said part that stands for a rule across the column."""


class CardText(Widget):
    """Shows pieces in one column. It is laid out anew when it is told something else or gets another width."""

    DEFAULT_CSS = "CardText { width: 100%; max-width: 92; height: auto; text-wrap: nowrap; }"

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._pieces: tuple[Piece, ...] = ()
        self._laid_out: tuple[int, Content, int] | None = None

    def show(self, pieces: Sequence[Piece]) -> None:
        """Show *pieces* instead of what is shown."""
        self._pieces = tuple(pieces)
        height = self._laid_out[2] if self._laid_out else -1
        self._laid_out = None
        # The same height needs no new layout of the screen, only new text.
        width = self.content_size.width
        self.refresh(layout=not width or self._layout(width)[1] != height)

    def render(self) -> Content:
        return self._layout(self.content_size.width)[0]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._layout(width)[1]

    def _layout(self, width: int) -> tuple[Content, int]:
        if self._laid_out is None or self._laid_out[0] != width:
            lines = self._lines(max(1, width))
            self._laid_out = (width, lines, lines.plain.count("\n") + 1)
        return self._laid_out[1:]

    def _lines(self, width: int) -> Content:
        setter = Typesetter(width, self._glyphs.text, _cells, _highlight, fill_code=True)
        contents: list[Content] = []
        for number, piece in enumerate(self._pieces):
            if number:
                contents += [Content("")] * piece.gap
            if piece.said:
                contents.append(self._said(piece.said, width))
            else:
                contents.append(write(setter.lines(piece.blocks)))
        return Content("\n").join(contents)

    def _said(self, parts: Sequence[tuple[str, str]], width: int) -> Content:
        if parts[0][0] == RULE:
            return Content.styled(self._glyphs.line * width, parts[0][1])
        # Wrapped like card text, so that a long source does not run out of the column.
        spans = [Span(strip_unsafe(text), target=style) for text, style in parts]
        lines: list[Content] = []
        for line in wrap(spans, width, _cells):
            lines.append(Content.assemble(*((span.text, span.target) for span in line)))
        return Content("\n").join(lines)


def _cells(text: str) -> int:
    """Cells of *text* as Textual counts them, so that lines come out as wide as the screen draws them."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _highlight(text: str, language: str) -> list[Line] | None:
    if not language:
        return None
    # Pygments is imported only for a card that has such code.
    from recall.tui.highlight import highlight

    return highlight(text, language)
