"""Draw the pictures of README.md: the real app with the shipped decks and a month of reviews made up for the occasion.

    python docs/make_pictures.py

Writes `docs/img/*.svg`. The time is frozen and the reviews are drawn from a seed, so a second run changes nothing that
the app did not change.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recall.clock import FrozenClock
from recall.model.review import Rating
from recall.settings import load_settings
from recall.study.study import Study, open_study
from recall.tui.app import RecallApp
from recall.tui.surroundings import Surroundings

PICTURES = Path(__file__).parent / "img"
NOW = datetime(2026, 12, 1, 8, 41, tzinfo=UTC)
DAYS = 30


def study_on(moment: datetime) -> Study:
    """The study at an instant; the decks are read."""
    study = open_study(load_settings(), FrozenClock(moment))
    study.sync()
    return study


def live_through(days: int) -> None:
    """Review every morning for *days* days before today, as a learner who knows most of it."""
    draw = random.Random(7)
    for day in range(days, 0, -1):
        if draw.random() < 0.1:
            continue
        study = study_on(NOW - timedelta(days=day, minutes=draw.randrange(90)))
        session = study.session(limit=30, new=6)
        for _ in range(40):
            if session.phase == "done":
                break
            session.reveal()
            session.rate(draw.choices(list(Rating), weights=(9, 8, 70, 13))[0])
        session.close()
        study.close()


async def draw(name: str, size: tuple[int, int], theme: str, keys: tuple[str, ...] = (), query: str = "") -> None:
    """One picture of the app after *keys*: of home, or of a session with the cards of *query*."""
    study = study_on(NOW)
    session = study.session(query=query, new=9) if query else None
    app = RecallApp(
        study,
        start="review" if session else "home",
        session=session,
        theme=theme,
        surroundings=Surroundings(clock=study.clock),
    )
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        (PICTURES / f"{name}.svg").write_text(app.export_screenshot(title="recall"), encoding="utf-8")
    study.close()


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ["RECALL_HOME"] = home
        live_through(DAYS)
        asyncio.run(draw("home", (100, 20), "recall-light"))
        asyncio.run(draw("review", (100, 33), "recall-dark", ("space",), "id:lat-h100-ladder"))
        asyncio.run(draw("help", (80, 24), "recall-dark", ("f1",), "deck:paged-attention"))


if __name__ == "__main__":
    main()
