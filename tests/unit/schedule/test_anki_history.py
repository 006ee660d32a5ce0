"""Memory states that Anki stored, rebuilt from the review logs that it kept.

The files were read back through Anki 26.09 from collections that it wrote itself; late reviews between midnight
and four o'clock and a change to summer time are among them.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from recall.clock import ZoneClock
from recall.model.card import CardId
from recall.model.options import Options
from recall.model.review import Moment, ReviewKind, State
from recall.schedule.days import date_of
from recall.schedule.replay import ReviewRow, replay

DATA = Path(__file__).parents[2] / "data" / "anki"


def kind_of(row: dict[str, Any]) -> ReviewKind:
    """Our kind of an Anki row: those without a rating forget (factor 0) or only move the due day."""
    match row["kind"]:
        case "learning":
            return ReviewKind.LEARN
        case "review":
            return ReviewKind.REVIEW
        case "relearning":
            return ReviewKind.RELEARN
        case "filtered":
            return ReviewKind.REVIEW if row["factor"] else ReviewKind.FILTERED
        case "manual":
            return ReviewKind.MANUAL if row["factor"] else ReviewKind.RESET
        case _:
            return ReviewKind.MANUAL


def options_of(preset: dict[str, Any]) -> Options:
    return Options(
        parameters=tuple(preset["fsrs_params_6"]),
        desired_retention=preset["desired_retention"],
        learning_steps_s=tuple(int(60 * step) for step in preset["learning_steps_min"]),
        relearning_steps_s=tuple(int(60 * step) for step in preset["relearning_steps_min"]),
        maximum_interval=preset["max_interval"],
    )


@pytest.mark.parametrize(("name", "states"), [("history.apkg", 44), ("collection.colpkg", 16)])
def test_every_stored_memory_state_follows_from_the_log(name: str, states: int) -> None:
    """Anki keeps stability to 4 decimals and difficulty to 3, and reckons in 32 bits."""
    expected = json.loads((DATA / f"{name}.expected.json").read_text(encoding="utf-8"))
    clock = ZoneClock(ZoneInfo(expected["summary"]["timezone"]))
    by_retention = {preset["desired_retention"]: preset for preset in expected["presets"]}
    log: dict[int, list[ReviewRow]] = {}
    for row in sorted(expected["revlog"], key=lambda row: row["id"]):
        moment: Moment = clock.at(row["id"])
        log.setdefault(row["card"], []).append(
            ReviewRow(row["id"], moment.ms, moment.offset_min, row["rating"], kind_of(row))
        )
    rebuilt = 0
    for card in expected["cards"]:
        if card.get("stability") is None:
            continue
        rebuilt += 1
        options = options_of(by_retention[card["desired_retention"]])
        state = replay(CardId(str(card["id"])), log[card["id"]], (), options)
        assert state.stability == pytest.approx(card["stability"], rel=1e-3)
        assert state.difficulty == pytest.approx(card["difficulty"], abs=2e-3)
        assert state.state.name.lower() == card["state"]
        last = datetime.fromisoformat(card["last_review_utc"])
        assert state.last_review // 1000 == int(last.timestamp())
        if state.state is State.RELEARNING:
            assert state.due == pytest.approx(datetime.fromisoformat(card["due_utc"]).timestamp() * 1000, abs=150_000)
        assert date_of(state.last_day) <= last.astimezone(ZoneInfo(expected["summary"]["timezone"])).date()
    assert rebuilt == states
