"""The index of the deck files: which decks there are, what they ask, where it stands.

It repeats what is in files, so that starting a session parses none that did not change. Cards that vanish from the
files are kept with their history and marked as missing; they come back when the file does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from recall.model.card import Card, CardId
from recall.model.review import NEW_STATE
from recall.store.database import Database
from recall.store.states import STATE_COLUMNS, state_row

_CJK = r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])"
_SEPARATORS = r"[\W_]+"
# Patterns, compiled by `re` at their first use: the way to the first card has none.


class Root(NamedTuple):
    """A file or folder of decks that this machine follows."""

    path: str
    prefix: str


class IndexedDeck(NamedTuple):
    """A deck as it was last read."""

    deck: str
    name: str
    machine: str
    file: str
    modified_ns: int
    size: int
    cards: int
    hidden: bool
    missing: bool
    faults: str
    options: str
    source: str = ""
    as_of: str = ""


class Changes(NamedTuple):
    """What reading a deck changed in the index, in cards."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    missing: int = 0
    moved: tuple[CardId, ...] = ()
    """Cards that came from another deck, whose options may differ."""


def words_of(text: str) -> str:
    """*text* as words between single spaces, without case and accents: the same for SQLite and PostgreSQL.

    Each Chinese, Japanese or Korean character is a word of its own, since nothing else parts them.
    """
    if not text.isascii():
        parted = unicodedata.normalize("NFKD", re.sub(_CJK, r" \1 ", unicodedata.normalize("NFC", text)))
        text = "".join(character for character in parted if not unicodedata.combining(character))
    return re.sub(_SEPARATORS, " ", text).strip().lower()


# --- roots and decks -----------------------------------------------------------------------------------------------


def roots(database: Database, machine: str) -> list[Root]:
    """What *machine* follows, in the order in which it was added."""
    rows = database.execute("SELECT path, prefix FROM root WHERE machine = ? ORDER BY added_at, path", (machine,))
    return [Root(*row) for row in rows]


def add_root(database: Database, machine: str, root: Root, now_ms: int) -> None:
    """Follow *root* from now on; a second time changes only its prefix."""
    database.execute(
        "INSERT INTO root (machine, path, prefix, added_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (machine, path) DO UPDATE SET prefix = excluded.prefix",
        (machine, root.path, root.prefix, now_ms),
    )


def decks(database: Database) -> list[IndexedDeck]:
    """All decks that were ever read, in order."""
    rows = database.execute(
        "SELECT deck, name, machine, file, modified_ns, size, cards, hidden, missing, faults, options,"
        " source, as_of FROM deck ORDER BY deck"
    )
    return [IndexedDeck(r[0], r[1], r[2], r[3], r[4], r[5], r[6], bool(r[7]), bool(r[8]), *r[9:]) for r in rows]


def write_deck(database: Database, deck: IndexedDeck) -> None:
    """Add or replace the row of *deck*; whether it is hidden stays as it was."""
    database.execute(
        "INSERT INTO deck (deck, name, machine, file, modified_ns, size, cards, hidden, missing, faults, options,"
        f" source, as_of) VALUES ({', '.join('?' * 13)}) ON CONFLICT (deck) DO UPDATE SET name = excluded.name,"
        " machine = excluded.machine, file = excluded.file, modified_ns = excluded.modified_ns, size = excluded.size,"
        " cards = excluded.cards, missing = excluded.missing, faults = excluded.faults, options = excluded.options,"
        " source = excluded.source, as_of = excluded.as_of",
        (
            deck.deck,
            deck.name,
            deck.machine,
            deck.file,
            deck.modified_ns,
            deck.size,
            deck.cards,
            deck.hidden,
            deck.missing,
            deck.faults,
            deck.options,
            deck.source,
            deck.as_of,
        ),
    )


