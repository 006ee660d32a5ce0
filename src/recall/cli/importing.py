"""`recall import`: follow Markdown decks where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.study.importing import Imported

EXAMPLES = """examples:
  recall import ~/notes/decks             a folder of decks, followed from now on
  recall import gpu.md --deck work/gpu    one file, under a name of your choice
  recall import ~/notes/decks --dry-run   what it would do, without doing it

Files stay where they are; what you change there is seen at the next start. A second run changes nothing.

exit codes: 0 done, 1 done, but some cards have errors and are left out"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from recall.cli.output import path_argument

    parser.epilog = EXAMPLES
    parser.add_argument(
        "path", nargs="+", type=path_argument, metavar="PATH", help="a Markdown deck, or a folder of them"
    )
    parser.add_argument(
        "--deck", metavar="NAME", default="", help="name of the deck, or of the folder's decks together"
    )
    parser.add_argument("--ids", action="store_true", help="write an id below each card that has none")
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and change nothing")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from recall.cli.opening import settings_of
    from recall.cli.output import print_json
    from recall.errors import UsageError
    from recall.study.importing import follow
    from recall.study.study import open_study

    if arguments.deck and len(arguments.path) > 1:
        raise UsageError("--deck names one deck, and several paths are given", "import them one by one")
    study = open_study(settings_of(arguments))
    try:
        sources = [
            follow(
                study,
                Path(path),
                prefix=arguments.deck.replace("::", "/"),
                write_ids=arguments.ids,
                dry_run=arguments.dry_run,
            )
            for path in arguments.path
        ]
    finally:
        study.close()
    if arguments.json:
        print_json({"sources": [_document(source) for source in sources]})
    else:
        for source in sources:
            _print(source, dry_run=arguments.dry_run)
    return 1 if any(fault.severity == "error" for source in sources for fault in source.faults) else 0


def _document(source: Imported) -> dict[str, object]:
    return {
        "path": source.path,
        "format": source.format,
        "added": source.added,
        "updated": source.updated,
        "unchanged": source.unchanged,
        "missing": source.missing,
        "reviews": source.reviews,
        "faults": [
            {
                "file": fault.place.file,
                "line": fault.place.line,
                "column": fault.place.column,
                "message": fault.message,
            }
            for fault in source.faults
        ],
    }


def _print(source: Imported, *, dry_run: bool) -> None:
    from recall.cli.output import counted, remark, say

    for fault in source.faults:
        remark(fault.render())
    counts = [
        f"{source.added} added",
        f"{source.updated} updated",
        f"{source.unchanged} unchanged",
        *([f"{source.missing} missing"] if source.missing else []),
        *([f"{counted(source.ids, 'id')} written"] if source.ids else []),
    ]
    say(f"{source.path}: cards {'that would be ' if dry_run else ''}{', '.join(counts)}")
