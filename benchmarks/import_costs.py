"""What each dependency costs at import: CPU time in a fresh interpreter, above that of `python -c pass`.

    python benchmarks/import_costs.py [--runs 9]

The figures in docs/dependencies.md come from here. All cases alternate; CPU time is steadier than wall time on a
busy machine.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

from harness import Row, arguments, report

CASES = {
    "pass": "pass",
    "argparse": "import argparse",
    "sqlite3": "import sqlite3",
    "textual": "from textual.app import App; from textual.widgets import Footer, Input, Static",
    "markdown-it-py": "import markdown_it",
    "mdit-py-plugins": "from mdit_py_plugins.dollarmath import dollarmath_plugin",
    "pygments": "import pygments.lexers, pygments.token; pygments.lexers.get_lexer_by_name('python')",
    "sqlmodel": "import sqlmodel",
    "fsrs": "import fsrs",
    "numpy": "import numpy",
    "platformdirs": "import platformdirs; platformdirs.user_data_path('recall')",
    "psycopg": "import psycopg",
}


def cpu_seconds(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    runs: int = arguments(__doc__, runs=(9, "runs of each import")).runs
    times: dict[str, list[float]] = {name: [] for name in CASES}
    for run in range(runs + 1):
        for name, code in CASES.items():
            seconds = cpu_seconds(code)
            if run:  # the first run compiles
                times[name].append(seconds)
    floor = statistics.median(times["pass"])
    textual = statistics.median(times["textual"]) - floor
    rows: list[Row] = []
    for name, seconds in times.items():
        cost = statistics.median(seconds) - (0 if name == "pass" else floor)
        detail = {"x pass": round(cost / floor, 2), "x textual": round(cost / textual, 2)}
        rows.append(Row(f"import {name}", 1e3 * cost, "ms", None, detail))
    report("import_costs", rows)


if __name__ == "__main__":
    main()
