"""A fault in a file: where it is, what is wrong, how to mend it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from recall.model.card import Place

Severity = Literal["error", "warning"]
"""An error drops the note it stands in, and only that; a warning drops nothing."""


class Fault(NamedTuple):
    """One finding, ready to be shown with its line and a caret."""

    place: Place
    message: str
    """What is wrong, in words; no final period."""
    mend: str
    """What to do, as an imperative or a question; may be empty."""
    severity: Severity = "error"
    rule: str = ""
    """Short stable name, such as `unknown-word`; for filters and docs."""
    source_line: str = ""
    """The line of the file, without its line end."""
    width: int = 1
    """Characters that the caret underlines."""

    def render(self) -> str:
        """Three or four lines: place and message, the source line, a caret, the mend."""
        lines = [f"{self.place}: {'warning: ' if self.severity == 'warning' else ''}{self.message}"]
        if self.source_line:
            before = self.source_line[: self.place.column - 1]
            # Tabs stay tabs under tabs, so the caret lines up whatever their width.
            indent = "".join("\t" if character == "\t" else " " for character in before)
            lines += [f"    {self.source_line}", f"    {indent}{'^' * max(1, self.width)}"]
        if self.mend:
            lines.append(f"  {self.mend}")
        return "\n".join(lines)
