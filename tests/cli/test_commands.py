"""The other commands: what they print, in JSON and in words, and how they end."""

from __future__ import annotations

import stat
from pathlib import Path

from program import Recall

CARD_KEYS = {
    "id", "deck", "kind", "question", "state", "due", "stability", "difficulty", "retrievability", "reps", "lapses",
    "tags", "suspended",
}  # fmt: skip
VERDICT_KEYS = [
    "card", "kind", "outcome", "message", "expected", "given_as", "deviation", "first_wrong_step", "counterexample",
    "misconception", "suggested_rating", "seed", "elapsed_ms",
]  # fmt: skip


def test_import_follows_a_folder_and_a_second_run_changes_nothing(recall: Recall, deck: Path) -> None:
    ran = recall("import", deck, "--json")
    assert ran.code == 0
    assert ran.json == {
        "sources": [
            {
                "path": str(deck),
                "format": "markdown",
                "added": 0,
                "updated": 0,
                "unchanged": 3,
                "missing": 0,
                "reviews": 0,
                "faults": [],
            }
        ]
    }
    (deck / "new.md").write_text("Q: New?\nA: Yes.\n", encoding="utf-8")
    assert recall("search", "deck:new", "--json").json["count"] == 1


def test_a_followed_folder_that_was_moved_away_is_told(recall: Recall, deck: Path) -> None:
    """Its cards are missed by search and review alike."""
    deck.rename(deck.with_name("elsewhere"))
    for words in (("search", "deck:new"), ("decks",)):
        assert f"{deck}:1:1: is not there any more" in recall(*words).err


def test_import_reports_faults_with_their_place_and_keeps_the_good_cards(recall: Recall, tmp_path: Path) -> None:
    file = tmp_path / "bad.md"
    file.write_text("Q: Good?\nA: Yes.\nid: good\n\nQ: Without an answer?\nid: bad\n", encoding="utf-8")
    ran = recall("import", file, "--deck", "work/bad", "--json")
    assert ran.code == 1
    (source,) = ran.json["sources"]
    assert source["added"] == 1
    assert [(fault["file"], fault["line"], fault["column"]) for fault in source["faults"]] == [(str(file), 5, 1)]
    (found,) = recall("search", "id:good", "--json").json["cards"]
    assert found["deck"] == "work/bad"


def test_a_dry_run_changes_nothing(recall: Recall, deck: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "more.md").write_text("Q: One?\nA: Two.\n", encoding="utf-8")
    ran = recall("import", other, "--dry-run", "--ids")
    assert "that would be 1 added" in ran.out
    assert "id:" not in (other / "more.md").read_text(encoding="utf-8")
    assert recall("search", "deck:more", "--json").json["count"] == 0


def test_what_cannot_be_imported_is_said(recall: Recall, tmp_path: Path) -> None:
    table = tmp_path / "cards.csv"
    table.write_text("a,b\n", encoding="utf-8")
    ran = recall("import", table)
    assert (ran.code, ran.out) == (2, "")
    assert "does not read .csv files yet" in ran.err
    missing = recall("import", tmp_path / "nowhere")
    assert missing.code == 3
    assert "nowhere" in missing.err


def test_search_prints_the_keys_that_scripts_rely_on(recall: Recall, deck: Path) -> None:
    recall("review", "gpu", stdin="\n4\nq\n")
    ran = recall("search", "warp", "deck:gpu", "--json")
    assert ran.code == 0
    by_id = {card["id"]: card for card in ran.json["cards"]}
    assert ran.json["count"] == len(by_id)
    seen = by_id["warp-size"]
    assert set(seen) == CARD_KEYS
    assert (seen["state"], seen["due"], seen["reps"], seen["tags"]) == ("review", "2026-03-11", 1, ["gpu"])
    assert 0.99 <= seen["retrievability"] <= 1
    unseen = recall("search", "id:block", "--json").json["cards"][0]
    assert (unseen["state"], unseen["due"], unseen["stability"]) == ("new", None, None)
    assert "warp-size" in recall("search", "warp", "deck:gpu").out


def test_search_counts_all_and_lists_as_many_as_asked_for(recall: Recall, deck: Path) -> None:
    ran = recall("search", "deck:gpu", "--limit", "1", "--json").json
    assert (ran["count"], len(ran["cards"])) == (3, 1)


