"""Deck text to sections: where each begins, where it ends, and what stands outside all of them.

A section begins in column 0, outside code fences, HTML comments and display math. One compiled pattern walks
over the lines that could matter. A fence, comment or formula that begins in column 0 is at the top level by
CommonMark's rules, whatever stands before it, so its end is found directly; one inside a list or a quotation
needs the block structure, and only then is the Markdown parser called (`structure`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from recall.content.source import Source
from recall.content.words import OPENERS, WORDS, near_word

if TYPE_CHECKING:
    from recall.content.structure import Structure

HEAD = r"(?:[QAC]:|[a-z][a-z-]*:(?=[ \t\n]|\Z))"
"""A word and its colon; whether the word is known is asked later."""
_OPENER = (
    r"(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
    r"|(?P<comment><!--)"
    r"|(?P<math>\$\$)"
    # One of these after the marker of a list or quotation, or indented.
    r"|(?P<nested>(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))+(?:`{3}|~{3}|<!--|\$\$))"
)
_EVENT = re.compile(rf"^(?:(?P<head>{HEAD})|(?P<rule>---[ \t]*$)|(?P<escape>\\{HEAD})|{_OPENER})", re.MULTILINE)
_TAIL_OPENER = re.compile(_OPENER, re.MULTILINE)
_BLANK = " \t\n"
"""What CommonMark's blank lines are made of; other spaces are text."""
_INDENT = re.compile(r"[ \t]*")
_CONTINUED = re.compile(r"\n(?:[ \t]*\n)*(?: {2,}|\t)[ \t]*[^ \t\n][^\n]*")
_RULES = re.compile(r"(?:\n(?:---)?[ \t]*(?=\n|\Z))*")
"""Blank lines, and further `---` lines, below one."""
_CLOSES_NOTE = re.compile(r"\n[QC]:|\Z")
_FORMULA_STOP = re.compile(r"\n(?:[ \t]*(?=\n|\Z)|[^\n]*(?P<close>\$\$)[ \t]*(?=\n|\Z))")
_SWALLOWED = re.compile(rf"^{HEAD}", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NO_TEXT = re.compile(r" {0,3}(?:#{1,6}(?:[ \t].*)?|(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})?\s*\Z")
"""A line outside all cards that needs no warning: blank, a heading, or a rule."""


class Section(NamedTuple):
    """One section: a word, and the text up to the next word."""

    word: str
    text: str
    """Without the blank lines around it, and without the backslashes that kept lines from being sections."""
    head: int
    """Offset of the word in the source."""
    start: int
    """Offset of the first character of `text` in the source; of the place for it when it is empty."""
    removed: tuple[int, ...] = ()
    """Offsets in the source of the backslashes that are not shown."""

    def offset(self, index: int) -> int:
        """Offset in the source of the character at *index* of `text`."""
        at = self.start + index
        for backslash in self.removed:
            if backslash > at:
                break
            at += 1
        return at

    @property
    def end(self) -> int:
        """Offset in the source after the last character of the section."""
        return max(self.head + len(self.word) + 1, self.start + len(self.text) + len(self.removed))


class Piece:
    """The sections from one `Q:` or `C:` to the next."""

    __slots__ = ("broken", "sections", "start")

    def __init__(self, sections: list[Section], start: int) -> None:
        self.sections = sections
        self.start = start
        self.broken = False
        """A fault was found that drops the note."""

    @property
    def end(self) -> int:
        """Offset in the source after the last character that is not blank."""
        return self.sections[-1].end


class _Open(NamedTuple):
    """A section whose end is not known yet."""

    word: str
    head: int
    body: int
    """Offset after the colon and the space behind it."""


def split(source: Source, start: int = 0) -> list[Piece]:
    """The pieces of the text from *start* on, in order. Faults are recorded in *source*."""
    return _Scanner(source, start).run()


class _Scanner:
    """One walk over the text."""

    def __init__(self, source: Source, start: int) -> None:
        self._source = source
        self._text = source.text
        self._position = start
        self._open: _Open | None = None
        self._limit = start
        """Where text that belongs to no section begins when none is open."""
        self._removed: list[int] = []
        self._structure: tuple[int, Structure] | None = None
        """Block structure of the section whose text begins at the offset."""
        self._no_formula = start
        """Before this offset no formula is closed on a later line."""
        self._rules = (-1, False)
        """End of the last run of `---` and blank lines, and whether a card or nothing comes after it."""
        self._pieces: list[Piece] = []

    def run(self) -> list[Piece]:
        text, search = self._text, _EVENT.search
        while match := search(text, self._position):
            kind = match.lastgroup
            if kind == "head":
                self._head(match)
            elif kind == "rule":
                self._rule(match)
            elif kind == "escape":
                if match["escape"][1:-1] in WORDS:
                    self._removed.append(match.start())
                self._position = match.end()
            else:
                self._opener(match)
        self._close(len(text))
        return self._pieces

    def _head(self, match: re.Match[str]) -> None:
        word, start = match["head"][:-1], match.start()
        known = WORDS.get(word)
        if known is None:
            self._position = match.end()
            self._unknown(word, start)
            return
        self._close(start)
        indent = _INDENT.match(self._text, match.end())
        body = indent.end() if indent else match.end()
        if word in OPENERS:
            self._pieces.append(Piece([], start))
        if known.form == "line":
            end = self._text.find("\n", body)
            end = len(self._text) if end < 0 else end
            while more := _CONTINUED.match(self._text, end):
                end = more.end()
            self._finish(_Open(word, start, body), end)
            self._limit = self._position = end
            return
        self._open = _Open(word, start, body)
        self._position = body
        # A fence, comment or formula may be the first line of the text, right behind the colon.
        if tail := _TAIL_OPENER.match(self._text, body):
            self._opener(tail)

    def _rule(self, match: re.Match[str]) -> None:
        """`---` closes a note when a blank line stands before it and a card, or nothing, comes after."""
        text, start = self._text, match.start()
        self._position = match.end()
        if match.end() > self._rules[0]:
            run = _RULES.match(text, match.end())
            end = run.end() if run else match.end()
            self._rules = (end, _CLOSES_NOTE.match(text, end) is not None)
        if not self._rules[1]:
            return
        above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start]
        if not above.strip(_BLANK) or self._open is None:
            self._close(start)
            self._limit = match.end()
        else:
            self._source.warn(
                start,
                "`---` right below text makes that text a heading",
                "put a blank line before it to close the card",
                rule="heading-rule",
                width=3,
            )

    # Code fences, comments, display math

    def _opener(self, match: re.Match[str]) -> None:
        kind, start, text = match.lastgroup, match.start(), self._text
        if kind == "fence":
            closing = re.compile(rf"^ {{0,3}}{match['fence']}{match['fence'][0]}*[ \t]*$", re.MULTILINE)
            self._skip(start, closing.search(text, match.end()), "code fence", len(match["fence"]))
        elif kind == "comment":
            self._skip(start, re.compile(r"-->[^\n]*").search(text, start + 2), "comment", 4)
        elif kind == "math":
            self._position = self._formula_end(start) or match.end()
        else:
            body = self._open.body if self._open else self._limit
            if self._structure is None or self._structure[0] != body:
                from recall.content.structure import structure_of  # the Markdown parser: rarely needed

                self._structure = (body, structure_of(text, body))
            end = self._structure[1].end_of(start)
            self._position = match.end() if end is None else max(end, match.end())
            if end is not None and end >= len(text):
                self._swallowed(start, match.end(), "code fence, comment or formula", match.end() - start)

    def _formula_end(self, start: int) -> int | None:
        """End of the display formula whose `$$` stands at *start*; None when that is no display formula.

        It ends with the first line that ends in `$$`. As in LaTeX, no blank line may stand inside.
        """
        text = self._text
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        first = text[start:end].strip(" \t")
        if len(first) > 3 and first.endswith("$$"):
            return end
        if "$$" in first[2:] or start < self._no_formula:
            return None
        stop = _FORMULA_STOP.search(text, end)
        if stop and stop["close"]:
            return stop.end()
        # What stands open up to a blank line does so from each line above it.
        self._no_formula = stop.start() if stop else len(text)
        return None

    def _skip(self, start: int, closing: re.Match[str] | None, what: str, width: int) -> None:
        if closing:
            self._position = closing.end()
        else:
            self._position = len(self._text)
            self._swallowed(start, start + width, what, width)

    def _swallowed(self, start: int, after: int, what: str, width: int) -> None:
        """Report what stands open to the end of the file, if a section would have begun in there."""
        words = [word[:-1] for word in _SWALLOWED.findall(self._text, after) if word[:-1] in WORDS]
        if not words:
            return
        cards = sum(word in OPENERS for word in words)
        lost = f"{cards} cards below stand" if cards > 1 else "the card below stands" if cards else "sections stand"
        self._source.fault(
            start,
            f"this {what} is never closed, and {lost} inside it",
            "close it on a line of its own",
            rule="unclosed",
            width=width,
        )
        if self._pieces:
            self._pieces[-1].broken = True

    # Ends

    def _close(self, end: int) -> None:
        if self._open is None:
            self._stray(self._limit, end)
        else:
            self._finish(self._open, end)
            self._open = None
        self._limit = end

    def _finish(self, section: _Open, end: int) -> None:
        text = self._text
        raw = text[section.body : end]
        body, start = raw.strip(_BLANK), section.body
        if body:
            start += len(raw) - len(raw.lstrip(_BLANK))
            # The indentation of a first line below the word belongs to the text: it may be code.
            line = text.rfind("\n", section.body, start) + 1
            if line and WORDS[section.word].form != "line":
                body, start = text[line:start] + body, line
        removed = tuple(self._removed)
        if removed:
            self._removed.clear()
            for backslash in reversed(removed):
                body = body[: backslash - start] + body[backslash - start + 1 :]
        if self._pieces:
            self._pieces[-1].sections.append(Section(section.word, body, section.head, start, removed))
        else:
            self._source.warn(
                section.head,
                f"`{section.word}:` belongs to no card",
                "put it below the `Q:` or `C:` of its card",
                rule="no-card",
                width=len(section.word) + 1,
            )

    def _stray(self, start: int, end: int) -> None:
        """Report text between sections that belongs to none; headings and comments may stand there."""
        self._removed.clear()
        region = self._text[start:end]
        if not region.strip(_BLANK):
            return
        region = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), region)
        at, inside = start, False
        for line in region.split("\n"):
            if not line.strip(_BLANK):
                inside = False
            elif not inside and not _NO_TEXT.match(line):
                inside = True
                self._source.warn(
                    at + len(line) - len(line.lstrip()),
                    "this text belongs to no card",
                    "put it below a word such as `A:` or `why:`, or make it a comment `<!-- ... -->`",
                    rule="no-card",
                    width=len(line.strip()),
                )
            at += len(line) + 1

    def _unknown(self, word: str, start: int) -> None:
        near = near_word(word)
        if near is not None:
            self._source.warn(
                start,
                f"`{word}:` is no section word, so this line is text",
                f"did you mean `{near}:`?",
                rule="unknown-word",
                width=len(word) + 1,
            )
