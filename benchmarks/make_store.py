"""Make the large store of the benchmarks: 100,000 cards in ten decks with 1,000,000 simulated reviews.

    python benchmarks/make_store.py [--store DIR] [--cards 100000] [--days 730]

The decks are real Markdown files, indexed by the program itself; the simulated reviews are written by the program's
own statements, and the states of the cards folded from them. Nine of ten cards have been seen; a week is due.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness import Row, arguments, environment, report, timed
from recall.model.card import CardId
from recall.model.review import Rating, Review, ReviewKind
from recall.store.database import first_id_of
from recall.store.log import begin_session, insert_review
from simulation import Log, simulate

if TYPE_CHECKING:
    from recall.study.study import Study

DECKS = 10
DAY_S = 86_400
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


def reviews_of(log: Log, days: int, now_s: int, session: int) -> Iterator[Review]:
    """The reviews by id. A day begins at 10:00 UTC; the turns of a card in it are eleven minutes apart."""
    places = np.arange(len(log.card))
    first_turn = log.turn[np.maximum.accumulate(np.where(log.first_of_day, places, 0))]
    day_start_s = now_s - now_s % DAY_S - (days - log.day) * DAY_S + 10 * 3600
    at = (day_start_s + np.minimum(log.turn - first_turn, 60) * 660) * 1000 + log.card % 600_000
    order = np.argsort(at, kind="stable")
    columns = (at, log.card, log.turn, log.rating, log.first_of_day, log.thinking_ms)
    before = 0
    ratings = {int(rating): rating for rating in Rating}
    for rated, card, turn, rating, first_of_day, thinking in zip(*(c[order].tolist() for c in columns), strict=True):
        before = max(first_id_of(rated), before + 1)
        kind = ReviewKind.LEARN if turn == 0 else ReviewKind.REVIEW if first_of_day else ReviewKind.RELEARN
        yield Review(
            id=before,
            card=CardId(f"bench-{card}"),
            session=session,
            shown_at=rated - thinking,
            rated_at=rated,
            offset_min=0,
            rating=ratings[rating],
            kind=kind,
            thinking_ms=thinking,
        )


def insert_reviews(study: Study, log: Log, days: int) -> int:
    """Write the log, as rated in one sitting, in one transaction; returns the number of reviews."""
    session = begin_session(study.database, study.machine, study.clock.now(), "{}")
    with study.database.transaction():
        for review in reviews_of(log, days, int(time.time()), session):
            insert_review(study.database, review)
    study.database.checkpoint()
    return len(log.card)


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
        log = simulate(int(options.cards * 0.9), options.days)
        inserting, reviews = timed(lambda: insert_reviews(study, log, options.days))
        folding, _ = timed(lambda: rebuild(study))
        study.database.checkpoint()
        study.close()
    report(
        "make_store",
        [
            Row("index of the decks, first time", indexing, "s", None, {"cards": options.cards}),
            Row("review log", inserting, "s", None, {"reviews": reviews}),
            Row("fold of all states", folding, "s"),
            Row("database", (home / "recall.db").stat().st_size / 1e6, "MB"),
        ],
    )


if __name__ == "__main__":
    main()
