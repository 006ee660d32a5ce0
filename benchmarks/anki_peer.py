"""The same figures from Anki's own library, on the same cards and the same simulated history.

    pip install anki numpy      (in an environment of its own)
    PYTHONPATH=src python benchmarks/anki_peer.py [--cards 100000] [--days 730] [--answers 500]

Anki is a benchmark here and nothing of it is part of the project. Its collection is filled through SQLite, because its
bridge to Python takes 0.17 ms a row; everything timed goes through its public calls, without a screen. Start to first
card is timed in a process of its own. Rows have the names of our own benchmarks.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from harness import Row, arguments, peak_mb, report, spread, timed, until_line
from make_store import DAY_S, DECKS, question_and_answer
from simulation import Log, simulate

FIRST_CARD = """
import sys
from anki.collection import Collection
col = Collection(sys.argv[1])
col.decks.select(col.decks.id("Bench"))
queued = col.sched.get_queued_cards(fetch_limit=1)
assert queued.cards
print('in hand', flush=True)
"""


def build(file: Path, cards: int, days: int) -> None:
    """A collection with FSRS-6, ten decks, nine of ten cards seen."""
    from anki.collection import Collection

    from recall.model.options import FSRS6_DEFAULTS

    col: Any = Collection(str(file))
    col.set_config("fsrs", True)
    col.set_config("creationOffset", 0)
    decks = [col.decks.id(f"Bench::Topic {deck}") for deck in range(DECKS)]
    options = col.decks.config_dict_for_deck_id(decks[0])
    options["rev"]["perDay"] = 9999
    options["fsrsParams6"] = list(FSRS6_DEFAULTS)
    col.decks.update_config(options)
    kind = col.models.by_name("Basic")["id"]
    col.close()

    now = int(time.time())
    created = now - now % DAY_S - days * DAY_S
    log = simulate(int(cards * 0.9), days)
    last = np.flatnonzero(np.r_[log.card[1:] != log.card[:-1], True])
    seen = {int(log.card[at]): at for at in last}
    first_note, first_card = (now - 1000 * DAY_S) * 1000, (now - 999 * DAY_S) * 1000
    notes: list[tuple[object, ...]] = []
    rows: list[tuple[object, ...]] = []
    for number in range(cards):
        question, answer = question_and_answer(number)
        checksum = int(hashlib.sha1(question.encode()).hexdigest()[:8], 16)
        fields = f"{question}\x1f{answer}"
        tags = f" topic{number % 50} "
        notes.append((first_note + number, f"b{number}", kind, now, -1, tags, fields, question, checksum, 0, ""))
        at = seen.get(number)
        if at is None:
            state: tuple[object, ...] = (0, 0, number + 1, 0, 0, 0, 0, 0, 0, 0, 0, "{}")
        else:
            stability = float(log.stability[at])
            interval = max(1, round(stability))
            memory = {
                "s": round(stability, 4),
                "d": round(float(log.difficulty[at]), 3),
                "dr": 0.9,
                "lrt": created + int(log.day[at]) * DAY_S + 36_000,
            }
            due, reps = int(log.day[at]) + interval, int(log.turn[at]) + 1
            state = (2, 2, due, interval, 2500, reps, 0, 0, 0, 0, 0, json.dumps(memory))
        rows.append((first_card + number, first_note + number, decks[number % DECKS], 0, now, -1, *state))
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany(f"INSERT INTO notes VALUES ({', '.join('?' * 11)})", notes)
        database.executemany(f"INSERT INTO cards VALUES ({', '.join('?' * 18)})", rows)
        database.executemany("INSERT INTO revlog VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", revlog(log, created, first_card))
        database.execute("UPDATE col SET crt = ?", (created,))


def revlog(log: Log, created: int, first_card: int) -> list[tuple[int, ...]]:
    at = (created + log.day * DAY_S + 36_000 + np.minimum(log.turn, 80) * 660) * 1000 + log.card % 600_000
    order = np.argsort(at, kind="stable")
    ids = np.maximum.accumulate(at[order] - np.arange(len(order))) + np.arange(len(order))
    kinds = np.where(log.turn == 0, 0, np.where(log.first_of_day, 1, 2))
    intervals = np.maximum(1, np.rint(log.stability)).astype(int)
    columns = (
        ids,
        log.card[order] + first_card,
        log.rating[order],
        intervals[order],
        log.thinking_ms[order],
        kinds[order],
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(one, card, -1, rating, interval, 0, 500, ms, kind) for one, card, rating, interval, ms, kind in rows]


def repeated(action: Callable[[], object], times: int) -> dict[str, float]:
    return spread([timed(action)[0] for _ in range(times)])


def measure(file: Path, answers: int) -> list[Row]:
    runs = [until_line([sys.executable, "-c", FIRST_CARD, str(file)]) for _ in range(5)]
    from anki.collection import Collection
    from anki.scheduler.v3 import CardAnswer

    start = spread(runs)
    rows = [Row("start to first due card, no screen", start["median_ms"], "ms", None, start)]
    col: Any = Collection(str(file))
    col.decks.select(col.decks.id("Bench"))
    col.db.execute("analyze")
    tree = repeated(col.sched.deck_due_tree, 5)
    rows.append(Row("deck list with counts", tree["median_ms"], "ms", None, tree))
    ratings = [CardAnswer.GOOD] * 8 + [CardAnswer.AGAIN, CardAnswer.EASY, CardAnswer.HARD]
    following: list[float] = []
    rating_times: list[float] = []
    col.sched.get_queued_cards(fetch_limit=1)
    for turn in range(answers):
        seconds, queued = timed(lambda: col.sched.get_queued_cards(fetch_limit=1))
        following.append(seconds)
        shown = queued.cards[0]
        card = col.get_card(shown.card.id)
        card.start_timer()
        start_s = time.perf_counter()
        answer = col.sched.build_answer(card=card, states=shown.states, rating=ratings[turn % len(ratings)])
        col.sched.answer_card(answer)
        rating_times.append(time.perf_counter() - start_s)
    rated, followed = spread(rating_times), spread(following)
    undone = repeated(col.undo, min(30, answers))
    common, rare = repeated(lambda: col.find_cards("occupancy"), 5), repeated(lambda: col.find_cards("x_{77}"), 5)
    rows += [
        Row("rating, median", rated["median_ms"], "ms", None, rated),
        Row("rating, p99", rated["p99_ms"], "ms"),
        Row("next card, median", followed["median_ms"], "ms", None, followed),
        Row("next card, p99", followed["p99_ms"], "ms"),
        Row("undo, median", undone["median_ms"], "ms", None, undone),
        Row("text search, common word", common["median_ms"], "ms", None, common),
        Row("text search, rare string", rare["median_ms"], "ms", None, rare),
        Row("memory while reviewing", peak_mb(), "MB"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        seconds, _ = timed(lambda: col.create_backup(backup_folder=folder, force=True, wait_for_completion=True))
    rows.append(Row("backup", seconds, "s"))
    rows.append(Row("check of the database", timed(col.fix_integrity)[0], "s"))
    rows.append(Row("rebuild all states", rebuild(col), "s"))
    rows.append(Row("memory in all of this", peak_mb(), "MB"))
    col.close()
    return rows


def rebuild(col: Any) -> float:
    """Change the weights, upon which Anki computes the memory of every card anew from its log."""
    update = col._backend.get_deck_configs_for_update(col.decks.id("Bench"))
    configs = [one.config for one in update.all_config]
    for config in configs:
        weights = list(config.config.fsrs_params_6)
        del config.config.fsrs_params_6[:]
        config.config.fsrs_params_6.extend([weight * 1.01 for weight in weights[:4]] + weights[4:])
    return timed(
        lambda: col._backend.update_deck_configs(
            target_deck_id=col.decks.id("Bench"),
            configs=configs,
            removed_config_ids=[],
            mode=0,
            card_state_customizer="",
            limits=update.current_deck.limits,
            new_cards_ignore_review_limit=False,
            fsrs=True,
            apply_all_parent_limits=False,
            fsrs_reschedule=False,
            fsrs_health_check=False,
        )
    )[0]


def main() -> None:
    options = arguments(__doc__, cards=(100_000, "cards"), days=(730, "days of history"), answers=(500, "ratings"))
    import anki.lang

    anki.lang.set_lang("en")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.anki2"
        # In a child, so that the memory of building is not counted.
        if (child := os.fork()) == 0:
            build(file, options.cards, options.days)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            sys.exit("the collection could not be built")
        report("anki_peer", measure(file, options.answers))


if __name__ == "__main__":
    main()
