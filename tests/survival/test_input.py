"""Whatever bytes a terminal sends, of whatever size it is: the app goes on."""

from __future__ import annotations

import os
import random
import signal
from codecs import getincrementaldecoder
from pathlib import Path

import pytest

from folds import differing_cards
from sessions import ratings
from terminal import App, Terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
FIRST_CARD = "show answer"
PASTE = b"3 4 q s b u e: lorem ipsum\r" * 3800
"""100 kB that would do much harm if they were keys."""
F2 = "\x1bOQ"
BEGIN, END = b"\x1b[200~", b"\x1b[201~"

# What other modes, other programs' leftovers and slow links send, whole; none of it is a key.
STRAY = (
    b"\x1b[M\xff\xfe\x80", b"\x1b[M !!", b"\x1b[<35;-1;-7M", b"\x1b[<64;9999999999;1M", b"\x1b[97:65:97;1:3;97:98u",
    b"\x1b[97;1;99999999u", b"\x1b[1114112u", b"\x1b[55296u", b"\x1b[57399;5;1114112:5u", b"\x1b[48;99999;99999;0;0t",
    b"\x1b[48;0;0;0;0t", b"\x1b[?2026;9$y", b"\x1b[99999;99999R", b"\x1b]11;rgb:1b1b/2e2e/5a5a\x1b\\", b"\x1b[I",
    b"\x1b]52;c;c3VlYmJlc3ViZXM=\x07", b"\x1bP>|Terminal(3.14)\x1b\\", b"\x1b[O", b"\xff\xfe", b"\xed\xa0\x80", b"\x80",
)  # fmt: skip
# What is cut off in between.
BROKEN = (
    b"\x1b[<0;5;", b"\x1b[M\x80", b"\xe2\x82", b"\xf0\x9f", b"\xc3\x28", b"\x9b", b"\x00", b"\x1b[", b"\x1bO",
    b"999999999999", b":;:;", "ßø😀é".encode(), b"\x1b[?2048;1$y", b"\x1b]11;rgb:zz", b"\x1bP+r", b"\x1b[97;1;",
    b"u", b"m", b"M",
)  # fmt: skip


def leave(screen: Terminal) -> None:
    screen.type("q")
    assert screen.ended() == 0
    screen.assert_restored()
    assert b"Traceback" not in screen.output


def test_no_bytes_stop_the_reader_of_keys() -> None:
    from recall.tui.driver import Answers, OldMouse, Pasted, TolerantParser

    drawn = random.Random(20260305)
    for _ in range(3000):
        parser, answers, mouse, pasted = TolerantParser(), Answers(), OldMouse(), Pasted()
        decode = getincrementaldecoder("utf-8")(errors="ignore").decode
        for _ in range(drawn.randrange(1, 12)):
            known = drawn.random() < 0.7
            piece = drawn.choice(STRAY + BROKEN) if known else drawn.randbytes(drawn.randrange(1, 5))
            text = decode(mouse.without(answers.without(piece)))
            pasted.is_unmarked(text)
            for event in parser.feed(text) if text else ():
                # Whatever becomes text of a card can be written.
                (getattr(event, "character", "") or "").encode()


def test_an_answer_is_no_key_however_it_is_cut() -> None:
    from recall.tui.driver import Answers

    whole = b"\x1b]11;rgb:1b1b/2e2e/5a5a\x1b\\"
    for cut in range(3, len(whole)):
        answers = Answers()
        assert answers.without(b"q" + whole[:cut]) + answers.without(whole[cut:] + b"u") == (
            b"qu" if whole[:cut].rstrip(b"1")[-1:] != b"]" else b"q" + whole + b"u"
        )
    # Alt and a key, which begin in the same way.
    assert Answers().without(b"\x1b]") == b"\x1b]"
    assert Answers().without(b"\x1bP") == b"\x1bP"


def test_a_paste_is_known_by_its_speed_and_only_outside_a_marked_one() -> None:
    from recall.tui.driver import Pasted

    long = "a pasted line of text\r"
    assert Pasted().is_unmarked(long)
    assert not Pasted().is_unmarked("typed")
    assert not Pasted().is_unmarked(f"\x1b[A{long}")
    marked = Pasted()
    assert [marked.is_unmarked(text) for text in ("\x1b[20", "0~one", long, "two\x1b[2", "01~", long)] == [
        *[False] * 5,
        True,
    ]


def test_stray_reports_do_nothing(app: App, few: Path, database: Path) -> None:
    drawn = random.Random(20260306)
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    for _ in range(40):
        screen.type(b"".join(drawn.choice(STRAY) for _ in range(10)))
    screen.type(" ")
    screen.until("Answer 0.")
    screen.type("4")
    screen.until("reviewed 1 ")
    leave(screen)
    assert ratings(database) == [("card-0", 4)]


@pytest.mark.slow
def test_broken_bytes_do_not_stop_it(app: App, few: Path, database: Path) -> None:
    drawn = random.Random(20260308)
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    # Keys that leave, stop, or start another program are left out; all others may act.
    left_out = b"\x03qQeEoOZyY"
    stray = b"".join(drawn.choice(STRAY + BROKEN + (drawn.randbytes(3),)) for _ in range(600))
    screen.type(bytes(byte for byte in stray if byte not in left_out))
    screen.for_a_while(1.0)
    assert screen.process.poll() is None, screen.text
    screen.signal(signal.SIGTERM)
    assert screen.ended() == 1
    screen.assert_restored()
    assert b"Traceback" not in screen.output
    assert differing_cards(database) == []


def test_a_storm_of_sizes(app: App, few: Path, database: Path) -> None:
    drawn = random.Random(20260307)
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    for number in range(100):
        screen.resize(*((1, 1) if number == 50 else (drawn.randint(1, 200), drawn.randint(1, 60))))
        screen.for_a_while(0.01)
    screen.resize(119, 39)
    # Once a key has acted, all sizes before it have been seen; while the window is too small, none does.
    for _ in range(100):
        screen.type("\x07")
        screen.for_a_while(0.2)
        if "this card has no hint" in screen.text:
            break
    before = len(screen.output)
    screen.resize(20, 5)
    screen.until_written(b"recall needs", before)
    # Keys must do nothing to a card that is not seen.
    screen.type(" 3")
    screen.for_a_while(1.0)
    screen.resize(120, 40)
    screen.until("Question 0?")
    screen.until(FIRST_CARD)
    screen.type(" 4")
    screen.until("reviewed 1 ")
    leave(screen)
    assert ratings(database) == [("card-0", 4)]


def test_a_large_paste_does_nothing_to_a_card_and_is_text_in_a_new_one(
    app: App, few: Path, database: Path, tmp_path: Path
) -> None:
    screen = app("review", "few")
    screen.until(FIRST_CARD)
    screen.type(BEGIN + PASTE + END)
    screen.type(" ")
    screen.until("Answer 0.")
    screen.type("a")
    screen.until("new card")
    screen.type(BEGIN + PASTE.replace(b"\r", b"\n") + b"marked" + END)
    screen.until("marked")
    screen.type(PASTE + b"unmarked\r")
    screen.until("unmarked")
    # It is no card yet: that is told, and the text stays.
    screen.type(F2)
    screen.until("not saved")
    # The first closes the notice, the second leaves; each is answered before the next bytes, which would join it.
    screen.type("\x1b")
    screen.until(lambda text: "not saved" not in text)
    if "Answer 0." not in screen.text:
        screen.type("\x1b")
    screen.until("Answer 0.")
    screen.type("4")
    screen.until("reviewed 1 ")
    leave(screen)
    assert ratings(database) == [("card-0", 4)]
