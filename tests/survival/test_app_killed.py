"""`kill -9` at any moment of the app: what was seen as reviewed is in the log, and the next start goes on."""

from __future__ import annotations

import random
import re
import signal
from pathlib import Path

import pytest

from folds import differing_cards
from program import Recall
from sessions import ratings
from terminal import App, text_of

FIRST_CARD = "show answer"
# Rate, take it back, rate again; the moments between are where a kill could part log and state.
KEYS = " 4 3 1u2" * 5


@pytest.mark.parametrize("kills", [pytest.param(4, id="4"), pytest.param(150, id="150", marks=pytest.mark.slow)])
def test_every_rating_that_was_seen_survives(recall: Recall, app: App, many: Path, database: Path, kills: int) -> None:
    moments = random.Random(20260303)
    for number in range(kills):
        before = len(ratings(database))
        terminal = app("review", "many")
        waited = 0
        if number % 4 == 3:
            # While it starts: the index, the session's row, the day's backup.
            terminal.for_a_while(moments.uniform(0.0, 1.0))
        else:
            terminal.until(FIRST_CARD)
            waited = moments.randrange(4)
            for count in range(1, waited + 1):
                terminal.type(" 4")
                terminal.until(f"reviewed {count} ")
            terminal.type(KEYS)
            terminal.for_a_while(moments.uniform(0.0, 0.4))
        terminal.signal(signal.SIGKILL)
        assert terminal.ended() == -signal.SIGKILL
        drawn = re.findall(r"reviewed (\d+)", text_of(terminal.output))
        seen = int(drawn[-1]) if drawn else 0
        terminal.close()
        stored = len(ratings(database)) - before
        # The screen lags behind the log. After the keys that were waited for, one rating may be taken back, not two.
        assert stored >= max(waited, seen - 1), f"{seen} were seen, {stored} are stored"
        assert differing_cards(database) == []
    assert recall("doctor", "--json").json["healthy"] is True
    last = app("review", "many")
    last.until(FIRST_CARD)
    last.type(" 3")
    last.until("reviewed 1")
    last.type("q")
    assert last.ended() == 0
