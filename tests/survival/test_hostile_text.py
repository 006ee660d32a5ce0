"""Text from decks and names of files may hold anything: it is shown harmlessly, never obeyed."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from program import Recall
from sessions import ratings
from terminal import App, sequences, text_of

ESCAPES = (
    "\x1b[2J\x1b[31m\x1b[?1049l\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b]8;;https://owned.example\x1b\\link\x1b]8;;\x1b\\"
    "\x1bP+q544e\x1b\\\x1bc\x07\x08\x0e\x7f"
)
C1 = "\x9b2J\x9d0;owned\x9c\x90q\x9c\x85\x8d"
MARKUP = "[red]x[/] [@click=app.quit]press[/] [/nope] [link=https://owned.example]l[/link] [$error]y"
BIDI = "\u202egnp.exe\u202c \u2066a\u2069 \u200fb\u200e \u061cc"
EVIL = f"{ESCAPES}{C1} {MARKUP} {BIDI} \ue000forged\ue001"
IN_HOLE = f"{C1} \x1b(0 \x07\x08 {BIDI}"
EVIL_NAME = "evil\x1b]0;owned\x07\x9b31m \u202egnp [red]x[/]"

# What Textual writes of itself; the pointer's shape is `]22;default`.
ALLOWED = {
    "\x1b[#m", "\x1b[m", "\x1b[#H", "\x1b[?#h", "\x1b[?#l", "\x1b[?#$p", "\x1b[>#u", "\x1b[<u", "\x1b]#?\x1b\\",
    "\x1b]#default\x07", "\x1b]#pointer\x07", "\x1b[#J", "\x1b[H",
}  # fmt: skip


def unsafe(text: str) -> set[str]:
    """Characters of *text* that could steer a terminal or turn a line around; line ends are none."""
    return {
        character
        for character in text
        if (unicodedata.category(character) == "Cc" and character != "\n")
        or unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or character in "\u061c\u200e\u200f"
    }


@pytest.fixture
def evil(tmp_path: Path, recall: Recall) -> Path:
    """A followed folder whose names and cards hold all of it."""
    folder = tmp_path / EVIL_NAME.replace("/", "")
    folder.mkdir()
    front = f'---\nname = "{_toml(EVIL)}"\ntags = ["{_toml(EVIL)}"]\n---\n\n'
    cards = [
        f"Q: First {EVIL}\nA: Answer {EVIL}\n\n    code {EVIL}\n\n| {EVIL} | b |\n|---|---|\n| {EVIL} | `{EVIL}` |\n"
        f"why: Because {EVIL}\nhint: Hint {EVIL}\nsource: Source {EVIL}\nas-of: 2025-01-31\ntags: tag-{EVIL}\n"
        "id: first",
        f"C: Second [{IN_HOLE}]{{{IN_HOLE}}} and $x {IN_HOLE}$\nid: second",
        f"Q: Faulty {EVIL}\nnumber: {EVIL}\nid: third",
        f"Q: No answer {EVIL}",
        f"Q: A bad id\nA: x\nid: {EVIL}",
    ]
    text = front + "\n\n".join(cards) + "\n"
    # Bytes that are no UTF-8 beside it, so that a fault quotes that line.
    bad = f"\n\nQ: Bad bytes {EVIL} ".encode() + b"\xff\xfe\nA: x\nid: bad\n"
    (folder / f"{EVIL_NAME.replace('/', '')}.md").write_bytes(text.encode() + bad)
    (folder / "other.md").write_text("Q: Twice?\nA: x\nid: first\n\nQ: Fine?\nA: Yes.\nid: fine\n", encoding="utf-8")
    assert recall("import", folder).code == 1
    return folder


def _toml(text: str) -> str:
    return "".join(f"\\u{ord(c):04x}" if c in '"\\' or unicodedata.category(c) == "Cc" else c for c in text)


def test_commands_write_no_character_that_steers_a_terminal(recall: Recall, evil: Path) -> None:
    shown = ""
    for words in (
        ["import", evil],
        ["import", evil, "--json"],
        ["lint", evil],
        ["lint", evil, "--json"],
        ["decks", "--all"],
        ["decks", "--json"],
        ["decks", "--names"],
        ["show", "first"],
        ["show", "first", "--json"],
        ["show", f"{next(evil.glob('evil*.md'))}#second"],
        ["try", "first", EVIL.replace("\x00", "")],
        ["search", ""],
        ["search", "--json"],
        ["search", f'"{EVIL}'],
        ["stats"],
        ["stats", "--json"],
        ["doctor"],
        ["doctor", "--json"],
        ["review", "--query", "id:first", "--cram"],
        ["review", EVIL],
        ["import", evil / "nothing.md"],
        [EVIL],
        ["config", EVIL, EVIL],
    ):
        stdin = "h\n\n3\nq\n" if words[0] == "review" else ""
        ran = recall(*words, stdin=stdin)
        assert unsafe(ran.out + ran.err) == set(), (words[0], unsafe(ran.out + ran.err), ran.err[:300])
        shown += ran.out
    # What is text in it stays text.
    assert "[red]x[/]" in shown
    assert "[@click=app.quit]press[/]" in shown


def test_the_app_obeys_nothing_in_a_card(app: App, evil: Path, database: Path) -> None:
    screen = app("review", "--query", "id:first or id:second")
    screen.until("First")
    screen.type(" ")
    screen.until("Because")
    assert "[red]x[/]" in screen.text
    assert "[@click=app.quit]press[/]" in screen.text
    screen.type("3")
    screen.until("Second")
    screen.type(" 4")
    # The first comes again: both were rated.
    screen.until(lambda text: "First" in text and "learning" in text)
    screen.type("q")
    assert screen.ended() == 0
    assert_harmless(bytes(screen.output))
    assert len(ratings(database)) == 2


def test_home_and_search_in_the_app_obey_nothing(app: App, evil: Path) -> None:
    screen = app()
    screen.until("first run")
    screen.type("h")
    screen.until("evil")
    screen.type("/")
    screen.until("recall  search")
    screen.type("first")
    screen.until("First")
    screen.type("\x03")
    screen.until("ctrl+c again")
    screen.type("\x03")
    screen.ended()
    assert_harmless(bytes(screen.output))


def assert_harmless(output: bytes) -> None:
    assert sequences(output) <= ALLOWED, sequences(output) - ALLOWED
    assert unsafe(text_of(output).replace("\r", "")) == set()
    assert re.search(rb"\x1b\](?!11;|22;)", output) is None
