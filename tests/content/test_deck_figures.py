"""The shipped decks say only what is computed or stands in a source, and none of the usual wrong beliefs."""

from __future__ import annotations

import re
from datetime import date

import pytest

from deck_figures import Claim, Figure, Given, Row, batch_norm, latency_numbers, loss_scaling, paged_attention
from recall.content.deck import Deck, parse_deck
from recall.content.folders import find_decks
from recall.content.kinds import kind_of
from recall.content.library import read_deck
from recall.content.lint import lint
from recall.content.notes import Note
from recall.paths import bundled

TABLES = {
    "latency-numbers": latency_numbers,
    "batch-norm": batch_norm,
    "loss-scaling": loss_scaling,
    "paged-attention": paged_attention,
}
LONGEST_ANSWER = 25
"""Words; a longer answer holds two ideas."""

_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<mantissa>\d+(?:\.\d+)?)"
    r"(?:\s*(?:\\times\s*|× ?)10\^\{?(?P<exponent>-?\d+)\}?|\^\{?(?P<power>-?\d+)\}?)?"
)
_TOKEN = re.compile(r"(?<![A-Za-z_\d.])(?<![A-Za-z]-)\d+(?:\.\d+)?(?![A-Za-z_\d])")
_NAMES = re.compile(r"\b20(?:12|20|26)\b|\bXeon 5150\b|\bLlama-3\b|\brank 0\b|\bNVLink 4\b")
"""Years, and names that hold a digit."""


def read(name: str) -> Deck:
    path = bundled() / "decks" / f"{name}.md"
    return parse_deck(path.read_text(encoding="utf-8"), str(path))


DECKS = {name: read(name) for name in TABLES}
NOTES: dict[str, Note] = {note.id: note for deck in DECKS.values() for note in deck.notes}
ROWS = [row for table in TABLES.values() for row in table.ROWS]


def plain(text: str) -> str:
    """*text* without LaTeX's grouping of digits."""
    return text.replace("{,}", "").replace(",", "")


def printed(written: str) -> tuple[float, float]:
    """The first number in *written*, and half a unit of its last digit."""
    match = _NUMBER.search(plain(written))
    assert match, f"no number in {written!r}"
    mantissa = float(match["sign"] + match["mantissa"])
    if match["power"]:
        return mantissa ** int(match["power"]), 0.0
    scale = 10.0 ** int(match["exponent"] or 0)
    decimals = len(match["mantissa"].partition(".")[2])
    return mantissa * scale, 0.5 * 10.0**-decimals * scale


def taught(note: Note) -> list[str]:
    """The texts that the card states as true: answers, reasons, and the whole of a cloze."""
    return [section.text for part in note.parts for section in (part.answer, *part.all("why"))]


def asked(note: Note) -> list[str]:
    """The texts that only ask, without the code in them."""
    questions = [part.question.text for part in note.parts if part.question.word != "C"]
    return [re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in questions]


@pytest.mark.parametrize("name", TABLES)
def test_a_shipped_deck_has_no_faults(name: str) -> None:
    assert [fault.render() for fault in DECKS[name].faults] == []


def test_lint_finds_nothing_in_the_shipped_decks() -> None:
    """Also across decks: ids, links between cards, hints that give the answer away."""
    files = find_decks(bundled() / "decks")
    faults = lint([(file, read_deck(file.path, file.deck)) for file in files])
    assert [fault.render() for fault in faults] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.note}: {row.written[:40]}")
def test_the_figure_on_the_card_is_the_computed_one(row: Row) -> None:
    """What the card writes is in its text, and it is right to the last digit that it prints."""
    note = NOTES[row.note]
    assert row.written in note.text, f"{row.note} does not write {row.written!r}"
    match row:
        case Claim():
            assert row.holds
        case Figure():
            value, half_unit = printed(row.written)
            assert value == pytest.approx(row.value, abs=half_unit * (1 + 1e-9), rel=1e-12)
        case Given():
            pass


@pytest.mark.parametrize("note_id", NOTES)
def test_every_number_on_a_card_has_a_row(note_id: str) -> None:
    """So that none is added or changed without saying where it comes from."""
    note = NOTES[note_id]
    rows = {token for row in ROWS if row.note == note_id for token in _TOKEN.findall(plain(row.written))}
    stated = {token for text in asked(note) + taught(note) for token in _TOKEN.findall(plain(_NAMES.sub("", text)))}
    assert stated - rows == set()


@pytest.mark.parametrize("name", TABLES)
def test_a_deck_teaches_none_of_the_usual_wrong_beliefs(name: str) -> None:
    for note in DECKS[name].notes:
        for text in taught(note):
            for belief in TABLES[name].WRONG_BELIEFS:
                assert not re.search(belief, text, re.IGNORECASE), f"{note.id}: {belief}"


@pytest.mark.parametrize("name", TABLES)
def test_a_deck_has_enough_cards_of_the_two_kinds(name: str) -> None:
    notes = DECKS[name].notes
    assert len(notes) >= 18
    assert {note.kind for note in notes} == {"text", "cloze"}
    assert all(note.explicit_id for note in notes)


@pytest.mark.parametrize("note_id", NOTES)
def test_a_card_is_short_tagged_and_sourced(note_id: str) -> None:
    """A graded figure names its source, a date is a date, and an answer holds one idea."""
    note = NOTES[note_id]
    assert note.tags
    if any(_TOKEN.search(answer) for answer in answers(note)):
        assert note.source, "a graded figure needs a source"
    if note.as_of:
        assert date.fromisoformat(note.as_of) > date(2020, 1, 1)
    assert all(len(answer.split()) <= LONGEST_ANSWER for answer in answers(note))


def answers(note: Note) -> list[str]:
    """The graded texts: the answers of a text card, or the holes of a cloze."""
    if note.kind == "text":
        return [part.answer.text for part in note.parts]
    kind = kind_of(note)
    keys = kind.keys(note)
    return [answer for key in keys for answer in kind.answers(note, key)]


def test_ids_are_unique_over_the_decks() -> None:
    assert len(NOTES) == sum(len(deck.notes) for deck in DECKS.values())
