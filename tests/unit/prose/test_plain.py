"""Card text as plain lines: aligned, complete and harmless."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recall.prose.blocks import Items, Math, Paragraph, parse
from recall.prose.layout import wrap
from recall.prose.marks import ANSWER_CLOSE, ANSWER_OPEN, HOLE_CLOSE, HOLE_OPEN
from recall.prose.plain import plain_lines
from recall.prose.spans import Span, text_of
from recall.prose.width import cell_width


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("A **warp** is `32` threads.", ["A warp is 32 threads."]),
        ("See [the guide](https://docs.example/warp).", ["See the guide (https://docs.example/warp)."]),
        ("<https://docs.example>", ["https://docs.example"]),
        ("![roofline of an H100](roof.png)", ["image: roofline of an H100"]),
        ("![](roof.png)", ["image: roof.png"]),
        ("- a\n- b\n  - c", ["- a", "- b", "  * c"]),
        ("9. a\n10. b", [" 9. a", "10. b"]),
        ("```py\nx = 1\n\ty\n```", ["    x = 1", "        y"]),
        ("$$\n\\frac{a}{b}\n$$", ["    \\frac{a}{b}"]),
        ("> be\n> brief", ["> be brief"]),
        ("a<br>b <!-- aside -->", ["a<br>b"]),
        ("", [""][:0]),
        ("| a | b |\n|:--|--:|\n| fp16 | 2 |\n| 半 | 10 |", ["a      b", "----  --", "fp16   2", "半    10"]),
    ],
)
def test_markdown_becomes_these_lines(markdown: str, expected: list[str]) -> None:
    assert plain_lines(markdown, 60) == expected


def test_holes_stand_in_brackets() -> None:
    """The hole that is asked and the one that was revealed are told without colour, also in math and across styles."""
    asked = f"A warp is {HOLE_OPEN}a power of two{HOLE_CLOSE} threads."
    assert plain_lines(asked) == ["A warp is [a power of two] threads."]
    revealed = f"$x = {ANSWER_OPEN}y^2{ANSWER_CLOSE}$ and {ANSWER_OPEN}**bold** text{ANSWER_CLOSE}"
    assert plain_lines(revealed) == ["x = [y^2] and [bold text]"]


@pytest.mark.parametrize("forged", ["&#xe000;x&#xE001;", "&#57344;x&#57345;", "&#x0e002;x&#57347;"])
def test_a_deck_cannot_forge_a_hole(forged: str) -> None:
    """A character reference to one of our marks is dropped before it is decoded."""
    assert plain_lines(f"*a* {forged}") == ["a x"]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200), st.integers(1, 100))
@example("\x1b]8;;file:///etc\x07link\x1b]8;;\x07 \x9b31m \u202eabc", 40)
@example("&#27;[31m *x* &#x202e;", 40)
def test_any_text_is_accepted_and_no_control_character_comes_out(text: str, width: int) -> None:
    for line in plain_lines(text, width):
        assert all(character >= " " and not "\x7f" <= character <= "\x9f" for character in line)
        assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ue000\ue001\ue002\ue003")


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("ab 显存，。（「é\u0301👍-"), max_size=80), st.integers(2, 30))
def test_wrapped_lines_fit_and_lose_nothing_but_spaces(text: str, width: int) -> None:
    lines = [text_of(line) for line in wrap([Span(text)], width)]
    # Punctuation may not begin a line, so a run of it is the one thing that may be folded again.
    assert all(cell_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_chinese_breaks_between_characters_but_not_before_punctuation() -> None:
    lines = [text_of(line) for line in wrap([Span("显存带宽决定速度，而不是算力。")], 16)]
    assert lines == ["显存带宽决定速", "度，而不是算力。"]


def test_a_soft_line_end_is_a_space_only_between_words() -> None:
    assert plain_lines("one\ntwo") == ["one two"]
    assert plain_lines("显存\n带宽") == ["显存带宽"]


def test_the_tree_keeps_what_writers_need() -> None:
    """Lists know their first number, formulas their source, links their address."""
    numbered, formula, linked = parse("3. x\n4. y\n\n$$\na_b\n$$\n\n[t](http://x.y)")
    assert isinstance(numbered, Items)
    assert numbered.start == 3
    assert isinstance(formula, Math)
    assert formula.source == "a_b"
    assert isinstance(linked, Paragraph)
    assert linked.spans[0].target == "http://x.y"
