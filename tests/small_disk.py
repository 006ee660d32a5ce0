"""A disk that a test can fill."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(place: Path, size: str) -> Generator[Path]:
    """A file system of *size* (as `mount` writes it) at *place*; the test is skipped where none can be made."""
    if os.name != "posix" or os.getuid() != 0:
        pytest.skip("only root can mount a small disk")
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"cannot mount a small disk: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@contextmanager
def fill(disk: Path) -> Generator[None]:
    """Leave no room on *disk* for a while."""
    filler = disk / "filler"
    descriptor = os.open(filler, os.O_CREAT | os.O_WRONLY)
    try:
        with contextlib.suppress(OSError):
            while True:
                os.write(descriptor, bytes(4096))
        yield
    finally:
        os.close(descriptor)
        filler.unlink()
