"""Plain mode: a whole session by pipe."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from program import Recall

TRANSCRIPT = """\
0 due, 3 new. ? lists the commands.

Card 1, concept, GPU basics
How many threads has a warp?
Enter shows the answer.
Hint: a power of two
Enter shows the answer.
Answer: 32, on every NVIDIA GPU so far.
Why: See warpSize.
rate 1 again 1 minute, 2 hard 6 minutes, 3 good 10 minutes, 4 easy 9 days
Saved: 4 easy, next in 9 days.

Card 2, cloze, GPU basics
A block runs on [how many] SM.
Enter shows the answer.
Answer: A block runs on [one] SM.
rate 1 again 1 minute, 2 hard 6 minutes, 3 good 10 minutes, 4 easy 9 days
Saved: 3 good, next in 10 minutes.

Card 3, concept, GPU basics
What hides memory latency?
Enter shows the answer.
Answer: - other warps
- more loads in flight
Source: CUDA C++ Programming Guide
rate 1 again 1 minute, 2 hard 6 minutes, 3 good 10 minutes, 4 easy 9 days
Saved: 4 easy, next in 9 days.

Card 4, cloze, GPU basics
A block runs on [how many] SM.
Enter shows the answer.
Answer: A block runs on [one] SM.
rate 1 again 1 minute, 2 hard 10 minutes, 3 good 2 days, 4 easy 4 days
Saved: 3 good, next in 2 days.

Done. 4 cards reviewed in less than a minute: 2 good, 2 easy.
Due tomorrow: 0.
"""


def ratings(tmp_path: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(tmp_path / "home" / "recall.db")) as database:
        return database.execute("SELECT card_id, rating FROM review WHERE voided IS NULL ORDER BY id").fetchall()


def test_a_session_by_pipe(recall: Recall, deck: Path) -> None:
    ran = recall("review", "gpu", stdin="h\n\n4\n\n\n\n4\n\n3\n")
    assert ran.err == ""
    assert ran.out == TRANSCRIPT
    assert ran.code == 0
    again = recall("review", "gpu")
    assert (again.code, again.out) == (0, "Nothing is due.\nDue tomorrow: 0.\n")


def test_only_plain_characters_are_written(recall: Recall, deck: Path) -> None:
    """Nothing below a space except the line end, and no escape, whatever the deck holds."""
    evil = "\x1b[2J\x1b]0;title\x07 \u202eright to left [red]markup[/red]\tand a tab"
    (deck / "evil.md").write_text(f"Q: {evil}\nA: {evil}\nid: evil\n", encoding="utf-8")
    ran = recall("review", "evil", stdin="\n4\n")
    assert ran.code == 0
    assert all(character >= " " or character == "\n" for character in ran.out)
    assert "\u202e" not in ran.out
    assert "[red]markup[/red]" in ran.out


def test_the_end_of_input_stops_early_with_everything_saved(recall: Recall, deck: Path, tmp_path: Path) -> None:
    ran = recall("review", "gpu", stdin="\n3\n\n")
    assert ran.code == 1
    assert ran.out.endswith("Stopped. 1 card reviewed, everything is saved.\n")
    assert ratings(tmp_path) == [("warp-size", 3)]


def test_undo_reaches_over_a_restart(recall: Recall, deck: Path, tmp_path: Path) -> None:
    recall("review", "gpu", stdin="\n3\nq\n")
    ran = recall("review", "gpu", stdin="u\nU\nu\nq\n")
    assert "Undone: rating of warp-size." in ran.out
    assert "Done again: rating of warp-size." in ran.out
    assert ratings(tmp_path) == []


def test_commands_act_on_the_card_and_are_saved(recall: Recall, deck: Path) -> None:
    ran = recall("review", "gpu", stdin="*\ns\nb\n?\nq\n")
    assert ran.code == 1
    assert [line for line in ran.out.splitlines() if line.startswith("Saved")] == [
        "Saved: marked.",
        "Saved: suspended.",
        "Saved: buried until tomorrow.",
    ]
    assert "3 good" in ran.out
    assert recall("search", "is:suspended is:marked", "--json").json["count"] == 1
    assert recall("search", "is:buried", "--json").json["count"] == 1


def test_what_is_not_understood_changes_nothing(recall: Recall, deck: Path, tmp_path: Path) -> None:
    ran = recall("review", "gpu", stdin="3\n\nseven\n5\nq\n")
    assert "The answer first" in ran.out
    assert "Not understood: 'seven'" in ran.out
    assert "Not understood: '5'" in ran.out
    assert ratings(tmp_path) == []


def test_full_width_digits_and_bad_bytes_are_read(recall: Recall, deck: Path, tmp_path: Path) -> None:
    ran = recall("review", "gpu", stdin=b"\n" + "３\n".encode() + b"\n\xff\xfe\nq\n")
    assert ran.code == 1
    assert ratings(tmp_path) == [("warp-size", 3)]


def test_an_editor_is_not_started_in_a_pipe(recall: Recall, deck: Path) -> None:
    ran = recall("review", "gpu", stdin="e\nq\n", EDITOR="false")
    assert f"The card stands in {deck / 'gpu.md'}, line 6." in ran.out


def test_cram_leaves_the_schedule_alone(recall: Recall, deck: Path) -> None:
    recall("review", "gpu", stdin="\n4\nq\n")
    before = recall("show", "warp-size", "--json").json["cards"][0]["memory"]
    ran = recall("review", "gpu", "--cram", stdin="\n1\n\n3\n\n3\n\n3\n")
    assert "schedule unchanged" in ran.out
    after = recall("show", "warp-size", "--json").json["cards"][0]
    assert after["memory"] == before
    assert "cram" in [row["kind"] for row in after["history"]]


def test_limit_new_and_query_choose(recall: Recall, deck: Path) -> None:
    assert recall("review", "gpu", "--limit", "2", stdin="q\n").out.startswith("0 due, 2 new.")
    assert recall("review", "gpu", "--new", "1", stdin="q\n").out.startswith("0 due, 1 new.")
    assert "A block runs on" in recall("review", "--query", "id:block", stdin="q\n").out
    fault = recall("review", "--query", "is:du")
    assert (fault.code, "query, column 4" in fault.err) == (2, True)
    assert recall("review", "gpuu").code == 2


def test_a_changed_answer_is_said(recall: Recall, deck: Path) -> None:
    recall("review", "gpu", stdin="\n3\nq\n")
    file = deck / "gpu.md"
    file.write_text(file.read_text(encoding="utf-8").replace("**32**", "**64**"), encoding="utf-8")
    assert "Its answer has changed" in recall("review", "--query", "id:warp-size", stdin="q\n").out


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}])
def test_any_terminal_will_do(recall: Recall, deck: Path, variables: dict[str, str]) -> None:
    (deck / "wide.md").write_text("Q: Größe von 张量 🙂?\nA: ½ Ω\nid: wide\n", encoding="utf-8")
    ran = recall("review", "wide", stdin="\n4\n", **variables)
    assert (ran.code, ran.err) == (0, "")


def test_each_day_begins_with_a_backup(recall: Recall, deck: Path, tmp_path: Path) -> None:
    recall("review", "gpu", stdin="q\n")
    assert [file.name for file in (tmp_path / "home" / "backups").iterdir()] == ["daily-2026-03-02.db"]
