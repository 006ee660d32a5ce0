"""Where each value stands in a TOML text: for faults that point, and changes that leave the rest alone.

`tomllib` reads values and forgets places. This walks a text that `tomllib` has already accepted, so it
need not judge, only find where statements begin and end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_BARE_END = frozenset(" \t=.]")


class Entry(NamedTuple):
    """One `key = value` statement, or a table's header."""

    path: tuple[str, ...]
    """Full path of the value: names of its table, then its own."""
    line: int
    """Counted from 1."""
    column: int
    """Of the key, counted from 1."""
    start: int
    """Offset of the statement's first character."""
    value_start: int
    value_end: int
    """Offsets of the value; equal for a header."""
    is_table: bool = False


def entries(text: str) -> Iterator[Entry]:
    """All statements of *text*, valid TOML, in order."""
    table: tuple[str, ...] = ()
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        if text[at] == "#":
            at = _line_end(text, at)
            continue
        start = at
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        if text[at] == "[":
            table, at = _names(text, at + (2 if text[at + 1] == "[" else 1))
            at = _line_end(text, at)
            yield Entry(table, line, column, start, at, at, is_table=True)
            continue
        names, at = _names(text, at)
        at = _skip_blank(text, at + 1)
        end = _value_end(text, at)
        yield Entry((*table, *names), line, column, start, at, end)
        at = end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _skip_blank(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _names(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The dotted key at *at* and the offset of the `=` or `]` behind it."""
    names: list[str] = []
    while True:
        at = _skip_blank(text, at)
        if text[at] in "\"'":
            end = _string_end(text, at)
            names.append(_unquoted(text[at:end]))
        else:
            end = at
            while end < len(text) and text[end] not in _BARE_END:
                end += 1
            names.append(text[at:end])
        at = _skip_blank(text, end)
        if at >= len(text) or text[at] != ".":
            return tuple(names), at
        at += 1


def _unquoted(literal: str) -> str:
    if "\\" not in literal or literal[0] == "'":
        return literal[1:-1]
    import tomllib

    return tomllib.loads(f"name = {literal}")["name"]


def _string_end(text: str, at: int) -> int:
    """The offset behind the string that begins at *at*."""
    quote = text[at]
    if text.startswith(quote * 3, at):
        at += 3
        while not text.startswith(quote * 3, at):
            at += 2 if quote == '"' and text[at] == "\\" else 1
        at += 3
        # Up to two quotes may stand directly before the closing three.
        while at < len(text) and text[at] == quote:
            at += 1
        return at
    at += 1
    while text[at] != quote:
        at += 2 if quote == '"' and text[at] == "\\" else 1
    return at + 1


def _value_end(text: str, at: int) -> int:
    """The offset behind the value that begins at *at*; blanks and comments behind it do not belong to it."""
    depth = 0
    end = at
    while at < len(text):
        character = text[at]
        if character in "\"'":
            at = end = _string_end(text, at)
            continue
        if character == "#":
            at = _line_end(text, at)
            continue
        if character == "\n" and depth == 0:
            break
        depth += (character in "[{") - (character in "]}")
        at += 1
        if character not in " \t\r\n":
            end = at
    return end
