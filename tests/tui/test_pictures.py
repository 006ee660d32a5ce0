"""Snapshots: what each screen draws, as text with the style of each run.

Run with `RECALL_UPDATE_SNAPSHOTS=1` to write them anew, and look at the difference.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

import drawn
import factories
from drawn import app_on
from factories import FakeSession, shown
from recall.prose.marks import HOLE_CLOSE, HOLE_OPEN
from recall.tui.app import RecallApp
from recall.tui.glyphs import ASCII

SNAPSHOTS = Path(__file__).with_name("snapshots")
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "44x20": (44, 20)}
CARD = """A model has **7 × 10⁹** parameters in `bf16`, and $N = 8$ GPUs. What does *each GPU* send?

- reduce-scatter, see [the guide](https://docs.example)
- all-gather 显存带宽
  1. nested

| dtype | bytes | 备注 |
|:--|--:|:-:|
| fp16 | 2 | 半精度 |
| fp8 | 1 | e4m3 |

```python
def copy(a):  # one read
    return a[0] + 0.5
```

> Memory moves, then compute. ŷ x̂ é 👍

![roofline](roof.png)"""


def card_app(theme: str) -> RecallApp:
    cards = [
        shown(1, CARD, "**24.5 GB**", why="Two phases.", source="Patarasuk and Yuan, 2009", hints=("Count phases.",)),
        shown(2, f"A warp is {HOLE_OPEN}…{HOLE_CLOSE} threads.", "", kind="cloze"),
    ]
    return app_on(FakeSession(cards), theme=theme, minimum_size=(44, 15))


def home_app(theme: str) -> RecallApp:
    return app_on(theme=theme, minimum_size=(44, 15))


def first_app(theme: str) -> RecallApp:
    return app_on(overview=replace(factories.OVERVIEW, first_run=True), theme=theme, minimum_size=(44, 15))


SCREENS = {
    "question": (card_app, ()),
    "revealed": (card_app, ("space",)),
    "cloze": (card_app, ("space", "3")),
    "summary": (card_app, ("space", "3", "space", "1")),
    "help": (card_app, ("f1",)),
    "home": (home_app, ()),
}


@pytest.mark.parametrize("theme", ["recall-dark", "recall-light", "recall-mono"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_screens_look_as_they_did(name: str, size: str, theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, keys = SCREENS[name]
    app = make(theme)
    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await pilot.pause()
        seen = drawn.styled(app)
        assert drawn.widths(app) == {SIZES[size][0]}, "every row is exactly as wide as the screen"
    file = SNAPSHOTS / f"{name}-{size}-{theme.removeprefix('recall-')}.txt"
    if os.environ.get("RECALL_UPDATE_SNAPSHOTS"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [*SIZES, "60x15", "200x60", "1x1", "3x60"])
async def test_no_row_is_wider_than_the_screen(size: str) -> None:
    """Also with Chinese, emoji, combining marks, and when almost nothing fits."""
    columns, rows = map(int, size.split("x"))
    for make, keys in SCREENS.values():
        app = make("recall-dark")
        async with app.run_test(size=(columns, rows)) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            assert drawn.widths(app) <= {columns}


async def test_the_ascii_twin_draws_no_other_character() -> None:
    app = app_on(FakeSession([shown(1, "- a\n  - b\n\n> c\n\n| a |\n|--|\n| b |\n\n---", why="w")]), glyphs=ASCII)
    async with app.run_test() as pilot:
        await pilot.press("space")
        assert drawn.text(app).isascii()
    home = app_on(overview=replace(factories.OVERVIEW, decks=factories.DECKS[:7]), glyphs=ASCII)
    async with home.run_test() as pilot:
        await pilot.pause()
        assert drawn.text(home).isascii()
