"""Finding cards: every term of the query language, the same on both databases."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

import pytest

from databases import DIALECTS, fresh_url
from learner import Learner, MovedClock, asked, at_home
from recall.errors import UsageError
from recall.model.review import Rating
from recall.study.searching import count_cards
from recall.study.study import Study

GPU = """---
tags = ["gpu", "50%_off"]
---

Q: How many threads has a warp?
A: 32 on every NVIDIA GPU; see `warp_size` in CUDA.
tags: warps
id: warp

C: HBM3 moves [3.35 TB/s]{rate}, which is ≤ 4 TB/s.
id: hbm

Q: 什么是显存?
A: 显卡的内存。
id: cjk

Q: Was sagt Schrödinger über Größe?
A: Naïve café, Ελλάδα, Ångström.
id: accents
"""
OTHER = """Q: What does a warped warp scheduler do?
A: It issues instructions; \\% of peak.
id: scheduler

Q: Rare word?
A: Zyzzyva
id: rare
"""


@pytest.fixture(scope="module", params=DIALECTS)
def study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Study]:
    """One collection for all queries: two cards learnt four days ago, one again today, one at rest, one orphan."""
    place = tmp_path_factory.mktemp("search")
    with pytest.MonkeyPatch.context() as patch, fresh_url(request.param, place) as url:
        at_home(patch, place / "home")
        learner = Learner(place / "home", place / "decks", "sqlite" if request.param == "sqlite" else url, MovedClock())
        learner.configure("fuzz = false\nleech_threshold = 1\n")
        learner.write("gpu/memory", GPU)
        learner.write("other", OTHER + "\nQ: Gone?\nA: Orphan.\nid: gone\n")
        made = learner.open()
        asked(made.session(query="id:warp or id:hbm"))
        learner.clock.pass_by(days=4)
        learner.write("other", OTHER)
        made.sync()
        made.session(query="id:cjk").rate(Rating.AGAIN)
        session = made.session(query="id:rare")
        session.toggle_mark()
        session.suspend()
        made.session(query="id:accents").bury()
        yield made
        learner.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("warp", {"warp", "scheduler"}),
        ("WARP", {"warp", "scheduler"}),
        ("war", {"warp", "scheduler"}),
        ('"war"', set()),
        ('"warp scheduler"', {"scheduler"}),
        ('"scheduler warp"', set()),
        ("warp scheduler", {"scheduler"}),
        ("warp -scheduler", {"warp"}),
        ("warp_size", {"warp"}),
        ("schrodinger", {"accents"}),
        ("SCHRÖDINGER", {"accents"}),
        ("größe", {"accents"}),
        ("naive cafe", {"accents"}),
        ("ελλαδα", {"accents"}),
        ("显存", {"cjk"}),
        ("存", {"cjk"}),
        ("存显", set()),
        ("显 内", {"cjk"}),
        ("3.35", {"hbm/rate"}),
        ("≤", {"hbm/rate"}),
        ('"≤ 4"', {"hbm/rate"}),
        ("\\\\%", {"scheduler"}),
        ("zyzzyva or 显存", {"rare", "cjk"}),
        ("(zyzzyva or 显存) -is:suspended", {"cjk"}),
        ("-(zyzzyva or 显存) deck:other", {"scheduler"}),
        ("deck:gpu", {"warp", "hbm/rate", "cjk", "accents"}),
        ("deck:GPU/memory", {"warp", "hbm/rate", "cjk", "accents"}),
        ("deck:gp", set()),
        ("deck:*mem*", {"warp", "hbm/rate", "cjk", "accents"}),
        ("tag:warps", {"warp"}),
        ("tag:50%_off -tag:warps kind:text", {"cjk", "accents"}),
        ("tag:50", set()),
        ("tag:none", {"scheduler", "rare"}),
        ("kind:cloze", {"hbm/rate"}),
        ("id:hbm", {"hbm/rate"}),
        ("id:hbm/rate", {"hbm/rate"}),
        ("id:*a*", {"warp", "hbm/rate", "accents", "rare"}),
        ("is:new deck:other", {"scheduler", "rare"}),
        ("is:learning", {"cjk"}),
        ("is:review", {"warp", "hbm/rate"}),
        ("is:suspended", {"rare"}),
        ("is:marked", {"rare"}),
        ("is:buried", {"accents"}),
        ("is:due", set()),
        ("is:leech", set()),
        ("is:measured or is:stale", set()),
        ("is:orphan", {"gone"}),
        ("-is:orphan deck:other", {"scheduler", "rare"}),
        ("orphan", set()),
        ("due:<5", {"warp", "hbm/rate", "cjk"}),
        ("due:<4", {"cjk"}),
        ("due:4", {"warp", "hbm/rate"}),
        ("due:0", {"cjk"}),
        ("s:>1d", {"warp", "hbm/rate"}),
        ("s:<1d", {"cjk"}),
        ("d:>=1", {"warp", "hbm/rate", "cjk"}),
        ("r:<0.99", {"warp", "hbm/rate"}),
        ("r:>=99%", {"cjk"}),
        ("r:>0.9", {"warp", "hbm/rate", "cjk"}),
        ("r:<0.5", set()),
        ("reps:1", {"warp", "hbm/rate", "cjk"}),
        ("lapses:>0", set()),
        ("rated:1", {"cjk"}),
        ("rated:5", {"warp", "hbm/rate", "cjk"}),
        ("rated:>=4", {"warp", "hbm/rate"}),
        ("rated:5:4", {"warp", "hbm/rate"}),
        ("rated:5:1", {"cjk"}),
        ("added:1 deck:gpu", set()),
        ("added:5 deck:other", {"scheduler", "rare"}),
    ],
)
def test_a_query_finds(study: Study, query: str, expected: set[str]):
    everywhere = query if "deck:" in query or "is:orphan" in query else f"({query}) (deck:gpu or deck:other)"
    assert {card.id for card in study.search(everywhere)} == expected
    assert count_cards(study, everywhere) == len(expected)


def test_cards_come_in_the_order_of_their_decks(study: Study):
    found = [card.id for card in study.search("deck:gpu or deck:other")]
    assert found == ["warp", "hbm/rate", "cjk", "accents", "scheduler", "rare"]
    assert [card.id for card in study.search("deck:gpu or deck:other", 2)] == found[:2]


def test_what_is_found_is_told_whole(study: Study):
    (card,) = study.search("id:warp")
    assert (card.deck, card.kind, card.title) == ("gpu/memory", "text", "How many threads has a warp?")
    assert card.tags == ("gpu", "50%_off", "warps")
    assert card.state.reps == 1


@pytest.mark.parametrize("query", ["(", "is:", "warp or", 'a "b', "r:2", "nosuch:field", "rated:x", "due:<"])
def test_a_query_that_cannot_be_read_is_told(study: Study, query: str):
    with pytest.raises(UsageError, match="column"):
        study.search(query)


@pytest.mark.parametrize(
    "query", ["", " ", '"*"', "*", "'", "\\", "a\0b", "'; DROP TABLE card; --", "x" * 5000, "%", "?", "&|!:*<->"]
)
def test_no_query_breaks_anything(study: Study, query: str):
    with suppress(UsageError):
        study.search(query)
    assert len(study.search("deck:gpu or deck:other")) == 6
