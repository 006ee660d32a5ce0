"""Files for the user alone."""

from __future__ import annotations

import os
from pathlib import Path

from recall.paths import PRIVATE_FILE, make_private


def write_private(file: Path, text: str) -> None:
    """Write *text* to *file* with its directories, readable by the user only. Raises `OSError`."""
    make_private(file.parent)
    descriptor = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE)
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as opened:
        opened.write(text)
