"""First card on the screen: spawn to text in a pseudo-terminal of 80x24, against a bare Textual app with one `Static`.

    python benchmarks/first_frame.py [--runs 9]

Three programs alternate: the bare app, `recall review` in an empty home with the shipped decks, and `recall review`
with the large store. Then `q`, and the time to the end of the process. The ratios are of medians. One more run notes
when each heavy library is imported, and holds that against the moment of the first card.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from harness import Painted, Row, arguments, copied_store, empty_home, environment, paint, recall_command, report

MARKER = "show answer"
"""A word of the key line, which is drawn with the first card."""
BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("QZMARKER reveal")

    def key_q(self):
        self.exit()

Bare().run()
"""

HEAVY = ("sqlmodel", "sqlalchemy", "sympy", "numpy")
WATCHED = f"""
import os, sys, time

class Watch:
    def find_spec(name, path=None, target=None):
        if name in {HEAVY!r}:
            with open(os.environ["WATCHED"], "a") as file:
                print(name, time.perf_counter(), file=file)

sys.meta_path.insert(0, Watch)
sys.argv = ["recall", "review"]
from recall.cli.main import main
sys.exit(main())
"""
"""Starts `recall review` and notes when it asks for a heavy library; the clock is the system's, so times compare."""


def imported_before_first_card(folder: Path) -> list[str]:
    """Heavy libraries that the program asked for before its first card was drawn."""
    notes = folder / "imports"
    notes.touch()
    start = time.perf_counter()
    with environment(WATCHED=str(notes)):
        first = start + paint([sys.executable, "-c", WATCHED], MARKER).first_s
    asked = [line.split() for line in notes.read_text().splitlines()]
    return [name for name, at in asked if float(at) < first]


def main() -> None:
    options = arguments(__doc__, runs=(9, "runs of each program"))
    seen: dict[str, list[Painted]] = {"bare": [], "shipped": [], "large": []}
    with empty_home() as shipped, copied_store(options.store) as large:
        for home in (
            shipped,
            large,
        ):  # the first start of a day makes the index and the backup; that is not the daily case
            with environment(RECALL_HOME=str(home)):
                subprocess.run(
                    recall_command("review", "--plain"), input="q\n", text=True, stdout=subprocess.DEVNULL, check=False
                )
        programs: list[tuple[str, Path, list[str], str]] = [
            ("bare", shipped, [sys.executable, "-c", BARE], "QZMARKER"),
            ("shipped", shipped, recall_command("review"), MARKER),
            ("large", large, recall_command("review"), MARKER),
        ]
        for run in range(options.runs + 1):
            for name, home, command, marker in programs:
                with environment(RECALL_HOME=str(home)):
                    painted = paint(command, marker)
                if run:
                    seen[name].append(painted)

        with environment(RECALL_HOME=str(large)):
            early = imported_before_first_card(large.parent)

    def median(name: str, what: str) -> float:
        return statistics.median(getattr(one, what) for one in seen[name])

    bare = median("bare", "first_s")
    detail = {name: {"first_ms": round(1e3 * median(name, "first_s")), "n": len(seen[name])} for name in seen}
    report(
        "first_frame",
        [
            Row("first card, shipped decks / bare Textual", median("shipped", "first_s") / bare, "x", 1.6, detail),
            Row("first card, large store / bare Textual", median("large", "first_s") / bare, "x", 1.8),
            Row("heavy libraries imported before the first card", len(early), "", 0, {"which": early}),
            Row("quit after q, shipped decks", 1e3 * median("shipped", "quit_s"), "ms", 300),
            Row("quit after q, large store", 1e3 * median("large", "quit_s"), "ms", 300),
            Row("quit after q, bare Textual", 1e3 * median("bare", "quit_s"), "ms"),
            Row("memory at the first card, large store", median("large", "peak_mb"), "MB", 90),
        ],
    )


if __name__ == "__main__":
    main()
