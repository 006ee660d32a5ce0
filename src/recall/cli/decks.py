"""`recall decks`: list decks with what waits in them; hide, show or copy one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.settings import Settings
    from recall.study.home import DeckRow, Overview

EXAMPLES = """examples:
  recall decks                        every deck with what is due
  recall decks hide latency-numbers   do not ask its cards; their history stays
  recall decks unhide latency-numbers
  recall decks copy batch-norm        a copy of a shipped deck that is yours to change"""

ACTIONS = ("hide", "unhide", "copy")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("action", nargs="?", metavar="ACTION", choices=ACTIONS, help="hide, unhide or copy")
    parser.add_argument("deck", nargs="?", metavar="DECK", help="the deck; hide and unhide take those below it too")
    parser.add_argument("--all", action="store_true", help="list hidden decks too")
    parser.add_argument("--names", action="store_true", help="print names alone, one a line")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.opening import settings_of
    from recall.errors import UsageError

    settings = settings_of(arguments)
    if arguments.names:
        return _print_names(settings)
    if arguments.action is None:
        return print_overview(settings, every=arguments.all, as_json=arguments.json)
    if arguments.deck is None:
        raise UsageError(f"recall decks {arguments.action} needs a DECK", "recall decks lists them")
    return _act(settings, arguments.action, arguments.deck)


def _act(settings: Settings, action: str, deck: str) -> int:
    from recall.cli.output import say
    from recall.study.decks import copy_shipped, set_hidden
    from recall.study.study import open_study

    study = open_study(settings)
    try:
        study.sync()
        if action == "copy":
            say(f"copied: {copy_shipped(study, deck)}")
            return 0
        for name in set_hidden(study, deck, hidden=action == "hide"):
            say(f"{'hidden' if action == 'hide' else 'shown again'}: {name}")
    finally:
        study.close()
    return 0


def _print_names(settings: Settings) -> int:
    """Names of the decks as the index has them, for completion: no file is read, nothing is made."""
    from recall.cli.output import say
    from recall.errors import RecallError
    from recall.study.decks import known_names

    try:
        names = known_names(settings)
    except RecallError:
        return 0
    for name in names:
        say(name)
    return 0


def print_overview(settings: Settings, *, every: bool = False, as_json: bool = False) -> int:
    """The home screen in lines."""
    from recall.cli.opening import warn_of_faults
    from recall.cli.output import print_json, say
    from recall.study.home import overview
    from recall.study.study import open_study

    study = open_study(settings)
    try:
        # Home knows the faults of decks; those of a folder that is gone, or of two files for one deck, are told now.
        of_no_deck = study.sync().faults
        found = overview(study)
    finally:
        study.close()
    rows = [row for row in found.decks if every or not row.hidden]
    if as_json:
        print_json({"due": found.due, "new": found.new, "minutes": found.minutes, "decks": list(map(_document, rows))})
        return 0
    warn_of_faults([*of_no_deck, *found.faults])
    for line in _lines(found, rows):
        say(line)
    return 0


def _document(row: DeckRow) -> dict[str, object]:
    return {
        "deck": row.deck,
        "name": row.name,
        "due": row.due,
        "new": row.new,
        "total": row.total,
        "retention": row.retention,
        "hidden": row.hidden,
        "shipped": row.bundled,
    }


def _lines(found: Overview, rows: list[DeckRow]) -> list[str]:
    from recall.cli.output import counted, table

    if not rows:
        return ["no decks yet", "recall import PATH follows a Markdown deck or a folder of them"]
    shown = [("deck", "due", "new", "cards", "retention", "")]
    for row in rows:
        retention = "" if row.retention is None else f"{row.retention:.0%}"
        shown.append((row.deck, str(row.due), str(row.new), str(row.total), retention, "hidden" if row.hidden else ""))
    lines = table(shown, right=frozenset({1, 2, 3, 4}))
    lines.append("")
    lines.append(f"{found.due} due, {found.new} new, about {counted(found.minutes, 'minute')}")
    lines.append("reviewed this week, from Monday on: " + " ".join(map(str, found.week)))
    lines += [f"forgotten often: {card} ({lapses} lapses) {title}" for card, title, lapses in found.leeches]
    return lines
