"""Completion scripts, run by the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from program import Recall
from recall.cli.completion import SHELLS
from recall.cli.main import COMMANDS


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_printed_and_names_every_command(recall: Recall, shell: str) -> None:
    ran = recall("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert all(name in ran.out for name in COMMANDS)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A `recall` on the search path that only knows deck names."""
    directory = tmp_path / "bin"
    directory.mkdir()
    script = directory / "recall"
    script.write_text(f"#!{sys.executable}\nprint('gpu/memory\\ntwo words')\n", encoding="utf-8")
    script.chmod(0o755)
    return directory


def complete(shell: str, code: str, environment: dict[str, str], program: Path) -> list[str]:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    path = f"{program}:{environment['PATH']}"
    done = subprocess.run(
        [found, "-c", code], env={**environment, "PATH": path}, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stderr == ""
    return done.stdout.split("\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rev"], ["review"]),
        (["review", "--li"], ["--limit"]),
        (["review", "gp"], ["gpu/memory"]),
        (["review", "tw"], ["two words"]),
        (["stats", "--deck", "gp"], ["gpu/memory"]),
        (["--database", "sqlite:///x", "rev"], ["review"]),
        (["config", "roll"], ["rollover_hour"]),
        (["completion", "z"], ["zsh"]),
    ],
)
def test_bash_completes(
    recall: Recall, environment: dict[str, str], program: Path, words: list[str], expected: list[str]
) -> None:
    quoted = " ".join(f"'{word}'" for word in ["recall", *words])
    code = (
        f"{recall('completion', 'bash').out}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words)}\n"
        "_recall; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    assert [line for line in complete("bash", code, environment, program) if line] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [("recall rev", "review"), ("recall review --li", "--limit"), ("recall review gp", "gpu/memory")],
)
def test_fish_completes(recall: Recall, environment: dict[str, str], program: Path, line: str, expected: str) -> None:
    code = f"{recall('completion', 'fish').out}\ncomplete -C '{line}'"
    assert expected in [found.partition("\t")[0] for found in complete("fish", code, environment, program)]


def test_zsh_reads_its_script(recall: Recall, environment: dict[str, str], program: Path, tmp_path: Path) -> None:
    (tmp_path / "_recall").write_text(recall("completion", "zsh").out, encoding="utf-8")
    code = (
        f"fpath=('{tmp_path}' $fpath); autoload -Uz compinit; compinit -u -d '{tmp_path}/dump'; "
        "autoload +X _recall; print -r -- $_comps[recall]"
    )
    assert "_recall" in complete("zsh", code, environment, program)
