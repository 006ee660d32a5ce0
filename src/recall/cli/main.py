"""The command line: finds the command, runs it, and turns every error into a clear line and an exit code.

Exit codes: 0 done, 1 something was found or it stopped early with everything saved, 2 wrong use, 3 data that
cannot be read or written, 130 on Ctrl-C. A command is one module with `add_arguments(parser)` and
`run(arguments) -> int`; only the module of the command that runs is imported, and it imports what is heavy
inside `run`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol, cast

from recall import __version__
from recall.errors import RecallError, UsageError

if TYPE_CHECKING:
    import argparse


class Command(NamedTuple):
    """A command by name: the module below `recall.cli` that holds it, and one line on what it does."""

    module: str
    about: str


COMMANDS: dict[str, Command] = {
    "review": Command("review", "review what is due"),
    "import": Command("importing", "follow a Markdown deck or a folder of decks"),
    "decks": Command("decks", "list decks; hide, show or copy a shipped one"),
    "stats": Command("stats", "retention, reviews and forecast"),
    "search": Command("search", "find cards"),
    "show": Command("show", "one card as the learner sees it, with its memory and history"),
    "try": Command("trying", "answer one card without scheduling anything"),
    "lint": Command("lint", "find the faults of decks, and write missing ids"),
    "backup": Command("backup", "write a consistent copy of the database"),
    "restore": Command("restore", "put a copy back in place of the database"),
    "doctor": Command("doctor", "check the database, the decks, the clock and the terminal"),
    "config": Command("config", "show and change settings"),
    "completion": Command("completion", "print a script that completes commands in your shell"),
}

_FOOT = """examples:
  recall                          decks and what is due, in the app
  recall review gpu --limit 20    the first twenty cards of one deck
  recall import ~/notes/decks     follow a folder of Markdown decks

`recall COMMAND --help` tells more of one command."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line *words* (`sys.argv`) and return the exit code. The one error edge of the program."""
    words = sys.argv[1:] if words is None else list(words)
    try:
        _make_streams_safe()
        try:
            code = _run(words)
        except SystemExit as stop:
            # How argparse ends after it printed help.
            code = stop.code if isinstance(stop.code, int) else 0
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _reader_gone()
    except RecallError as error:
        return _tell(error, str(error), error.exit_code)
    except OSError as error:
        place = error.filename or "cannot read or write"
        return _tell(error, f"{place}: {error.strerror or error}", 3)
    except Exception as error:
        from recall.cli.crash import report

        return _tell(error, report(error, words), 3)
    return code


def _run(words: list[str]) -> int:
    if words == ["--version"]:
        print(f"recall {__version__}")
        return 0
    top = parser()
    chosen = top.parse_args(words)
    if chosen.version:
        print(f"recall {__version__}")
        return 0
    if chosen.command is None:
        from recall.cli import home

        return home.run(chosen)
    arguments = command_parser(chosen.command).parse_args(chosen.rest)
    # Options that mean the same before and behind the command.
    for name in ("database", "plain"):
        if getattr(chosen, name) and not getattr(arguments, name, None):
            setattr(arguments, name, getattr(chosen, name))
    return module(chosen.command).run(arguments)


def parser() -> argparse.ArgumentParser:
    """The parser of everything up to the command's name."""
    import argparse

    width = max(len(name) for name in COMMANDS)
    listed = "\n".join(f"  {name:{width}}  {command.about}" for name, command in COMMANDS.items())
    top = _parser_class()(
        prog="recall",
        usage="recall [OPTION]... [COMMAND [ARGUMENT]...]",
        description=f"Spaced repetition and derivations for the terminal.\n\ncommands:\n{listed}",
        epilog=_FOOT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="store_true", help="print the version")
    top.add_argument("--plain", action="store_true", help="lines of text instead of the app")
    add_database(top)
    top.add_argument("command", nargs="?", help=argparse.SUPPRESS)
    top.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return top


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command. Raises `UsageError` for a name that is none."""
    import argparse

    if name not in COMMANDS:
        from difflib import get_close_matches

        near = get_close_matches(name, COMMANDS, n=1)
        mend = f"did you mean {near[0]!r}?" if near else "recall --help lists the commands"
        raise UsageError(f"unknown command {name!r}", mend)
    about = COMMANDS[name].about
    built = _parser_class()(
        prog=f"recall {name}",
        description=about[0].upper() + about[1:] + ".",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module(name).add_arguments(built)
    add_database(built)
    return built


def add_database(target: argparse.ArgumentParser) -> None:
    """The option that every command has."""
    target.add_argument("--database", metavar="URL", help="sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME")


class CommandModule(Protocol):
    """What the module of a command offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


def module(name: str) -> CommandModule:
    """The module of the command *name*."""
    from importlib import import_module

    return cast("CommandModule", import_module(f"recall.cli.{COMMANDS[name].module}"))


def _parser_class() -> type[argparse.ArgumentParser]:
    """A parser whose errors go the way of all our errors."""
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> NoReturn:
            raise UsageError(f"{self.prog}: {message}", f"{self.prog} --help shows its forms")

    return Parser


def _make_streams_safe() -> None:
    """No character of a card, and no byte of a pipe, ends the program: what a stream cannot hold is escaped."""
    # A parent may start us with streams closed.
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - typeshed does not say so
        import io

        sys.stdin = io.StringIO()
    for stream, errors in ((sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace"), (sys.stdin, "replace")):
        # A stream can be missing (closed by the parent) or another object under a test.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)


def _reader_gone() -> int:
    """The reader of our output went away: stop quietly, and keep the interpreter from complaining at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return 1


def _tell(error: Exception, message: str, code: int) -> int:
    if os.environ.get("RECALL_DEBUG") == "1":
        import traceback

        traceback.print_exception(error)
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    from recall.prose.marks import strip_unsafe

    # It may quote a file's name or a line of a deck.
    print(strip_unsafe(message), file=sys.stderr, flush=True)
    return code
