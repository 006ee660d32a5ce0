"""Characters that mark holes in card text, and the cleaning that keeps deck text from forging them."""

from __future__ import annotations

HOLE_OPEN = "\ue000"
HOLE_CLOSE = "\ue001"
"""Around the `…` or the hint that stands for the hole that is asked."""
ANSWER_OPEN = "\ue002"
ANSWER_CLOSE = "\ue003"
"""Around the text of that hole once it is revealed."""

_BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_UNSAFE: dict[int, None] = {
    **{code: None for code in range(0x20) if chr(code) not in "\n\t"},
    **dict.fromkeys(range(0x7F, 0xA0)),
    **dict.fromkeys(range(0xE000, 0xE100)),
    **{ord(character): None for character in _BIDI},
}


def strip_unsafe(text: str) -> str:
    """*text* without control characters (newline and tab stay), bidi controls and our own marks.

    A deck must not be able to write escape codes, turn text around on screen, or claim a hole.
    """
    return text.translate(_UNSAFE)


def escape_unsafe(json: str) -> str:
    """*json* with the same characters as escapes: for a reader it is the same document, for a terminal only text."""
    return json.translate(_ESCAPED)


_ESCAPED = {code: f"\\u{code:04x}" for code in _UNSAFE}
_MARKS = HOLE_OPEN + HOLE_CLOSE + ANSWER_OPEN + ANSWER_CLOSE
_UNSAFE_BUT_MARKS = {code: None for code in _UNSAFE if chr(code) not in _MARKS}


def strip_around_marks(text: str) -> str:
    """`strip_unsafe` for text in which the reader of decks has already marked the holes: these four stay."""
    return text.translate(_UNSAFE_BUT_MARKS)
