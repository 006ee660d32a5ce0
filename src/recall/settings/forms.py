"""Forms that the value of a setting can have: how it is read, checked and written.

`check` takes a value as TOML gives it, `parse` the text of a flag or an environment variable; both return the
value as the program uses it or raise `ValueError` with a sentence that ends the line "KEY: ...".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn, Protocol, cast


class Form(Protocol):
    """What a setting's value may be."""

    @property
    def description(self) -> str:
        """In words, for messages and lists: "a whole number from 0 to 23"."""
        ...

    def check(self, value: object) -> object:
        """*value*, as TOML gives it, in the program's type."""
        ...

    def parse(self, text: str) -> object:
        """The value that *text* stands for."""
        ...


def refuse(form: Form) -> NoReturn:
    """Say what *form* a value must have."""
    raise ValueError(f"must be {form.description}")


def to_toml(value: object) -> str:
    """*value* as it stands in config.toml."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(to_toml(part) for part in cast('Sequence[object]', value))}]"
    return quoted(str(value))


def quoted(text: str) -> str:
    """*text* as a basic string of TOML."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(escapes.get(c) or (f"\\u{ord(c):04x}" if c < " " or c == "\x7f" else c) for c in text) + '"'


class Whole(NamedTuple):
    """A whole number within bounds, both included."""

    low: int
    high: int
    unit: str = ""

    @property
    def description(self) -> str:
        return f"a whole number{' of ' + self.unit if self.unit else ''} from {self.low} to {self.high}"

    def check(self, value: object) -> int:
        # True is an int for Python, and no number for a reader.
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            refuse(self)
        return value

    def parse(self, text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,12}", text.strip()):
            refuse(self)
        return self.check(int(text))


class Real(NamedTuple):
    """A number within bounds, both included."""

    low: float
    high: float

    @property
    def description(self) -> str:
        return f"a number from {self.low} to {self.high}"

    def check(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not self.low <= value <= self.high:
            refuse(self)
        return float(value)

    def parse(self, text: str) -> float:
        try:
            return self.check(float(text))
        except ValueError:
            refuse(self)


class Flag(NamedTuple):
    """Yes or no."""

    @property
    def description(self) -> str:
        return "true or false"

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            refuse(self)
        return value

    def parse(self, text: str) -> bool:
        match text.strip().lower():
            case "true" | "yes" | "on" | "1":
                return True
            case "false" | "no" | "off" | "0":
                return False
            case _:
                refuse(self)


class Choice(NamedTuple):
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def description(self) -> str:
        return f"one of {', '.join(self.words)}"

    def check(self, value: object) -> str:
        if value not in self.words:
            refuse(self)
        return str(value)

    def parse(self, text: str) -> str:
        return self.check(text.strip())


class Text(NamedTuple):
    """One line of text."""

    description: str = "a line of text"

    def check(self, value: object) -> str:
        if not isinstance(value, str) or any(c < " " or c == "\x7f" for c in value):
            refuse(self)
        return value

    def parse(self, text: str) -> str:
        return self.check(text)


class Zone(NamedTuple):
    """An IANA time zone, or nothing for the system's."""

    @property
    def description(self) -> str:
        return "an IANA time zone such as Europe/Berlin, or empty for the system's"

    def check(self, value: object) -> str:
        if value == "":
            return ""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            return ZoneInfo(value).key if isinstance(value, str) else refuse(self)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            refuse(self)

    def parse(self, text: str) -> str:
        return self.check(text.strip())


_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}


class Steps(NamedTuple):
    """Steps of learning inside a day, in seconds; written as seconds, or as text with a unit (`"10m"`)."""

    low: int
    high: int

    @property
    def description(self) -> str:
        return f"steps of {self.low} to {self.high} seconds, such as 60, 600 or 1m, 10m (at most 10)"

    def check(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, (list, tuple)) or len(cast("Sequence[object]", value)) > 10:
            refuse(self)
        return tuple(self._step(part) for part in cast("Sequence[object]", value))

    def _step(self, value: object) -> int:
        seconds = value
        if isinstance(value, str):
            found = re.fullmatch(r"([0-9]{1,6})\s*(s|min|m|h|)", value.strip())
            seconds = int(found[1]) * _SECONDS[found[2]] if found else None
        if isinstance(seconds, bool) or not isinstance(seconds, int) or not self.low <= seconds <= self.high:
            refuse(self)
        return seconds

    def parse(self, text: str) -> tuple[int, ...]:
        words = [word for word in re.split(r"[,\s]+", text.strip().strip("[]")) if word]
        return self.check([word.strip("\"'") for word in words])


class Weights(NamedTuple):
    """A list of numbers, each within its own bounds: the weights of a memory model."""

    bounds: tuple[tuple[float, float], ...]

    @property
    def description(self) -> str:
        return f"{len(self.bounds)} numbers, each within the bounds of its weight"

    def check(self, value: object) -> tuple[float, ...]:
        if not isinstance(value, (list, tuple)) or len(cast("Sequence[object]", value)) != len(self.bounds):
            refuse(self)
        weights: list[float] = []
        for index, (weight, (low, high)) in enumerate(zip(cast("Sequence[object]", value), self.bounds, strict=True)):
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not math.isfinite(weight):
                refuse(self)
            if not low <= weight <= high:
                raise ValueError(f"weight {index} is {weight}; it must lie between {low} and {high}")
            weights.append(float(weight))
        return tuple(weights)

    def parse(self, text: str) -> tuple[float, ...]:
        try:
            numbers = [float(word) for word in re.split(r"[,\s]+", text.strip().strip("[]").strip()) if word]
        except ValueError:
            refuse(self)
        return self.check(numbers)
