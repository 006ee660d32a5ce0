"""Imports run one way, and what is heavy is loaded late.

The tables below are the architecture (docs/architecture.md tells it in words). When a test of this file
fails, move the code, not the rule. The directions are read off the source with `ast`; what is really loaded
is seen in a fresh interpreter, because each of the two catches faults that the other cannot see.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import recall

SOURCE = Path(recall.__file__).resolve().parent

GROUND = {"errors", "clock", "paths", "model"}
SERVICES = GROUND | {"settings", "schedule", "isolate"}

ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "model": {"errors"},
    "paths": {"errors"},
    "clock": {"errors", "model"},
    "settings": GROUND,
    "isolate": GROUND,
    "schedule": GROUND,
    # The store keeps the states that the schedule folds from the log.
    "store": GROUND | {"schedule"},
    "prose": GROUND,
    "content": SERVICES | {"prose"},
    "study": SERVICES | {"store", "prose", "content"},
    "exchange": SERVICES | {"store", "prose", "content"},
    "tui": SERVICES | {"prose", "content", "study"},
    "cli": SERVICES | {"store", "prose", "content", "study", "exchange", "tui"},
    "__main__": {"cli"},
    # The package itself: `recall/__init__.py` stays empty.
    "": set(),
}
"""Package or module of `recall`, and the others that it may import."""

LIBRARIES: dict[str, set[str]] = {
    "textual": {"tui"},
    "rich": {"tui"},
    "pygments": {"tui", "prose"},
    "markdown_it": {"prose", "content"},
    "mdit_py_plugins": {"prose"},
    "fsrs": {"schedule"},
    "numpy": {"schedule", "store", "study"},
    "sqlite3": {"store"},
    "psycopg": {"store"},
    "sqlmodel": {"store"},
    "sqlalchemy": {"store"},
    "platformdirs": {"paths"},
}
"""Third-party libraries, those that know SQL, and who may import them. What is not named here nobody may."""

ARRAYS = {"schedule.fold", "store.columns", "study.rebuild"}
"""Modules that fold the log in NumPy, imported at their head; others import these inside the function that folds."""


class Import(NamedTuple):
    """One import statement of one of our modules."""

    module: str
    """Dotted, below `recall`."""
    target: str
    """Dotted, absolute."""
    line: int
    at_head: bool
    """Runs when the module is imported; not inside a function, not for the type checker alone."""

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        relative = path.relative_to(SOURCE)
        if relative.parts[0] == "bundle":  # the shipped content of an installed package is no part of the program
            continue
        parts = relative.with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def read_imports(module: str, text: str, *, is_package: bool) -> Iterator[Import]:
    """Every import statement in *text*, relative ones made absolute."""
    here = [*("recall." + module).rstrip(".").split("."), *([""] if is_package else [])]

    def visit(node: ast.AST, at_head: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for name in child.names:
                    yield Import(module, name.name, child.lineno, at_head)
            elif isinstance(child, ast.ImportFrom):
                start = ".".join(here[: -child.level]) if child.level else ""
                base = ".".join(part for part in (start, child.module or "") if part)
                if base == "recall" or (child.level and not child.module):
                    for name in child.names:
                        yield Import(module, f"{base}.{name.name}", child.lineno, at_head)
                else:
                    yield Import(module, base, child.lineno, at_head)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield from visit(child, False)
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                for part in child.body:
                    yield from visit(ast.Module([part], []), False)
                for part in child.orelse:
                    yield from visit(ast.Module([part], []), at_head)
            else:
                yield from visit(child, at_head)

    yield from visit(ast.parse(text), True)


def imports() -> list[Import]:
    return [
        found
        for module, path in modules()
        for found in read_imports(module, path.read_text("utf-8"), is_package=path.name == "__init__.py")
    ]


def test_the_reader_of_imports_sees_every_form() -> None:
    """A rule kept by a reader that overlooks imports would keep nothing."""
    text = (
        "import a.b\nfrom recall.x import y\nfrom recall import z\nfrom . import w\nfrom ..q.r import s\n"
        "def f():\n    import late\nif TYPE_CHECKING:\n    import typed\nelse:\n    import real\n"
        "try:\n    import tried\nexcept ImportError:\n    pass\nclass C:\n    import inside\n"
    )
    found = {(one.target, one.at_head) for one in read_imports("tui.screens.home", text, is_package=False)}
    assert found == {
        ("a.b", True),
        ("recall.x", True),
        ("recall.z", True),
        ("recall.tui.screens.w", True),
        ("recall.tui.q.r", True),
        ("late", False),
        ("typed", False),
        ("real", True),
        ("tried", True),
        ("inside", True),
    }


def test_every_package_has_its_row() -> None:
    """A new package is given its place here before it is used."""
    unknown = {module.partition(".")[0] for module, _ in modules()} - set(ALLOWED)
    assert not unknown, f"give these a row in ALLOWED: {sorted(unknown)}"


def test_no_circle_in_the_table() -> None:
    """The table itself runs one way: a package never reaches itself."""
    for package in ALLOWED:
        reached: set[str] = set()
        waiting = set(ALLOWED[package])
        while waiting:
            one = waiting.pop()
            reached.add(one)
            waiting |= ALLOWED[one] - reached
        assert package not in reached, package


def test_imports_run_one_way() -> None:
    wrong = [
        str(one)
        for one in imports()
        if one.target.startswith("recall.")
        and (target := one.target.split(".")[1]) != one.package
        and target not in ALLOWED[one.package]
        # `recall.__version__` and the like are of the package itself.
        and not target.startswith("__")
    ]
    assert not wrong, "\n".join(wrong)


def test_each_library_has_its_place() -> None:
    """Only `store` knows SQL, only `tui` knows Textual, only `schedule` knows FSRS; no other is imported."""
    wrong = [
        str(one)
        for one in imports()
        if (library := one.target.partition(".")[0]) != "recall"
        and one.package not in LIBRARIES.get(library, set())
        and (library in LIBRARIES or library not in sys.stdlib_module_names)
    ]
    assert not wrong, "\n".join(wrong)


def test_numpy_stays_with_the_arrays() -> None:
    """NumPy is imported where the log is folded at once, and for that alone."""
    wrong = [
        str(one)
        for one in imports()
        if one.module not in ARRAYS
        and (
            one.target.partition(".")[0] == "numpy"
            or (one.at_head and any(f"{one.target}.".startswith(f"recall.{module}.") for module in ARRAYS))
        )
    ]
    assert not wrong, "\n".join(wrong)


ORM = {"sqlmodel", "sqlalchemy"}
HEAVY = {"textual", "sqlmodel", "sqlalchemy", "sympy", "numpy", "cupy", "fsrs", "pygments", "markdown_it"}


def loaded_by(code: str) -> set[str]:
    """Top-level names in `sys.modules` of a fresh interpreter that ran *code*."""
    # No `-I`: the source tree may be on the path by PYTHONPATH.
    report = "\nimport json, sys\nprint('\\n' + json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", code + report], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def import_all(package: str) -> str:
    """Code that imports *package* and every module below it, those of `ARRAYS` apart."""
    below = [module for module, _ in modules() if f"{module}.".startswith(f"{package}.")]
    return "\n".join(f"import recall.{module}" for module in below if module not in ARRAYS)


def run_main(argument: str) -> str:
    return (
        f"import sys; sys.argv = ['recall', {argument!r}]\n"
        "from recall.cli.main import main\n"
        "try:\n    code = main()\nexcept SystemExit as stop:\n    code = stop.code\n"
        "assert not code, code"
    )


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        pytest.param("import recall.cli.main", HEAVY, id="recall.cli.main"),
        pytest.param(run_main("--version"), HEAVY | {"sqlite3"}, id="recall --version"),
        pytest.param(run_main("--help"), HEAVY | {"sqlite3"}, id="recall --help"),
        pytest.param(import_all("model"), HEAVY | {"sqlite3", "asyncio"}, id="model"),
        pytest.param(import_all("content"), ORM | {"sympy", "numpy", "textual", "sqlite3"}, id="content"),
        pytest.param(import_all("study"), ORM | {"textual", "sympy", "numpy", "fsrs"}, id="study"),
        pytest.param(import_all("tui"), ORM | {"sympy", "cupy", "numpy", "fsrs"}, id="tui"),
    ],
)
def test_what_is_heavy_is_loaded_late(code: str, absent: set[str]) -> None:
    """A command loads what it needs and no more: `recall --help` must feel instant."""
    found = loaded_by(code) & absent
    assert not found, f"loaded: {sorted(found)}"
