"""Every plain statement runs on both databases and names the columns that the tables declare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from recall.model.card import Card, CardId, NoteId, Place
from recall.model.options import Options
from recall.model.query import parse_query
from recall.model.review import DAY_MS, NEW_STATE, Act, CardState, Moment, Rating, Review, ReviewKind, State
from recall.schedule.replay import replay
from recall.schedule.scheduler import answer
from recall.store import columns, daily, index, log, search, sittings, states, tables, upkeep
from recall.store.database import Database

NOW = 1_800_000_000_000
TODAY = NOW // DAY_MS
MOMENT = Moment(NOW, 60)
OPTIONS = Options()
PLAIN = (columns, daily, index, log, search, sittings, states, upkeep)
FULL = Review(
    id=5,
    card=CardId("card-0"),
    session=1,
    shown_at=NOW - 5000,
    rated_at=NOW,
    offset_min=-720,
    rating=Rating.HARD,
    kind=ReviewKind.AHEAD,
    suggested=Rating.GOOD,
    outcome="close",
    answer="2,4e9 ≈ 2.4 GB",
    seed=2**62,
    revision="r",
    thinking_ms=60_000,
    hints=2,
    parts='[{"verdict": "close"}]',
    measurement=2**62,
    source="anki",
)


def fold(card, reviews, events) -> CardState:
    return replay(card, reviews, events, OPTIONS)


def a_card(number: int) -> Card:
    return Card(
        id=CardId(f"card-{number}"),
        deck="gpu/memory",
        kind="text",
        title=f"Frage {number}: Größe?",
        revision="r",
        source=f"Q: Frage {number}: Größe?\nA: 显存 {number} GB\nid: card-{number}\n",
        place=Place("decks/gpu.md", 4 * number + 1),
        tags=("gpu", "größe"),
        position=number,
    )


@pytest.fixture
def stored(database: Database) -> Database:
    """One deck of four cards; the first two rated, the third buried."""
    with database.transaction():
        row = index.IndexedDeck("gpu/memory", "Speicher", "m1", "gpu.md", 2**62, 2**40, 4, False, False, "[]", "o")
        index.write_deck(database, row)
        index.write_cards(database, "gpu/memory", [a_card(n) for n in range(4)], NOW)
    session = log.begin_session(database, "m1", Moment(NOW - 60_000, 60), "{}")
    for number, rating in ((0, Rating.EASY), (1, Rating.AGAIN)):
        review = Review(0, CardId(f"card-{number}"), session, NOW - 5000, NOW, 60, rating, ReviewKind.LEARN)
        log.rate(database, review, "m1", lambda s, r=review: answer(r.card, s, r.rating, MOMENT, OPTIONS))
    log.act(database, [CardId("card-2")], Act.BURY, "m1", MOMENT, fold, value=TODAY + 1)
    return database


# --- columns -------------------------------------------------------------------------------------------------------

DECLARED = {
    table.name: {column.name: column for column in table.columns} for table in tables.SQLModel.metadata.sorted_tables
}


def written(every: bool) -> Iterator[tuple[str, str, list[str]]]:
    """(module, table, columns) of each INSERT in the plain modules; with *every*, of each UPDATE, too."""
    for module in PLAIN:
        text = re.sub(r'"\s*\n\s*f?"', "", Path(str(module.__file__)).read_text(encoding="utf-8"))
        for table, names in re.findall(r"INSERT INTO (\w+) \(([\w, ]+)\)", text):
            if table in DECLARED:
                yield module.__name__, table, names.split(", ")
        if not every:
            continue
        for table, assigned in re.findall(r"UPDATE (\w+) SET ([\w= ?,.]+?)(?: WHERE|\")", text):
            yield module.__name__, table, re.findall(r"(\w+) = (?:\?|NULL|\w)", assigned)


@pytest.mark.parametrize(("module", "table", "names"), list(written(every=True)))
def test_what_is_written_is_declared(module: str, table: str, names: list[str]):
    assert set(names) <= set(DECLARED[table]), module


def test_the_whole_of_a_row_is_written():
    """What an INSERT leaves out may be empty, or is a key that the database makes."""
    found = list(written(every=False))
    assert {table for _, table, _ in found} >= {"card", "content", "deck", "event", "root", "session"}
    for module, table, names in found:
        needed = {name for name, column in DECLARED[table].items() if not column.nullable} - {"pk"}
        assert needed <= set(names), (module, table)


def test_a_state_has_the_columns_of_its_table():
    own = {"card_id", "deck", "position", "absent"}
    assert set(states.STATE_COLUMNS.split(", ")) | own == set(DECLARED["card_state"])
    assert set(states.STATE_COLUMNS.split(", ")) == set(CardState.__annotations__)


def test_a_review_has_the_columns_of_its_table():
    assert set(log._REVIEW_COLUMNS.split(", ")) | {"voided"} == set(DECLARED["review"])


@pytest.mark.parametrize("module", PLAIN, ids=lambda module: module.__name__.rpartition(".")[2])
def test_plain_modules_know_no_orm(module: ModuleType):
    names = {getattr(value, "__module__", "") or "" for value in vars(module).values()}
    assert not {name for name in names if name.startswith(("sqlmodel", "sqlalchemy"))}


# --- statements ----------------------------------------------------------------------------------------------------


def test_daily(stored: Database):
    far = (TODAY + 400) * DAY_MS
    due = daily.due_rows(stored, far, TODAY)
    assert {(row.card, row.deck, State(row.state)) for row in due} == {
        ("card-0", "gpu/memory", State.REVIEW),
        ("card-1", "gpu/memory", State.LEARNING),
    }
    assert daily.new_rows(stored, "gpu/memory", TODAY, 9) == [daily.NewRow(CardId("card-3"), "gpu/memory", 3)]
    assert len(daily.new_rows(stored, "gpu/memory", TODAY + 1, 9)) == 2
    assert [row.introduced for row in daily.done_rows(stored, NOW - 1, NOW + 1)] == [True, True]
    assert daily.done_rows(stored, NOW + 1, NOW + 2) == []
    assert daily.counts_by_deck(stored, NOW + DAY_MS, TODAY + 400) == (
        {"gpu/memory": 1},
        {"gpu/memory": 1},
        {"gpu/memory": 2},
    )
    assert daily.note_text(stored, NoteId("card-1")) == daily.NoteText(a_card(1).source, "decks/gpu.md", 5)
    assert daily.note_text(stored, NoteId("none")) is None
    assert daily.card_facts(stored, CardId("card-1")) == daily.CardFacts("gpu/memory", "text", a_card(1).title, "r")
    assert daily.card_facts(stored, CardId("none")) is None
    assert not daily.is_absent(stored, CardId("card-1"))
    assert daily.is_absent(stored, CardId("none"))
    assert [row.card for row in daily.cards_by_due(stored, NOW, TODAY, 5)] == ["card-0"]
    assert [row.card for row in daily.all_rows(stored)] == [f"card-{n}" for n in range(4)]
    whole = daily.stored_card(stored, CardId("card-0"))
    assert whole is not None
    assert (whole.facts.deck, whole.absent, whole.text.line, whole.last_revision) == ("gpu/memory", False, 1, "")
    assert whole.state == states.state_of(stored, CardId("card-0"))
    fresh = daily.stored_card(stored, CardId("card-3"))
    assert fresh is not None
    assert (fresh.last_revision, fresh.state) == (None, NEW_STATE)
    assert daily.stored_card(stored, CardId("none")) is None


def test_log(stored: Database):
    log.insert_review(stored, FULL)
    names = log._REVIEW_COLUMNS
    row = stored.execute(f"SELECT {names} FROM review WHERE id = 5").fetchone()
    assert tuple(row) == (
        *(5, "card-0", 1, NOW - 5000, NOW, -720, 2, 3, 3, "close", "2,4e9 ≈ 2.4 GB", 2**62, "r", 60_000, 2),
        *('[{"verdict": "close"}]', 2**62, "anki"),
    )
    stored.execute("DELETE FROM review WHERE id = 5")
    assert [event.act for event in log.logged_events(stored, CardId("card-2"))] == ["bury"]
    done = [log.undo(stored, "m1", MOMENT, fold) for _ in range(4)]
    assert [undone and undone.what for undone in done] == ["bury", "rating", "rating", None]
    assert [log.redo(stored, "m1", fold) is not None for _ in range(4)] == [True, True, True, False]
    session = stored.execute("SELECT max(id) FROM session").fetchone()[0]
    log.end_session(stored, session, MOMENT)
    assert stored.execute("SELECT ended_at FROM session").fetchall()[0][0] == NOW
    log.act(stored, [CardId("card-3")], Act.DISPUTE, "m1", MOMENT, fold, text="said so")
    assert log.refold_card(stored, CardId("card-0"), fold) == states.state_of(stored, CardId("card-0"))
    index.forget_deck(stored, "gpu/memory", NOW)
    assert log.relink_note(stored, NoteId("card-0"), NoteId("card-1"), "m1", MOMENT) == [], "it has a history"
    assert log.relink_note(stored, NoteId("card-0"), NoteId("card-3"), "m1", MOMENT) == ["card-3"]
    assert len(log.logged_reviews(stored, CardId("card-3"))) == 1


def test_index(stored: Database):
    for prefix in ("", "x/"):
        index.add_root(stored, "m1", index.Root("/decks", prefix), NOW)
    assert index.roots(stored, "m1") == [index.Root("/decks", "x/")]
    assert index.roots(stored, "m2") == []
    (deck,) = index.decks(stored)
    assert (deck.name, deck.modified_ns, deck.size, deck.hidden, deck.missing) == (
        "Speicher",
        2**62,
        2**40,
        False,
        False,
    )
    index.write_options(stored, "gpu/memory", "p")
    index.hide(stored, "gpu/memory", hidden=True)
    assert index.decks(stored)[0].options == "p"
    assert daily.all_rows(stored) == []
    index.hide(stored, "gpu/memory", hidden=False)
    assert index.decks_of(stored, ["card-1", "none"]) == {"card-1": "gpu/memory"}
    assert index.forget_deck(stored, "gpu/memory", NOW) == 4
    assert index.decks(stored)[0].missing
    index.index_all_words(stored)


def test_sittings(stored: Database):
    session = stored.execute("SELECT id FROM session").fetchone()[0]
    assert [(row.card, row.rating) for row in sittings.ratings_of(stored, session)] == [("card-0", 4), ("card-1", 1)]
    assert [ms for ms, _ in sittings.moments_since(stored, NOW)] == [NOW, NOW]
    assert sittings.moments_since(stored, NOW + 1) == []
    assert sittings.has_review_between(stored, NOW, NOW + 1)
    assert not sittings.has_review_between(stored, NOW - 9, NOW)
    assert sittings.seconds_per_review(stored) == 0
    assert sittings.retention_by_deck(stored, 0) == {}
    review = Review(0, CardId("card-0"), session, NOW, NOW, 60, Rating.GOOD, ReviewKind.REVIEW)
    log.rate(stored, review, "m1", lambda s: s)
    assert sittings.retention_by_deck(stored, 0) == {"gpu/memory": (1, 1)}
    assert sittings.leeches(stored, 1) == []
    stored.execute("UPDATE card_state SET lapses = 3 WHERE card_id = 'card-1'")
    assert sittings.leeches(stored, 1) == [sittings.LeechRow(CardId("card-1"), a_card(1).title, 3)]
    assert sittings.due_on(stored, 0, NOW + DAY_MS) == 1
    assert sittings.has_reviews(stored)


def test_states(stored: Database):
    full = CardState(State.RELEARNING, 1, 12.25, 7.5, NOW, NOW - 1, TODAY, 9, 3, True, TODAY + 1, True)
    states.write_state(stored, CardId("card-3"), full)
    assert states.state_of(stored, CardId("card-3")) == full
    states.update_states(stored, [(CardId("card-3"), NEW_STATE), (CardId("card-0"), full)])
    assert states.state_of(stored, CardId("card-3")) == NEW_STATE
    assert states.state_of(stored, CardId("card-0")) == full
    assert states.state_of(stored, CardId("none")) is None


def test_columns(stored: Database):
    for decks, size in ((None, 4), (["gpu/memory"], 4), (["other"], 0)):
        loaded = columns.load(stored, decks)
        assert len(loaded.cards) == size
        assert len(loaded.reviews.rating) == size // 2
        assert len(loaded.events) == size // 4
        found = columns.stored_states(stored, decks)
        assert [found.card(n) for n in range(size)] == [states.state_of(stored, card) for card in loaded.cards]
    loaded = columns.load(stored)
    assert loaded.reviews.rated_at.tolist() == [NOW, NOW]
    assert loaded.reviews.offset_min.tolist() == [60, 60]
    assert loaded.reviews.rating.tolist() == [4, 1]
    columns.write(stored, loaded.cards, columns.stored_states(stored), range(4))


TERMS = [
    *("Frage", '"Frage 1"', "frag", "GRÖSSE or größe", "显存", "≤", "-frage", "(frage or 显存) -1"),
    *("deck:gpu", "deck:g*", "tag:größe", "tag:none", "kind:text", "id:card-*"),
    *(f"is:{standing}" for standing in ("due", "new", "learning", "review", "suspended", "buried", "leech")),
    *(f"is:{standing}" for standing in ("marked", "orphan", "measured", "stale")),
    *("due:<3d", "due:-1", "due:>=0", "r:<0.9", "r:>0.5", "r:=1", "r:>0", "r:<0%", "r:!=0.7", "s:>1d", "d:>=1"),
    *("lapses:>=1", "reps:!=0", "rated:1", "rated:>1", "rated:7:4", "added:<7d", "added:0"),
]


def test_every_term_of_a_query_runs(stored: Database):
    today = search.Today(TODAY, 60, 4, 8, lambda retrievability: OPTIONS.desired_retention / retrievability, NOW)
    every = {f"card-{n}" for n in range(4)}
    for query in TERMS:
        node = parse_query(query)
        found = {card.id for card in search.find(stored, node, today)}
        assert search.count(stored, node, today) == len(found), query
        rest = {card.id for card in search.find(stored, parse_query(f"-({query})"), today)}
        assert not found & rest, query
        assert "orphan" in query or found | rest == every, query


def test_upkeep(stored: Database, tmp_path):
    assert upkeep.integrity_faults(stored) == []
    file = tmp_path / "copy.db"
    upkeep.backup(stored, file, NOW)
    upkeep.restore(stored, file, NOW, index.index_all_words)
    assert [row.card for row in daily.all_rows(stored)] == [f"card-{n}" for n in range(4)]
