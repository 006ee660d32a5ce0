"""Settings as one value: read in layers, each value with its origin."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from recall import paths
from recall.errors import DataError, UsageError
from recall.model.card import Place
from recall.model.fault import Fault
from recall.model.options import Options
from recall.settings.keys import (
    DECK_TABLE,
    GENERAL,
    KEYMAP_TABLE,
    KEYS,
    OF_A_DECK,
    Key,
    MathMode,
    Theme,
    did_you_mean,
)
from recall.settings.secrets import hide_password

Layer = Literal["flag", "environment", "file", "default"]


class Value(NamedTuple):
    """The value of one setting and where it comes from."""

    key: Key
    value: object
    layer: Layer = "default"
    origin: str = ""
    """Name of the flag or variable, or `FILE:LINE`; empty for a built-in default."""
    deck: str = ""
    """The deck whose table holds it; empty for a general value."""

    @property
    def shown(self) -> object:
        """The value as it may be printed."""
        return hide_password(str(self.value)) if self.key.secret else self.value


class Settings:
    """What the user has chosen. General settings are attributes; a deck's are `options(deck)`."""

    def __init__(
        self,
        values: Mapping[str, Value],
        decks: Mapping[str, Mapping[str, Value]],
        keymap: Mapping[str, str],
        file: Path,
    ) -> None:
        """*values*: every key, general ones and those of decks without a table of their own."""
        self.values = values
        self.decks = decks
        self.keymap = keymap
        """Id of a key binding to its keys, split by commas: the table `[keys]`."""
        self.file = file
        self._options: dict[str, Options] = {}

    @property
    def database_url(self) -> str:
        """Empty: the SQLite file at its usual place."""
        return str(self.values["database_url"].value)

    @property
    def timezone(self) -> str:
        """IANA name; empty: the system's."""
        return str(self.values["timezone"].value)

    @property
    def rollover_hour(self) -> int:
        return cast(int, self.values["rollover_hour"].value)

    @property
    def learn_ahead_s(self) -> int:
        return cast(int, self.values["learn_ahead_s"].value)

    @property
    def theme(self) -> Theme:
        return cast(Theme, self.values["theme"].value)

    @property
    def math(self) -> MathMode:
        return cast(MathMode, self.values["math"].value)

    @property
    def plain(self) -> bool:
        return cast(bool, self.values["plain"].value)

    @property
    def editor(self) -> str:
        """A command line, to be split as a shell would; empty when neither a setting nor a variable names one."""
        return str(self.values["editor"].value)

    def value(self, key: str, deck: str = "") -> Value:
        """The value of *key* for *deck* (identity; empty: in general) with its origin.

        Raises `UsageError` for a key that does not exist, or a deck's value of a key that decks do not have.
        """
        known = find_key(key, deck)
        if known.per_deck:
            for level in _levels(deck):
                if key in self.decks.get(level, {}):
                    return self.decks[level][key]
        return self.values[key]

    def options(self, deck: str = "") -> Options:
        """Options of *deck*, from its own table, then of the decks above it, then the general ones."""
        found = self._options.get(deck)
        if found is None:
            chosen: dict[str, Any] = {key.name: self.value(key.name, deck).value for key in OF_A_DECK}
            found = self._options[deck] = Options(**chosen)
        return found


def _levels(deck: str) -> list[str]:
    """*deck* and the decks above it, nearest first: `a/b/c` gives `a/b/c`, `a/b`, `a`."""
    names = deck.split("/") if deck else []
    return ["/".join(names[:count]) for count in range(len(names), 0, -1)]


def find_key(name: str, deck: str = "") -> Key:
    """The setting called *name*.

    Raises `UsageError` when there is none, or when *deck* cannot have its own.
    """
    key = KEYS.get(name)
    if key is None:
        raise UsageError(f"unknown setting {name!r}", did_you_mean(name, list(KEYS)) or "recall config lists them all")
    if deck and not key.per_deck:
        raise UsageError(f"{name} is a general setting: a deck cannot have its own", f"recall config {name} VALUE")
    return key


def load_settings(flags: Mapping[str, str] | None = None, *, file: Path | None = None) -> Settings:
    """The settings of this run. *flags* are the texts given on the command line, by key.

    Raises `UsageError` for a flag or a variable, `DataError` for what the file holds; the latter names every
    fault with its line.
    """
    file = file or paths.config_file()
    table = _Table(file)
    values: dict[str, Value] = {key.name: _outer_default(key) for key in (*GENERAL, *OF_A_DECK)}
    values.update(table.general)
    for key in GENERAL:
        for layer, origin, text in (
            ("environment", key.variable, os.environ.get(key.variable)),
            ("flag", _flag_name(key), (flags or {}).get(key.name)),
        ):
            if text:
                values[key.name] = Value(key, _parse(key, text, origin), cast(Layer, layer), origin)
    return Settings(values, table.decks, table.keymap, file)


def _flag_name(key: Key) -> str:
    return "--database" if key.name == "database_url" else f"--{key.name.replace('_', '-')}"


def _parse(key: Key, text: str, origin: str) -> object:
    try:
        return key.form.parse(text)
    except ValueError as error:
        raise UsageError(f"{origin}: {error}", f"found {hide_password(text)!r}") from error


