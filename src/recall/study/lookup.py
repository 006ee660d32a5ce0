"""Find the card that a person named: by id, or as `FILE.md#ID` in a file that was never imported."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recall.errors import DataError, UsageError
from recall.model.card import CardId, NoteId, note_of

if TYPE_CHECKING:
    from recall.content.notes import Note
    from recall.study.study import Study


@dataclass(frozen=True, slots=True)
class Named:
    """A note, and those of its cards that were named."""

    note: Note
    keys: tuple[str, ...]
    """Never empty; `""` is the card with the note's own id."""
    deck: str
    """Identity of the deck; empty for a file that was named."""

    @property
    def cards(self) -> tuple[CardId, ...]:
        """Full ids, in the order of `keys`."""
        from recall.content.kinds import card_id

        return tuple(card_id(self.note, key) for key in self.keys)

    def only(self) -> str:
        """The key, when one card was named. Raises `UsageError` when there are several."""
        if len(self.keys) == 1:
            return self.keys[0]
        raise UsageError(
            f"{self.note.id!r} has {len(self.keys)} cards", f"name one of {', '.join(map(repr, self.cards))}"
        )


def names_a_file(card: str) -> bool:
    """Whether *card* has the form `FILE.md#ID`."""
    file, mark, _ = card.rpartition("#")
    return bool(mark) and file.lower().endswith(".md")


def in_file(card: str) -> Named:
    """The card `FILE.md#ID`, read from the file. Raises `UsageError`, `DataError`."""
    from recall.content.library import read_deck

    name, _, wanted = card.rpartition("#")
    path = Path(name)
    if not path.is_file():
        raise DataError(f"{name}: there is no such file")
    deck = read_deck(path, path.stem)
    note_id = note_of(_card_id(wanted))
    note = next((note for note in deck.notes if note.id == note_id), None)
    if note is not None:
        return _named(note, wanted, "")
    broken = "\n".join(fault.render() for fault in deck.faults if fault.severity == "error")
    if broken:
        raise DataError(f"{broken}\n{name} has no card {str(note_id)!r} that could be read")
    raise UsageError(f"{name} has no card {str(note_id)!r}", _nearest(note_id, [note.id for note in deck.notes]))


def in_study(study: Study, card: str) -> Named:
    """The card with the id *card*, from the index. Raises `UsageError`, `DataError`."""
    from recall.content.notes import parse_note
    from recall.store import daily

    wanted = _card_id(card)
    stored = daily.note_text(study.database, note_of(wanted))
    if stored is None:
        raise UsageError(f"there is no card {str(wanted)!r}", "recall search finds cards by their text")
    note = parse_note(stored.text, stored.file, stored.line, note_of(wanted))
    named = _named(note, wanted, "")
    facts = daily.card_facts(study.database, named.cards[0])
    return Named(named.note, named.keys, facts.deck if facts else "")


def _card_id(text: str) -> CardId:
    return CardId(unicodedata.normalize("NFC", text.strip()))


def _named(note: Note, wanted: str, deck: str) -> Named:
    from recall.content.kinds import kind_of

    keys = kind_of(note).keys(note)
    _, slash, key = _card_id(wanted).partition("/")
    if not slash:
        return Named(note, keys, deck)
    if key not in keys:
        every = ", ".join(repr(str(one)) for one in Named(note, keys, deck).cards)
        raise UsageError(f"there is no card {wanted!r}", f"the cards of this note are {every}")
    return Named(note, (key,), deck)


def _nearest(wanted: NoteId, known: list[NoteId]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(wanted, known, n=1)
    return f"did you mean {str(near[0])!r}?" if near else ""
