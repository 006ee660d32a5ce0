"""How commands write: JSON for programs on stdout, remarks for people on stderr, tables of plain text."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def print_json(document: object) -> None:
    """Print *document* as the one JSON document of this run."""
    import json

    from recall.prose.marks import escape_unsafe

    # In an encoding without some characters the stream escapes them in Python's way, which is not JSON's.
    utf8 = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    print(escape_unsafe(json.dumps(document, ensure_ascii=not utf8, allow_nan=False, indent=2)))


def say(text: str) -> None:
    """Print *text* for a person. Names of files and decks come from elsewhere: they must not steer the terminal."""
    from recall.prose.marks import strip_unsafe

    print(strip_unsafe(text))


def remark(text: str) -> None:
    """Tell a person something that is not the output itself."""
    from recall.prose.marks import strip_unsafe

    print(strip_unsafe(text), file=sys.stderr, flush=True)


def path_argument(text: str) -> str:
    """*text*, a path on the command line; raises for an empty one, which would mean the directory that one is in."""
    if not text:
        import argparse

        raise argparse.ArgumentTypeError("the path is empty")
    return text


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 card", "3 cards"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """*rows* as lines whose columns line up, those in *right* to the right. Widths are cells of a terminal."""
    from recall.prose.width import cell_width

    if not rows:
        return []
    widths = [max(cell_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells: list[str] = []
        for column, cell in enumerate(row):
            blank = " " * (widths[column] - cell_width(cell))
            cells.append(blank + cell if column in right else cell + blank)
        lines.append("  ".join(cells).rstrip())
    return lines
