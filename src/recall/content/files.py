"""Replacing a file whole: a crash leaves the old one or the new one, never half of each."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from recall.errors import DataError


def replace_file(path: Path, data: bytes, *, expected: bytes) -> None:
    """Put *data* in the place of the file's content, which must still be *expected*.

    Symbolic links stay: what they point at is replaced. Permissions and owner stay. Raises `DataError` when the
    file may not be written or has changed meanwhile; then nothing is written.
    """
    try:
        target = path.resolve()
        if not os.access(target, os.W_OK):
            raise DataError(f"{path}: permission denied", "check the permissions of the file")
        written = _beside(target, data)
        try:
            unchanged = target.read_bytes() == expected
            if unchanged:
                written.replace(target)
        finally:
            written.unlink(missing_ok=True)
        _sync_directory(target.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise DataError(f"{path}: cannot be written: {reason}", "check the permissions and the disk") from error
    if not unchanged:
        raise DataError(f"{path}: the file was changed meanwhile", "run the command again")


def _beside(target: Path, data: bytes) -> Path:
    """A new file in the folder of *target* with *data*, on disk, with the permissions and owner of *target*."""
    about = target.stat()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:60]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if hasattr(os, "fchown"):  # not on Windows
                with contextlib.suppress(PermissionError):
                    os.fchown(file.fileno(), about.st_uid, about.st_gid)
                os.fchmod(file.fileno(), about.st_mode & 0o7777)
            os.fsync(file.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _sync_directory(directory: Path) -> None:
    """Make the new directory entry durable, where the system lets a directory be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
