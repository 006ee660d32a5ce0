"""A deck: the text of one file, read whole, with every fault that was found in it."""

from __future__ import annotations

from typing import NamedTuple

from recall.content.frontmatter import FrontMatter, read_front_matter
from recall.content.kinds import is_supported, kind_named, kind_of
from recall.content.notes import Note, build_note, with_id
from recall.content.sections import Section, split
from recall.content.source import Source
from recall.content.words import WORDS
from recall.model.card import NoteId
from recall.model.fault import Fault
from recall.prose.marks import strip_unsafe


class Deck(NamedTuple):
    """What one file holds."""

    name: str
    """As the front matter says, for showing; empty when it says nothing."""
    tags: tuple[str, ...]
    source: str
    as_of: str
    after: tuple[str, ...]
    units: tuple[str, ...]
    notes: tuple[Note, ...]
    """The notes without errors, of kinds that are supported, in the order of the file."""
    faults: tuple[Fault, ...]
    """By line."""
    front: FrontMatter
    origin: Source

    @property
    def unreadable(self) -> bool:
        """Nothing could be read of the file, as its fault says; an empty file is read, and has none."""
        return not self.origin.text and bool(self.faults)


def parse_deck(text: str, file: str) -> Deck:
    """Read the deck *text*; *file* names it in places. Raises nothing: what is wrong stands in `faults`."""
    source = Source(clean(text), file)
    front, start = read_front_matter(source)
    pieces = split(source, start)
    if not pieces and source.text[start:].strip():
        # A page without any card, such as a note beside the decks: one word on it is enough.
        source.faults = [fault for fault in source.faults if fault.rule not in {"no-card", "unknown-word"}]
        source.warn(start, "no card in this file", "begin one with `Q:` or `C:`", rule="no-cards")
    notes: list[Note] = []
    taken: dict[NoteId, Note] = {}
    repeats: dict[NoteId, int] = {}
    for piece in pieces:
        note = build_note(source, piece)
        if note is None or not _is_sound(source, note):
            continue
        note = _claim(source, note, taken, repeats)
        if note is not None:
            taken[note.id] = note
            notes.append(note)
    _hashcards_warning(source, notes)
    faults = tuple(sorted(source.faults, key=lambda fault: (fault.place.line, fault.place.column)))
    return Deck(
        front.name,
        front.tags,
        front.source,
        front.as_of,
        front.after,
        front.units,
        tuple(notes),
        faults,
        front,
        source,
    )


def clean(text: str) -> str:
    """Deck text as it is read: without BOM, with `\\n` line ends, without characters that could do harm."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return strip_unsafe(text)


def _is_sound(source: Source, note: Note) -> bool:
    """Whether the kinds of *note* are there and find no error in it."""
    if not is_supported(note):
        for part in note.parts:
            word = part.answer.word
            try:
                kind_named(part.kind)
            except KeyError:
                source.warn(
                    part.answer.head,
                    f"`{word}:` is not yet supported, so this card is left out",
                    "it comes with a later version; nothing needs to change in the deck",
                    rule="not-supported",
                    width=len(word) + 1,
                )
        return False
    for part in note.parts:
        _unused(source, note, part.kind, part.sections)
    found = kind_of(note).faults(note)
    source.faults += found
    return not any(fault.severity == "error" for fault in found)


def _unused(source: Source, note: Note, kind: str, sections: tuple[Section, ...]) -> None:
    used = kind_named(kind).words
    for section in sections:
        word = section.word
        if WORDS[word].owner == "part" and word not in {"why", "hint"} and word not in used:
            source.warn(
                section.head,
                f"`{word}:` means nothing beside `{note.parts[0].answer.word}:`",
                f"remove it, or write `\\{word}:` if the line is text",
                rule="unused-word",
                width=len(word) + 1,
            )


def _claim(source: Source, note: Note, taken: dict[NoteId, Note], repeats: dict[NoteId, int]) -> Note | None:
    """*note* under an id that no other note of the deck has; None when its own is taken.

    *repeats* counts the notes without id that ask the same.
    """
    first = taken.get(note.id)
    if first is None:
        return note
    section = note.section("id")
    if note.explicit_id and section is not None:
        source.fault(
            section.start,
            f"the id `{note.id}` is taken by the card at {first.place}",
            "give one of the two another id",
            rule="duplicate-id",
            width=len(section.text),
        )
        return None
    count = repeats.get(note.id, 1) + 1
    while NoteId(f"{note.id}-{count}") in taken:
        count += 1
    repeats[note.id] = count
    source.warn(
        note.parts[0].question.head,
        f"the card at {first.place} asks the same question, and neither of them has an id",
        "give each an `id:`, or let `recall lint --fix` write them",
        rule="same-question",
        width=2,
    )
    return with_id(note, NoteId(f"{note.id}-{count}"))


def _hashcards_warning(source: Source, notes: list[Note]) -> None:
    """Once for a file without ids, as hashcards writes them: its prose may begin a line with a word of ours."""
    if any(note.explicit_id for note in notes):
        return
    for note in notes:
        for section in note.sections:
            if section.word.islower():
                source.warn(
                    section.head,
                    f"`{section.word}:` at the start of a line opens a section, and this file has no ids, as if it"
                    " came from hashcards",
                    f"if lines like this one are prose, write `\\{section.word}:`; an `id:` on any card says that they"
                    " are meant",
                    rule="hashcards-word",
                    width=len(section.word) + 1,
                )
                return
