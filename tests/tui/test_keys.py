"""Bindings, key line, help and palette are one table, so none can go stale."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import drawn
from drawn import app_on, text
from factories import FakeSession, shown
from recall.model.review import Rating
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import RecallScreen
from recall.tui.screens.find import FindScreen
from recall.tui.screens.first_run import FirstRunScreen
from recall.tui.screens.help import HelpScreen
from recall.tui.screens.home import HomeScreen
from recall.tui.screens.palette import commands
from recall.tui.screens.review import ReviewScreen
from recall.tui.screens.summary import SummaryScreen
from recall.tui.screens.write import WriteScreen

SCREENS: tuple[type[RecallScreen], ...] = (
    FindScreen, FirstRunScreen, HelpScreen, HomeScreen, ReviewScreen, SummaryScreen, WriteScreen,
)  # fmt: skip
# Taken by terminals, editors or flow control, or not reported by all.
UNRELIABLE = {"ctrl+q", "ctrl+s", "ctrl+w", "f11", "shift+enter"}


def table() -> Iterator[tuple[Context, keys.Key]]:
    for context, entries in keys.TABLE.items():
        for key in entries:
            yield context, key


def test_ids_are_unique() -> None:
    ids = [keys.binding_id(context, key) for context, key in table()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("screen", SCREENS)
def test_no_key_means_two_things_on_a_screen(screen: type[RecallScreen]) -> None:
    bound = [
        part
        for context in (*screen.CONTEXTS, "everywhere")
        for key in keys.TABLE[context]
        if key.keys
        for part in key.keys.split(",")
    ]
    doubled = {key for key in bound if bound.count(key) > 1}
    # Help is closed by the keys that open it.
    assert doubled <= ({"f1", "question_mark"} if screen is HelpScreen else set())


@pytest.mark.parametrize("screen", SCREENS)
def test_every_key_has_its_action(screen: type[RecallScreen]) -> None:
    for context in screen.CONTEXTS:
        for key in keys.TABLE[context]:
            assert hasattr(screen, f"action_{key.action.partition('(')[0]}"), key


def test_what_matters_does_not_depend_on_unreliable_keys() -> None:
    for _, key in table():
        bound = key.keys.split(",")
        assert not bound or bound[0] not in UNRELIABLE
        assert not any(part.startswith("alt+") for part in bound)


async def test_help_tells_every_key_of_the_screen_and_filters() -> None:
    app = app_on(FakeSession([shown(1)]))
    async with app.run_test(size=(100, 80)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        told = text(app)
        for context in (*ReviewScreen.CONTEXTS, "everywhere"):
            for key in keys.TABLE[context]:
                assert key.about in told
        await pilot.press("slash", *"bury")
        await pilot.pause()
        assert "bury until tomorrow" in text(app)
        assert "copy question" not in text(app)
        await pilot.press("escape", "q")
        await pilot.pause()
        assert isinstance(app.screen, ReviewScreen)


async def test_the_palette_holds_every_command_and_runs_it() -> None:
    session = FakeSession([shown(1), shown(2)])
    kept: list[str] = []
    app = app_on(session, keep_theme=kept.append)
    async with app.run_test() as pilot:
        offered = {row.text.lower() for row in commands(app.screen)}
        for key in (*keys.REVIEW, *keys.EVERYWHERE):
            assert (key.about.lower() in offered) == key.palette
        await pilot.press("ctrl+p", *"bury", "enter")
        await pilot.pause()
        assert session.events == ["bury"]
        await pilot.press("colon", *"theme: light", "enter")
        await pilot.pause()
        assert app.theme == "recall-light"
        assert kept == ["light"]


async def test_keys_can_be_changed_and_are_shown_changed() -> None:
    session = FakeSession([shown(1), shown(2)])
    app = app_on(session, keymap={"review.rate.good": "l", "review.undo": "backspace", "review.reveal": "r"})
    async with app.run_test(size=(80, 50)) as pilot:
        assert "r show answer" in drawn.lines(app)[-1]
        assert "backspace undo" in drawn.lines(app)[-1]
        await pilot.press("r", "3")
        assert session.ratings == []
        await pilot.press("l")
        assert session.ratings == [Rating.GOOD]
        await pilot.press("f1")
        await pilot.pause()
        assert "backspace" in text(app)


def test_unknown_names_in_a_keymap_are_found() -> None:
    assert keys.unknown_ids({"review.undo": "x", "review.fly": "y"}) == ["review.fly"]


async def test_the_key_line_drops_hints_from_the_right_but_never_help() -> None:
    app = app_on(FakeSession([shown(1, hints=("h",))]))
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        line = drawn.lines(app)[-1]
        assert line.startswith(" space show answer")
        assert line.endswith("f1 help")
        assert "bury" not in line


async def test_letters_in_a_text_field_are_text() -> None:
    """Rule: single letters act only when no text field has the focus."""
    session = FakeSession([shown(1), shown(2)])
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("a", *"sb1234 u?:q")
        await pilot.pause()
        assert session.events == []
        assert "sb1234 u?:q" in text(app)
