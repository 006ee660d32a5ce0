"""The user's editor, opened at a line."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from recall.errors import UsageError

_PLUS_LINE = {
    "vi", "vim", "nvim", "view", "ex", "elvis", "nano", "pico", "emacs", "emacsclient", "ne", "micro", "kak", "joe",
    "jed", "mg", "zile", "mcedit", "vis",
}  # fmt: skip
_GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
_COLON = {"hx", "helix", "zed", "zeditor", "subl", "sublime_text"}
_WAITS_WITH_W = _GOTO | {"subl", "sublime_text"}
_WAITS_WITH_WAIT = {"zed", "zeditor"}


def chosen_editor(setting: str = "") -> str:
    """The editor's command: the setting, else VISUAL, EDITOR, else one that is installed."""
    for command in (setting, os.environ.get("VISUAL", ""), os.environ.get("EDITOR", "")):
        if command.strip():
            return command
    if os.name == "nt":
        return "notepad"
    return next((name for name in ("nano", "vim", "vi") if shutil.which(name)), "vi")


def editor_command(editor: str, file: Path | str, line: int) -> list[str]:
    """The words that start *editor* on *file* at *line* and wait until it is closed.

    Raises `UsageError` when *editor* is no command line.
    """
    try:
        words = shlex.split(editor, posix=os.name != "nt")
    except ValueError as error:
        raise UsageError(f"the editor {editor!r} cannot be read as a command: {error}", "set `editor`") from error
    if not words:
        raise UsageError("no editor is set", "set `editor`, VISUAL or EDITOR")
    name = Path(words[0]).name.removesuffix(".exe")
    if name in _WAITS_WITH_W and not {"-w", "--wait"} & set(words):
        words.append("-w")
    if name in _WAITS_WITH_WAIT and "--wait" not in words:
        words.append("--wait")
    if name in _PLUS_LINE:
        return [*words, f"+{line}", str(file)]
    if name in _GOTO:
        return [*words, "-g", f"{file}:{line}"]
    if name in _COLON:
        return [*words, f"{file}:{line}"]
    return [*words, str(file)]
