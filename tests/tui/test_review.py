"""The review screen: every key, every state, and what happens when the store cannot write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import drawn
import factories
from drawn import app_on, text
from factories import FakeSession, shown
from recall.errors import StoreBusyError, StoreError
from recall.model.card import Place
from recall.model.fault import Fault
from recall.model.review import Rating, State
from recall.prose.marks import ANSWER_CLOSE, ANSWER_OPEN, HOLE_CLOSE, HOLE_OPEN
from recall.schedule.days import day_of
from recall.tui.outside import openable
from recall.tui.screens.summary import SummaryScreen


def three() -> FakeSession:
    return FakeSession([shown(1, why="Because of bandwidth."), shown(2), shown(3)])


async def test_a_card_is_asked_revealed_and_rated() -> None:
    """Space reveals, then takes the tinted rating; the next question stands where the last one stood."""
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        assert "Question 1?" in text(app)
        assert "Answer 1." not in text(app)
        row = next(number for number, line in enumerate(drawn.lines(app)) if "Question 1?" in line)
        await pilot.press("space")
        assert "Answer 1." in text(app)
        assert "Because of bandwidth." in text(app)
        assert "Question 1?" in drawn.lines(app)[row]
        for label in factories.LABELS.values():
            assert label in text(app)
        await pilot.press("space")
        assert session.ratings == [Rating.GOOD]
        assert "Question 2?" in drawn.lines(app)[row]
        assert "Answer 1." not in text(app)


@pytest.mark.parametrize(
    ("key", "rating"),
    [("1", Rating.AGAIN), ("2", Rating.HARD), ("3", Rating.GOOD), ("4", Rating.EASY), ("enter", Rating.GOOD),
     ("fullwidth_digit_one", Rating.AGAIN), ("fullwidth_digit_four", Rating.EASY),
     ("ideographic_space", Rating.GOOD)],
)  # fmt: skip
async def test_each_rating_has_its_keys(key: str, rating: Rating) -> None:
    """Full-width digits and space are what an input method leaves; they count as the plain keys."""
    session = three()
    async with app_on(session).run_test() as pilot:
        await pilot.press("enter", key)
        assert session.ratings == [rating]


async def test_no_rating_is_taken_before_the_answer_is_seen() -> None:
    session = three()
    async with app_on(session).run_test() as pilot:
        await pilot.press("1", "2", "3", "4")
        assert session.ratings == []
        assert session.phase == "question"


async def test_the_suggested_rating_is_the_one_that_space_takes_and_says_so() -> None:
    session = FakeSession([shown(1), shown(2)], suggested=Rating.HARD)
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space")
        assert "space hard" in drawn.lines(app)[-1]
        await pilot.press("space")
        assert session.ratings == [Rating.HARD]


@pytest.mark.parametrize(
    ("key", "event"), [("s", "suspend"), ("at", "suspend"), ("b", "bury"), ("minus", "bury"), ("equals_sign", "bury")]
)
async def test_cards_are_put_away_and_brought_back(key: str, event: str) -> None:
    """Our keys and those that Anki's users know."""
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert session.events == [event]
        assert "Question 2?" in text(app)
        assert "u takes it back" in drawn.lines(app)[-1]
        await pilot.press("u")
        assert "Question 1?" in text(app)


async def test_undo_goes_back_as_often_as_wanted_and_redo_forward() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space", "1", "space", "2", "u", "ctrl+z")
        assert session.ratings == []
        assert "Question 1?" in text(app)
        await pilot.press("u")
        await pilot.pause()
        assert "nothing to undo" in drawn.lines(app)[-1]
        await pilot.press("U", "ctrl+y")
        assert session.ratings == [Rating.AGAIN, Rating.HARD]
        assert "Question 3?" in text(app)


async def test_the_mark_is_shown() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("asterisk")
        assert "* marked" in text(app)
        await pilot.press("asterisk")
        assert "* marked" not in text(app)


