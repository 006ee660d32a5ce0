"""`recall backup`: a consistent copy of the database, also while the program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

EXAMPLES = """examples:
  recall backup                  a dated copy among the backups
  recall backup /media/stick/recall.db

A copy is one SQLite file, also of a PostgreSQL database; recall restore puts it back.
Each day a copy is made without being asked, beside the first session; the last ten are kept."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from recall.cli.output import path_argument

    parser.epilog = EXAMPLES
    parser.add_argument(
        "file", nargs="?", type=path_argument, metavar="FILE", help="where to; a file that exists is not replaced"
    )


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from recall.cli.opening import settings_of
    from recall.cli.output import say
    from recall.errors import UsageError
    from recall.study.study import open_study
    from recall.study.upkeep import back_up

    target = None
    if arguments.file is not None:
        target = Path(arguments.file).expanduser()
        if target.exists():
            raise UsageError(f"{target} exists already", "name a file that does not")
    study = open_study(settings_of(arguments))
    try:
        say(f"backup: {back_up(study, target)}")
    finally:
        study.close()
    return 0
