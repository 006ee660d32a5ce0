"""What the app is given beside its study: time, signs, keys, and ways to the world outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recall.clock import Clock, ZoneClock
from recall.schedule.days import DEFAULT_ROLLOVER_H, day_of
from recall.tui.glyphs import UNICODE, Glyphs


def run_command(words: Sequence[str]) -> int:
    """Run a program in the terminal and wait for it; returns its exit status. Raises `OSError` when it cannot start."""
    import subprocess

    return subprocess.run(list(words), check=False).returncode


def open_outside(address: str) -> None:
    """Hand *address* to the desktop. Raises `OSError`."""
    from recall.tui import outside

    outside.open_outside(address)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """All of it has defaults that do the usual; tests give their own."""

    clock: Clock = field(default_factory=ZoneClock)
    rollover_hour: int = DEFAULT_ROLLOVER_H
    """Local hour at which a study day begins."""
    glyphs: Glyphs = UNICODE
    keymap: Mapping[str, str] = field(default_factory=dict[str, str])
    editor: str = ""
    """The setting; empty: from the environment."""
    copy_file: Path | None = None
    """Where copied text is also written, for terminals that do not take it."""
    minimum_size: tuple[int, int] = (60, 15)
    """Columns and rows below which the app asks for a larger window."""
    run_command: Callable[[Sequence[str]], int] = run_command
    open_outside: Callable[[str], None] = open_outside
    keep_theme: Callable[[str], None] | None = None
    """Remembers the theme that the user chose, by its name in the settings. May raise `RecallError`."""

    def today(self) -> int:
        """The study day that it is now."""
        return day_of(self.clock.now(), self.rollover_hour)
