"""The app when its surroundings fail under it: one clear notice, nothing lost, and it goes on when they are mended."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from folds import differing_cards
from program import Recall
from sessions import ratings
from small_disk import fill, small_disk
from terminal import App, Terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
FIRST_CARD = "show answer"


def rate(screen: Terminal, count: int, key: str = "4") -> None:
    """Reveal and rate the card on screen, the *count*th of the session."""
    screen.type(f" {key}")
    screen.until(f"reviewed {count} ")


def flat(text: str) -> str:
    """*text* without its line breaks and the bar before a notice."""
    return " ".join(text.replace("▌", " ").split())


def leave(screen: Terminal) -> None:
    screen.type("q")
    assert screen.ended() == 0
    screen.assert_restored()
    assert b"Traceback" not in screen.output


def test_a_rating_that_another_program_blocks_is_told_and_can_be_given_again(
    app: App, few: Path, database: Path
) -> None:
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    rate(screen, 1)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        screen.type(" 3")
        told = screen.until(lambda text: "press the key again" in flat(text))
        other.execute("ROLLBACK")
    assert "The rating was not saved" in told
    assert "is in use by another program" in flat(told)
    assert "Question 1?" in told, "the same card is still shown"
    screen.type("3")
    screen.until("reviewed 2 ")
    leave(screen)
    assert ratings(database) == [("card-0", 4), ("card-1", 3)]
    assert differing_cards(database) == []


def test_a_session_begins_and_ends_beside_a_program_that_holds_the_database(
    app: App, recall: Recall, few: Path, database: Path
) -> None:
    assert recall("review", "few", stdin="\n3\nq\n").code == 1
    screen = app()
    screen.until("few")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        screen.type(" ")
        screen.until("The review could not begin")
        other.execute("ROLLBACK")
        screen.type(" ")
        screen.until(FIRST_CARD)
        rate(screen, 1)
        other.execute("BEGIN IMMEDIATE")
        # All is saved: that the end of the session cannot be noted is no error.
        screen.type("q")
        screen.until("streak")
        other.execute("ROLLBACK")
    leave(screen)
    assert len(ratings(database)) == 2
    assert differing_cards(database) == []


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB."""
    with small_disk(tmp_path / "small", "2m") as place:
        yield place


def test_a_rating_on_a_full_disk_is_told_and_can_be_given_again(
    app: App, recall: Recall, few: Path, disk: Path
) -> None:
    home = str(disk)
    assert recall("import", few, RECALL_HOME=home).code == 0
    screen = app("review", "few", RECALL_HOME=home)
    screen.until(FIRST_CARD)
    rate(screen, 1)
    with fill(disk):
        for count in range(2, 20):
            screen.type(" 4")
            shown = screen.until(
                lambda text, count=count: f"reviewed {count} " in text or "free some space" in flat(text)
            )
            if "not saved" in shown:
                break
        assert "The rating was not saved" in shown
        assert "no space left" in flat(shown)
    screen.type("4")
    screen.until(f"reviewed {count} ")
    leave(screen)
    assert len(ratings(disk / "recall.db")) == count
    assert differing_cards(disk / "recall.db") == []


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("deleted", "not in a deck any more"),
        pytest.param("a directory", "not in a deck any more", marks=pytest.mark.slow),
        pytest.param("emptied", "not in a deck any more", marks=pytest.mark.slow),
        ("unreadable", "cannot be read"),
        pytest.param("no text", "UTF-16", marks=pytest.mark.slow),
        pytest.param("renamed", "Question 1?", marks=pytest.mark.slow),
    ],
)
def test_a_deck_that_vanishes_is_told_when_it_is_read_again(
    app: App, few: Path, database: Path, what: str, told: str
) -> None:
    """The card in hand is edited after its file went away."""
    screen = app("review", "few", EDITOR="true")
    screen.until(FIRST_CARD)
    rate(screen, 1)
    deck = few / "few.md"
    match what:
        case "deleted":
            deck.unlink()
        case "renamed":
            deck.rename(few / "other.md")
        case "a directory":
            deck.unlink()
            deck.mkdir()
        case "unreadable":
            deck.unlink()
            deck.symlink_to("nowhere.md")
        case "no text":
            deck.write_bytes(b"\xff\xfe\x00\x00")
        case _:
            deck.write_text("", encoding="utf-8")
    before = len(screen.output)
    screen.type("e")
    # The editor had the terminal, and gave it back.
    screen.until_written(b"\x1b[?1049h", before)
    screen.until(told)
    leave(screen)
    assert ratings(database) == [("card-0", 4)]
    assert differing_cards(database) == []


def test_a_clock_set_back_a_year_loses_nothing(app: App, few: Path, database: Path) -> None:
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    rate(screen, 1, "3")
    rate(screen, 2, "4")
    leave(screen)
    before = app("review", "few", RECALL_NOW="2025-03-02T09:00:00+01:00")
    before.until(FIRST_CARD)
    rate(before, 1)
    before.type("u")
    before.until("undone: rating")
    rate(before, 1)
    leave(before)
    assert len(ratings(database)) == 3
    assert differing_cards(database) == []


def test_two_programs_at_once_lose_nothing(app: App, recall: Recall, few: Path, database: Path) -> None:
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    for count in range(1, 4):
        assert recall("review", "few", stdin="\n3\nq\n").code == 1
        rate(screen, count)
    leave(screen)
    assert len(ratings(database)) == 6
    assert differing_cards(database) == []
