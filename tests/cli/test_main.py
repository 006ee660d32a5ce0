"""The edge of the program: help, versions, exit codes, and that no traceback reaches a user."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import recall as package
from program import Recall
from recall.cli import main as edge
from recall.cli.crash import report
from recall.errors import DataError


def test_version_is_that_of_the_package(recall: Recall) -> None:
    assert recall("--version").out == f"recall {package.__version__}\n"
    assert recall("--plain", "--version").out == f"recall {package.__version__}\n"


def test_help_lists_every_command(recall: Recall) -> None:
    ran = recall("--help")
    assert ran.code == 0
    for name, command in edge.COMMANDS.items():
        assert f"  {name} " in ran.out
        assert command.about in ran.out


@pytest.mark.parametrize("name", list(edge.COMMANDS))
def test_every_command_explains_itself_with_an_example(recall: Recall, name: str) -> None:
    ran = recall(name, "--help")
    assert ran.code == 0
    assert ran.err == ""
    assert f"  recall {name}" in ran.out.partition("example")[2]
    assert max(map(len, ran.out.splitlines())) <= 110


@pytest.mark.parametrize("words", [["--help"], ["--version"], *([name, "--help"] for name in edge.COMMANDS)])
def test_help_loads_nothing_heavy(words: list[str], environment: dict[str, str]) -> None:
    code = (
        "import json, sys\nfrom recall.cli.main import main\n"
        f"main({words!r})\n"
        "print(json.dumps([n for n in sys.modules if n.partition('.')[0] in "
        "('textual','rich','sqlalchemy','sqlmodel','numpy','sympy','fsrs','markdown_it','pygments','sqlite3')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["revew"], "unknown command 'revew'\n  did you mean 'review'?"),
        (["--verbose"], "recall: unrecognized arguments: --verbose"),
        (["review", "--limit", "many"], "'many' is no number of cards"),
        (["import", ""], "argument PATH: the path is empty"),
        (["lint", "--fix", ""], "argument PATH: the path is empty"),
        (["restore", ""], "argument FILE: the path is empty"),
        (["review", "--ahead", "--cram"], "exclude each other"),
        (["config", "thme"], "did you mean 'theme'?"),
        (["completion", "tcsh"], "invalid choice: 'tcsh'"),
    ],
)
def test_wrong_use_is_told_in_words_with_exit_code_2(recall: Recall, words: list[str], said: str) -> None:
    ran = recall(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_bad_settings_file_is_a_data_error_with_its_place(recall: Recall, tmp_path: Path) -> None:
    config = tmp_path / "home" / "config.toml"
    config.parent.mkdir()
    config.write_text("\nrollover_hour = 40\n", encoding="utf-8")
    ran = recall("config")
    assert ran.code == 3
    assert f"{config}:2:1: rollover_hour must be" in ran.err


def test_a_bug_is_one_line_and_a_private_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RECALL_HOME", str(tmp_path))
    monkeypatch.delenv("RECALL_DEBUG", raising=False)

    def fail(words: list[str]) -> int:
        raise ZeroDivisionError("postgresql://me:s3cret@db/x")

    monkeypatch.setattr(edge, "_run", fail)
    assert edge.main(["stats", "--database", "postgresql://me:s3cret@db/x"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("recall: this is a bug: ZeroDivisionError: postgresql://me:***@db/x\n  the report is in ")
    (saved,) = (tmp_path / "crashes").iterdir()
    assert str(saved) in err
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    text = saved.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert "s3cret" not in text
    monkeypatch.setenv("RECALL_DEBUG", "1")
    assert edge.main([]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_report_that_cannot_be_saved_is_no_second_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("RECALL_HOME", str(blocked))
    assert "could not be saved" in report(ValueError("x"), [])


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (DataError("deck.md:3: bad", "mend it"), 3, "deck.md:3: bad\n  mend it\n"),
        (PermissionError(13, "Permission denied", "/x/y"), 3, "/x/y: Permission denied\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_every_error_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    def fail(words: list[str]) -> int:
        raise error

    monkeypatch.setattr(edge, "_run", fail)
    assert edge.main([]) == code
    assert capsys.readouterr().err == said


def test_a_reader_that_goes_away_is_no_error(environment: dict[str, str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "recall", "--help"], env=environment, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line(environment: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "recall", "--help"],
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (3, b"cannot read or write: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_is_quiet(environment: dict[str, str]) -> None:
    code = (
        "import sys\nfrom recall.cli import main as edge\n"
        "def wait(words):\n    print('ready', flush=True)\n    sys.stdin.read()\n    return 0\n"
        "edge._run = wait\nsys.exit(edge.main([]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == b""


def test_closed_streams_are_no_error(environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m recall config theme <&-'],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_without_the_characters_gets_escapes(recall: Recall) -> None:
    ran = recall("config", "editor", "vim é", PYTHONIOENCODING="ascii")
    assert (ran.code, ran.err) == (0, "")
    assert "vim \\xe9" in ran.out
    assert recall("config", "editor", "--json", PYTHONIOENCODING="ascii").json["settings"][0]["value"] == "vim é"