async def test_hints_come_one_by_one() -> None:
    session = FakeSession([shown(1, hints=("Count both phases.", "Then divide by N."))])
    app = app_on(session)
    async with app.run_test() as pilot:
        assert "ctrl+g hint 0/2" in text(app)
        await pilot.press("ctrl+g")
        assert "Count both phases." in text(app)
        assert "Then divide" not in text(app)
        await pilot.press("ctrl+g")
        assert "Then divide by N." in text(app)
        await pilot.press("ctrl+g")
        assert "no further hint" in text(app)


async def test_the_explanation_can_be_folded_away() -> None:
    app = app_on(three())
    async with app.run_test() as pilot:
        await pilot.press("space", "w")
        assert "Because of bandwidth." not in text(app)
        await pilot.press("w")
        assert "Because of bandwidth." in text(app)


async def test_a_cloze_is_filled_in_where_it_stands() -> None:
    """The sentence does not move and is not shown twice."""
    asked = f"A warp is {HOLE_OPEN}…{HOLE_CLOSE} threads."
    answered = f"A warp is {ANSWER_OPEN}32{ANSWER_CLOSE} threads."
    app = app_on(FakeSession([shown(1, asked, answered, kind="cloze")]))
    async with app.run_test() as pilot:
        row = next(number for number, line in enumerate(drawn.lines(app)) if "A warp is […] threads." in line)
        await pilot.press("space")
        assert "A warp is 32 threads." in drawn.lines(app)[row]
        assert text(app).count("A warp is") == 1


async def test_a_changed_answer_is_said() -> None:
    app = app_on(FakeSession([shown(1, changed=True)]))
    async with app.run_test() as pilot:
        await pilot.press("space")
        assert "the answer changed" in text(app)


@pytest.mark.parametrize(
    ("error", "words"),
    [(StoreBusyError("another program writes"), "press the key again"), (StoreError("disk full"), "disk full")],
)
async def test_a_rating_that_cannot_be_stored_leaves_the_card(error: StoreError, words: str) -> None:
    """Nothing is lost: the card stays revealed, the reason is told, and the same key works again."""
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space")
        session.fail = error
        await pilot.press("3")
        await pilot.pause()
        assert session.ratings == []
        assert "The rating was not saved" in text(app)
        assert words in text(app)
        await pilot.press("3")
        await pilot.pause()
        assert session.ratings == [Rating.GOOD]
        assert "Question 2?" in text(app)
        assert "not saved" not in text(app)


async def test_a_leech_is_told() -> None:
    session = three()
    session.leech = True
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space", "1")
        await pilot.pause()
        assert "a leech" in text(app)


async def test_due_and_forget_are_in_the_palette() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p", *"set the day", "enter")
        await pilot.press(*"12", "enter")
        assert session.events == ["set due 12"]
        await pilot.press("colon", *"forget", "enter")
        assert session.events == ["set due 12", "forget"]


async def test_a_wrong_number_of_days_changes_nothing() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p", *"set the day", "enter", *"soon", "enter")
        assert session.events == []
        assert "no number of days" in text(app)


async def test_the_editor_opens_at_the_card_and_the_change_is_shown() -> None:
    commands: list[Sequence[str]] = []

    def run(command: Sequence[str]) -> int:
        commands.append(command)
        return 0

    session = three()
    session.after_reload = lambda card: card._replace(question="A better question?")
    app = app_on(session, editor="vim", run_command=run)
    async with app.run_test() as pilot:
        await pilot.press("e")
        assert commands == [["vim", "+10", "decks/gpu/memory.md"]]
        assert "A better question?" in text(app)


async def test_faults_after_editing_are_told_with_their_place() -> None:
    session = three()
    session.faults = (Fault(Place("decks/gpu/memory.md", 12, 3), "the answer is empty", "write one"),)
    app = app_on(session, editor="vim", run_command=lambda command: 0)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "decks/gpu/memory.md:12:3: the answer is empty" in text(app)


