"""`recall search`: find cards by the query language of the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.store.search import FoundCard
    from recall.study.study import Study

EXAMPLES = """examples:
  recall search bandwidth deck:gpu            words, in one deck and those below it
  recall search '"ring all-reduce" -is:new'   a phrase, and not what is new
  recall search 'is:due (tag:nccl or r:<0.8)'

conditions: deck: tag: kind: id:  is:due|new|learning|review|suspended|buried|leech|marked|orphan
  due:<3d  r:<0.9  s:>30d  d:>7  lapses:>=4  reps:>10  rated:<7d  rated:7:1  added:<7d
side by side all hold; `or`, `-` and parentheses join them; * stands for any characters"""

_SHOWN = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from recall.cli.review import count

    parser.epilog = EXAMPLES
    parser.add_argument("query", nargs="*", metavar="QUERY", help="words and conditions; none finds every card")
    parser.add_argument("--limit", metavar="N", type=count, help="at most N cards; the count is of all")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    import sys
    from shutil import get_terminal_size

    from recall.cli.opening import settings_of, warn_of_faults
    from recall.cli.output import counted, print_json, say, table
    from recall.study.searching import count_cards
    from recall.study.study import open_study

    query = " ".join(arguments.query)
    study = open_study(settings_of(arguments))
    try:
        warn_of_faults(study.sync().all_faults)
        if arguments.json:
            found = study.search(query, arguments.limit)
            total = len(found) if arguments.limit is None else count_cards(study, query)
            print_json({"count": total, "cards": [_document(study, card) for card in found]})
            return 0
        limit = _SHOWN if arguments.limit is None else arguments.limit
        found = study.search(query, limit)
        total = len(found) if len(found) < limit else count_cards(study, query)
    finally:
        study.close()
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    for line in table([(card.id, card.deck, _standing(card), card.title) for card in found]):
        say(line if width is None or len(line) < width else line[: width - 1] + "…")
    say(counted(total, "card") + (f", the first {len(found)} shown" if total > len(found) else ""))
    return 0


def _standing(card: FoundCard) -> str:
    return "suspended" if card.state.suspended else card.state.state.name.lower()


def _document(study: Study, card: FoundCard) -> dict[str, object]:
    from recall.cli.memory import memory_document

    memory = memory_document(study, card.deck, card.state)
    suspended = memory.pop("suspended")
    return {
        "id": card.id,
        "deck": card.deck,
        "kind": card.kind,
        "question": card.title,
        **memory,
        "tags": list(card.tags),
        "suspended": suspended,
    }
