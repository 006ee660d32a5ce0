"""`recall lint`: every fault of decks with its place and how to mend it; `--fix` writes missing ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from recall.content.deck import Deck
    from recall.content.folders import DeckFile
    from recall.content.ids import Written
    from recall.content.notes import Note
    from recall.model.fault import Fault

EXAMPLES = """examples:
  recall lint                     your own decks and the folders that you follow
  recall lint notes/gpu.md decks  a file and a folder
  recall lint --fix notes         write an id below each card that has none
  recall lint --bundled           the decks that come with the program

exit codes: 0 no error, 1 an error (with --strict also a warning)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from recall.cli.output import path_argument

    parser.epilog = EXAMPLES
    parser.add_argument("path", nargs="*", type=path_argument, metavar="PATH", help="deck files and folders")
    parser.add_argument("--fix", action="store_true", help="write missing ids; no other line changes")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors")
    parser.add_argument("--bundled", action="store_true", help="the shipped decks")
    parser.add_argument("--json", action="store_true", help="print JSON")


class _Chosen(NamedTuple):
    """What is linted."""

    files: list[DeckFile]
    fixable: list[DeckFile]
    """Those of them whose ids may be written: not the shipped ones."""


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.output import print_json
    from recall.content.lint import lint

    faults: list[Fault] = []
    chosen = _choose(arguments, faults)
    decks = _read(chosen.files)
    written: list[Written] = []
    if arguments.fix:
        written = _write_ids(arguments, chosen, decks)
        decks = _read(chosen.files)
    faults += lint(decks)
    counted = [fault for fault in faults if arguments.strict or fault.severity == "error"]
    if arguments.json:
        print_json(_document(decks, faults, written))
    else:
        _print(decks, faults, written)
    return 1 if counted else 0


def _choose(arguments: argparse.Namespace, faults: list[Fault]) -> _Chosen:
    """The files to lint. Without a path the database says which folders are followed. Raises `DataError`."""
    from pathlib import Path

    from recall import paths
    from recall.content.folders import find_decks

    roots = [Path(path) for path in arguments.path]
    bundled = find_decks(paths.bundled() / "decks", faults) if arguments.bundled else []
    if not roots and arguments.bundled:
        return _Chosen(bundled, [])
    roots = roots or _followed(arguments)
    own = [file for root in roots for file in find_decks(root, faults)]
    unique = list({file.path.resolve(): file for file in own}.values())
    return _Chosen([*unique, *bundled], unique)


def _followed(arguments: argparse.Namespace) -> list[Path]:
    """The files and folders that hold the user's decks."""
    from recall.cli.opening import settings_of
    from recall.study.decks import folders
    from recall.study.study import open_study

    study = open_study(settings_of(arguments))
    try:
        return folders(study)
    finally:
        study.close()


def _reviewed(arguments: argparse.Namespace, notes: list[Note]) -> frozenset[str]:
    """Those of *notes* that were reviewed already, under the ids made from their questions."""
    from recall.cli.opening import settings_of
    from recall.study.decks import reviewed
    from recall.study.study import open_study

    study = open_study(settings_of(arguments))
    try:
        return reviewed(study, notes)
    finally:
        study.close()


def _read(files: Sequence[DeckFile]) -> list[tuple[DeckFile, Deck]]:
    from recall.content.library import read_deck

    return [(file, read_deck(file.path, file.deck)) for file in files]


def _write_ids(arguments: argparse.Namespace, chosen: _Chosen, decks: list[tuple[DeckFile, Deck]]) -> list[Written]:
    """Write the missing ids of every file that may be written. Raises `DataError`."""
    from recall.content.ids import write_ids

    fixable = {file.path for file in chosen.fixable}
    lacking = [
        (file, deck)
        for file, deck in decks
        if file.path in fixable and not all(note.explicit_id for note in deck.notes)
    ]
    if not lacking:
        return []
    # What was reviewed keeps the id it has a history under, though it is no pretty one.
    kept = _reviewed(arguments, [note for _, deck in lacking for note in deck.notes if not note.explicit_id])
    taken = {note.id for _, deck in decks for note in deck.notes}
    written: list[Written] = []
    for file, deck in lacking:
        here = write_ids(file.path, taken - {note.id for note in deck.notes}, keep=kept)
        taken.update(one.note for one in here)
        written += here
    return written


def _document(decks: list[tuple[DeckFile, Deck]], faults: list[Fault], written: list[Written]) -> dict[str, object]:
    return {
        "decks": len(decks),
        "notes": sum(len(deck.notes) for _, deck in decks),
        "faults": [
            {
                "file": fault.place.file,
                "line": fault.place.line,
                "column": fault.place.column,
                "severity": fault.severity,
                "rule": fault.rule,
                "message": fault.message,
                "mend": fault.mend,
            }
            for fault in faults
        ],
        "ids_written": [{"id": one.note, "file": one.place.file, "line": one.place.line} for one in written],
    }


def _print(decks: list[tuple[DeckFile, Deck]], faults: list[Fault], written: list[Written]) -> None:
    from recall.cli.output import counted, say

    for one in written:
        say(f"{one.place.file}:{one.place.line}: wrote id: {one.note}")
    for fault in faults:
        say(fault.render())
    notes = sum(len(deck.notes) for _, deck in decks)
    errors = sum(fault.severity == "error" for fault in faults)
    found = f"{counted(errors, 'error')}, {counted(len(faults) - errors, 'warning')}"
    say(f"{counted(len(decks), 'deck')}, {counted(notes, 'note')}: {found}")
