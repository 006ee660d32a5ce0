"""Rules over the whole library."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall.content.deck import parse_deck
from recall.content.folders import DeckFile
from recall.content.lint import lint


def library(**decks: str):
    """Decks by identity, `__` for `/`."""
    found = []
    for name, text in decks.items():
        deck = name.replace("__", "/")
        path = Path(f"/decks/{deck}.md")
        found.append((DeckFile(path, deck), parse_deck(text, f"{deck}.md")))
    return found


def rules(**decks: str) -> list[tuple[str, str]]:
    return [(str(fault.place), fault.rule) for fault in lint(library(**decks))]


def test_an_id_in_two_decks_names_both_places():
    """The later one is at fault."""
    decks = library(a="Q: a\nA: b\nid: x\n", b="\nQ: c\nA: d\nid: x\n")
    (fault,) = [fault for fault in lint(decks) if fault.rule == "duplicate-id"]
    assert str(fault.place) == "b.md:4:5"
    assert "a.md:1:1" in fault.message


def test_the_same_question_is_told_and_never_merged():
    """Also in another Unicode form; a one-letter difference is another card."""
    decks = {"a": "Q: caf\u00e9\nA: b\nid: x\n", "b": "Q: cafe\u0301\nA: b\nid: y\n\nQ: cafe\nA: b\nid: z\n"}
    assert rules(**decks) == [("b.md:1:1", "same-question")]


def test_notes_without_ids_are_told_once_a_file():
    """With the command that writes them."""
    assert rules(a="Q: a\nA: b\n\nQ: c\nA: d\n") == [("a.md:1:1", "no-id")]


def test_a_hint_that_holds_the_answer_is_told():
    """Whole words; a very short answer stands in every other word."""
    text = "Q: a\nA: Memory bus.\nhint: think of the *memory bus*\nid: x\n\nC: [warp] b\nhint: a warped hint\nid: y\n"
    assert rules(a=text) == [("a.md:3:1", "hint-answers")]


def test_after_names_cards_decks_and_folders():
    """Whatever else is unknown, with the nearest name."""
    decks = {
        "gpu__memory": "Q: a\nA: b\nid: one\n",
        "gpu__roofline": '---\nafter = ["gpu/memory"]\n---\nQ: c\nA: d\nid: two\nafter: one, gpu/memory\n',
        "serving": "Q: e\nA: f\nid: three\nafter: gpu, gpu/rofline\n",
    }
    assert rules(**decks) == [("serving.md:4:13", "after-unknown")]
    assert lint(library(**decks))[0].mend == "did you mean `gpu/roofline`?"


@pytest.mark.parametrize(
    "decks",
    [
        {"a": "Q: a\nA: b\nid: x\nafter: x\n"},
        {"a": "Q: a\nA: b\nid: x\nafter: y\n\nQ: c\nA: d\nid: y\nafter: x\n"},
        {"a": "Q: a\nA: b\nid: x\nafter: b\n", "b": "Q: c\nA: d\nid: y\nafter: x\n"},
        {"a": '---\nafter = ["b"]\n---\nQ: a\nA: b\nid: x\n', "b": '---\nafter = ["a"]\n---\nQ: c\nA: d\nid: y\n'},
        {"g__a": "Q: a\nA: b\nid: x\n", "g__b": "Q: c\nA: d\nid: y\nafter: g\n"},
    ],
)
def test_a_circle_of_after_is_an_error(decks: dict[str, str]):
    """Between cards, decks, and cards and decks."""
    assert {rule for _, rule in rules(**decks)} == {"after-cycle"}


def test_an_image_that_is_not_there_is_told(tmp_path: Path):
    """At its name."""
    (tmp_path / "here.png").write_bytes(b"")
    text = f"Q: ![a](here.png) ![b](gone.png)\nA: ![c](../out.png)\n![long]({'n' * 300}.png)\nid: x\n"
    faults = lint([(DeckFile(tmp_path / "d.md", "d"), parse_deck(text, "d.md"))])
    assert [(fault.rule, fault.place.line, fault.place.column) for fault in faults] == [
        ("media", 1, 24),
        ("media", 2, 9),
        ("media", 3, 9),
    ]


def test_ten_thousand_cards_that_wait_for_each_other_are_walked():
    """A chain is no circle, and no depth is too deep."""
    text = "Q: 0\nA: b\nid: c0\n\n" + "".join(f"Q: {n}\nA: b\nid: c{n}\nafter: c{n - 1}\n\n" for n in range(1, 10_000))
    assert rules(a=text) == []
