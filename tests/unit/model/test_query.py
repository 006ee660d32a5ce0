"""The query language: what each form means, and where a fault is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.model.query import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Is,
    Named,
    Node,
    Not,
    Number,
    Past,
    QueryError,
    Span,
    Text,
    parse_query,
)
from recall.model.review import Rating


@pytest.mark.parametrize(
    ("query", "node"),
    [
        ("", EVERYTHING),
        ("  ", EVERYTHING),
        ("warp", Text("warp", False, Span(1, 4))),
        ('"memory bandwidth"', Text("memory bandwidth", True, Span(1, 18))),
        ("deck:gpu/memory", Named("deck", "gpu/memory", Span(1, 15))),
        ("deck:gpu::memory", Named("deck", "gpu/memory", Span(1, 16))),
        ('deck:"my deck"', Named("deck", "my deck", Span(1, 14))),
        ('"deck:my deck"', Named("deck", "my deck", Span(1, 14))),
        ("id:warp-*", Named("id", "warp-*", Span(1, 9))),
        ("is:learn", Is("learning", Span(1, 8))),
        ("IS:Due", Is("due", Span(1, 6))),
        ("due:<3d", Number("due", "<", 3.0, Span(1, 7))),
        ("due:-1", Number("due", "=", -1.0, Span(1, 6))),
        ("r:<0.9", Number("r", "<", 0.9, Span(1, 6))),
        ("r:<90%", Number("r", "<", 0.9, Span(1, 6))),
        ("s:>30d", Number("s", ">", 30.0, Span(1, 6))),
        ("s:>=2w", Number("s", ">=", 14.0, Span(1, 6))),
        ("d:>7", Number("d", ">", 7.0, Span(1, 4))),
        ("lapses:>=4", Number("lapses", ">=", 4.0, Span(1, 10))),
        ("prop:lapses>=4", Number("lapses", ">=", 4.0, Span(1, 14))),
        ("prop:s>30", Number("s", ">", 30.0, Span(1, 9))),
        ("rated:<7d", Past("rated", "<", 7.0, None, Span(1, 9))),
        ("rated:7", Past("rated", "<", 7.0, None, Span(1, 7))),
        ("rated:7:1", Past("rated", "<", 7.0, Rating.AGAIN, Span(1, 9))),
        ("added:<7d", Past("added", "<", 7.0, None, Span(1, 9))),
        ("-is:new", Not(Is("new", Span(2, 6)))),
        (r"a\:b", Text("a:b", False, Span(1, 4))),
        ('"note: this"', Text("note: this", True, Span(1, 12))),
        ('"std::vector"', Text("std::vector", True, Span(1, 13))),
        ("all-reduce", Text("all-reduce", False, Span(1, 10))),
        ("e\u0301", Text("\u00e9", False, Span(1, 1))),
    ],
)
def test_a_condition(query: str, node: Node) -> None:
    assert parse_query(query) == node


def test_side_by_side_binds_stronger_than_or() -> None:
    a, b, c = (Text(word, False, Span(column, 1)) for word, column in (("a", 1), ("b", 3), ("c", 8)))
    assert parse_query("a b or c") == AnyOf((AllOf((a, b)), c))


def test_parentheses_and_negation_of_a_group() -> None:
    assert parse_query("-(is:new or tag:x) y") == AllOf(
        (Not(AnyOf((Is("new", Span(3, 6)), Named("tag", "x", Span(13, 5))))), Text("y", False, Span(20, 1)))
    )


def test_and_is_understood_as_in_anki() -> None:
    assert parse_query("a and b") == AllOf((Text("a", False, Span(1, 1)), Text("b", False, Span(7, 1))))


@pytest.mark.parametrize(
    ("query", "column", "said"),
    [
        ("a dec:gpu", 3, "did you mean deck:"),
        ("http://x", 1, 'write "http://x"'),
        ("is:du", 4, "known are due, new"),
        ("deck:", 1, "such as deck:gpu/memory"),
        ("due:<3x", 6, "needs a number"),
        ("due:<", 6, "needs a number"),
        ("r:<9", 1, "between 0 and 1"),
        ("lapses:<3d", 9, "needs a number"),
        ("rated:7:9", 9, "the rating is 1 to 4"),
        ("prop:ease>2", 1, "known are due"),
        ('x "y', 3, "never closed"),
        ('""', 1, "nothing between the quotes"),
        ("(a", 1, "never closed"),
        ("a)", 2, "no open parenthesis"),
        ("()", 1, "nothing between"),
        ("a or", 3, "each side"),
        ("or a", 1, "each side"),
        ("a or or b", 3, "each side"),
        ("and b", 1, "each side"),
        ("(" * 60 + "a", 51, "nested more than"),
    ],
)
def test_a_fault_is_pointed_at_by_column(query: str, column: int, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse_query(query)
    assert caught.value.span.column == column
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


def test_the_caret_stands_under_the_fault() -> None:
    with pytest.raises(QueryError) as caught:
        parse_query("a dec:gpu")
    assert str(caught.value) == (
        "query, column 3: unknown field 'dec:'\n    a dec:gpu\n      ^^^^\n"
        '  did you mean deck:, or to search for the text, write "dec:gpu"'
    )


@given(st.text(alphabet='ab:-()" \\*<>=.0123456789dr\n%isoru/é\u0301'))
def test_any_text_is_read_or_refused_in_words(query: str) -> None:
    column = 1
    try:
        parse_query(query)
    except QueryError as error:
        column = error.span.column
    assert 1 <= column <= len(query) + 1
