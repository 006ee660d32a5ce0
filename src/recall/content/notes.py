"""Sections to notes: parts, ids, what belongs to the card, and the rules on which words may stand together."""

from __future__ import annotations

import unicodedata
from datetime import date
from typing import NamedTuple

from recall.content.sections import Piece, Section, split
from recall.content.source import Source
from recall.content.words import JOINABLE, REPEATABLE, WORDS
from recall.errors import DataError
from recall.model.card import NoteId, Place
from recall.model.fault import Fault

LONGEST_ID = 80
"""Characters."""


class Part(NamedTuple):
    """One question with its answer, and the sections that belong to it."""

    question: Section
    """`Q`, `then`, or `C`, which is its own answer."""
    answer: Section
    """The section that the kind is named after; for a cloze the question itself."""
    sections: tuple[Section, ...]
    """All sections of the part, those two included, in order."""

    @property
    def kind(self) -> str:
        return WORDS[self.answer.word].kind

    def text(self, word: str) -> str:
        """Text of the first section *word*, empty when there is none."""
        return next((section.text for section in self.sections if section.word == word), "")

    def all(self, word: str) -> tuple[Section, ...]:
        """Every section *word*, in order."""
        return tuple(section for section in self.sections if section.word == word)


class Note(NamedTuple):
    """One piece of deck text, from `Q:` or `C:` to the next; it stands alone, without its deck."""

    id: NoteId
    explicit_id: bool
    """Written in the file; else made from the question."""
    parts: tuple[Part, ...]
    sections: tuple[Section, ...]
    """All sections in order; their offsets count in the file, or in the text given to `parse_note`."""
    tags: tuple[str, ...]
    source: str
    as_of: str
    """ISO date, or empty."""
    after: tuple[str, ...]
    """Note ids and decks to learn before."""
    place: Place
    text: str
    """The source slice that `parse_note` reads again."""
    origin: Source
    """What the sections' offsets count in; faults found later are recorded here. No part of the note's value."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self[:-1] == other[:-1]

    def __hash__(self) -> int:
        return hash(self[:-1])

    @property
    def kind(self) -> str:
        """Name of the kind of the first part."""
        return self.parts[0].kind

    def section(self, word: str) -> Section | None:
        """The first section *word* of the whole card."""
        return next((section for section in self.sections if section.word == word), None)


class NoteError(DataError):
    """The text of a single note cannot be read; `fault` says where and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"{fault.place}: {fault.message}", fault.mend)
        self.fault = fault


def parse_note(text: str, file: str, line: int = 1, note_id: NoteId | None = None) -> Note:
    """The note that *text* holds, without a deck around it; *line* is where it begins in *file*.

    *note_id* is the id that the deck gave it, for a note whose text names none. Raises `NoteError` when *text*
    is not exactly one note without errors.
    """
    source = Source(text, file, line)
    pieces = split(source)
    note = build_note(source, pieces[0]) if pieces else None
    if note is None:
        errors = [fault for fault in source.faults if fault.severity == "error"]
        raise NoteError(
            errors[0] if errors else source.fault(0, "no card here", "begin it with `Q:` or `C:`", rule="no-card")
        )
    if note_id is None or note.explicit_id:
        return note
    return with_id(note, note_id)


def with_id(note: Note, note_id: NoteId) -> Note:
    """The same note under another id."""
    return note._replace(id=note_id)


def hashed_id(question: str) -> NoteId:
    """The id of a note that names none: `h-` and 16 hex digits of SHA-256 of the question in NFC."""
    return NoteId(f"h-{short_hash(question)}")


def short_hash(*texts: str) -> str:
    """16 hex digits of SHA-256 of *texts* in NFC, each with its length, so that no two splits collide."""
    # Imported here: a stored note has its id and revision, and showing it makes none.
    from hashlib import sha256

    digest = sha256()
    for text in texts:
        data = unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()[:16]


def bad_id_character(text: str) -> str | None:
    """The first character that no id may hold, None when there is none.

    Letters, digits and the marks that some scripts write their vowels with are all allowed.
    """
    for character in text:
        if not (character.isalnum() or character in "-_." or unicodedata.category(character)[0] == "M"):
            return character
    return None


def build_note(source: Source, piece: Piece) -> Note | None:
    """The note of *piece*; None when an error drops it. Faults are recorded in *source*."""
    return _Builder(source, piece).build()


