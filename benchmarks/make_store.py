"""Make the large store of the benchmarks: 100,000 cards in ten decks with 1,000,000 simulated reviews.

    python benchmarks/make_store.py [--store DIR] [--cards 100000] [--days 730]

The decks are real Markdown files, indexed by the program itself; only the review log is written in bulk, and the
states of the cards are then folded from it by the program. Nine of ten cards have been seen; a week of reviews is due.
"""

from __future__ import annotations

import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from harness import Row, arguments, environment, report, timed
from recall.model.review import ReviewKind
from simulation import Log, simulate

DECKS = 10
DAY_S = 86_400
RANDOM_BITS = 21
WORDS = re.findall(
    r"\w+",
    "roofline ridge occupancy warp coalescing bank conflict tensor core attention softmax cache paged block ring"
    " allreduce scatter gather momentum variance running loss scaling underflow latency bandwidth",
)


def word(number: int) -> str:
    return WORDS[number % len(WORDS)]


def question_and_answer(number: int) -> tuple[str, str]:
    """One card: some 40 words, code and a formula, as real cards have."""
    return (
        f"Card {number}: what bounds the {word(number)} of a {word(number * 7)} kernel?",
        f"**{word(number * 3).capitalize()}**: about {number * 37 % 1009} GB/s, because `{word(number * 5)}` meets"
        f" {word(number * 11)} at $x_{{{number}}}$.",
    )


def note(number: int) -> str:
    """Deck text of one card."""
    question, answer = question_and_answer(number)
    return f"Q: {question}\nA: {answer}\nid: bench-{number}\ntags: topic{number % 50}\n"


def write_decks(folder: Path, cards: int) -> list[Path]:
    """Ten decks; card *n* stands in deck *n* modulo ten."""
    folder.mkdir(parents=True)
    files: list[Path] = []
    for deck in range(DECKS):
        text = "\n".join(note(number) for number in range(deck, cards, DECKS))
        files.append(folder / f"topic-{deck}.md")
        files[-1].write_text(f'---\nname = "Topic {deck}"\nsource = "Benchmarks"\n---\n\n{text}', encoding="utf-8")
    return files


def review_rows(log: Log, days: int, now_s: int) -> Iterator[tuple[object, ...]]:
    """Rows of the review log by id. A day begins at 10:00 UTC; the turns of a card in it are eleven minutes apart."""
    places = np.arange(len(log.card))
    first_turn = log.turn[np.maximum.accumulate(np.where(log.first_of_day, places, 0))]
    day_start_s = now_s - now_s % DAY_S - (days - log.day) * DAY_S + 10 * 3600
    at = (day_start_s + np.minimum(log.turn - first_turn, 60) * 660) * 1000 + log.card % 600_000
    later = np.where(log.first_of_day, int(ReviewKind.REVIEW), int(ReviewKind.RELEARN))
    kinds = np.where(log.turn == 0, int(ReviewKind.LEARN), later)
    order = np.argsort(at, kind="stable")
    columns = [column[order].tolist() for column in (at, log.card, log.rating, kinds, log.thinking_ms)]
    before = 0
    for rated, card, rating, kind, thinking in zip(*columns, strict=True):
        before = max(rated << RANDOM_BITS, before + 1)
        yield (
            *(before, f"bench-{card}", rated // 86_400_000 << 43, rated - thinking, rated, 0, rating, kind),
            *(None, None, None, 0, f"{card:08x}", thinking, 0, None, None, ""),
        )


def insert_reviews(file: Path, rows: Iterator[tuple[object, ...]]) -> int:
    """Write *rows* to the review log in one transaction, and return how many there are in all."""
    columns = (
        "id, card_id, session, shown_at, rated_at, offset_min, rating, kind, suggested, outcome, answer,"
        " seed, revision, thinking_ms, hints, parts, measurement, source"
    )
    database = sqlite3.connect(file)
    with database:
        database.executemany(f"INSERT INTO review ({columns}) VALUES ({', '.join('?' * 18)})", rows)
    (count,) = database.execute("SELECT count(*) FROM review").fetchone()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return count


def main() -> None:
    options = arguments(__doc__, cards=(100_000, "cards"), days=(730, "days of history"))
    home: Path = options.store
    if home.exists():
        sys.exit(f"{home} exists already: remove it to make it anew")
    home.mkdir(parents=True)
    # The whole backlog is due at once, as in the collection of Anki beside it.
    (home / "config.toml").write_text("reviews_per_day = 9999\n")
    with environment(RECALL_HOME=str(home)):
        from recall.settings import load_settings
        from recall.study.rebuild import rebuild
        from recall.study.study import open_study

        write_decks(home / "decks" / "bench", options.cards)
        study = open_study(load_settings())
        indexing, _ = timed(study.sync)
        study.close()
        log = simulate(int(options.cards * 0.9), options.days)
        inserting, reviews = timed(
            lambda: insert_reviews(home / "recall.db", review_rows(log, options.days, int(time.time())))
        )
        study = open_study(load_settings())
        folding, _ = timed(lambda: rebuild(study))
        study.database.checkpoint()
        study.close()
    report(
        "make_store",
        [
            Row("index of the decks, first time", indexing, "s", None, {"cards": options.cards}),
            Row("review log in bulk", inserting, "s", None, {"reviews": reviews}),
            Row("fold of all states", folding, "s"),
            Row("database", (home / "recall.db").stat().st_size / 1e6, "MB"),
        ],
    )


if __name__ == "__main__":
    main()
