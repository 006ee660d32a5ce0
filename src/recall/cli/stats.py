"""`recall stats`: reviews, true retention by study day, and what falls due."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.study.progress import Progress

EXAMPLES = """examples:
  recall stats              the last days and the next ones
  recall stats --deck gpu   of one deck and those below it
  recall stats --json       every day on record

True retention: of the cards in review that came a day or more after their last review, the share that was
not rated again."""

_SPANS = {"last_7_days": 7, "last_30_days": 30, "all": None}
_SHOWN_DAYS = 14
_SHOWN_FORECAST = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("--deck", metavar="D", default="", help="only this deck and those below it")
    parser.add_argument("--plain", action="store_true", help="lines of text; that is what is printed anyway")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.opening import settings_of
    from recall.cli.output import print_json, say
    from recall.study.progress import progress
    from recall.study.study import open_study

    study = open_study(settings_of(arguments))
    try:
        study.sync()
        found = progress(study, arguments.deck.replace("::", "/"))
    finally:
        study.close()
    if arguments.json:
        print_json(_document(found))
        return 0
    for line in _lines(found):
        say(line)
    return 0


def _reviews(found: Progress, last_days: int | None) -> int:
    return sum(day.reviews for day in found.days if last_days is None or day.day > found.today - last_days)


def _document(found: Progress) -> dict[str, object]:
    from recall.study.progress import iso_date

    return {
        "deck": found.deck or None,
        "today": iso_date(found.today),
        "streak": found.streak,
        "reviews": {"today": _reviews(found, 1), **{name: _reviews(found, days) for name, days in _SPANS.items()}},
        "true_retention": {name: found.retention(days) for name, days in _SPANS.items()},
        "cards": {state.name.lower(): count for state, count in sorted(found.states.items())},
        "days": [
            {
                "day": iso_date(day.day),
                "reviews": day.reviews,
                "again": day.again,
                "hard": day.hard,
                "good": day.good,
                "easy": day.easy,
                "seconds": day.thinking_ms / 1000,
                "recalls": day.recalls,
                "recalled": day.recalled,
                "true_retention": day.recalled / day.recalls if day.recalls else None,
            }
            for day in found.days
        ],
        "forecast": [
            {"day": iso_date(found.today + ahead), "due": count} for ahead, count in enumerate(found.forecast)
        ],
    }


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _lines(found: Progress) -> list[str]:
    from recall.cli.output import counted, table
    from recall.study.progress import iso_date

    lines = [
        f"{found.deck or 'all decks'}, {iso_date(found.today)}, streak {counted(found.streak, 'day')}",
        "cards: " + (", ".join(f"{count} {s.name.lower()}" for s, count in sorted(found.states.items())) or "none"),
        "",
        *table(
            [
                ("", "reviews", "true retention"),
                ("today", str(_reviews(found, 1)), _percent(found.retention(1))),
                *(
                    (name.replace("_", " "), str(_reviews(found, days)), _percent(found.retention(days)))
                    for name, days in _SPANS.items()
                ),
            ],
            right=frozenset({1, 2}),
        ),
    ]
    if found.days:
        rows = [("day", "reviews", "again", "hard", "good", "easy", "minutes", "true retention")]
        rows += [
            (
                iso_date(day.day),
                *map(str, (day.reviews, day.again, day.hard, day.good, day.easy)),
                f"{day.thinking_ms / 60_000:.0f}",
                _percent(day.recalled / day.recalls if day.recalls else None),
            )
            for day in found.days[-_SHOWN_DAYS:]
        ]
        lines += ["", *table(rows, right=frozenset(range(1, 8)))]
    rows = [("day", "due")]
    rows += [(iso_date(found.today + ahead), str(due)) for ahead, due in enumerate(found.forecast[:_SHOWN_FORECAST])]
    return [*lines, "", *table(rows, right=frozenset({1}))]
