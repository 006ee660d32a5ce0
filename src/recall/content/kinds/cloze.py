"""Cloze cards: a text with holes; each hole, or each group of holes with one key, is a card."""

from __future__ import annotations

import re
from collections.abc import Callable

from recall.content.holes import Hole, find_holes
from recall.content.kinds.contract import Context, PartView, View
from recall.content.kinds.text import chain_view, part_view
from recall.content.notes import Note
from recall.content.titles import title_of
from recall.model.fault import Fault
from recall.model.verdict import Verdict
from recall.prose.marks import ANSWER_CLOSE, ANSWER_OPEN, HOLE_CLOSE, HOLE_OPEN

BLANK = "…"
"""Stands for a hole that is asked and has no hint."""
_LOOKS_LIKE_BLOCK = re.compile(r"(?:\d{1,9}(?=[.)])|(?=[-+*#>=~|`]))")


class ClozeKind:
    """`C:` with `[holes]`; the learner says how it went."""

    name = "cloze"
    typed = False
    words: frozenset[str] = frozenset()

    def keys(self, note: Note) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hole.key for hole in _holes(note)))

    def view(self, note: Note, key: str) -> View:
        asked = _asked(note, key)
        first = note.parts[0]
        question = filled(note, lambda hole: f"{HOLE_OPEN}{hole.hint or BLANK}{HOLE_CLOSE}" if hole in asked else None)
        answer = filled(note, lambda hole: f"{ANSWER_OPEN}{hole.text}{ANSWER_CLOSE}" if hole in asked else None)
        rest: tuple[PartView, ...] = tuple(part_view(part) for part in note.parts[1:])
        return chain_view(note, (part_view(first, question, answer), *rest))

    def title(self, note: Note, key: str) -> str:
        asked = _asked(note, key)
        return title_of(filled(note, lambda hole: f"[{hole.hint or BLANK}]" if hole in asked else None))

    def answers(self, note: Note, key: str) -> tuple[str, ...]:
        holes = tuple(hole.text for hole in _asked(note, key))
        return (*holes, *(part.answer.text for part in note.parts[1:]))

    def check(self, note: Note, key: str, given: str, context: Context) -> Verdict:
        return Verdict("self_rated", expected=", ".join(hole.text for hole in _asked(note, key)))

    def faults(self, note: Note) -> list[Fault]:
        section = note.parts[0].question
        found = find_holes(section.text)
        faults = [
            note.origin.make(
                section.offset(problem.offset),
                problem.message,
                problem.mend,
                rule=problem.rule,
                width=problem.width,
                severity=problem.severity,
            )
            for problem in found.problems
        ]
        if not found.holes and not any(fault.severity == "error" for fault in faults):
            mend = "put what is to be remembered in brackets: `[32]`; in a formula: `\\hole{32}`"
            faults.append(note.origin.make(section.head, "this cloze has no hole", mend, rule="no-hole", width=2))
        return faults


def filled(note: Note, replacement: Callable[[Hole], str | None]) -> str:
    """The cloze text with each hole replaced; where *replacement* gives None, by the hole's own text."""
    text = note.parts[0].question.text
    pieces: list[str] = []
    at = 0
    for hole in _holes(note):
        pieces.append(text[at : hole.start])
        shown = replacement(hole)
        if shown is None:
            shown = hole.text
            line = text[text.rfind("\n", 0, hole.start) + 1 : hole.start]
            block = _LOOKS_LIKE_BLOCK.match(shown + text[hole.end : hole.end + 1])
            if block and not line.strip(" \t>"):
                # Without its brackets the hole's text must not begin a list, a heading or the like.
                shown = f"{shown[: block.end()]}\\{shown[block.end() :]}"
        pieces.append(shown)
        at = hole.end
    pieces.append(text[at:])
    return "".join(pieces)


def same_hole(before: Note, after: Note) -> tuple[str, str] | None:
    """Old and new key of the one hole that was rewritten between two versions of a note.

    That is so when exactly one hole without a written key vanished and exactly one appeared; else None.
    """
    old = {hole.key: hole.named for hole in _holes(before)}
    new = {hole.key: hole.named for hole in _holes(after)}
    vanished = [key for key, named in old.items() if not named and key not in new]
    appeared = [key for key, named in new.items() if not named and key not in old]
    return (vanished[0], appeared[0]) if len(vanished) == len(appeared) == 1 else None


def _holes(note: Note) -> tuple[Hole, ...]:
    return find_holes(note.parts[0].question.text).holes


def _asked(note: Note, key: str) -> tuple[Hole, ...]:
    asked = tuple(hole for hole in _holes(note) if hole.key == key)
    if not asked:
        raise KeyError(key)
    return asked


KIND = ClozeKind()