def test_show_prints_card_memory_and_history(recall: Recall, deck: Path) -> None:
    recall("review", "gpu", stdin="\n4\nq\n")
    ran = recall("show", "warp-size")
    assert "How many threads has a warp?" in ran.out
    assert "Answer: 32, on every NVIDIA GPU so far." in ran.out
    assert "2026-03-02T09:00:00+01:00  easy  learn" in ran.out
    (card,) = recall("show", "block", "--json").json["cards"]
    assert card["id"] == "block/where"
    assert (card["question"], card["answer"]) == ("A block runs on [how many] SM.", "A block runs on [one] SM.")
    unknown = recall("show", "blok")
    assert (unknown.code, "no card 'blok'" in unknown.err) == (2, True)


def test_try_gives_the_verdict_of_commands_md(recall: Recall, deck: Path) -> None:
    ran = recall("try", "warp-size", "--json")
    assert ran.code == 1
    assert list(ran.json) == VERDICT_KEYS
    assert (ran.json["outcome"], ran.json["expected"], ran.json["suggested_rating"]) == (
        "self_rated",
        "**32**, on every NVIDIA GPU so far.",
        None,
    )
    assert recall("search", "id:warp-size is:new", "--json").json["count"] == 1


def test_try_reads_a_file_that_was_never_imported(recall: Recall, tmp_path: Path) -> None:
    file = tmp_path / "draft.md"
    file.write_text("Q: One?\nA: Two.\nid: one\n\nQ: Broken?\nid: broken\n", encoding="utf-8")
    ran = recall("try", f"{file}#one")
    assert (ran.code, "Answer: Two." in ran.out) == (1, True)
    assert not (tmp_path / "home").exists()
    broken = recall("try", f"{file}#broken")
    assert (broken.code, f"{file}:5:1" in broken.err) == (3, True)
    file.write_text("Q: One?\nA: Two.\nid: one\n", encoding="utf-8")
    unknown = recall("try", f"{file}#onee")
    assert (unknown.code, "did you mean 'one'?" in unknown.err) == (2, True)
    assert recall("try", "nowhere.md#one").code == 3


def test_lint_tells_faults_by_exit_code(recall: Recall, tmp_path: Path) -> None:
    file = tmp_path / "deck.md"
    file.write_text("Q: One?\nA: Two.\n", encoding="utf-8")
    assert recall("lint", file).code == 0
    strict = recall("lint", file, "--strict", "--json")
    assert strict.code == 1
    assert [(fault["line"], fault["severity"]) for fault in strict.json["faults"]] == [(1, "warning")]
    fixed = recall("lint", file, "--fix")
    assert (fixed.code, f"{file}:3: wrote id: one" in fixed.out) == (0, True)
    assert file.read_text(encoding="utf-8") == "Q: One?\nA: Two.\nid: one\n"
    assert recall("lint", file, "--strict").code == 0
    file.write_text("Q: One?\n", encoding="utf-8")
    assert recall("lint", file).code == 1
    assert recall("lint", tmp_path / "nowhere.md").code == 3


def test_a_card_keeps_its_history_when_lint_writes_its_id(recall: Recall, deck: Path) -> None:
    (deck / "bare.md").write_text("Q: Without an id?\nA: Yes.\n", encoding="utf-8")
    recall("review", "bare", stdin="\n4\n")
    assert recall("lint", deck, "--fix").code == 0
    (card,) = recall("search", "deck:bare", "--json").json["cards"]
    assert (card["reps"], card["state"]) == (1, "review")


def test_shipped_decks_lint_clean(recall: Recall) -> None:
    ran = recall("lint", "--bundled", "--strict")
    assert (ran.code, ran.out.splitlines()[-1].endswith("0 errors, 0 warnings")) == (0, True)


def test_stats_in_words_and_json(recall: Recall, deck: Path) -> None:
    recall("review", "gpu", stdin="\n4\n\n3\nq\n")
    figures = recall("stats", "--deck", "gpu", "--json").json
    assert figures["reviews"] == {"today": 2, "last_7_days": 2, "last_30_days": 2, "all": 2}
    assert figures["days"][0]["day"] == "2026-03-02"
    assert (figures["days"][0]["good"], figures["days"][0]["easy"]) == (1, 1)
    assert figures["true_retention"]["all"] is None
    assert sum(day["due"] for day in figures["forecast"]) == 2
    # Nine days later the card in review is recalled: the first figure of true retention.
    recall("review", "--query", "id:warp-size", stdin="\n3\n", RECALL_NOW="2026-03-11T09:00:00+01:00")
    later = recall("stats", "--deck", "gpu", "--json", RECALL_NOW="2026-03-11T20:00:00+01:00").json
    assert later["true_retention"]["last_7_days"] == 1.0
    words = recall("stats", "--plain", RECALL_NOW="2026-03-11T20:00:00+01:00")
    assert (words.code, "100.0%" in words.out) == (0, True)
    assert recall("stats", "--deck", "nowhere").code == 2