def write_options(database: Database, deck: str, fingerprint: str) -> None:
    """Record that the states of *deck* were folded with the options of *fingerprint*."""
    database.execute("UPDATE deck SET options = ? WHERE deck = ?", (fingerprint, deck))


def hide(database: Database, deck: str, *, hidden: bool) -> None:
    """Take *deck* and its cards out of the day, or bring them back; nothing else changes."""
    with database.transaction():
        database.execute("UPDATE deck SET hidden = ? WHERE deck = ?", (hidden, deck))
        _refresh_absent(database, deck)


def forget_deck(database: Database, deck: str, now_ms: int) -> int:
    """Mark *deck* and its cards as missing, since its file is gone; history stays. Returns the number of cards."""
    with database.transaction():
        gone = database.execute(
            "UPDATE card SET missing_since = ? WHERE deck = ? AND missing_since IS NULL", (now_ms, deck)
        ).rowcount
        database.execute("UPDATE deck SET missing = ?, cards = 0 WHERE deck = ?", (True, deck))
        _refresh_absent(database, deck)
    return gone


def _refresh_absent(database: Database, deck: str) -> None:
    database.execute(
        "UPDATE card_state SET absent = (SELECT d.hidden OR c.missing_since IS NOT NULL FROM card c"
        " JOIN deck d ON d.deck = c.deck WHERE c.id = card_state.card_id) WHERE deck = ?",
        (deck,),
    )


# --- cards ---------------------------------------------------------------------------------------------------------


def decks_of(database: Database, ids: Iterable[str]) -> dict[str, str]:
    """Deck of each of the notes *ids* that the index has and that is not missing."""
    found: dict[str, str] = {}
    for chunk in _chunks(list(ids)):
        marks = ", ".join("?" * len(chunk))
        rows = database.execute(
            f"SELECT DISTINCT note, deck FROM card WHERE missing_since IS NULL AND note IN ({marks})", chunk
        )
        found.update(rows.fetchall())
    return found


def write_cards(database: Database, deck: str, cards: Sequence[Card], now_ms: int) -> Changes:
    """Make the index of *deck* say what *cards* say; cards of it that are not among them become missing.

    Call it after `write_deck`, in one transaction with it.
    """
    known = _known(database, deck, [card.id for card in cards])
    fresh: list[Card] = []
    changed: list[Card] = []
    moved: list[CardId] = []
    unchanged = 0
    for card in cards:
        before = known.pop(card.id, None)
        row = (card.deck, card.kind, card.title, card.revision, _tags(card), card.position)
        if before is None:
            fresh.append(card)
        elif before == (*row, None):
            unchanged += 1
        else:
            changed.append(card)
            if before[0] != deck:
                moved.append(card.id)
    gone = [card for card, before in known.items() if before[0] == deck and before[-1] is None]
    database.executemany(
        "INSERT INTO card (id, note, deck, kind, title, revision, tags, position, first_seen)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (card.id, card.note, deck, card.kind, card.title, card.revision, _tags(card), card.position, now_ms)
            for card in fresh
        ],
    )
    new_state = state_row(NEW_STATE)
    database.executemany(
        f"INSERT INTO card_state (card_id, deck, position, absent, {STATE_COLUMNS})"
        f" VALUES ({', '.join('?' * (4 + len(new_state)))})",
        [(card.id, deck, card.position, False, *new_state) for card in fresh],
    )
    database.executemany(
        "UPDATE card SET deck = ?, kind = ?, title = ?, revision = ?, tags = ?, position = ?, missing_since = NULL"
        " WHERE id = ?",
        [(deck, card.kind, card.title, card.revision, _tags(card), card.position, card.id) for card in changed],
    )
    database.executemany(
        "UPDATE card_state SET deck = ?, position = ? WHERE card_id = ?",
        [(deck, card.position, card.id) for card in changed],
    )
    database.executemany("UPDATE card SET missing_since = ? WHERE id = ?", [(now_ms, card) for card in gone])
    _refresh_absent(database, deck)
    _write_content(database, cards)
    return Changes(len(fresh), len(changed), unchanged, len(gone), tuple(moved))