def _outer_default(key: Key) -> Value:
    """The default, perhaps from a variable that many programs share: all of our own layers override it."""
    if key.name == "editor":
        for variable in ("VISUAL", "EDITOR"):
            if os.environ.get(variable):
                return Value(key, os.environ[variable], origin=variable)
    if key.name == "theme" and os.environ.get("NO_COLOR"):
        return Value(key, "mono", origin="NO_COLOR")
    return Value(key, key.default)


class _Table:
    """What config.toml holds, checked; all its faults are collected before one is raised."""

    def __init__(self, file: Path) -> None:
        self.general: dict[str, Value] = {}
        self.decks: dict[str, dict[str, Value]] = {}
        self.keymap: dict[str, str] = {}
        self._file = file
        self._faults: list[Fault] = []
        self._lines: dict[tuple[str, ...], tuple[int, int]] = {}
        self._text = read_config(file)
        if self._text:
            self._read()
        if self._faults:
            raise DataError("\n".join(fault.render() for fault in self._faults))

    def _read(self) -> None:
        from recall.settings.places import entries

        held = parse_toml(self._text, self._file)
        for entry in entries(self._text):
            self._lines.setdefault(entry.path, (entry.line, entry.column))
        for name, value in held.items():
            if name == DECK_TABLE and isinstance(value, dict):
                for deck, options in cast("dict[str, object]", value).items():
                    self._read_deck(deck, options)
            elif name == KEYMAP_TABLE and isinstance(value, dict):
                self._read_keymap(cast("dict[str, object]", value))
            elif name in KEYS:
                found = self._check((name,), KEYS[name], value, "")
                if found:
                    self.general[name] = found
            else:
                known = [*KEYS, DECK_TABLE, KEYMAP_TABLE]
                self._fault((name,), f"unknown setting {name!r}", did_you_mean(name, known))

    def _read_deck(self, deck: str, options: object) -> None:
        path = (DECK_TABLE, deck)
        if not isinstance(options, dict):
            self._fault(path, "a deck's settings stand in a table", f'write [deck."{deck}"]')
            return
        if not deck or deck.endswith(".md") or deck != deck.strip("/"):
            self._fault(
                path,
                f"{deck!r} is no deck",
                f"write {deck.strip('/').removesuffix('.md')!r}: its path without ending",
            )
            return
        named = {key.name: key for key in OF_A_DECK}
        found = self.decks.setdefault(unicodedata.normalize("NFC", deck), {})
        for name, value in cast("dict[str, object]", options).items():
            if name in named:
                checked = self._check((*path, name), named[name], value, deck)
                if checked:
                    found[name] = checked
            elif isinstance(value, dict):
                self._fault(
                    (*path, name),
                    f"unknown table {name!r} in deck {deck!r}",
                    f'write [deck."{deck}/{name}"] for the deck below',
                )
            elif name in KEYS:
                self._fault(
                    (*path, name),
                    f"{name} is a general setting: a deck cannot have its own",
                    "move it above the first table",
                )
            else:
                self._fault((*path, name), f"unknown setting {name!r}", did_you_mean(name, list(named)))

    def _read_keymap(self, keymap: Mapping[str, object], above: tuple[str, ...] = ()) -> None:
        for name, keys in keymap.items():
            path = (*above, name)
            if isinstance(keys, dict):
                # `review.undo = "u"` without quotes around the name is a table in a table for TOML.
                self._read_keymap(cast("dict[str, object]", keys), path)
            elif isinstance(keys, str) and keys:
                self.keymap[".".join(path)] = keys
            else:
                self._fault((KEYMAP_TABLE, *path), "keys are text, several split by commas", 'such as "u,ctrl+z"')

    def _check(self, path: tuple[str, ...], key: Key, value: object, deck: str) -> Value | None:
        try:
            checked = key.form.check(value)
        except ValueError as error:
            self._fault(path, f"{key.name} {error}", "")
            return None
        return Value(key, checked, "file", f"{self._file}:{self._lines.get(path, (1, 1))[0]}", deck)

    def _fault(self, path: tuple[str, ...], message: str, mend: str) -> None:
        place = path
        # A name inside an inline table has no statement of its own: the table's stands for it.
        while place and place not in self._lines:
            place = place[:-1]
        line, column = self._lines.get(place, (1, 1))
        source = hide_password(self._text.splitlines()[line - 1])
        width = len(path[-1]) if source[column - 1 :].startswith(path[-1]) else 1
        self._faults.append(Fault(Place(str(self._file), line, column), message, mend, source_line=source, width=width))


def read_config(file: Path) -> str:
    """The text of the settings file, empty when there is none. Raises `DataError`."""
    try:
        # Bytes, because reading as text would change the line ends that a later write must keep.
        return file.read_bytes().decode("utf-8-sig") if file.exists() else ""
    except OSError as error:
        raise DataError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DataError(f"{file}:{line}: not UTF-8 text", "save the file as UTF-8") from error


def parse_toml(text: str, file: Path) -> dict[str, object]:
    """The values in *text*. Raises `DataError` with the place of a syntax fault."""
    # Only when there is a file: most runs have none, and the parser costs as much as all the rest here.
    import re
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        message = str(error)[: found.start()] if found else str(error)
        lines = text.splitlines() or [""]
        line, column = (int(found[1]), int(found[2])) if found and found[1] else (len(lines), len(lines[-1]) + 1)
        source = hide_password(lines[min(line, len(lines)) - 1])
        fault = Fault(Place(str(file), line, column), f"not TOML: {message}", "", source_line=source)
        raise DataError(fault.render()) from error