async def test_an_editor_that_cannot_start_is_told() -> None:
    def missing(command: Sequence[str]) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    app = app_on(three(), editor="no-such-editor", run_command=missing)
    async with app.run_test() as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "No such file or directory" in text(app)
        assert "Question 1?" in text(app)


async def test_a_new_card_is_written_without_leaving() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space", "a")
        assert "A warp is [32] threads." in text(app)
        await pilot.press(*"Q: 1?", "enter", *"A: 2", "f2")
        await pilot.pause()
        assert session.added == ["Q: 1?\nA: 2\n"]
        assert "Answer 1." in text(app)
        assert "written: new-card" in text(app)


async def test_what_was_written_and_not_saved_is_there_the_next_time() -> None:
    app = app_on(three())
    async with app.run_test() as pilot:
        await pilot.press("a", *"half", "escape")
        assert "Question 1?" in text(app)
        await pilot.press("a")
        assert "half" in text(app)


async def test_copying_reaches_the_terminal_and_a_file_of_the_users_own(tmp_path: Path) -> None:
    file = tmp_path / "new" / "copied.txt"
    app = app_on(three(), copy_file=file)
    async with app.run_test() as pilot:
        await pilot.press("space", "y")
        assert app.clipboard == "Question 1?\n\nAnswer 1.\n"
        assert file.read_text() == app.clipboard
        assert file.stat().st_mode & 0o777 == 0o600


async def test_images_and_links_are_opened_outside_one_after_another(tmp_path: Path) -> None:
    (tmp_path / "roof.png").write_bytes(b"")
    opened: list[str] = []
    card = shown(1, "See ![roof](roof.png), [this](https://a.example/x) and [that](javascript:alert).")
    card = card._replace(card=card.card._replace(place=Place(str(tmp_path / "deck.md"), 1)))
    app = app_on(FakeSession([card]), open_outside=opened.append)
    async with app.run_test() as pilot:
        await pilot.press("o", "o", "o")
        assert opened == [str(tmp_path / "roof.png"), "https://a.example/x", str(tmp_path / "roof.png")]


def test_what_is_opened_lies_with_the_deck(tmp_path: Path) -> None:
    """As `recall lint` reads it: a path may be written as in an address, and may not lead out of the deck's folder."""
    deck = tmp_path / "decks" / "gpu.md"
    (deck.parent / "my pictures").mkdir(parents=True)
    inside, outside = deck.parent / "my pictures" / "roof.png", tmp_path / "bill.pdf"
    for file in (inside, outside):
        file.write_bytes(b"")
    texts = ["![roof](my%20pictures/roof.png) ![bill](../bill.pdf)", f"[bill]({outside})", f"![]({'n' * 300}.png)"]
    assert openable(texts, [], str(deck)) == [str(inside)]


async def test_after_the_last_card_comes_the_summary_and_undo_comes_back_from_it() -> None:
    session = FakeSession([shown(1)])
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space", "1")
        await pilot.pause()
        assert isinstance(app.screen, SummaryScreen)
        assert "Nothing is due." in text(app)
        assert "1 card in 24 s, 0 right at first try (0 %)." in text(app)
        await pilot.press("u")
        assert "Question 1?" in text(app)
        await pilot.press("space", "4", "n")
        assert "Question 100?" in text(app)


async def test_a_long_title_takes_one_line_of_the_summary() -> None:
    """What was said of the card stands behind it, on the same line."""
    session = FakeSession([shown(1)])
    long = factories.Summary(longest=("What limits an elementwise kernel? " * 5, 21, 48))
    session.summary = lambda: long
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space", "1")
        await pilot.pause()
        line = next(line for line in drawn.lines(app) if "farthest" in line)
        assert "…  21 d › 48 d" in line


async def test_q_leaves_a_review_that_was_started_alone() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space", "3", "q")
        assert session.closed
    assert app.return_code == 0


