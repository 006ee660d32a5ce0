"""`recall doctor` on the large store, as a whole process: integrity, log against states, decks against cards.

python benchmarks/doctor.py [--store DIR] [--runs 3]
"""

from __future__ import annotations

import statistics

from harness import Row, arguments, copied_store, recall_command, report, run


def main() -> None:
    options = arguments(__doc__, runs=(3, "runs"))
    with copied_store(options.store):
        # 1: it found something to say, of the terminal or the clock; the work is the same.
        runs = [run(recall_command("doctor", "--json"), codes=(0, 1)) for _ in range(options.runs)]
    report(
        "doctor",
        [
            Row("doctor", statistics.median(one.seconds for one in runs), "s", 1.0, {"n": len(runs)}),
            Row("memory in doctor", max(one.peak_mb for one in runs), "MB", 400),
        ],
    )


if __name__ == "__main__":
    main()
