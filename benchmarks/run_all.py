"""Run every benchmark and print one table: figure, budget, met or not.

    python benchmarks/run_all.py [--json FILE] [--only NAME]...

Makes the large store first where it is missing. Exit code 1 when a budget is not met.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from harness import LARGE_STORE

HERE = Path(__file__).resolve().parent
BENCHMARKS = ("startup", "first_frame", "daily", "rebuild", "doctor", "backup", "memory", "import_deck")


def run(name: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, str(HERE / f"{name}.py")], capture_output=True, text=True, check=False)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return {"benchmark": name, "rows": [{"name": f"failed: {last[0][:100]}", "value": 0, "unit": "", "ok": False}]}
    return json.loads(done.stdout)


def line(benchmark: str, row: dict[str, Any]) -> str:
    budget = row.get("budget")
    limit = "" if budget is None else f"<= {budget:g}"
    verdict = "" if budget is None and row["ok"] else "ok" if row["ok"] else "NOT MET"
    return f"{benchmark:12} {row['name']:52} {row['value']:>10.3f} {row['unit']:3} {limit:>9}  {verdict}".rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write all documents to this file as well")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="run this one; may be given again")
    options = parser.parse_args()
    if not (LARGE_STORE / "recall.db").exists():
        subprocess.run([sys.executable, str(HERE / "make_store.py")], check=True, stdout=sys.stderr)
    documents: list[dict[str, Any]] = []
    for name in options.only or BENCHMARKS:
        documents.append(run(name))
        for row in documents[-1]["rows"]:
            print(line(name, row), flush=True)
    if options.json:
        options.json.write_text(json.dumps(documents, indent=1) + "\n", encoding="utf-8")
    return 0 if all(row["ok"] for document in documents for row in document["rows"]) else 1


if __name__ == "__main__":
    sys.exit(main())
