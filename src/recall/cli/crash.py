"""The report of an error that nobody foresaw: a file for us, one line for the user."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import time
import traceback
from collections.abc import Sequence

from recall import __version__, paths
from recall.settings.secrets import hide_password

_KEPT = 10


def report(error: Exception, words: Sequence[str]) -> str:
    """Save what happened for a report, and return the line for the user."""
    said = _hidden("".join(traceback.format_exception_only(error)).strip().splitlines()[-1])
    text = (
        f"recall {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"command: {_hidden(' '.join(words))}\n\n{_hidden(''.join(traceback.format_exception(error)))}"
    )
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    try:
        directory = paths.make_private(paths.home() / "crashes")
        file = directory / name
        with os.fdopen(
            os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, paths.PRIVATE_FILE),
            "w",
            encoding="utf-8",
            errors="backslashreplace",
        ) as stream:
            stream.write(text)
        for old in sorted(directory.glob("crash-*.txt"))[:-_KEPT]:
            with contextlib.suppress(OSError):
                old.unlink()
    except OSError:
        return f"recall: this is a bug: {said}\n  RECALL_DEBUG=1 shows where; the report could not be saved"
    return f"recall: this is a bug: {said}\n  the report is in {file}"


def _hidden(text: str) -> str:
    return re.sub(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"]+", lambda url: hide_password(url[0]), text)
