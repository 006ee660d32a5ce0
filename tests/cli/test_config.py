"""`recall config`: what is set, where it comes from, and changing it."""

from __future__ import annotations

from pathlib import Path

from program import Recall


def test_settings_are_listed_with_where_they_come_from(recall: Recall, tmp_path: Path) -> None:
    assert recall("config", "theme", "light").out == f'theme  "light"  {tmp_path / "home" / "config.toml"}:1\n'
    ran = recall("config", RECALL_MATH="source")
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["math", '"source"', "RECALL_MATH"] in lines
    assert ["rollover_hour", "4", "default"] in lines


def test_a_deck_has_its_own_value(recall: Recall) -> None:
    recall("config", "new_per_day", "5", "--deck", "gpu::memory.md")
    inherited = recall("config", "new_per_day", "--deck", "gpu/memory/hbm", "--json").json["settings"]
    assert isinstance(inherited, list)
    assert (inherited[0]["value"], inherited[0]["deck"], inherited[0]["layer"]) == (5, "gpu/memory", "file")
    assert "new_per_day (gpu/memory)  5" in " ".join(recall("config").out.split()).replace(") ", ")  ")
    assert recall("config", "new_per_day", "--deck", "gpu/memory", "--unset").code == 0
    assert "20" in recall("config", "new_per_day", "--deck", "gpu/memory").out


def test_a_bad_value_changes_nothing(recall: Recall, tmp_path: Path) -> None:
    ran = recall("config", "desired_retention", "1.5")
    assert (ran.code, ran.out) == (2, "")
    assert "must be a number from 0.7 to 0.99" in ran.err
    assert not (tmp_path / "home" / "config.toml").exists()


def test_it_says_when_a_variable_wins_over_what_was_written(recall: Recall) -> None:
    assert "RECALL_THEME is set" in recall("config", "theme", "light", RECALL_THEME="dark").err


def test_a_password_is_not_printed(recall: Recall) -> None:
    url = "postgresql+psycopg://me:s3cret@db/recall"
    ran = recall("config", "database_url", url)
    listed = recall("config", "--json")
    assert "me:***@db" in ran.out
    assert "s3cret" not in ran.out + ran.err + listed.out + recall("config", RECALL_DATABASE_URL=url).out
