"""Decks that last, and a session that is led line by line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from program import Recall
from sessions import Begin, Led
from terminal import App, Terminal, opened

CARDS = 3000


@pytest.fixture
def many(tmp_path: Path, recall: Recall) -> Path:
    """A followed folder with the deck `many`: more cards than a test rates."""
    folder = tmp_path / "decks"
    folder.mkdir()
    cards = "\n\n".join(f"Q: Question {n}?\nA: Answer {n}.\nid: card-{n}" for n in range(CARDS))
    (folder / "many.md").write_text(cards + "\n", encoding="utf-8")
    assert recall("import", folder).code == 0
    recall("config", "new_per_day", "9999")
    return folder


@pytest.fixture
def begin(environment: dict[str, str]) -> Iterator[Begin]:
    """Begin a plain review that the test leads; other names are variables."""
    begun: list[subprocess.Popen[str]] = []

    def start(*words: str, **variables: str) -> Led:
        process = subprocess.Popen(
            [sys.executable, "-m", "recall", "review", "many", *words],
            env={**environment, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        begun.append(process)
        return Led(process)

    yield start
    for process in begun:
        process.kill()
        process.communicate()


@pytest.fixture
def few(tmp_path: Path, recall: Recall) -> Path:
    """A followed folder with the deck `few`, of thirty cards."""
    folder = tmp_path / "decks"
    folder.mkdir()
    cards = "\n\n".join(f"Q: Question {n}?\nA: Answer {n}.\nid: card-{n}" for n in range(30))
    (folder / "few.md").write_text(cards + "\n", encoding="utf-8")
    assert recall("import", folder).code == 0
    return folder


@pytest.fixture
def app(environment: dict[str, str], tmp_path: Path) -> Iterator[App]:
    """Start `recall WORDS...` in a terminal of its own; other names are variables."""
    work = tmp_path / "work"
    work.mkdir(exist_ok=True)
    with ExitStack() as stack:

        def start(*words: str, columns: int = 120, rows: int = 40, **variables: str) -> Terminal:
            around = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor", **variables}
            command = [sys.executable, "-m", "recall", *words]
            return stack.enter_context(opened(command, around, columns=columns, rows=rows, directory=str(work)))

        yield start


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "recall.db"
