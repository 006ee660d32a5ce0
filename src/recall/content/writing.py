"""Sections to deck text: what is written here is read back as the same sections."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from recall.content.deck import Deck
from recall.content.sections import HEAD, split
from recall.content.source import Source
from recall.content.words import OPENERS, WORDS

_MAY_OPEN = re.compile(rf"^{HEAD}", re.MULTILINE)


def write_note(sections: Iterable[tuple[str, str]]) -> str:
    """The text of one note from its words and their texts, the first of them `Q` or `C`; no line end behind it."""
    note = ""
    for word, text in sections:
        # Dollars that open nothing, for a blank line comes first, must not find others in the next section.
        gap = "\n\n" if "$$" in note else "\n"
        note += f"{gap if note else ''}{write_section(word, text)}"
    return note


def write_section(word: str, text: str) -> str:
    """One section. Lines of *text* that would open a section get the backslash that keeps them text."""
    # Indentation of the first line means something, so that text begins on a line of its own.
    gap = "\n" if text[:1] in (" ", "\t") else " " if text else ""
    written = f"{word}:{gap}{text}"
    if WORDS[word].form == "line" or not _MAY_OPEN.search(written, len(word) + 1):
        return written
    # A line in a fence is text as it is. Which ones are is the reader's to say: it is asked after each backslash.
    before = "" if word in OPENERS else "Q: x\n"
    while True:
        heads = [section.head for piece in split(Source(before + written, "")) for section in piece.sections]
        opened = next((head for head in heads if head > len(before)), None)
        if opened is None:
            return written
        at = opened - len(before)
        written = f"{written[:at]}\\{written[at:]}"


def write_front_matter(table: dict[str, str | tuple[str, ...]]) -> str:
    """Front matter from its keys as they are written, empty values left out; empty when nothing is left."""
    lines = [f"{key} = {_toml(value)}\n" for key, value in table.items() if value]
    return f"---\n{''.join(lines)}---\n\n" if lines else ""


def _toml(value: str | tuple[str, ...]) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return f"[{', '.join(map(_toml, value))}]"


def write_deck(deck: Deck) -> str:
    """The whole deck: front matter and notes. Comments, headings and notes with errors are not part of a deck."""
    front = write_front_matter(
        {
            "name": deck.name,
            "tags": deck.tags,
            "source": deck.source,
            "as-of": deck.as_of,
            "after": deck.after,
            "units": deck.units,
        }
    )
    notes = (write_note((section.word, section.text) for section in note.sections) for note in deck.notes)
    body = "\n\n".join(notes)
    return f"{front}{body}\n" if body else front
