"""Holes: where they are, what they are called, what the learner sees."""

from __future__ import annotations

import pytest

from recall.content.deck import parse_deck
from recall.content.holes import find_holes, hole_key
from recall.content.kinds import cards_of, kind_of
from recall.content.kinds.cloze import same_hole
from recall.content.notes import parse_note
from recall.prose.marks import ANSWER_CLOSE, ANSWER_OPEN, HOLE_CLOSE, HOLE_OPEN


def views(text: str) -> dict[str, tuple[str, str]]:
    """Question and answer of each card, with `<>` for the asked hole and `«»` for the revealed one."""
    note = parse_note(f"C: {text}\nid: x", "d.md")
    shown: dict[str, tuple[str, str]] = {}
    for card in cards_of(note, "d"):
        view = kind_of(note).view(note, card.id.partition("/")[2])
        question = view.question.replace(HOLE_OPEN, "<").replace(HOLE_CLOSE, ">")
        shown[card.id] = (question, view.answer.replace(ANSWER_OPEN, "«").replace(ANSWER_CLOSE, "»"))
    return shown


def holes_of(text: str) -> list[str]:
    return [hole.text for hole in find_holes(text).holes]


def test_each_hole_is_a_card_and_the_others_are_filled():
    """The key is the hash of the hole's text."""
    assert views("A warp is [32] threads of [one] block.") == {
        f"x/{hole_key('32')}": ("A warp is <…> threads of one block.", "A warp is «32» threads of one block."),
        f"x/{hole_key('one')}": ("A warp is 32 threads of <…> block.", "A warp is 32 threads of «one» block."),
    }


def test_holes_with_one_key_are_asked_together_and_hints_stand_in_them():
    """`{KEY}`, `{?hint}`, `{KEY?hint}`."""
    shown = views("[a]{k} and [b]{k?the second} and [c]{?third}.")
    assert list(shown) == ["x/k", f"x/{hole_key('c')}"]
    assert shown["x/k"] == ("<…> and <the second> and c.", "«a» and «b» and c.")
    assert shown[f"x/{hole_key('c')}"][0] == "a and b and <third>."


def test_equal_holes_have_keys_of_their_own():
    """The second and third carry a number."""
    key = hole_key("1")
    assert list(views("[1] [1] [1]")) == [f"x/{key}", f"x/{key}-2", f"x/{key}-3"]


def test_the_key_of_a_hole_is_that_of_its_nfc_text():
    """New line breaks change nothing either."""
    assert hole_key("caf\u00e9 noir") == hole_key("cafe\u0301\nnoir")
    assert hole_key("70B") != hole_key("7B")


def test_holes_in_formulas_and_formulas_in_holes():
    """Balanced braces; `}}` of LaTeX is harmless."""
    shown = views(r"It is $\frac{\hole[k?top]{\sqrt{a^{2}}}}{b}$, [$x^2$]{y}, $$\hole{c}$$")
    assert shown["x/k"] == (
        r"It is $\frac{<top>}{b}$, $x^2$, $$c$$",
        r"It is $\frac{«\sqrt{a^{2}}»}{b}$, $x^2$, $$c$$",
    )
    assert shown["x/y"][0] == r"It is $\frac{\sqrt{a^{2}}}{b}$, <…>, $$c$$"


def test_a_hole_in_display_math_over_lines():
    """Also in a list."""
    assert holes_of("Loss:\n\n$$\n\\hole{a}\n+ b\n$$\n\n- item\n\n  $$\n  \\hole{c\n  d}\n  $$\n") == ["a", "c\n  d"]


@pytest.mark.parametrize(
    "text",
    [
        "`a[1]`",
        "``a[`1`]``",
        "$a[1]$",
        "[link](url)",
        "![image](file.png)",
        "[link][ref]\n\n[ref]: /url",
        "[^1]\n\n[^1]: note",
        "- [ ] open\n- [x] done",
        "```\n[code]\n```",
        "- ~~~\n  [code]\n  ~~~",
        "text\n\n    [indented code]",
        "<!-- [comment] -->",
        "a <!-- [comment] --> b",
        r"\[literal\]",
        "<https://a.b/[c]>",
        "| `[a]` |\n|---|\n| $[b]$ |",
    ],
)
def test_brackets_that_are_text_by_markdown(text: str):
    """Only `[yes]` beside them is a hole."""
    assert holes_of(f"{text}\n\n[yes]") == ["yes"]


