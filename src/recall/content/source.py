"""A deck's text with its places, and the faults found in it."""

from __future__ import annotations

from bisect import bisect_right

from recall.model.card import Place
from recall.model.fault import Fault, Severity


class Source:
    """The text of one file, or of one note in it, and the faults that were collected while reading it."""

    def __init__(self, text: str, file: str, line: int = 1) -> None:
        self.text = text
        self.file = file
        self.line = line
        """Line of the file on which *text* begins."""
        self.faults: list[Fault] = []
        self._starts: list[int] | None = None

    @property
    def starts(self) -> list[int]:
        """Offset of every line of the text; made when the first place is asked for."""
        if self._starts is None:
            starts, at = [0], self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._starts = starts
        return self._starts

    def place(self, offset: int) -> Place:
        """Where the character at *offset* stands in the file."""
        row = bisect_right(self.starts, offset) - 1
        return Place(self.file, self.line + row, offset - self.starts[row] + 1)

    def line_at(self, offset: int) -> str:
        """The whole line around *offset*."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : end if end >= 0 else len(self.text)]

    def make(
        self,
        offset: int,
        message: str,
        mend: str,
        *,
        rule: str,
        width: int = 1,
        severity: Severity = "error",
    ) -> Fault:
        """A fault at *offset*, underlined over *width* characters of its line; it is not recorded."""
        line = self.line_at(offset)
        place = self.place(offset)
        widest = max(1, len(line) - place.column + 1)
        return Fault(place, message, mend, severity, rule, line, min(max(1, width), widest))

    def fault(self, offset: int, message: str, mend: str, *, rule: str, width: int = 1) -> Fault:
        """Record an error at *offset* and return it."""
        found = self.make(offset, message, mend, rule=rule, width=width)
        self.faults.append(found)
        return found

    def warn(self, offset: int, message: str, mend: str, *, rule: str, width: int = 1) -> Fault:
        """Record a warning, which drops nothing, and return it."""
        found = self.make(offset, message, mend, rule=rule, width=width, severity="warning")
        self.faults.append(found)
        return found