def _known(database: Database, deck: str, ids: Sequence[CardId]) -> dict[CardId, tuple[object, ...]]:
    columns = "id, deck, kind, title, revision, tags, position, missing_since"
    rows = database.execute(f"SELECT {columns} FROM card WHERE deck = ?", (deck,)).fetchall()
    here = {row[0] for row in rows}
    for chunk in _chunks([card for card in ids if card not in here]):
        marks = ", ".join("?" * len(chunk))
        rows += database.execute(f"SELECT {columns} FROM card WHERE id IN ({marks})", chunk).fetchall()
    return {row[0]: tuple(row[1:]) for row in rows}


def _write_content(database: Database, cards: Sequence[Card]) -> None:
    notes = {card.note: card for card in cards}
    stored: dict[str, tuple[object, ...]] = {}
    for chunk in _chunks(list(notes)):
        marks = ", ".join("?" * len(chunk))
        rows = database.execute(f"SELECT note, text, file, line, pk FROM content WHERE note IN ({marks})", chunk)
        stored.update({row[0]: tuple(row[1:]) for row in rows})
    new_text: list[Card] = []
    for note, card in notes.items():
        before = stored.get(note)
        if before is None or before[0] != card.source:
            new_text.append(card)
        elif before[1:3] != (card.place.file, card.place.line):
            database.execute(
                "UPDATE content SET file = ?, line = ? WHERE note = ?", (card.place.file, card.place.line, note)
            )
    database.executemany(
        "INSERT INTO content (note, text, file, line) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (note) DO UPDATE SET text = excluded.text, file = excluded.file, line = excluded.line",
        [(card.note, card.source, card.place.file, card.place.line) for card in new_text],
    )
    _write_words(database, new_text, {note: str(before[0]) for note, before in stored.items()})


def _write_words(database: Database, cards: Sequence[Card], before: Mapping[str, str]) -> None:
    keys: dict[str, int] = {}
    for chunk in _chunks([card.note for card in cards]):
        marks = ", ".join("?" * len(chunk))
        keys.update(database.execute(f"SELECT note, pk FROM content WHERE note IN ({marks})", chunk).fetchall())
    rows = [(keys[card.note], words_of(card.source)) for card in cards]
    if database.dialect == "sqlite":
        # The index keeps no text of its own, so it must be told what it forgets.
        database.executemany(
            "INSERT INTO content_text (content_text, rowid, words) VALUES ('delete', ?, ?)",
            [(keys[card.note], words_of(before[card.note])) for card in cards if card.note in before],
        )
        database.executemany("INSERT INTO content_text (rowid, words) VALUES (?, ?)", rows)
    else:
        database.executemany(
            "INSERT INTO content_text (pk, words) VALUES (?, to_tsvector('simple', ?))"
            " ON CONFLICT (pk) DO UPDATE SET words = excluded.words",
            rows,
        )


def index_all_words(database: Database) -> None:
    """Fill the full-text index anew from the stored texts."""
    if database.dialect == "sqlite":
        database.execute("INSERT INTO content_text (content_text) VALUES ('delete-all')")
    else:
        database.execute("DELETE FROM content_text")
    rows = database.execute("SELECT pk, text FROM content").fetchall()
    values = ((key, words_of(text)) for key, text in rows)
    if database.dialect == "sqlite":
        database.executemany("INSERT INTO content_text (rowid, words) VALUES (?, ?)", values)
    else:
        database.executemany("INSERT INTO content_text (pk, words) VALUES (?, to_tsvector('simple', ?))", values)


def _tags(card: Card) -> str:
    return f",{','.join(card.tags)}," if card.tags else ""


def _chunks(values: Sequence[str], size: int = 500) -> Iterable[Sequence[str]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]
