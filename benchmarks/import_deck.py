"""`recall import` of one Markdown deck with 10,000 cards, then of the same file unchanged.

    python benchmarks/import_deck.py [--cards 10000] [--runs 3]

Whole processes, each first import into an empty home.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path

from harness import Row, arguments, empty_home, recall_command, report, run
from make_store import note


def main() -> None:
    options = arguments(__doc__, cards=(10_000, "cards"), runs=(3, "runs"))
    first: list[float] = []
    again: list[float] = []
    memory = 0.0
    with tempfile.TemporaryDirectory() as folder:
        deck = Path(folder) / "large.md"
        deck.write_text("\n".join(note(number) for number in range(options.cards)), encoding="utf-8")
        for _ in range(options.runs):
            with empty_home():
                command = recall_command("import", str(deck), "--json")
                imported = run(command)
                unchanged = run(command)
            (source,) = json.loads(imported.output)["sources"]
            assert source["added"] == options.cards, source
            (source,) = json.loads(unchanged.output)["sources"]
            assert source["unchanged"] == options.cards, source
            first.append(imported.seconds)
            again.append(unchanged.seconds)
            memory = max(memory, imported.peak_mb)
    report(
        "import_deck",
        [
            Row("import of a deck", statistics.median(first), "s", 3, {"cards": options.cards, "n": len(first)}),
            Row("import again, unchanged", statistics.median(again), "s", 0.3, {"n": len(again)}),
            Row("memory in an import", memory, "MB", 400),
        ],
    )


if __name__ == "__main__":
    main()
