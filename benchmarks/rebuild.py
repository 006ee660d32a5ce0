"""All states of the large store folded anew from the log, and held against the stored ones.

    python benchmarks/rebuild.py [--store DIR] [--runs 3]

Works on a copy, each run in a process of its own, NumPy's import included. Options did not change, so the states must
come out as they were stored.
"""

from __future__ import annotations

import sqlite3
import statistics
from pathlib import Path

from harness import Row, arguments, copied_store, in_child, peak_mb, report, timed


def states(home: Path) -> list[tuple[object, ...]]:
    database = sqlite3.connect(home / "recall.db")
    rows = database.execute("SELECT * FROM card_state ORDER BY card_id").fetchall()
    database.close()
    return rows


def rebuild_once() -> tuple[float, float]:
    """Seconds, and most memory in MB."""
    from recall.settings import load_settings
    from recall.study.study import open_study

    study = open_study(load_settings())

    def rebuild_all() -> None:
        from recall.study.rebuild import rebuild

        rebuild(study)

    seconds, _ = timed(rebuild_all)
    study.close()
    return seconds, peak_mb()


def main() -> None:
    options = arguments(__doc__, runs=(3, "runs"))
    with copied_store(options.store) as home:
        before = states(home)
        runs = [in_child(rebuild_once) for _ in range(options.runs)]
        after = states(home)
    different = sum(one != other for one, other in zip(before, after, strict=True))
    seconds = statistics.median(run[0] for run in runs)
    report(
        "rebuild",
        [
            Row(
                "rebuild all states",
                seconds,
                "s",
                1.3,
                {"runs": [round(run[0], 3) for run in runs], "cards": len(after)},
            ),
            Row("states that came out otherwise", different, "", 0),
            Row("memory in a rebuild", max(run[1] for run in runs), "MB", 400),
        ],
    )


if __name__ == "__main__":
    main()
