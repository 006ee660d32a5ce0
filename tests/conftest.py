"""The real program in its own process, with a home of its own and a frozen clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import recall as package
from program import NOW, Ran, Recall


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The variables that the program sees."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT", "VIRTUAL_ENV")}
    return {
        **kept,
        # The program under test is the one that the tests import, wherever they were started.
        "PYTHONPATH": str(Path(package.__file__).resolve().parents[1]),
        "HOME": str(tmp_path / "user"),
        "RECALL_HOME": str(tmp_path / "home"),
        "RECALL_NOW": NOW,
        "LANG": "C.UTF-8",
        "PYTHONWARNINGS": "error",
    }


@pytest.fixture
def recall(tmp_path: Path, environment: dict[str, str]) -> Recall:
    """Run `recall WORDS...` in a directory of its own; *stdin* is text or bytes, other names are variables."""

    def run(*words: str | Path, stdin: str | bytes = "", **variables: str) -> Ran:
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-m", "recall", *map(str, words)],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            env={**environment, **variables},
            cwd=work,
            timeout=60,
            check=False,
        )
        err = done.stderr.decode(errors="backslashreplace")
        if "RECALL_DEBUG" not in variables:
            assert "Traceback" not in err
        return Ran(done.returncode, done.stdout.decode(errors="backslashreplace"), err)

    return run
