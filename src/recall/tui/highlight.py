"""Code with its parts told apart, by Pygments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall.prose.spans import Line, Mark, Span

if TYPE_CHECKING:
    from pygments.token import _TokenType  # pyright: ignore[reportPrivateUsage] -- the type has no public name


def highlight(text: str, language: str) -> list[Line] | None:
    """The lines of *text*, its keywords, names, strings and so on marked; None for an unknown *language*."""
    from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType] -- its options
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
    lines: list[list[Span]] = [[]]
    for token, value in lexer.get_tokens(text):
        mark = _mark(token)
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append(Span(part, frozenset({mark}) if mark else frozenset[Mark]()))
    return [tuple(line) for line in lines]


def _mark(token: _TokenType) -> Mark | None:
    from pygments import token as tokens

    kinds: tuple[tuple[_TokenType, Mark], ...] = (
        (tokens.Comment, "comment"),
        (tokens.Keyword, "keyword"),
        (tokens.String, "string"),
        (tokens.Number, "number"),
        (tokens.Name.Function, "name"),
        (tokens.Name.Class, "name"),
        (tokens.Name.Builtin, "name"),
        (tokens.Name.Decorator, "name"),
        (tokens.Operator.Word, "keyword"),
    )
    return next((mark for kind, mark in kinds if token in kind), None)
