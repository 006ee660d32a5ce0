"""Home: the tree of decks, the panel, and the ways from here."""

from __future__ import annotations

from dataclasses import replace

import pytest

import drawn
import factories
from drawn import app_on, text
from factories import FakeSession, FakeStudy, Found, shown
from recall.model.card import Place
from recall.model.fault import Fault
from recall.model.query import parse_query
from recall.tui.screens.first_run import FirstRunScreen
from recall.tui.screens.home import HomeScreen
from recall.tui.screens.review import ReviewScreen
from recall.tui.widgets.side_panel import SidePanel


def study_of(app: object) -> FakeStudy:
    study = getattr(app, "study", None)
    assert isinstance(study, FakeStudy)
    return study


async def test_decks_stand_in_a_tree_with_their_counts() -> None:
    """A folder shows the sum of what is below it."""
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.pause()
        gpu = next(line for line in drawn.lines(app) if "▾ gpu" in line)
        assert gpu[:48].split()[-2:] == ["12", "3"]
        assert "24 due, 17 new" in text(app)
        assert "about 14 minutes" in text(app)
        assert "streak 23 d" in text(app)
        assert "warp divergence" in text(app)


@pytest.mark.parametrize(("rollover", "marked"), [(4, "T"), (9, "M")])
async def test_the_day_that_is_marked_is_the_study_day(rollover: int, marked: str) -> None:
    """It is Tuesday, 08:41: where a day begins at nine, what is reviewed now still counts for Monday."""
    app = app_on(rollover_hour=rollover)
    async with app.run_test():
        panel = app.screen.query_one(SidePanel).render()
        bold = [panel.plain[span.start : span.end].strip() for span in panel.spans if span.style == "bold"]
        assert bold[-1] == marked


async def test_space_reviews_everything_and_enter_the_deck_under_the_cursor() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press("space")
        assert isinstance(app.screen, ReviewScreen)
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        await pilot.press("j", "enter")
        assert study_of(app).asked == [((), None), (("gpu/coalescing",), None)]
        assert study_of(app).sessions[0].closed


async def test_branches_close_and_open() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press("h")
        assert "▸ gpu" in text(app)
        assert "roofline" not in text(app)
        await pilot.press("l")
        assert "roofline" in text(app)
        await pilot.press("j", "j", "h", "h")
        assert "▸ gpu" in text(app)


@pytest.mark.parametrize(
    ("keys", "deck"),
    [
        (("G",), "training/loss-scaling"),
        (("G", "g"), "gpu"),
        (("down", "up"), "gpu"),
        (("ctrl+f",), "training/loss-scaling"),
    ],
)
async def test_the_cursor_moves_as_in_vi(keys: tuple[str, ...], deck: str) -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press(*keys, "enter")
        assert study_of(app).asked == [((deck,), None)]


async def test_two_clicks_review_a_deck() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.click("DeckTree", offset=(5, 2), times=2)
        await pilot.pause()
        assert study_of(app).asked == [(("gpu/coalescing",), None)]


async def test_without_decks_three_ways_to_get_cards_are_shown() -> None:
    app = app_on(overview=factories.Overview())
    async with app.run_test() as pilot:
        await pilot.pause()
        for words in ("recall import PATH", "write a card here", "Q: What limits an elementwise kernel?"):
            assert words in text(app)
        await pilot.press("space", "enter", "h", "l", "j", "G")


async def test_the_first_run_says_what_was_found_and_begins_with_ten_cards() -> None:
    app = app_on(overview=replace(factories.OVERVIEW, first_run=True))
    async with app.run_test() as pilot:
        assert isinstance(app.screen, FirstRunScreen)
        assert "9 built in, 226 cards" in text(app)
        assert study_of(app).asked == [], "nothing is changed before a key is pressed"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ReviewScreen)
        assert study_of(app).asked == [((), 10)]
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


async def test_broken_decks_are_named_with_their_line() -> None:
    fault = Fault(Place("decks/roofline.md", 14, 9), 'unknown unit "FLOPs/B"', "")
    app = app_on(overview=replace(factories.OVERVIEW, faults=(fault,) * 5))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "roofline.md:14" in text(app)
        assert "and 2 more: recall lint" in text(app)


async def test_search_narrows_while_typing_and_reviews_the_deck_found() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press("slash", *"part 3")
        await pilot.pause()
        assert "Ridge point, part 3" in text(app)
        assert "part 4" not in text(app)
        assert "1 card" in text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert study_of(app).asked == [(("gpu/roofline",), None)]


async def test_a_query_that_cannot_be_read_is_said_quietly_and_esc_clears_then_leaves() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press("slash", "(")
        await pilot.pause()
        assert "a parenthesis is open" in text(app)
        await pilot.press("escape", *"nothing has this")
        await pilot.pause()
        assert "no card matches" in text(app)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


async def test_names_of_decks_can_be_read_on_a_small_screen() -> None:
    app = app_on()
    async with app.run_test(size=(60, 15)):
        assert "coalescing" in text(app)
        assert not app.screen.query_one(SidePanel).display


async def test_a_suspended_card_is_found_and_woken() -> None:
    app = app_on()
    study = study_of(app)
    study.cards[3] = replace(study.cards[3], state=study.cards[3].state._replace(suspended=True))
    async with app.run_test() as pilot:
        await pilot.press("slash", *"part", "f4")
        assert "this card is not suspended" in text(app)
        await pilot.press("down", "down", "down")
        assert "suspended · gpu/roofline" in text(app)
        assert "f4 wake it" in text(app)
        await pilot.press("f4")
        assert not study.cards[3].state.suspended
        assert "awake: it comes again" in text(app)
        assert "suspended" not in text(app)


async def test_the_fault_of_a_query_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line draws a caret below the query; the header has one row."""

    def search(query: str, limit: int | None = 50) -> list[Found]:
        parse_query(query)
        return []

    app = app_on()
    monkeypatch.setattr(study_of(app), "search", search)
    async with app.run_test() as pilot:
        await pilot.press("slash", *"is:new batch(")
        await pilot.pause()
        assert "query, column 13: " in text(app)


async def test_a_card_is_written_from_home() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press("a", *"Q: x", "enter", *"A: y", "f2")
        await pilot.pause()
        assert study_of(app).added == ["Q: x\nA: y\n"]
        assert "written: new-card" in text(app)


async def test_the_decks_are_read_again_on_request() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        study_of(app).now = replace(factories.OVERVIEW, due=99)
        await pilot.press("f5")
        await pilot.pause()
        assert study_of(app).synced == 1
        assert "99 due" in text(app)


async def test_counts_are_fresh_after_a_session() -> None:
    app = app_on(sessions=lambda: FakeSession([shown(1)]))
    async with app.run_test() as pilot:
        await pilot.press("space", "space", "3")
        await pilot.pause()
        study_of(app).now = replace(factories.OVERVIEW, due=0, new=0)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.pause()
        assert "nothing due" in text(app)


async def test_q_quits() -> None:
    app = app_on()
    async with app.run_test() as pilot:
        await pilot.press("q")
    assert app.return_code == 0