class _Builder:
    """Reads one piece; `_sound` falls at the first error."""

    def __init__(self, source: Source, piece: Piece) -> None:
        self._source = source
        self._piece = piece
        self._sound = not piece.broken

    def build(self) -> Note | None:
        source, piece = self._source, self._piece
        groups: list[list[Section]] = []
        card: dict[str, Section] = {}
        for section in piece.sections:
            owner = WORDS[section.word].owner
            if owner == "opens":
                groups.append([section])
            elif owner == "card":
                if section.word in card:
                    self._twice(section, card[section.word], "card")
                else:
                    card[section.word] = section
            else:
                groups[-1].append(section)
        parts = [part for group in groups if (part := self._part(group))]
        note_id, explicit = self._id(card.get("id"), piece.sections[0].text)
        as_of = self._date(card.get("as-of"))
        reverse = card.get("reverse")
        if reverse is not None and parts and parts[0].kind != "text":
            mend = "remove it: only a card with `A:` can be asked the other way round"
            self._error(reverse, "`reverse:` on a card that is not of kind `text`", mend, "reverse-kind")
        if not self._sound:
            return None
        return Note(
            note_id,
            explicit,
            tuple(parts),
            tuple(piece.sections),
            _list(card.get("tags")),
            " ".join(card["source"].text.split()) if "source" in card else "",
            as_of,
            _list(card.get("after")),
            source.place(piece.start),
            source.text[piece.start : piece.end],
            source,
        )

    def _error(
        self, section: Section, message: str, mend: str, rule: str, offset: int | None = None, width: int = 0
    ) -> None:
        self._sound = False
        at = section.head if offset is None else offset
        self._source.fault(at, message, mend, rule=rule, width=width or len(section.word) + 1)

    def _twice(self, section: Section, first: Section, where: str) -> None:
        line = self._source.place(first.head).line
        self._error(
            section,
            f"`{section.word}:` stands twice in this {where}; first in line {line}",
            "join the two, or open a new card with `Q:`",
            "word-twice",
        )

    def _part(self, group: list[Section]) -> Part | None:
        question = group[0]
        if not question.text:
            mend = "write the question behind the colon or on the lines below"
            self._error(question, f"`{question.word}:` is empty", mend, "empty")
        seen: dict[str, Section] = {}
        answers: list[Section] = [question] if question.word == "C" else []
        for section in group[1:]:
            word = section.word
            if word in seen and word not in REPEATABLE:
                self._twice(section, seen[word], "part")
                continue
            seen.setdefault(word, section)
            if WORDS[word].owner == "answer":
                answers.append(section)
        if len(answers) == 2 and {answers[0].word, answers[1].word} & JOINABLE:
            # `A:` beside a rubric or a code task is the model answer, not a second way to answer.
            answers = [section for section in answers if section.word != "A"]
        if not answers:
            self._error(
                question,
                f"`{question.word}:` has no answer",
                "add `A:`, or another word that answers, below it",
                "no-answer",
            )
            return None
        if len(answers) > 1:
            line = self._source.place(answers[0].head).line
            self._error(
                answers[1],
                f"a second answer: `{answers[0].word}:` in line {line} answers this question already",
                "keep one of them, or ask the second in a part of its own with `then:`",
                "two-answers",
            )
            return None
        answer = answers[0]
        if not answer.text and answer is not question:
            self._error(answer, f"`{answer.word}:` is empty", "write the answer behind the colon", "empty")
        return Part(question, answer, tuple(group))

    def _id(self, section: Section | None, question: str) -> tuple[NoteId, bool]:
        if section is None:
            return hashed_id(question), False
        text = unicodedata.normalize("NFC", section.text)
        bad = bad_id_character(text)
        if not text:
            self._error(
                section, "`id:` is empty", "name the card, or remove the line: `recall lint --fix` writes one", "bad-id"
            )
        elif bad is not None:
            at = section.offset(section.text.find(bad) if bad in section.text else 0)
            shown = "a space" if bad.isspace() else f"`{bad}`"
            self._error(
                section,
                f"{shown} cannot stand in an id",
                "use letters and digits of any script, `-`, `_` and `.`",
                "bad-id",
                at,
                1,
            )
        elif len(text) > LONGEST_ID:
            mend = f"shorten it to {LONGEST_ID} characters"
            self._error(
                section, f"this id has {len(text)} characters", mend, "bad-id", section.start, len(section.text)
            )
        return NoteId(text), True

    def _date(self, section: Section | None) -> str:
        if section is None:
            return ""
        try:
            return date.fromisoformat(section.text).isoformat()
        except ValueError:
            mend = "write year, month and day, such as 2026-05-01"
            width = len(section.text)
            self._error(section, "`as-of:` is not a date", mend, "bad-date", section.start, width)
            return ""


def _list(section: Section | None) -> tuple[str, ...]:
    """Values split by commas, in NFC."""
    if section is None:
        return ()
    text = unicodedata.normalize("NFC", section.text)
    return tuple(part.strip() for part in text.split(",") if part.strip())
