"""The query language: text to a tree of conditions, with every fault pointed at by its column.

The names and forms are Anki's where Anki has them: words side by side must all hold, `or` joins, `-` negates,
`deck:a` means the deck and those below it, `*` stands for any characters, `rated:7` means the last seven days.
Beyond that, comparisons: `due:<3d`, `r:<0.9`. This module knows neither SQL nor the store.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal, cast, get_args

from recall.errors import UsageError
from recall.model.review import Rating

Operator = Literal["<", "<=", ">", ">=", "=", "!="]
NameField = Literal["deck", "tag", "kind", "id"]
Standing = Literal[
    "due", "new", "learning", "review", "suspended", "buried", "leech", "marked", "orphan", "measured", "stale"
]
NumberField = Literal["due", "r", "s", "d", "lapses", "reps"]
PastField = Literal["rated", "added"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a condition stands in the query; counted from 1, in characters."""

    column: int
    width: int


@dataclass(frozen=True, slots=True)
class Text:
    """The text holds these words in this order; in NFC. A word is matched from its beginning on."""

    text: str
    phrase: bool
    """It stood in quotes: matched as it is, to the end of its last word."""
    span: Span


@dataclass(frozen=True, slots=True)
class Named:
    """The card's deck (or one above it), one of its tags, its kind, or its id (card's or note's) is this."""

    field: NameField
    pattern: str
    """In NFC; `*` stands for any characters. `tag:none` asks for cards without tags, as in Anki."""
    span: Span


@dataclass(frozen=True, slots=True)
class Is:
    """The card stands so."""

    standing: Standing
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """A figure of the card's memory compares so.

    `due`: study days from today (0: today, negative: overdue); `s`: stability in days; `r`: retrievability now,
    0 to 1; `d`: difficulty, 1 to 10; `lapses`, `reps`: counts. A new card has none of them.
    """

    field: NumberField
    operator: Operator
    value: float
    span: Span


@dataclass(frozen=True, slots=True)
class Past:
    """It was rated (with *rating*, if given) or added so many study days ago; today is 0."""

    field: PastField
    operator: Operator
    days: float
    rating: Rating | None
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    """The condition does not hold."""

    node: Node


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every condition holds; none at all: every card."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of two or more conditions holds."""

    nodes: tuple[Node, ...]


Node = Text | Named | Is | Number | Past | Not | AllOf | AnyOf


class QueryError(UsageError):
    """A query that cannot be read, with the place of the fault."""

    def __init__(self, query: str, span: Span, message: str, mend: str = "") -> None:
        self.span = span
        self.reason = message
        indent = " " * (span.column - 1)
        caret = f"    {query}\n    {indent}{'^' * max(1, span.width)}"
        super().__init__(f"query, column {span.column}: {message}\n{caret}", mend)


EVERYTHING = AllOf(())
FIELDS = (*get_args(NameField), "is", *get_args(NumberField), *get_args(PastField))
_NUMBER_OF_ANKI = {"stability": "s", "retrievability": "r", "difficulty": "d"}
_DAYS = {"": 1.0, "d": 1.0, "w": 7.0, "mo": 30.0, "y": 365.0, "h": 1 / 24}
_DEEPEST = 50


def parse_query(query: str) -> Node:
    """The conditions that *query* states; an empty one holds for every card.

    Raises `QueryError`, a `UsageError`, at the first fault.
    """
    # Line breaks and tabs would misplace the caret, and mean nothing here.
    text = unicodedata.normalize("NFC", "".join(" " if c.isspace() else c for c in query)).rstrip()
    tokens = _tokens(text)
    return _Parser(text, tokens).whole()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["word", "(", ")", "-", "or", "and"]
    span: Span
    text: str = ""
    """Of a word: its characters without quotes and escapes."""
    quoted: bool = False
    """The whole word stood in quotes."""
    literal: tuple[bool, ...] = ()
    """For each character of `text`: it was quoted or escaped, and so has no special meaning."""