async def test_ctrl_c_quits_only_when_pressed_twice() -> None:
    app = app_on(three())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert "ctrl+c again" in drawn.lines(app)[-1]
        assert app.is_running
        await pilot.press("ctrl+c")
    assert app.return_value == 1


async def test_the_mouse_rates_and_presses_the_keys_of_the_last_row() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click("KeyLine", offset=(3, 0))
        assert session.phase == "revealed"
        await pilot.click("RatingBar", offset=(30, 0))
        assert session.ratings == [Rating.HARD]


async def test_a_window_that_is_too_small_says_so_and_keeps_everything() -> None:
    session = three()
    app = app_on(session)
    async with app.run_test() as pilot:
        await pilot.press("space")
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        assert "60 columns and 15 rows" in " ".join(text(app).split())
        assert "Answer" not in text(app)
        await pilot.press("1")
        assert session.ratings == [], "no rating of a card that is not seen"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "Answer 1." in text(app)
        await pilot.press("1")
        assert session.ratings == [Rating.AGAIN]


async def test_a_long_card_scrolls() -> None:
    long = "\n\n".join(f"Line {number}." for number in range(60))
    app = app_on(FakeSession([shown(1, long), shown(2)]))
    async with app.run_test() as pilot:
        assert "j more" in drawn.lines(app)[-1]
        await pilot.press("G")
        await pilot.pause()
        assert "Line 59." in text(app)
        await pilot.press("g")
        await pilot.pause()
        assert "Line 0." in text(app)
        await pilot.press("j", "j", "ctrl+d", "ctrl+f", "ctrl+b", "ctrl+u", "k", "k")
        await pilot.pause()
        assert "Line 0." in text(app)
        await pilot.press("G", "space", "3")
        await pilot.pause()
        assert "Question 2?" in text(app)


HOSTILE = "\x1b[31mred\x1b[0m \x1b]0;title\x07 [bold]markup[/bold] [@click=app.quit]x[/] \u202egnp.exe &#27;[2J \x9b31m"


@pytest.mark.parametrize("field", ["question", "answer", "why", "source"])
async def test_card_text_is_shown_and_never_obeyed(field: str) -> None:
    """Escape sequences and bidi controls are dropped, markup is text."""
    card = shown(1, "Safe?", "Yes.", **({} if field in ("question", "answer") else {field: HOSTILE}))
    if field in ("question", "answer"):
        card = card._replace(**{field: HOSTILE})
    app = app_on(FakeSession([card]))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("space")
        shown_text = text(app)
        assert "[bold]markup[/bold] [@click=app.quit]x[/]" in shown_text
        assert not any(character < " " or character in "\x9b\u202e" for character in shown_text.replace("\n", ""))


async def test_new_learning_and_seen_are_told_in_the_first_line() -> None:
    today = day_of(drawn.NOW.now())
    cards = [
        shown(1),
        shown(2, state=factories.REVIEWED._replace(state=State.RELEARNING)),
        shown(3, state=factories.REVIEWED._replace(last_day=today - 11, lapses=6)),
    ]
    app = app_on(FakeSession(cards))
    async with app.run_test() as pilot:
        assert "concept · new" in text(app)
        await pilot.press("space", "3")
        assert "relearning" in text(app)
        await pilot.press("space", "3")
        assert "seen 11 days ago · ! 6 lapses" in text(app)


async def test_what_was_seen_last_evening_was_seen_yesterday() -> None:
    """Study days are counted, not spans of 24 hours."""
    evening = drawn.NOW.now().ms - 11 * 3_600_000
    state = factories.REVIEWED._replace(last_review=evening, last_day=day_of(drawn.NOW.at(evening)))
    app = app_on(FakeSession([shown(1, state=state)]))
    async with app.run_test():
        assert "seen yesterday" in text(app)


def test_fakes_are_whole() -> None:
    """The stand-ins have the shape that the app asks for; the type checker holds the real ones to it."""
    make: Callable[[], FakeSession] = three
    assert make().phase == "question"