@pytest.mark.parametrize(
    ("text", "holes"),
    [
        ("**[a]** _[b]_ ~~[c]~~", ["a", "b", "c"]),
        ("# [a] #\n\n> [b\n> c]\n\n1. [d]", ["a", "b\n> c", "d"]),
        ("| [a] | b \\| [c] |\n|---|---|\n| [d\\|e] | [a] |", ["a", "c", "d\\|e", "a"]),
        ("[`code[1]`] and [[^1]]", ["`code[1]`", "[^1]"]),
        ("[x] alone is a hole", ["x"]),
        ("[显存] 🂡 [e\u0301]", ["显存", "e\u0301"]),
        ("[a](not a link", ["a"]),
        ("$5 and [a] and $6", ["a"]),
        ("$x$ for [n] = 10", ["n"]),
        ("<b>[a]</b>\n\n<div>\n[b]\n</div>", ["a", "b"]),
    ],
)
def test_holes_in_markdown(text: str, holes: list[str]):
    """In every construct that holds text."""
    assert holes_of(text) == holes


@pytest.mark.parametrize(
    ("text", "rule", "severity", "column"),
    [
        ("C: []", "hole-empty", "error", 4),
        ("C: $\\hole{ }$", "hole-empty", "error", 5),
        ("C: [a [b] c]", "hole-nested", "error", 7),
        ("C: [$\\hole{a}$]", "hole-nested", "error", 6),
        ("C: $\\hole{a \\hole{b}}$", "hole-nested", "error", 13),
        ("C: [a\n\nb]", "hole-break", "error", 4),
        ("C: $\\hole{a$ [b]", "hole-braces", "error", 5),
        ("C: half open [0, 1) and [a]", "hole-open", "warning", 14),
        ("C: [a] ]", "hole-open", "warning", 8),
        ("C: [a]{not a key}", "hole-name", "warning", 7),
        ("C: no hole", "no-hole", "error", 1),
    ],
)
def test_faults_of_holes_stand_at_their_place(text: str, rule: str, severity: str, column: int):
    """Errors drop the note, warnings do not."""
    deck = parse_deck(f"{text}\nid: x\n", "d.md")
    assert [(f.rule, f.severity, f.place.line, f.place.column) for f in deck.faults] == [(rule, severity, 1, column)]
    assert len(deck.notes) == (severity == "warning")


def test_a_filled_hole_does_not_become_a_list_or_heading():
    """`[1986]. ...` at the start of a line."""
    shown = views("[1986]. A [year]{k}.\n[# no] heading\n[-] dash")
    assert shown["x/k"][0] == "1986\\. A <…>.\n\\# no heading\n\\- dash"


def test_a_rewritten_hole_is_found_again():
    """When exactly one without key vanished and one appeared."""
    before = parse_note("C: [32] threads, [one] block, [k]{k}\nid: x", "d")
    after = parse_note("C: [32 lanes] threads, [one] block, [l]{l}\nid: x", "d")
    assert same_hole(before, after) == (hole_key("32"), hole_key("32 lanes"))
    assert same_hole(before, before) is None
    assert same_hole(before, parse_note("C: [a] [b]\nid: x", "d")) is None


def test_a_cloze_may_be_followed_by_a_question():
    """Every card of it shows the chain."""
    note = parse_note("C: [a] b\nthen: why?\nA: because\nid: x", "d")
    view = kind_of(note).view(note, hole_key("a"))
    assert [part.question for part in view.parts][1] == "why?"
    assert view.answer.endswith("why?\n\nbecause")


def test_titles_are_one_line_of_plain_text():
    """With the hole left open."""
    note = parse_note("C: **Warps**\nhave [32] `threads`, see [docs](u) ![pic](p.png)\nid: x", "d")
    assert [card.title for card in cards_of(note, "d")] == ["Warps have […] `threads`, see docs pic"]
