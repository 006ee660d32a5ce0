"""What the benchmarks share: rows with budgets, timing, the large store, and a pseudo-terminal.

Absolute times are one machine's; budgets that are ratios hold on any. Each script prints one JSON document:
`{"benchmark", "machine", "rows": [{"name", "value", "unit", "budget", "ok", "detail"}]}`.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import platform
import pty
import resource
import select
import shutil
import signal
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

WORK = Path(__file__).resolve().parent / "work"
LARGE_STORE = WORK / "large"
"""A `RECALL_HOME` with 100,000 cards and 1,000,000 reviews, made by `make_store.py`."""


@dataclass
class Row:
    """One figure, and what it should be at most."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    """In the same unit; None: only told."""
    detail: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def ok(self) -> bool:
        return self.budget is None or self.value <= self.budget


def report(benchmark: str, rows: Sequence[Row]) -> None:
    """Print *rows* as one JSON document."""
    document = {
        "benchmark": benchmark,
        "machine": {
            "cpus": os.cpu_count(),
            "load": round(os.getloadavg()[0], 2),
            "system": platform.platform(),
            "python": platform.python_version(),
        },
        "rows": [
            {
                "name": row.name,
                "value": round(row.value, 4),
                "unit": row.unit,
                "budget": row.budget,
                "ok": row.ok,
                "detail": row.detail,
            }
            for row in rows
        ],
    }
    print(json.dumps(document, indent=1))


def timed(action: Callable[[], T]) -> tuple[float, T]:
    """Seconds that *action* took, and what it returned."""
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 99th percentile and maximum, in milliseconds."""
    ordered = sorted(1e3 * one for one in seconds)
    return {
        "n": len(ordered),
        "median_ms": round(statistics.median(ordered), 4),
        "p99_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 4),
        "max_ms": round(ordered[-1], 4),
    }


def recall_command(*arguments: str) -> list[str]:
    """The installed `recall` of this environment, else the module of the source tree on the path."""
    script = Path(sys.executable).with_name("recall")
    start = [str(script)] if script.exists() else [sys.executable, "-m", "recall"]
    return [*start, *arguments]


@contextlib.contextmanager
def copied_store(source: Path | None = None) -> Iterator[Path]:
    """A copy of the large store that may be written to, as the `RECALL_HOME` of this process and its children."""
    source = source or LARGE_STORE
    if not (source / "recall.db").exists():
        sys.exit(f"{source} holds no store: run `python benchmarks/make_store.py` first")
    WORK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK, prefix="copy-") as folder:
        # Times of the files are kept: a deck that looks changed would be read again at the start.
        home = Path(shutil.copytree(source, Path(folder) / "home", copy_function=shutil.copy2))
        # Nor may they seem to be other files: the index knows them by where they stood.
        database = sqlite3.connect(home / "recall.db")
        with database:
            for table in ("deck", "content"):
                database.execute(f"UPDATE {table} SET file = replace(file, ?, ?)", (str(source.resolve()), str(home)))
        database.close()
        with environment(RECALL_HOME=str(home)):
            yield home


@contextlib.contextmanager
def empty_home() -> Iterator[Path]:
    """An empty `RECALL_HOME`."""
    WORK.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=WORK, prefix="empty-") as folder, environment(RECALL_HOME=folder):
        yield Path(folder)


@contextlib.contextmanager
def environment(**variables: str) -> Iterator[None]:
    """*variables* set for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@dataclass
class Painted:
    """One run of a program in a pseudo-terminal of 80x24."""

    first_s: float
    """Spawn to the marker drawn."""
    quit_s: float
    """Key `q` to the end of the process."""
    peak_mb: float
    """Most memory held."""


def paint(command: Sequence[str], marker: str, *, keys: bytes = b"q", timeout_s: float = 30) -> Painted:
    """Run *command* until *marker* is drawn, then press *keys* and wait for its end.

    Raises `RuntimeError` with what was drawn when the marker never came or the program did not end.
    """
    start = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], list(command))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    drawn, first = b"", 0.0
    try:
        while time.perf_counter() - start < timeout_s:
            if not select.select([terminal], [], [], 0.05)[0]:
                continue
            try:
                part = os.read(terminal, 65536)
            except OSError:  # Linux says end of file on a terminal this way
                part = b""
            if not part:
                break
            drawn += part
            if not first and marker.encode() in drawn:
                first = time.perf_counter()
                os.write(terminal, keys)
        else:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        end = time.perf_counter()
    finally:
        os.close(terminal)
    if not first or status:
        raise RuntimeError(f"{command}: marker {'seen' if first else 'not seen'}, status {status}\n{drawn[-2000:]!r}")
    return Painted(first - start, end - first, usage.ru_maxrss / 1e3)


def spawn(command: Sequence[str]) -> float:
    """Seconds from spawn to end of *command*, which must succeed."""
    return timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))[0]


@dataclass
class Ran:
    """One run of a command."""

    seconds: float
    peak_mb: float
    """Most memory held."""
    output: str


def run(command: Sequence[str], *, codes: Sequence[int] = (0,)) -> Ran:
    """Run *command* to its end. Raises `RuntimeError` unless its exit code is one of *codes*."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, stdout=output, stdin=subprocess.DEVNULL)
        # Waited for here and not by Popen: only this call tells the memory of this one child.
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if child.returncode not in codes:
        raise RuntimeError(f"{command}: exit code {child.returncode}\n{text}")
    return Ran(seconds, usage.ru_maxrss / 1e3, text)


def until_line(command: Sequence[str]) -> float:
    """Seconds from spawn until *command* prints its first line; it must then succeed."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = time.perf_counter() - start
        process.stdout.read()
    if process.returncode or not line:
        raise RuntimeError(f"{command}: exit code {process.returncode}, first line {line!r}")
    return seconds


def peak_mb() -> float:
    """Most memory that this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def in_child(action: Callable[[], T]) -> T:
    """What *action* returns, JSON, from a process of its own: its memory and its caches are not this one's."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as stream:
            json.dump(action(), stream)
            stream.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        text = stream.read()
    if os.waitpid(child, 0)[1]:
        sys.exit("a part of the benchmark failed in its process")
    return json.loads(text)


def arguments(description: str | None, **options: tuple[int, str]) -> argparse.Namespace:
    """Command line of a benchmark: `--store DIR`, and whole numbers *options* (default, help)."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=LARGE_STORE, help="the large store (default: %(default)s)")
    for name, (default, text) in options.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{text} (default: %(default)s)")
    return parser.parse_args()
