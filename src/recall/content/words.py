"""The section words of the deck grammar: their form, what they belong to, and their near misses."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

Form = Literal["text", "list", "line"]
"""Markdown over many lines; one `- ` item a line; one line that indented lines continue."""
Owner = Literal["opens", "answer", "part", "card"]
"""Opens a card or part; answers one; belongs to the part it stands in; belongs to the whole card."""


class Word(NamedTuple):
    """One section word."""

    form: Form
    owner: Owner
    kind: str = ""
    """The kind of card that an answer word makes."""


WORDS: dict[str, Word] = {
    "Q": Word("text", "opens"),
    "C": Word("text", "opens", "cloze"),
    "then": Word("text", "opens"),
    "A": Word("text", "answer", "text"),
    "number": Word("line", "answer", "numeric"),
    "expression": Word("line", "answer", "expression"),
    "shape": Word("line", "answer", "shape"),
    "choice": Word("list", "answer", "choice"),
    "measure": Word("line", "answer", "measured"),
    "derive": Word("line", "answer", "derivation"),
    "code": Word("line", "answer", "code"),
    "rubric": Word("list", "answer", "rubric"),
    "why": Word("text", "part"),
    "hint": Word("text", "part"),
    "given": Word("line", "part"),
    "where": Word("line", "part"),
    "symbols": Word("line", "part"),
    "define": Word("line", "part"),
    "arrays": Word("line", "part"),
    "unit": Word("line", "part"),
    "mistake": Word("line", "part"),
    "time": Word("line", "part"),
    "test": Word("line", "part"),
    "reverse": Word("text", "card"),
    "id": Word("line", "card"),
    "tags": Word("line", "card"),
    "source": Word("line", "card"),
    "as-of": Word("line", "card"),
    "after": Word("line", "card"),
}
"""Every word that may begin a section of a deck."""

OPENERS = frozenset({"Q", "C"})
"""Words that open a note."""
REPEATABLE = frozenset({"mistake", "hint", "test"})
"""Words that may stand more than once in a part."""
JOINABLE = frozenset({"rubric", "code"})
"""Answer words that `A:` may join, as the model answer."""


_LONGEST_NEAR = max(map(len, WORDS)) + 2


@cache
def near_word(word: str) -> str | None:
    """The known word that *word* looks like a slip of, at most two edits away; None when there is none.

    Half of the letters of a short word must still be right, else every two-letter word would be near `id`.
    """
    if len(word) > _LONGEST_NEAR:
        return None
    best, least = None, 3
    for known in WORDS:
        if not known.islower():
            continue
        allowed = min(2, len(known) // 2, len(word) - 1)
        distance = edit_distance(word, known, allowed)
        if distance is not None and distance < least:
            best, least = known, distance
    return best


def edit_distance(first: str, second: str, most: int) -> int | None:
    """Insertions, deletions, replacements and swaps of neighbours between two words; None above *most*."""
    if abs(len(first) - len(second)) > most:
        return None
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        before, previous, row = row, before, [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, previous[j - 2] + 1)
            row.append(cost)
    return row[-1] if row[-1] <= most else None
