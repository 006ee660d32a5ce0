"""The review by lines against a session in memory: what it does when storing fails, editors, leeches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import pytest

from factories import LABELS, FakeSession, Shown, shown
from recall.cli.plain import PlainReview
from recall.errors import StoreBusyError, StoreError
from recall.model.card import Place
from recall.model.fault import Fault
from recall.model.review import Rating
from recall.model.verdict import Verdict
from recall.study.session import Session


@dataclass(frozen=True)
class Button:
    rating: Rating
    words: str


class LineSession(FakeSession):
    """What the lines ask for beside the screens."""

    waiting_until = None

    def buttons(self) -> tuple[Button, ...]:  # type: ignore[override]
        return tuple(Button(rating, label) for rating, label in LABELS.items())

    def hint(self) -> str | None:
        return None

    def check(self, given: str) -> Verdict:
        if given == "?!":
            return Verdict("malformed", "column 1: not a number")
        self.reveal()
        return Verdict("correct" if given == "42" else "wrong", "expected 42")


def lead(
    session: LineSession, lines: list[str], *, patient: bool = True, edits: bool = True
) -> tuple[str, list[str], list[Place]]:
    """Lead *session* with *lines* typed; returns how it ended, what was said, and what was edited."""
    typed: Iterator[str] = iter([f"{line}\n" for line in lines])
    said: list[str] = []
    edited: list[Place] = []

    def edit(place: Place) -> bool:
        edited.append(place)
        return edits

    review = PlainReview(cast(Session, session), lambda: next(typed, ""), said.append, edit, patient=patient)
    return review.run(), said, edited


def test_a_person_is_told_that_nothing_was_stored_and_may_try_again() -> None:
    session = LineSession([shown(1)])
    session.fail = StoreBusyError("another program holds the database", "try again")
    ending, said, _ = lead(session, ["", "3", "3"])
    assert ending == "done"
    assert "another program holds the database\n  try again" in said
    assert session.ratings == [Rating.GOOD]


def test_a_pipe_stops_at_once_so_that_later_lines_rate_no_other_card() -> None:
    session = LineSession([shown(1), shown(2)])
    session.fail = StoreError("disk full")
    with pytest.raises(StoreError):
        lead(session, ["", "3", "", "3"], patient=False)
    assert session.ratings == []


def test_enter_takes_the_suggested_rating_and_words_rate_as_digits_do() -> None:
    session = LineSession([shown(1), shown(2), shown(3)])
    lead(session, ["", "", "", "again", "", "4"])
    assert session.ratings == [Rating.GOOD, Rating.AGAIN, Rating.EASY]


def test_after_an_edit_the_card_is_read_anew_with_the_faults_of_its_file() -> None:
    session = LineSession([shown(1, "Before?")])
    session.after_reload = lambda card: shown(1, "After?")
    session.faults = (Fault(Place("gpu.md", 3), "no answer", "write one"),)
    _, said, edited = lead(session, ["e", "q"])
    assert edited == [Place("decks/gpu/memory.md", 10)]
    assert "gpu.md:3:1: no answer\n  write one" in said
    assert "After?" in said


def test_a_leech_is_named() -> None:
    session = LineSession([shown(1)])
    session.leech = True
    assert any("forgotten often" in line for line in lead(session, ["", "1"])[1])


def test_a_typed_answer_is_judged_and_what_cannot_be_read_is_asked_again() -> None:
    card: Shown = shown(1, kind="numeric", typed=True)
    session = LineSession([card])
    _, said, _ = lead(session, ["?!", "42", "3"])
    assert "malformed: column 1: not a number." in said
    assert said.index("correct: expected 42.") > said.index("malformed: column 1: not a number.")
    assert session.ratings == [Rating.GOOD]


def test_an_empty_session_says_so() -> None:
    ending, said, _ = lead(LineSession([]), [])
    assert ending == "done"
    assert said[0] == "Nothing is due."
