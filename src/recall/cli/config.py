"""`recall config`: show settings with where they come from, and change one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.settings import Settings
    from recall.settings.load import Value

EXAMPLES = """examples:
  recall config                                     every setting and where its value comes from
  recall config desired_retention 0.92              for all decks
  recall config new_per_day 5 --deck gpu/memory     for one deck and those below it
  recall config new_per_day --deck gpu/memory --unset"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("key", nargs="?", metavar="KEY", help="one setting")
    parser.add_argument("value", nargs="?", metavar="VALUE", help="its new value")
    parser.add_argument("--deck", metavar="D", default="", help="of this deck and those below it")
    parser.add_argument("--unset", action="store_true", help="take the setting out of the file")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.output import print_json, remark, say
    from recall.errors import UsageError
    from recall.settings import load_settings
    from recall.settings.edit import unset_setting, write_setting

    deck = deck_identity(arguments.deck)
    if arguments.unset and (arguments.key is None or arguments.value is not None):
        raise UsageError("--unset takes a KEY and no VALUE", "recall config KEY --unset")
    # Before the file is read as a whole: a fault elsewhere in it must not keep a setting from being mended.
    if arguments.unset:
        unset_setting(arguments.key, deck)
    elif arguments.value is not None:
        write_setting(arguments.key, arguments.value, deck)
    flags = {"database_url": arguments.database or ""}
    settings = load_settings(flags)
    if arguments.key is None:
        chosen = _all(settings, deck)
    else:
        chosen = [settings.value(arguments.key, deck)]
        if arguments.value is not None and chosen[0].layer in ("environment", "flag"):
            remark(f"{chosen[0].origin} is set and wins over the file")
    if arguments.json:
        print_json({"file": str(settings.file), "settings": [_document(value) for value in chosen]})
        return 0
    for line in _lines(chosen):
        say(line)
    if arguments.key is None and settings.keymap:
        say("\nkeys")
        for action, keys in settings.keymap.items():
            say(f"  {action} = {keys}")
    return 0


def deck_identity(name: str) -> str:
    """The identity of the deck that was named in one of the ways people write it."""
    import unicodedata

    return unicodedata.normalize("NFC", name.replace("::", "/").removesuffix(".md").strip("/"))


def _all(settings: Settings, deck: str) -> list[Value]:
    """Every setting; with *deck* those that a deck can have, without it also those of each deck's own table."""
    from recall.settings.keys import KEYS

    if deck:
        return [settings.value(key.name, deck) for key in KEYS.values() if key.per_deck]
    of_decks = [value for name in settings.decks for value in settings.decks[name].values()]
    return [*settings.values.values(), *of_decks]


def _document(value: Value) -> dict[str, object]:
    return {
        "key": value.key.name,
        "deck": value.deck or None,
        "value": value.shown,
        "layer": value.layer,
        "origin": value.origin or None,
        "default": value.key.default,
        "form": value.key.form.description,
        "about": value.key.about,
    }


def _lines(values: list[Value]) -> list[str]:
    from recall.cli.output import table

    rows: list[tuple[str, str, str]] = []
    for value in values:
        name = f"{value.key.name} ({value.deck})" if value.deck else value.key.name
        rows.append((name, _shown(value), value.origin or value.layer))
    return table(rows)


def _shown(value: Value) -> str:
    from recall.settings.forms import to_toml

    # Weights take five lines that nobody reads; JSON has them.
    if value.key.name == "parameters" and value.value == value.key.default:
        return "(the model's own)"
    return to_toml(value.shown)
