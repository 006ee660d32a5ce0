"""Basic cards: a question, an answer in prose, and with `reverse:` a second card the other way round."""

from __future__ import annotations

from recall.content.kinds.contract import Context, PartView, View
from recall.content.media import media_of
from recall.content.notes import Note, Part
from recall.content.titles import title_of
from recall.model.fault import Fault
from recall.model.verdict import Verdict

REVERSE = "reverse"
"""Key of the card that asks the other way round."""


def part_view(part: Part, question: str | None = None, answer: str | None = None) -> PartView:
    """A part as it stands, or with another question and answer."""
    return PartView(
        part.question.text if question is None else question,
        part.answer.text if answer is None else answer,
        part.text("why"),
        tuple(section.text for section in part.all("hint")),
    )


def chain_view(note: Note, parts: tuple[PartView, ...]) -> View:
    """The view of a whole chain: the reveal shows each follow-up below the answer before it."""
    answer = parts[0].answer
    for part in parts[1:]:
        answer += f"\n\n---\n\n{part.question}\n\n{part.answer}"
    why = "\n\n".join(part.why for part in parts if part.why)
    hints = parts[0].hints
    return View(parts[0].question, answer, why, hints, parts, note.source, note.as_of, media_of(note))


class TextKind:
    """`Q:` with `A:`; the learner says how it went."""

    name = "text"
    typed = False
    words: frozenset[str] = frozenset()

    def keys(self, note: Note) -> tuple[str, ...]:
        return ("",) if note.section("reverse") is None else ("", REVERSE)

    def view(self, note: Note, key: str) -> View:
        if key == "":
            return chain_view(note, tuple(part_view(part) for part in note.parts))
        question, answer = self._reversed(note, key)
        return chain_view(note, (part_view(note.parts[0], question, answer),))

    def title(self, note: Note, key: str) -> str:
        return title_of(note.parts[0].question.text if key == "" else self._reversed(note, key)[0])

    def answers(self, note: Note, key: str) -> tuple[str, ...]:
        if key == "":
            return tuple(part.answer.text for part in note.parts)
        return (self._reversed(note, key)[1],)

    def check(self, note: Note, key: str, given: str, context: Context) -> Verdict:
        return Verdict("self_rated", expected=self.view(note, key).answer)

    def faults(self, note: Note) -> list[Fault]:
        return []

    def _reversed(self, note: Note, key: str) -> tuple[str, str]:
        section = note.section("reverse")
        if key != REVERSE or section is None:
            raise KeyError(key)
        first = note.parts[0]
        return section.text or first.answer.text, first.question.text


KIND = TextKind()
