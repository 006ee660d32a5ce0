"""Memory of the app while reviewing the large store.

    python benchmarks/memory.py [--store DIR] [--cards 200]

The real program in a pseudo-terminal of 80x24: it shows and rates that many cards, then is left. Most memory held, by
the system's account. (The other benchmarks tell theirs: rebuild, doctor, backup, import.)
"""

from __future__ import annotations

from harness import Row, arguments, copied_store, paint, recall_command, report

MARKER = "show answer"


def main() -> None:
    options = arguments(__doc__, cards=(200, "cards to rate"))
    with copied_store(options.store):
        command = recall_command("review", "--limit", str(options.cards + 100))
        one = paint(command, MARKER)
        many = paint(command, MARKER, keys=b" 3" * options.cards + b"q", timeout_s=120)
    detail = {"cards": options.cards, "at the first card": round(one.peak_mb, 1)}
    report("memory", [Row("memory while reviewing", many.peak_mb, "MB", 90, detail)])


if __name__ == "__main__":
    main()
