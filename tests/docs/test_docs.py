"""What the pages say is so: commands parse, words, settings and commands are all told of, examples load."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path
from typing import get_args

import pytest

from recall.cli.main import COMMANDS, command_parser, parser
from recall.content.deck import parse_deck
from recall.content.kinds import cards_of
from recall.content.words import WORDS
from recall.errors import UsageError
from recall.model import query
from recall.model.options import Options
from recall.schedule.memory import arithmetic_for
from recall.settings.keys import DECK_TABLE, KEYMAP_TABLE, KEYS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    """The fenced code blocks of *language*."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def command_lines(text: str) -> list[str]:
    """Every `recall ...` that a page shows: lines of shell blocks, and spans of code in prose."""
    without_blocks = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"`(recall [^`]+)`", without_blocks)
    for block in blocks(text, "sh"):
        for line in block.splitlines():
            # What is piped in before, redirected or done after is the shell's.
            found += [part.strip() for part in re.split(r"&&|\||[<>] ?\S+", line) if re.match(r"\s*recall\b", part)]
    return found


SHOWN = sorted({(page.name, line) for page in PAGES for line in command_lines(page.read_text("utf-8"))})


@pytest.mark.parametrize(("page", "line"), SHOWN)
def test_a_command_that_is_shown_is_a_command(page: str, line: str) -> None:
    # Forms such as `[FILE]` and `DECK...`, as help writes them.
    words = shlex.split(re.sub(r"[\[\]]|\.\.\.", "", line).replace("SHELL", "bash"), comments=True)[1:]
    if words == ["COMMAND", "--help"]:
        words = ["review", "--help"]
    if len(words) == 1 and words[0] in COMMANDS:  # the command is spoken of
        words.append("--help")
    try:
        with contextlib.suppress(SystemExit):  # --help prints and leaves
            chosen = parser().parse_args(words)
            if chosen.command is not None:
                command_parser(chosen.command).parse_args(chosen.rest)
    except UsageError as error:
        pytest.fail(f"{page}: {line}: {error}")


def test_the_readme_begins_with_the_two_commands() -> None:
    """A newcomer needs Python, pip, venv, a checkout, and one line to review, one to pass the tests."""
    first, second = blocks(text_of("README.md"), "sh")[:2]
    for block, last in ((first, "recall review"), (second, "pytest")):
        (line,) = block.strip().splitlines()
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert line.endswith(f"&& .venv/bin/{last}")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_told_of(name: str) -> None:
    assert re.search(rf"^#+ `recall {name}\b", text_of("docs/commands.md"), re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_told_of(name: str) -> None:
    section = text_of("docs/commands.md").partition(f"## `recall {name}")[2].partition("\n## ")[0]
    options = {
        option
        for action in command_parser(name)._actions  # argparse has no public list of its options
        for option in action.option_strings
        if option.startswith("--")
    }
    missing = sorted(option for option in options - {"--help", "--database"} if f"`{option}" not in section)
    assert not missing


@pytest.mark.parametrize("word", WORDS)
def test_each_section_word_is_told_of(word: str) -> None:
    assert f"`{word}:`" in text_of("docs/decks.md")


@pytest.mark.parametrize("name", KEYS)
def test_each_setting_is_told_of_with_its_default(name: str) -> None:
    row = re.search(rf"^\| `{name}` \| (.*?) ?\| .+ \|$", text_of("docs/scheduling.md"), re.MULTILINE)
    assert row, f"docs/scheduling.md has no row for {name}"
    default = KEYS[name].default
    if name != "parameters":
        shown = ", ".join(map(str, default)) if isinstance(default, tuple) else str(default)
        assert row[1] == (shown.lower() if isinstance(default, bool) else shown)


def test_the_price_of_retention_is_as_told() -> None:
    """docs/scheduling.md gives intervals at 0.95 and 0.97 in shares of that at 0.9."""
    model = arithmetic_for(Options())
    shares = {retention: model.interval(100, retention) / model.interval(100, 0.9) for retention in (0.95, 0.97)}
    for retention, share in shares.items():
        assert f"at {retention} {share:.2f} times" in text_of("docs/scheduling.md")


def test_the_tables_of_the_settings_file_are_told_of() -> None:
    assert f'[{DECK_TABLE}."' in text_of("docs/scheduling.md")
    assert f"[{KEYMAP_TABLE}]" in text_of("docs/scheduling.md")


def test_the_query_language_is_told_of() -> None:
    page = text_of("docs/commands.md")
    missing = [f"is:{word}" for word in get_args(query.Standing) if f"`is:{word}`" not in page]
    fields = (*get_args(query.NameField), *get_args(query.NumberField), *get_args(query.PastField))
    missing += [f"{field}:" for field in fields if not re.search(rf"`{field}:\S+`", page)]
    assert not missing


def test_the_example_deck_is_what_the_page_says() -> None:
    """Three notes and five cards, without a fault."""
    (example,) = blocks(text_of("docs/decks.md"), "markdown")
    deck = parse_deck(example, "example.md")
    assert not deck.faults
    assert deck.name == "GPU memory"
    assert len(deck.notes) == 3
    assert [len(cards_of(note, "example")) for note in deck.notes] == [1, 2, 2]


def test_the_readme_deck_loads() -> None:
    for example in blocks(text_of("README.md"), "markdown"):
        deck = parse_deck(example, "example.md")
        assert deck.notes
        assert not deck.faults


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_inside_the_project_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", text)
    links += re.findall(r"`((?:docs|benchmarks|tests)/[\w./]+)`", text)
    missing = [link for link in links if not (page.parent / link).exists() and not (ROOT / link).exists()]
    assert not missing


def test_the_version_has_its_changes() -> None:
    from recall import __version__

    assert f"## {__version__}" in text_of("CHANGELOG.md")
