"""A backup of the large store while another process goes on rating.

    python benchmarks/backup.py [--store DIR] [--runs 5]

Timed is the copy itself, to a file that is whole and on disk; and `recall backup` as a process. Each copy must pass the
database's own check, and the process that rates must not have been refused.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import statistics
import subprocess
import sys
from pathlib import Path

from harness import Row, arguments, copied_store, recall_command, report, run, timed

RATING = """
import signal, sys
from recall.model.review import Rating
from recall.settings import load_settings
from recall.study.study import open_study
study = open_study(load_settings())
session = study.session(limit=50_000)
going = True
def stop(*_):
    global going
    going = False
signal.signal(signal.SIGTERM, stop)
print("rating", flush=True)
count = 0
while going and session.shown is not None:
    session.rate(Rating.GOOD)
    count += 1
print(count)
"""


def main() -> None:
    options = arguments(__doc__, runs=(5, "runs"))
    with copied_store(options.store) as home:
        from recall.settings import load_settings
        from recall.store.upkeep import backup
        from recall.study.study import open_study

        with subprocess.Popen([sys.executable, "-c", RATING], stdout=subprocess.PIPE, text=True) as rater:
            assert rater.stdout is not None
            rater.stdout.readline()
            study = open_study(load_settings())
            targets: list[Path] = [home / f"copy-{number}.db" for number in range(options.runs)]
            times = [timed(lambda t=target: backup(study.database, t, study.clock.now().ms))[0] for target in targets]
            study.close()
            command = run(recall_command("backup", str(home / "command.db")))
            os.kill(rater.pid, signal.SIGTERM)
            rated = int(rater.stdout.read())
        if rater.returncode or not rated:
            sys.exit("the process that rates was stopped by the backup")
        for target in targets:
            copy = sqlite3.connect(target)
            assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
            copy.close()
    detail = {"runs": [round(one, 3) for one in times], "ratings meanwhile": rated}
    report(
        "backup",
        [
            Row("backup while rating goes on", statistics.median(times), "s", 0.25, detail),
            Row("recall backup, as a process", command.seconds, "s"),
            Row("memory in a backup", command.peak_mb, "MB", 400),
        ],
    )


if __name__ == "__main__":
    main()
