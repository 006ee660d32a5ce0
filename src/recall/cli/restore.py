"""`recall restore`: put a backup in place of what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

EXAMPLES = """examples:
  recall restore ~/.local/share/recall/backups/daily-2026-03-01.db

What is there now is backed up first. Deck files are not touched."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from recall.cli.output import path_argument

    parser.epilog = EXAMPLES
    parser.add_argument("file", type=path_argument, metavar="FILE", help="a file that recall backup wrote")


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from recall.cli.opening import settings_of
    from recall.cli.output import say
    from recall.errors import DataError
    from recall.study.study import open_study
    from recall.study.upkeep import restore

    file = Path(arguments.file).expanduser()
    if not file.is_file():
        raise DataError(f"{file}: there is no such file")
    study = open_study(settings_of(arguments))
    try:
        saved = restore(study, file)
    finally:
        study.close()
    say(f"restored: {file}")
    say(f"what was there before: {saved}")
    return 0
