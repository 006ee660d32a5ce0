"""What is said and kept when the app fails."""

from __future__ import annotations

import os
import sys
import time
import traceback
from pathlib import Path


def report_crash(error: BaseException, directory: Path | None) -> int:
    """Write a report of *error* and say so in one sentence on stderr; returns the exit code."""
    text = "".join(traceback.format_exception(error))
    if os.environ.get("RECALL_DEBUG") == "1":
        print(text, file=sys.stderr)
    place = _write(text, directory) if directory is not None else None
    where = f"; the report is {place}" if place is not None else ""
    print(
        f"recall: the app failed ({type(error).__name__}), every rating is saved{where}. Start it again to go on.",
        file=sys.stderr,
    )
    return 1


def _write(text: str, directory: Path) -> Path | None:
    from recall import __version__
    from recall.tui.private_file import write_private

    place = directory / f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    try:
        write_private(place, f"recall {__version__}, Python {sys.version}, {sys.platform}\n\n{text}")
    except OSError:
        # A full disk must not hide the sentence.
        return None
    return place
