"""The holes of a cloze text: where they are, what they are called, what is wrong with them.

Holes are found after Markdown structure: brackets in code, formulas, links, images, footnotes and task boxes are
text. A text with nothing of that kind in it, which is most of them, is read without the Markdown parser.
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from recall.content.layout import Bracket, layout_of
from recall.model.fault import Severity


@dataclass(frozen=True, slots=True)
class Hole:
    """One hole: `[text]{KEY?hint}`, or `\\hole[KEY?hint]{text}` in a formula. Offsets count in the cloze text."""

    start: int
    end: int
    text_start: int
    text_end: int
    text: str
    key: str
    """As written, or the hash of the text, with `-2`, `-3` for repeats. Holes with one key are asked together."""
    named: bool
    """The key is written."""
    hint: str


class Problem(NamedTuple):
    """Something wrong with a hole, at an offset of the cloze text."""

    offset: int
    width: int
    message: str
    mend: str
    rule: str
    severity: Severity


class Holes(NamedTuple):
    """All that was found in a cloze text."""

    holes: tuple[Hole, ...]
    problems: tuple[Problem, ...]


_MOST_PROBLEMS = 20
_BRACE = re.compile(r"\\.|[{}]|\n[ \t]*(?=\n)", re.DOTALL)
_FORMULA_HOLE = re.compile(r"\\hole(?![A-Za-z])(?:\[([^\]\n]*)\])?")
_NAME = re.compile(r"(?P<key>[^?\s]*)(?:\?(?P<hint>.*))?", re.DOTALL)


@lru_cache(maxsize=16_384)
def find_holes(text: str) -> Holes:
    """The holes of *text* in order, and what is wrong with them."""
    return _Finder(text).run()


def hole_key(text: str) -> str:
    """The key of a hole without one: 8 hex digits of SHA-256 of its text in NFC. New line breaks change nothing."""
    normal = unicodedata.normalize("NFC", " ".join(text.split()))
    return sha256(normal.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class _Found(NamedTuple):
    start: int
    end: int
    text_start: int
    text_end: int
    key: str
    hint: str


class _Finder:
    """Pairs brackets, reads names and hints, and judges."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[_Found] = []
        self._problems: list[Problem] = []
        self._closing: dict[int, int] | None = None

    def run(self) -> Holes:
        layout = layout_of(self._text)
        self._pair(layout.brackets)
        for start, end in layout.formulas:
            self._formula(start, end)
        self._found.sort()
        self._judge()
        # A text full of the same mistake is told of it a few times; errors first, for they drop the note.
        self._problems.sort(key=lambda problem: (problem.severity != "error", problem.offset))
        problems = tuple(sorted(self._problems[:_MOST_PROBLEMS]))
        return Holes(self._named(), problems)

    def _problem(
        self, offset: int, width: int, message: str, mend: str, rule: str, severity: Severity = "error"
    ) -> None:
        self._problems.append(Problem(offset, width, message, mend, rule, severity))

    # Brackets in text

    def _pair(self, brackets: tuple[Bracket, ...]) -> None:
        text = self._text
        open_: list[Bracket] = []
        alone: list[Bracket] = []
        hidden = 0
        """Brackets before this offset stand in the hint of a hole."""
        for bracket in brackets:
            if bracket.offset < hidden:
                continue
            if text[bracket.offset] == "[":
                open_.append(bracket)
            elif open_ and open_[-1].block == bracket.block:
                start = open_.pop().offset
                if not text.startswith("^", start + 1):  # a footnote is no hole
                    hidden = self._hole(start, bracket.offset)
            else:
                alone.append(bracket)
        self._unpaired(open_, alone)

    def _hole(self, start: int, close: int) -> int:
        """Take the hole between two brackets, with what follows in braces; return its end."""
        text = self._text
        end, key, hint = close + 1, "", ""
        if text.startswith("{", end):
            after = self._braces().get(end)
            name = self._name(text[end + 1 : after - 1]) if after else None
            if after and name:
                end, (key, hint) = after, name
            else:
                self._problem(
                    end,
                    (after or end + 1) - end,
                    "these braces are no `{KEY?hint}`, so they are text",
                    "write `{key}`, `{?hint}` or `{key?hint}`, the key of letters, digits, `-` and `_`; or put a space"
                    " before the brace",
                    "hole-name",
                    "warning",
                )
        self._found.append(_Found(start, end, start + 1, close, key, hint))
        return end

    def _braces(self) -> dict[int, int]:
        """Read when the first brace matters."""
        if self._closing is None:
            self._closing = _braces(self._text)
        return self._closing

    def _unpaired(self, open_: list[Bracket], alone: list[Bracket]) -> None:
        lone = deque(alone)
        left: list[Bracket] = []
        for bracket in open_:
            while lone and lone[0].offset < bracket.offset:
                left.append(lone.popleft())
            if lone:
                lone.popleft()
                mend = "keep a hole within one paragraph, or write `\\[` and `\\]` for brackets that are text"
                self._problem(bracket.offset, 1, "a blank line or a new block stands in this hole", mend, "hole-break")
            else:
                mend = "close the hole with `]`, or write `\\[` for a bracket that is text"
                self._problem(bracket.offset, 1, "`[` is never closed, so it is text", mend, "hole-open", "warning")
        for bracket in (*left, *lone):
            mend = "open the hole with `[`, or write `\\]` for a bracket that is text"
            self._problem(bracket.offset, 1, "`]` closes nothing, so it is text", mend, "hole-open", "warning")

    def _name(self, name: str) -> tuple[str, str] | None:
        """KEY and hint, None when *name* is not of that form."""
        match = _NAME.fullmatch(name)
        if not match or not (match["key"] or (match["hint"] or "").strip()):
            return None
        key = unicodedata.normalize("NFC", match["key"])
        if not all(
            character.isalnum() or character in "-_" or unicodedata.category(character)[0] == "M" for character in key
        ):
            return None
        return key, " ".join((match["hint"] or "").split())

    # Holes in formulas

    def _formula(self, start: int, end: int) -> None:
        text = self._text
        for match in _FORMULA_HOLE.finditer(text, start, end):
            opening = match.end()
            close = self._braces().get(opening)
            if close is None or close > end:
                mend = "write `\\hole{...}`, each `{` with its `}`"
                self._problem(match.start(), len(match[0]), "`\\hole` without balanced braces", mend, "hole-braces")
                continue
            name = self._name(match[1]) if match[1] else ("", "")
            if name is None:
                mend = "write `\\hole[key]{...}`, `\\hole[?hint]{...}` or `\\hole[key?hint]{...}`"
                self._problem(match.start(), len(match[0]), "these brackets are no `[KEY?hint]`", mend, "hole-name")
                name = ("", "")
            self._found.append(_Found(match.start(), close, opening + 1, close - 1, *name))

    # Judgement

    def _judge(self) -> None:
        reach = 0
        for found in self._found:
            width = found.end - found.start
            if not self._text[found.text_start : found.text_end].strip():
                mend = "write what is to be remembered between the brackets, or `\\[` and `\\]` for text"
                self._problem(found.start, width, "this hole is empty", mend, "hole-empty")
            if found.start < reach:
                mend = "end the outer hole first, or write `\\[` and `\\]` for brackets that are text"
                self._problem(found.start, width, "this hole stands inside another one", mend, "hole-nested")
            reach = max(reach, found.end)

    def _named(self) -> tuple[Hole, ...]:
        text, repeats = self._text, dict[str, int]()
        written = {found.key for found in self._found if found.key}
        holes: list[Hole] = []
        for start, end, text_start, text_end, name, hint in self._found:
            content = text[text_start:text_end]
            key = name
            if not key:
                base = hole_key(content)
                while True:
                    repeats[base] = repeats.get(base, 0) + 1
                    key = base if repeats[base] == 1 else f"{base}-{repeats[base]}"
                    if key not in written:
                        break
            holes.append(Hole(start, end, text_start, text_end, content, key, bool(name), hint))
        return tuple(holes)


def _braces(text: str) -> dict[int, int]:
    """For each `{` the offset after the `}` that closes it. A brace behind a backslash is text.

    None is closed beyond a blank line.
    """
    closing: dict[int, int] = {}
    open_: list[int] = []
    for match in _BRACE.finditer(text):
        token = match[0]
        if token == "{":
            open_.append(match.start())
        elif token == "}":
            if open_:
                closing[open_.pop()] = match.end()
        elif token[0] == "\n":
            open_.clear()
    return closing
