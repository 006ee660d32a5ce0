"""Changes to config.toml that leave comments, order and everything else as they are."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import cast

from recall import paths
from recall.errors import DataError, UsageError
from recall.settings.forms import quoted, to_toml
from recall.settings.keys import DECK_TABLE, Key
from recall.settings.load import find_key, parse_toml, read_config
from recall.settings.places import Entry, entries
from recall.settings.secrets import hide_password


def write_setting(name: str, text: str, deck: str | None = None, *, file: Path | None = None) -> object:
    """Set *name* (of *deck*, or in general) to what *text* stands for, and return that value.

    The file is written in one step: a crash leaves the old or the new one whole.
    Raises `UsageError` for an unknown name or a bad value, `DataError` when the file cannot be read
    or written.
    """
    key = find_key(name, deck or "")
    try:
        value = key.form.parse(text)
    except ValueError as error:
        raise UsageError(f"{name} {error}", f"found {hide_password(text)!r}") from error
    _change(key, value, deck or "", file or paths.config_file())
    return value


def unset_setting(name: str, deck: str | None = None, *, file: Path | None = None) -> None:
    """Take *name* (of *deck*, or the general one) out of the file, so that the layer below shows again."""
    _change(find_key(name, deck or ""), None, deck or "", file or paths.config_file())


def _change(key: Key, value: object | None, deck: str, file: Path) -> None:
    text = read_config(file)
    held = parse_toml(text, file)
    path = (DECK_TABLE, deck, key.name) if deck else (key.name,)
    changed = _removed(text, path) if value is None else _placed(text, path, value)
    if changed == text:
        return
    # Reading back is the proof that nothing else changed: whatever form the file has, it is right or refused.
    if parse_toml(changed, file) != _expected(held, path, value):
        where = f'the table [deck."{deck}"]' if deck else "the file"
        raise DataError(
            f"{file}: {key.name} stands in a form that is not changed by itself",
            f"change {where} in an editor",
        )
    _write(file, changed)


def _placed(text: str, path: tuple[str, ...], value: object) -> str:
    """*text* with the value at *path*: in place of the old one, else at the end of its table."""
    written = to_toml(value)
    known = list(entries(text))
    for entry in known:
        if entry.path == path and not entry.is_table:
            return text[: entry.value_start] + written + text[entry.value_end :]
    statement = f"{path[-1]} = {written}"
    line_end = "\r\n" if "\r\n" in text else "\n"
    headers = [entry for entry in known if entry.is_table]
    table = path[:-1]
    if table and table not in [entry.path for entry in headers]:
        before = text if not text or text.endswith("\n") else text + line_end
        header = f"[{table[0]}.{table[1] if re.fullmatch('[A-Za-z0-9_-]+', table[1]) else quoted(table[1])}]"
        return f"{before}{line_end if before else ''}{header}{line_end}{statement}{line_end}"
    at = _end_of_table(text, known, table)
    before = text[:at] if at == 0 or text[at - 1] == "\n" else text[:at] + line_end
    return before + statement + line_end + text[at:]


def _end_of_table(text: str, known: list[Entry], table: tuple[str, ...]) -> int:
    """The offset of the line behind the last statement of *table*."""
    last = -1
    inside = table == ()
    for entry in known:
        if entry.is_table:
            inside = entry.path == table
        if inside:
            last = entry.value_end
    if last < 0:
        # No general setting yet: before the first header and the comments that stand directly above it.
        first = next((entry.start for entry in known if entry.is_table), len(text))
        lines = text[:first].splitlines(keepends=True)
        while lines and lines[-1].lstrip().startswith("#"):
            lines.pop()
        return len("".join(lines))
    end = text.find("\n", last)
    return len(text) if end < 0 else end + 1


def _removed(text: str, path: tuple[str, ...]) -> str:
    for entry in entries(text):
        if entry.path == path and not entry.is_table:
            start = text.rfind("\n", 0, entry.start) + 1
            end = text.find("\n", entry.value_end)
            return text[:start] + ("" if end < 0 else text[end + 1 :])
    return text


def _expected(held: dict[str, object], path: tuple[str, ...], value: object | None) -> dict[str, object]:
    """*held* with *value* at *path*, as `tomllib` would read it."""
    name, *rest = path
    changed = dict(held)
    if rest:
        inner = changed.get(name)
        inner = cast("dict[str, object]", inner) if isinstance(inner, dict) else {}
        changed[name] = _expected(inner, tuple(rest), value)
    elif value is None:
        changed.pop(name, None)
    else:
        changed[name] = list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
    return changed


def _write(file: Path, text: str) -> None:
    # A link into a directory of dotfiles stays a link.
    target = Path(os.path.realpath(file))
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        paths.make_private(target.parent)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, paths.PRIVATE_FILE), "wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise DataError(f"{file}: cannot be written: {error.strerror or error}", "nothing was changed") from error