def _tokens(query: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(query):
        character = query[at]
        if character == " ":
            at += 1
        elif character in "()":
            tokens.append(_Token(cast("Literal['(', ')']", character), Span(at + 1, 1)))
            at += 1
        elif character == "-" and at + 1 < len(query) and query[at + 1] not in " )":
            tokens.append(_Token("-", Span(at + 1, 1)))
            at += 1
        else:
            token, at = _word(query, at)
            tokens.append(token)
    return tokens


def _word(query: str, start: int) -> tuple[_Token, int]:
    """The word that begins at *start*, and the offset behind it."""
    text: list[str] = []
    literal: list[bool] = []
    at = start
    opened = -1
    while at < len(query) and (opened >= 0 or query[at] not in " ()"):
        character = query[at]
        if character == '"':
            opened = at if opened < 0 else -1
        elif character == "\\" and at + 1 < len(query):
            at += 1
            text.append(query[at])
            literal.append(True)
        else:
            text.append(character)
            # Inside quotes a star still stands for any characters, as in Anki.
            literal.append(opened >= 0 and character != "*")
        at += 1
    span = Span(start + 1, at - start)
    if opened >= 0:
        raise QueryError(query, Span(opened + 1, 1), "the quote is never closed", 'add a " where it ends')
    bare = query[start:at].lower()
    if bare in ("or", "and"):
        return _Token("or" if bare == "or" else "and", span), at
    quoted = query[start] == '"' and query[at - 1] == '"' and query.count('"', start, at) == 2
    return _Token("word", span, "".join(text), quoted, tuple(literal)), at


class _Parser:
    """Recursive descent: `or` binds weakest, then standing side by side, then `-`."""

    def __init__(self, query: str, tokens: list[_Token]) -> None:
        self._query = query
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._any()
        if self._at < len(self._tokens):
            self._fail(self._tokens[self._at].span, "there is no open parenthesis that this closes")
        return node

    def _fail(self, span: Span, message: str, mend: str = "") -> None:
        raise QueryError(self._query, span, message, mend)

    def _peek(self) -> str:
        return self._tokens[self._at].kind if self._at < len(self._tokens) else "end"

    def _end(self) -> Span:
        return Span(len(self._query) + 1, 1)

    def _any(self) -> Node:
        nodes = [self._all()]
        while self._peek() == "or":
            token = self._tokens[self._at]
            self._at += 1
            right = self._all()
            if EVERYTHING in (nodes[-1], right):
                self._fail(token.span, "`or` needs a condition on each side", 'to search for the word, write "or"')
            nodes.append(right)
        return nodes[0] if len(nodes) == 1 else AnyOf(tuple(nodes))

    def _all(self) -> Node:
        nodes: list[Node] = []
        while (kind := self._peek()) not in ("end", "or", ")"):
            if kind == "and":
                self._and(bool(nodes))
                continue
            nodes.append(self._one())
        return nodes[0] if len(nodes) == 1 else AllOf(tuple(nodes))

    def _and(self, after_condition: bool) -> None:
        span = self._tokens[self._at].span
        self._at += 1
        if not after_condition or self._peek() in ("end", "or", "and", ")"):
            self._fail(span, "`and` needs a condition on each side", 'to search for the word, write "and"')

    def _one(self) -> Node:
        token = self._tokens[self._at]
        self._at += 1
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(token.span, f"nested more than {_DEEPEST} deep")
        try:
            if token.kind == "-":
                if self._peek() in ("end", "or", "and", ")"):
                    self._fail(token.span, "`-` needs a condition behind it")
                return Not(self._one())
            if token.kind == "(":
                return self._group(token)
        finally:
            self._depth -= 1
        return self._condition(token)

    def _group(self, opened: _Token) -> Node:
        node = self._any()
        if self._peek() != ")":
            self._fail(opened.span, "the parenthesis is never closed", "add a ) where it ends")
        if node == EVERYTHING:
            self._fail(opened.span, "there is nothing between the parentheses")
        self._at += 1
        return node

    def _condition(self, token: _Token) -> Node:
        colon = self._colon(token)
        if colon < 0:
            if not token.text.strip():
                self._fail(token.span, "there is nothing between the quotes")
            return Text(token.text, token.quoted, token.span)
        name = token.text[:colon].lower()
        value = token.text[colon + 1 :]
        if name == "prop":
            return self._prop(token, value)
        if not value:
            self._fail(token.span, f"there is nothing behind {name}:", _EXAMPLES.get(name, ""))
        return self._field(token, name, value)

    def _colon(self, token: _Token) -> int:
        """The index of the colon behind a field's name, or -1 where the word is text."""
        colon = next((i for i, c in enumerate(token.text) if c == ":" and (token.quoted or not token.literal[i])), -1)
        if colon < 0:
            return -1
        name = token.text[:colon].lower()
        known = name in FIELDS or name == "prop"
        if token.quoted:
            # "deck:my deck" is a field, as in Anki; "note: this" is text.
            return colon if known and not token.text[colon + 1 :].startswith((" ", ":")) else -1
        if not known:
            self._unknown_field(token, name)
        return colon

    def _unknown_field(self, token: _Token, name: str) -> None:
        from difflib import get_close_matches

        near = get_close_matches(name, FIELDS, n=1, cutoff=0.6)
        meant = f"did you mean {near[0]}:, or " if near else "known are " + ", ".join(f"{n}:" for n in FIELDS) + "; "
        text = token.text.replace("\\", "\\\\").replace('"', '\\"')
        span = Span(token.span.column, len(name) + 1)
        self._fail(span, f"unknown field {name + ':'!r}", f'{meant}to search for the text, write "{text}"')

    def _field(self, token: _Token, name: str, value: str) -> Node:
        if name in get_args(NameField):
            pattern = value.replace("::", "/").strip("/") if name == "deck" else value
            return Named(cast(NameField, name), pattern, token.span)
        if name == "is":
            return self._is(token, value.lower())
        if name in get_args(PastField):
            return self._past(token, cast(PastField, name), value)
        return self._number(token, cast(NumberField, name), value)

    def _is(self, token: _Token, word: str) -> Node:
        known: tuple[str, ...] = get_args(Standing)
        word = {"learn": "learning"}.get(word, word)
        if word not in known:
            span = Span(token.span.column + 3, max(1, token.span.width - 3))
            self._fail(span, f"is: knows no {word!r}", f"known are {', '.join(known)}")
        return Is(cast(Standing, word), token.span)

    def _prop(self, token: _Token, value: str) -> Node:
        """`prop:lapses>3`, Anki's form of a comparison."""
        name = value.rstrip("0123456789.-%dwmoyh").rstrip("<>=!")
        short = _NUMBER_OF_ANKI.get(name, name)
        if short not in get_args(NumberField):
            known = ", ".join(get_args(NumberField))
            self._fail(token.span, f"prop: knows no {name!r}", f"known are {known}")
        return self._number(token, cast(NumberField, short), value[len(name) :])

    def _past(self, token: _Token, name: PastField, value: str) -> Node:
        rating = None
        if name == "rated" and ":" in value:
            value, _, digit = value.partition(":")
            if digit not in ("1", "2", "3", "4"):
                span = Span(token.span.column + token.span.width - len(digit), max(1, len(digit)))
                self._fail(span, "the rating is 1 to 4", "rated:7:1 finds cards rated Again in the last seven days")
            rating = Rating(int(digit))
        operator, number = _operator(value)
        days = self._amount(token, name, number)
        # `rated:7`, Anki's form: within the last seven days, today counted.
        return Past(name, operator or "<", days, rating, token.span)

    def _number(self, token: _Token, name: NumberField, value: str) -> Node:
        operator, number = _operator(value)
        return Number(name, operator or "=", self._amount(token, name, number), token.span)

    def _amount(self, token: _Token, name: str, text: str) -> float:
        digits = text.rstrip("abcdefghijklmnopqrstuvwxyz%")
        unit = text[len(digits) :]
        units = {"": 1.0, "%": 0.01} if name == "r" else _DAYS if name in ("due", "s", "rated", "added") else {"": 1.0}
        plain = digits.removeprefix("-") if name == "due" else digits
        good = plain.replace(".", "", 1).isascii() and plain.replace(".", "", 1).isdigit() and len(plain) < 12
        if not good or unit not in units:
            span = Span(token.span.column + token.span.width - len(text), max(1, len(text)))
            self._fail(
                span, f"{name}: needs a number, not {text!r}" if text else f"{name}: needs a number", _EXAMPLES[name]
            )
        value = float(digits) * units[unit]
        if name == "r" and not 0 <= value <= 1:
            self._fail(token.span, "retrievability lies between 0 and 1", _EXAMPLES["r"])
        return value


_EXAMPLES = {
    "deck": "such as deck:gpu/memory",
    "tag": "such as tag:gpu",
    "kind": "such as kind:cloze",
    "id": "such as id:warp-*",
    "is": "such as is:due",
    "due": "such as due:<3d",
    "r": "such as r:<0.9",
    "s": "such as s:>30d",
    "d": "such as d:>7",
    "lapses": "such as lapses:>=4",
    "reps": "such as reps:>10",
    "rated": "such as rated:<7d, or rated:7:1 for those rated Again",
    "added": "such as added:<7d",
}


def _operator(value: str) -> tuple[Operator | None, str]:
    for operator in ("<=", ">=", "!=", "<", ">", "="):
        if value.startswith(operator):
            return operator, value[len(operator) :].strip()
    return None, value
