"""Start of the command line: `recall --version` and `recall --help` against `python -c pass`, and what they import.

    python benchmarks/startup.py [--runs 15]

The runs of the three commands alternate, so that a busy minute meets all of them. The ratio is of medians.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from harness import Row, arguments, recall_command, report, spawn, spread

HEAVY = ("textual", "sqlalchemy", "sqlmodel", "numpy", "sympy", "fsrs")
BUDGET = 8.0


def modules(argument: str) -> list[str]:
    """Which heavy libraries `recall ARGUMENT` has imported at its end."""
    code = (
        f"import sys, json; sys.argv = ['recall', {argument!r}]\nfrom recall.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('\\n' + json.dumps([name for name in {HEAVY!r} if name in sys.modules] + [len(sys.modules)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    runs: int = arguments(__doc__, runs=(15, "runs of each command")).runs
    commands = {
        "pass": [sys.executable, "-c", "pass"],
        "--version": recall_command("--version"),
        "--help": recall_command("--help"),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            seconds = spawn(command)
            if run:  # the first run compiles and warms the disk
                times[name].append(seconds)
    floor = statistics.median(times["pass"])
    rows: list[Row] = []
    for name in ("--version", "--help"):
        *heavy, count = modules(name)
        detail = {**spread(times[name]), "modules": count, "heavy": heavy, "pass": spread(times["pass"])}
        rows.append(Row(f"recall {name} / python -c pass", statistics.median(times[name]) / floor, "x", BUDGET, detail))
        rows.append(Row(f"recall {name}: heavy libraries imported", len(heavy), "", 0))
    report("startup", rows)


if __name__ == "__main__":
    main()
