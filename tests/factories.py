"""Small real stand-ins: a study and a session in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recall.errors import StoreError
from recall.model.card import Card, CardId, NoteId, Place
from recall.model.fault import Fault
from recall.model.review import DAY_MS, NEW_STATE, CardState, Rating, State
from recall.tui.ports import Phase

LABELS = {Rating.AGAIN: "1 min", Rating.HARD: "6 min", Rating.GOOD: "10 min", Rating.EASY: "8 d"}


class Shown(NamedTuple):
    card: Card
    deck_name: str
    question: str
    answer: str
    kind: str = "text"
    why: str = ""
    hints: tuple[str, ...] = ()
    source: str = ""
    as_of: str = ""
    typed: bool = False
    state: CardState = NEW_STATE
    changed: bool = False
    media: tuple[str, ...] = ()


@dataclass(frozen=True)
class Button:
    rating: Rating
    label: str


@dataclass(frozen=True)
class Counts:
    due: int = 0
    new: int = 0
    again: int = 0
    reviewed: int = 0


@dataclass(frozen=True)
class Rated:
    leech: bool = False


@dataclass(frozen=True)
class Undone:
    what: str
    card: CardId


@dataclass(frozen=True)
class Summary:
    reviewed: int = 0
    by_rating: dict[Rating, int] = field(default_factory=dict)
    seconds: float = 0.0
    first_try: int = 0
    firsts: int = 0
    tomorrow: int = 19
    longest: tuple[str, int, int] | None = ("Var(q·k) = d_k", 21, 48)
    slowest: tuple[str, float] | None = ("KV cache bytes, GQA", 94.0)
    weakest: tuple[str, int] | None = ("warp divergence", 6)


def shown(number: int = 1, question: str = "", answer: str = "", **more: object) -> Shown:
    """A card with all that is not told."""
    question = question or f"Question {number}?"
    card = Card(
        id=CardId(f"card-{number}"),
        deck="gpu/memory",
        kind=str(more.get("kind", "text")),
        title=question,
        revision="r",
        source=f"Q: {question}",
        place=Place("decks/gpu/memory.md", 10 * number),
        position=number,
    )
    return Shown(card, "Memory", question, answer or f"Answer {number}.", **more)  # type: ignore[arg-type]


class FakeSession:
    """The session of some cards in order, with undo and redo over everything."""

    def __init__(self, cards: Sequence[Shown], *, suggested: Rating | None = Rating.GOOD) -> None:
        self._cards = list(cards)
        self._at = 0
        self._revealed = False
        self._hints = 0
        self._done: list[tuple[str, int, Rating | None]] = []
        self._redo: list[tuple[str, int, Rating | None]] = []
        self.suggested = suggested
        self.fail: Exception | None = None
        """Raised by the next call that stores."""
        self.leech = False
        self.closed = False
        self.events: list[str] = []
        self.added: list[str] = []
        self.after_reload: Callable[[Shown], Shown] = lambda card: card
        self.faults: tuple[Fault, ...] = ()

    @property
    def phase(self) -> Phase:
        if self._at >= len(self._cards):
            return "done"
        return "revealed" if self._revealed else "question"

    @property
    def shown(self) -> Shown | None:
        return self._cards[self._at] if self._at < len(self._cards) else None

    @property
    def counts(self) -> Counts:
        left = self._cards[self._at :]
        new = sum(card.state.state is State.NEW for card in left)
        return Counts(len(left) - new, new, 0, len([done for done in self._done if done[2]]))

    @property
    def ratings(self) -> list[Rating]:
        return [rating for _, _, rating in self._done if rating]

    @property
    def waiting_until(self) -> int | None:
        return None

    def resume(self) -> bool:
        return False

    def reveal(self) -> None:
        self._revealed = True

    def hint(self) -> str | None:
        shown = self.shown
        if shown is None or self._hints >= len(shown.hints):
            return None
        self._hints += 1
        return shown.hints[self._hints - 1]

    def buttons(self) -> tuple[Button, ...]:
        return tuple(Button(rating, label) for rating, label in LABELS.items())

    def rate(self, rating: Rating) -> Rated:
        self._store(rating.name.lower(), rating)
        return Rated(self.leech)

    def undo(self) -> Undone | None:
        self._may_fail()
        if not self._done:
            return None
        what, at, rating = self._done.pop()
        self._redo.append((what, at, rating))
        self._at, self._revealed = at, False
        self._hints = 0
        return Undone(what, self._cards[at].card.id)

    def redo(self) -> Undone | None:
        self._may_fail()
        if not self._redo:
            return None
        entry = self._redo.pop()
        self._done.append(entry)
        self._at, self._revealed = entry[1] + 1, False
        return Undone(entry[0], self._cards[entry[1]].card.id)

    def suspend(self) -> None:
        self._store("suspend")

    def bury(self) -> None:
        self._store("bury")

    def forget(self) -> None:
        self._store("forget")

    def set_due(self, days: int) -> None:
        self._store(f"set due {days}")

    def toggle_mark(self) -> None:
        self._may_fail()
        card = self._cards[self._at]
        self._cards[self._at] = card._replace(state=card.state._replace(marked=not card.state.marked))
        self.events.append("mark")

    def reload(self) -> tuple[Fault, ...]:
        self._cards[self._at] = self.after_reload(self._cards[self._at])
        return self.faults

    def source(self) -> Place:
        return self._cards[self._at].card.place

    def add(self, text: str) -> NoteId:
        self._may_fail()
        self.added.append(text)
        return NoteId("new-card")

    def more_new(self, count: int) -> int:
        self._cards += [shown(100 + number) for number in range(count)]
        self._revealed = False
        return count

    def ahead(self) -> int:
        return self.more_new(1)

    def weakest(self, count: int) -> int:
        self.events.append(f"weakest {count}")
        return 0

    def summary(self) -> Summary:
        ratings = self.ratings
        by_rating = {rating: ratings.count(rating) for rating in Rating}
        return Summary(
            len(ratings), by_rating, 24.0 * len(ratings), len(ratings) - by_rating[Rating.AGAIN], len(ratings)
        )

    def close(self) -> None:
        self.closed = True

    def _store(self, what: str, rating: Rating | None = None) -> None:
        self._may_fail()
        self._done.append((what, self._at, rating))
        self._redo.clear()
        self.events.append(what)
        self._at, self._revealed = self._at + 1, False

    def _may_fail(self) -> None:
        if self.fail is not None:
            failure, self.fail = self.fail, None
            raise failure


@dataclass(frozen=True)
class DeckRow:
    deck: str
    name: str
    due: int = 0
    new: int = 0
    total: int = 40
    retention: float | None = None
    hidden: bool = False
    bundled: bool = True


@dataclass(frozen=True)
class Overview:
    decks: tuple[DeckRow, ...] = ()
    due: int = 0
    new: int = 0
    minutes: int = 0
    week: tuple[int, ...] = (0,) * 7
    streak: int = 0
    leeches: tuple[tuple[CardId, str, int], ...] = ()
    faults: tuple[Fault, ...] = ()
    first_run: bool = False
    database: str = "~/.local/share/recall/recall.db"


@dataclass(frozen=True)
class Found:
    id: CardId
    deck: str
    title: str
    state: CardState = NEW_STATE


DECKS = (
    DeckRow("gpu/roofline", "roofline", 5, 1, 40, 0.92),
    DeckRow("gpu/latency-numbers", "latency numbers", 3, 0, 22, 0.89),
    DeckRow("gpu/warps", "warps & occupancy", 4, 2, 31, 0.84),
    DeckRow("gpu/coalescing", "memory coalescing", 0, 0, 18, 0.95),
    DeckRow("training/batch-norm", "batch norm", 2, 0, 20, 0.93),
    DeckRow("training/loss-scaling", "loss scaling", 1, 0, 14, 0.9),
    DeckRow("training/collectives", "collectives", 6, 1, 44, 0.91),
    DeckRow("inference/kv-cache", "KV cache", 3, 1, 25, 0.88),
    DeckRow("inference/paged-attention", "PagedAttention 块表", 0, 12, 12, None),
)
OVERVIEW = Overview(
    decks=DECKS,
    due=24,
    new=17,
    minutes=14,
    week=(31, 40, 22, 35, 41, 12, 0),
    streak=23,
    leeches=((CardId("warp-divergence"), "warp divergence", 6),),
)


class FakeStudy:
    """A study of ready answers."""

    def __init__(self, overview: Overview = OVERVIEW, sessions: Callable[[], FakeSession] | None = None) -> None:
        self.now = overview
        self.make = sessions or (lambda: FakeSession([shown(1), shown(2), shown(3)]))
        self.asked: list[tuple[tuple[str, ...], int | None]] = []
        self.sessions: list[FakeSession] = []
        self.added: list[str] = []
        self.synced = 0
        self.cards = [Found(CardId(f"c{number}"), "gpu/roofline", f"Ridge point, part {number}") for number in range(7)]

    def overview(self) -> Overview:
        return self.now

    def session(
        self,
        decks: Sequence[str] = (),
        query: str = "",
        limit: int | None = None,
        new: int | None = None,
        ahead: bool = False,
        cram: bool = False,
    ) -> FakeSession:
        self.asked.append((tuple(decks), limit))
        self.sessions.append(self.make())
        return self.sessions[-1]

    def wake(self, card: CardId) -> None:
        self.cards = [
            replace(found, state=found.state._replace(suspended=False)) if found.id == card else found
            for found in self.cards
        ]

    def add(self, text: str) -> NoteId:
        self.added.append(text)
        return NoteId("new-card")

    def sync(self) -> None:
        self.synced += 1

    def search(self, query: str, limit: int | None = 50) -> Sequence[Found]:
        if query.startswith("("):
            raise StoreError("a parenthesis is open")
        return [card for card in self.cards if query.lower() in card.title.lower()][:limit]

    def close(self) -> None:
        pass


REVIEWED = CardState(state=State.REVIEW, stability=12.0, difficulty=5.0, due=DAY_MS * 20_000, last_review=0, reps=4)
