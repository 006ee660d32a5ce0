"""The daily path on the large store: start to first card, rating, next card, undo, deck list, search.

    python benchmarks/daily.py [--store DIR] [--ratings 500] [--starts 9]

Works on a copy. A start is a process of its own, from spawn to the moment at which the first due card is in hand.
Ratings go through a session; the part that is stored (log row and state, durable) is timed apart from the part that
finds and reads the next card.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from harness import Row, arguments, copied_store, report, spread, timed, until_line
from recall.model.review import Rating

if TYPE_CHECKING:
    from recall.study.study import Study

FIRST_CARD = """
from recall.settings import load_settings
from recall.study.study import open_study
study = open_study(load_settings())
study.sync()
shown = study.session().shown
assert shown is not None
print(shown.card.id, flush=True)
"""
PATTERN = [Rating.GOOD] * 8 + [Rating.AGAIN, Rating.EASY, Rating.HARD]


def rating_rows(study: Study, ratings: int) -> list[Row]:
    """Rating, next card and undo."""
    from recall.store import log

    session = study.session(limit=20_000)
    stored: list[float] = []
    rate = log.rate

    def watched(*values: Any, **named: Any) -> Any:
        seconds, result = timed(lambda: rate(*values, **named))
        stored.append(seconds)
        return result

    log.rate = watched
    turns: list[float] = []
    buttons: list[float] = []
    gc.collect()
    for turn in range(ratings):
        session.reveal()
        buttons.append(timed(session.buttons)[0])
        rating = PATTERN[turn % len(PATTERN)]
        start = time.perf_counter()
        session.rate(rating)
        turns.append(time.perf_counter() - start)
    log.rate = rate
    undone = spread([timed(session.undo)[0] for _ in range(min(100, ratings))])
    session.close()
    written, following = spread(stored), spread([whole - part for whole, part in zip(turns, stored, strict=True)])
    labels = spread(buttons)
    return [
        Row("rating, median", written["median_ms"], "ms", 0.30, written),
        Row("rating, p99", written["p99_ms"], "ms", 3),
        Row("next card, median", following["median_ms"], "ms", 0.1, following),
        Row("next card, p99", following["p99_ms"], "ms", 1),
        Row("buttons with their intervals, median", labels["median_ms"], "ms", None, labels),
        Row("undo, median", undone["median_ms"], "ms", 0.4, undone),
    ]


def repeated(action: Callable[[], object], times: int = 20) -> dict[str, float]:
    action()
    return spread([timed(action)[0] for _ in range(times)])


def reading_rows(study: Study) -> list[Row]:
    """Deck list and searches."""
    decks = repeated(study.overview)
    rows = [Row("deck list with counts", decks["median_ms"], "ms", 15, decks)]
    queries = {
        "common word": "occupancy",
        "rare word": "bench-77777",
        "two words": "ring bank",
        "phrase": '"meets latency"',
        "due cards of a deck": "deck:bench/topic-3 is:due",
    }
    for name, query in queries.items():
        times = repeated(lambda query=query: study.search(query, 50))
        budget = None if name.startswith("due") else 2
        rows.append(Row(f"text search, {name}", times["median_ms"], "ms", budget, {**times, "query": query}))
    return rows


def main() -> None:
    options = arguments(__doc__, ratings=(500, "ratings"), starts=(9, "starts"))
    with copied_store(options.store):
        command = [sys.executable, "-c", FIRST_CARD]
        until_line(command)
        starts = spread([until_line(command) for _ in range(options.starts)])
        rows = [Row("start to first due card, no screen", starts["median_ms"], "ms", 60, starts)]
        from recall.settings import load_settings
        from recall.study.study import open_study

        study = open_study(load_settings())
        rows += reading_rows(study)
        rows += rating_rows(study, options.ratings)
        study.close()
    report("daily", rows)


if __name__ == "__main__":
    main()
