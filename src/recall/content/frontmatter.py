"""Front matter: TOML between `---` lines at the top of a deck."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from datetime import date
from difflib import get_close_matches
from typing import NamedTuple

from recall.content.source import Source
from recall.content.words import OPENERS

_FENCE = re.compile(r"---[ \t]*(?:\n|\Z)")
_CLOSING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_OPENS_CARD = re.compile(rf"^[{''.join(sorted(OPENERS))}]:", re.MULTILINE)
_AT = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


class FrontMatter(NamedTuple):
    """What a deck says about all of its cards."""

    name: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""
    as_of: str = ""
    """ISO date on which the figures of the deck were right; empty when not given."""
    after: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    """Offset in the source of each key."""

    def offset(self, key: str) -> int:
        return dict(self.places).get(key, 0)


def read_front_matter(source: Source) -> tuple[FrontMatter, int]:
    """The front matter and the offset after it. Without front matter, or with a faulty one: empty."""
    text = source.text
    opening = _FENCE.match(text)
    if not opening:
        return FrontMatter(), 0
    closing = _CLOSING.search(text, opening.end())
    card = _OPENS_CARD.search(text, opening.end())
    if card and (closing is None or card.start() < closing.start()):
        # A rule above the first card, or front matter whose end was forgotten: what stands between tells.
        if text[opening.end() : card.start()].strip():
            _unclosed(source)
        return FrontMatter(), card.start()
    if closing is None:
        if text[opening.end() :].strip():
            _unclosed(source)
        return FrontMatter(), len(text)
    body = text[opening.end() : closing.start()]
    try:
        table = tomllib.loads(body)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        _toml_fault(source, opening.end(), body, str(error))
        return FrontMatter(), closing.end()
    return _checked(source, table, opening.end(), body), closing.end()


def _unclosed(source: Source) -> None:
    source.fault(
        0, "front matter is never closed", "put `---` on a line below its last key", rule="front-matter", width=3
    )


def _toml_fault(source: Source, start: int, body: str, message: str) -> None:
    offset = start + max(0, len(body) - 1)
    if match := _AT.search(message):
        message = message[: match.start()]
        if match[1]:
            lines = body.split("\n")
            row = min(int(match[1]), len(lines)) - 1
            before = sum(len(line) + 1 for line in lines[:row])
            offset = start + before + min(int(match[2]) - 1, len(lines[row]))
    source.fault(
        offset,
        f"front matter is no valid TOML: {message[:1].lower()}{message[1:]}",
        'write each line as `key = "text"` or `key = ["one", "two"]`',
        rule="front-matter",
    )


def _text(value: object) -> str | None:
    return value.strip() if isinstance(value, str) else None


def _day(value: object) -> str | None:
    if isinstance(value, date):
        return value.isoformat()[:10]
    try:
        return date.fromisoformat(value).isoformat() if isinstance(value, str) else None
    except ValueError:
        return None


def _texts(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list):
        return None
    texts: list[str] = []
    for part in value:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(part, str):
            return None
        texts.append(part.strip())
    return tuple(texts)


_KEYS: dict[str, tuple[Callable[[object], str | tuple[str, ...] | None], str]] = {
    "name": (_text, 'a text in quotes, such as "Roofline"'),
    "tags": (_texts, 'a list of texts, such as ["gpu", "memory"]'),
    "source": (_text, "a text in quotes"),
    "as-of": (_day, "a date, such as 2026-05-01"),
    "after": (_texts, 'a list of decks or card ids, such as ["gpu/memory"]'),
    "units": (_texts, 'a list of units, such as ["SM", "request"]'),
}


def _checked(source: Source, table: dict[str, object], start: int, body: str) -> FrontMatter:
    values: dict[str, str | tuple[str, ...]] = {}
    places: dict[str, int] = {}
    for key, value in table.items():
        line = re.search(rf"^[ \t]*[\"']?({re.escape(key)})\b", body, re.MULTILINE)
        offset = start + (line.start(1) if line else 0)
        places[key] = offset
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, 1)
            source.warn(
                offset,
                f"front matter has no key `{key}`",
                f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(_KEYS)}",
                rule="front-matter-key",
                width=len(key),
            )
            continue
        read, form = _KEYS[key]
        taken = read(value)
        if taken is None:
            source.fault(offset, f"`{key}` is not {form}", f"write {form}", rule="front-matter", width=len(key))
        else:
            values[key.replace("-", "_")] = taken
    return FrontMatter(places=tuple(places.items()), **values)  # pyright: ignore[reportArgumentType]