def test_a_backup_brings_everything_back(recall: Recall, deck: Path, tmp_path: Path) -> None:
    recall("review", "gpu", stdin="\n4\nq\n")
    copy = tmp_path / "copy.db"
    assert recall("backup", copy).code == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert recall("backup", copy).code == 2
    recall("review", "gpu", stdin="\n1\nq\n")
    ran = recall("restore", copy)
    assert (ran.code, ran.err) == (0, "")
    assert recall("stats", "--deck", "gpu", "--json").json["reviews"]["all"] == 1
    assert recall("doctor").code == 0
    (tmp_path / "rubbish.db").write_bytes(b"rubbish")
    assert recall("restore", tmp_path / "rubbish.db").code == 3
    assert recall("restore", tmp_path / "nowhere.db").code == 3


def test_doctor_finds_and_mends_a_state_that_is_not_what_the_log_gives(
    recall: Recall, deck: Path, tmp_path: Path
) -> None:
    import sqlite3
    from contextlib import closing

    recall("review", "gpu", stdin="\n4\nq\n")
    assert recall("doctor", "--json").json["healthy"] is True
    with closing(sqlite3.connect(tmp_path / "home" / "recall.db")) as database, database:
        database.execute("UPDATE card_state SET stability = 99 WHERE card_id = 'warp-size'")
    ran = recall("doctor")
    assert (ran.code, "recall doctor --fix" in ran.out) == (1, True)
    assert recall("doctor", "--fix").code == 0
    assert recall("doctor").code == 0


def test_decks_are_listed_hidden_and_copied(recall: Recall, deck: Path, tmp_path: Path) -> None:
    recall("config", "new_per_day", "999")
    listed = recall("decks", "--json").json
    (gpu,) = [row for row in listed["decks"] if row["deck"] == "gpu"]
    assert gpu == {
        "deck": "gpu", "name": "GPU basics", "due": 0, "new": 3, "total": 3, "retention": None, "hidden": False,
        "shipped": False,
    }  # fmt: skip
    assert "gpu" in recall("decks", "--names").out.splitlines()
    assert recall("decks", "hide", "gpu").out == "hidden: gpu\n"
    assert "gpu" not in recall("decks").out
    assert "hidden" in recall("decks", "--all").out
    assert recall("review", "gpu").out.startswith("Nothing is due.")
    assert recall("decks", "unhide", "gpu").code == 0
    assert "gpu" in recall("decks").out
    copied = recall("decks", "copy", "batch-norm")
    copy = tmp_path / "home" / "decks" / "batch-norm.md"
    assert copied.out == f"copied: {copy}\n"
    (row,) = [row for row in recall("decks", "--json").json["decks"] if row["deck"] == "batch-norm"]
    assert row["shipped"] is False
    assert recall("decks", "copy", "batch-norm").code == 2
    assert recall("decks", "hide", "nowhere").code == 2


def test_home_without_a_screen_lists_what_is_due(recall: Recall, deck: Path) -> None:
    assert recall().out == recall("decks").out


def test_completion_asks_for_names_without_making_anything(recall: Recall, tmp_path: Path) -> None:
    assert (recall("decks", "--names").out, recall("decks", "--names").code) == ("", 0)
    assert not (tmp_path / "home").exists()


def test_a_card_keeps_its_history_when_import_writes_its_id(recall: Recall, deck: Path) -> None:
    (deck / "bare.md").write_text("Q: Without an id?\nA: Yes.\n\nQ: Another?\nA: Yes.\n", encoding="utf-8")
    recall("review", "bare", stdin="\n4\nq\n")
    ran = recall("import", deck, "--ids")
    assert (ran.code, "2 ids written" in ran.out) == (0, True)
    cards = recall("search", "deck:bare", "--json").json["cards"]
    assert sorted(card["reps"] for card in cards) == [0, 1]
    assert "id: another" in (deck / "bare.md").read_text(encoding="utf-8")
