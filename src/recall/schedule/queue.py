"""The order of a session: what comes next, from the due and new cards of a study day. Pure, no clock of its own.

Learning cards come at their time, before all others. Due cards come most urgent first, new cards among them
as the options say, both within the daily limits of their decks. When nothing else is left, a learning card
may come up to `LEARN_AHEAD_MS` early. Of the cards of one note, one comes a day (option `bury_siblings`).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain as concatenated
from itertools import islice
from typing import Literal, NamedTuple

from recall.model.card import CardId, NoteId, note_of
from recall.model.options import Options
from recall.model.review import DAY_MS, CardState, State
from recall.schedule.memory import arithmetic_for
from recall.schedule.order import Due, Unseen, limits, mixed, new_in_order, urgency_by

LEARN_AHEAD_MS = 20 * 60_000
"""How early a learning card may come when nothing else is left; Anki's default."""

Kind = Literal["due", "new", "learning"]


class Remaining(NamedTuple):
    """Cards that a session still holds, the shown one included."""

    due: int
    new: int
    learning: int


class Done(NamedTuple):
    """What was done today: for limits and siblings."""

    cards: Collection[CardId] = ()
    """Cards answered today."""
    new: Mapping[str, int] = {}
    """New cards introduced, by deck."""
    reviews: Mapping[str, int] = {}
    """Due cards answered, by deck."""


class Queue:
    """The cards of one session.

    `next` takes a card; then `after_rating`, `come_back`, `remove` or `put_back` says what became of it.
    """

    def __init__(self, learn_ahead_ms: int = LEARN_AHEAD_MS) -> None:
        self._learn_ahead_ms = learn_ahead_ms
        self._waiting: list[tuple[int, CardId]] = []
        """Heap of learning cards by due instant; an entry counts only while `_due_at` agrees with it."""
        self._due_at: dict[CardId, int] = {}
        self._front: list[CardId] = []
        """Cards put back, last first."""
        self._row: list[CardId] = []
        """Due and new cards, the next one last."""
        self._kind: dict[CardId, Kind] = {}
        """Every card that the session holds."""
        self._count: dict[Kind, int] = {"due": 0, "new": 0, "learning": 0}
        self._spare: dict[Literal["due", "new"], Iterator[CardId]] = {"due": iter(()), "new": iter(())}
        self._shown: CardId | None = None
        self._last: CardId | None = None

    # Building

    def add_learning(self, cards: Iterable[tuple[CardId, int]]) -> None:
        """Add learning cards with the instants at which they come."""
        for card, due in cards:
            self._hold(card, "learning")
            self._due_at[card] = due
            self._waiting.append((due, card))
        heapq.heapify(self._waiting)

    def add(
        self, due: Sequence[CardId], new: Sequence[CardId], mix: Literal["spread", "new_first", "new_last"]
    ) -> None:
        """Add due and new cards, mixed, behind those already there; cards that the queue holds are left out."""
        due = [card for card in due if card not in self._kind]
        new = [card for card in new if card not in self._kind]
        for card in due:
            self._hold(card, "due")
        for card in new:
            self._hold(card, "new")
        self._row = mixed(due, new, mix)[::-1] + self._row

    def keep_spare(self, due: Iterator[CardId], new: Iterator[CardId]) -> None:
        """Remember cards beyond the limits, which `more` brings."""
        self._spare = {"due": due, "new": new}

    def more(self, kind: Literal["due", "new"], count: int) -> int:
        """Add up to *count* cards beyond today's limit; returns how many there were."""
        spare = (card for card in self._spare[kind] if card not in self._kind)
        found = list(islice(spare, count))
        self.add(found if kind == "due" else [], found if kind == "new" else [], "new_last")
        return len(found)

    # Going through

    def next(self, now_ms: int) -> CardId | None:
        """The card to show at *now_ms*; None when none is left or all wait longer than the learn-ahead.

        Until one of the other methods says what became of it, the same card is returned again.
        """
        if self._shown is None:
            card = self._front_card() or self._waiting_card(now_ms) or self._row_card()
            self._shown = card or self._early_card(now_ms + self._learn_ahead_ms)
            if self._shown is not None:
                self._last = self._shown
        return self._shown

    def next_waiting(self) -> int | None:
        """The instant at which the first learning card comes, or None."""
        self._drop_stale()
        return self._waiting[0][0] if self._waiting else None

    def after_rating(self, card: CardId, state: CardState) -> None:
        """*card* was rated and is now in *state*: it comes back after its step, or leaves the session."""
        self._let_go(card)
        if state.state in (State.LEARNING, State.RELEARNING) and not state.suspended:
            self.come_back(card, state.due)

    def come_back(self, card: CardId, due: int) -> None:
        """*card* comes again at the instant *due*, as a learning card."""
        self._let_go(card)
        self._hold(card, "learning")
        self._due_at[card] = due
        heapq.heappush(self._waiting, (due, card))

    def remove(self, card: CardId) -> None:
        """*card* leaves the session: suspended, buried or gone."""
        self._let_go(card)

    def put_back(self, card: CardId, state: CardState) -> None:
        """Undo: *card*, now again in *state*, comes next; the shown card follows it."""
        shown = self._shown
        if shown is not None and shown != card:
            self._front.append(shown)
        self._let_go(card)
        kind: Kind = "new" if state.state is State.NEW else "due" if state.state is State.REVIEW else "learning"
        self._hold(card, kind)
        self._front.append(card)
        self._shown = None

    def kind_of(self, card: CardId) -> Kind | None:
        """What *card* comes as; None when the session does not hold it."""
        return self._kind.get(card)

    @property
    def remaining(self) -> Remaining:
        """Cards left by kind, the shown one included."""
        return Remaining(self._count["due"], self._count["new"], self._count["learning"])

    def __len__(self) -> int:
        return len(self._kind)

    def __contains__(self, card: object) -> bool:
        return card in self._kind

    # Inside

    def _hold(self, card: CardId, kind: Kind) -> None:
        held = self._kind.get(card)
        if held is not None:
            self._count[held] -= 1
        self._kind[card] = kind
        self._count[kind] += 1

    def _let_go(self, card: CardId) -> None:
        # Entries in the row and the heap stay and are passed over: `_kind` and `_due_at` say what holds.
        kind = self._kind.pop(card, None)
        if kind is not None:
            self._count[kind] -= 1
        self._due_at.pop(card, None)
        if card in self._front:
            self._front.remove(card)
        if self._shown == card:
            self._shown = None

    def _front_card(self) -> CardId | None:
        return self._front.pop() if self._front else None

    def _row_card(self) -> CardId | None:
        while self._row:
            card = self._row.pop()
            if self._kind.get(card) in ("due", "new"):
                return card
        return None

    def _waiting_card(self, until_ms: int) -> CardId | None:
        self._drop_stale()
        if self._waiting and self._waiting[0][0] <= until_ms:
            card = heapq.heappop(self._waiting)[1]
            del self._due_at[card]
            return card
        return None

    def _early_card(self, until_ms: int) -> CardId | None:
        """A learning card before its time, and if possible not the one that was shown last."""
        first = self._waiting_card(until_ms)
        if first is None or first != self._last:
            return first
        other = self._waiting_card(until_ms)
        if other is None:
            return first
        # Both come early anyway, so the one just seen waits for the other.
        self._due_at[first] = until_ms
        heapq.heappush(self._waiting, (until_ms, first))
        return other

    def _drop_stale(self) -> None:
        while self._waiting and self._due_at.get(self._waiting[0][1]) != self._waiting[0][0]:
            heapq.heappop(self._waiting)


def build_queue(
    due: Iterable[Due],
    new: Iterable[Unseen],
    day: int,
    options_of: Callable[[str], Options],
    done: Done | None = None,
    tops: Sequence[str] = (),
    new_limit: int | None = None,
    card_limit: int | None = None,
    learn_ahead_ms: int = LEARN_AHEAD_MS,
) -> Queue:
    """The queue of study day *day* from the cards that are due by its end and the new ones.

    *options_of*: options of a deck, `""` for the root. *done*: what was done today. *tops*: the decks chosen
    for the session; empty: all. *new_limit*: new cards of this session whatever the options and what was
    done. *card_limit*: due and new cards in all. Rows of suspended and buried cards are not to be given.
    """
    done = done or Done()
    options = _OptionsByDeck(options_of)
    siblings = _Siblings(done.cards, options)
    queue = Queue(learn_ahead_ms)
    learning: list[tuple[CardId, int]] = []
    ranked: list[tuple[float, CardId, str]] = []
    urgencies: dict[str, Callable[[float, int], float]] = {}
    latest, in_review = day * DAY_MS, int(State.REVIEW)
    for row in due:
        deck = row.deck
        if row.state == in_review:
            if row.due <= latest:
                urgency = urgencies.get(deck)
                if urgency is None:
                    urgency = urgencies[deck] = urgency_by(arithmetic_for(options[deck]))
                ranked.append((urgency(row.stability, day - row.last_day), row.card, deck))
        elif row.state != State.NEW:
            learning.append((row.card, row.due))
            siblings.take(row.card, row.deck)
    queue.add_learning(learning)
    ranked.sort()

    by_deck: dict[str, list[Unseen]] = {}
    for fresh in new:
        by_deck.setdefault(fresh.deck, []).append(fresh)
    review_limits = limits("reviews", urgencies, options, dict(done.reviews), tops)
    reviews: list[CardId] = []
    due_beyond: list[tuple[CardId, str]] = []
    for _, card, deck in ranked:
        if not review_limits.allows(deck):
            due_beyond.append((card, deck))
        elif not siblings.is_held(card, deck):
            review_limits.take(deck)
            siblings.take(card, deck)
            reviews.append(card)

    new_limits = limits("new", by_deck, options, dict(done.new), tops, new_limit)
    fresh_cards: list[CardId] = []
    new_beyond: list[Unseen] = []
    untouched: list[str] = []
    for deck in sorted(by_deck):
        if not new_limits.allows(deck):
            untouched.append(deck)
            continue
        for fresh in new_in_order(by_deck[deck], options[deck].new_order, day):
            if not new_limits.allows(deck):
                new_beyond.append(fresh)
            elif not siblings.is_held(fresh.card, deck):
                new_limits.take(deck)
                siblings.take(fresh.card, deck)
                fresh_cards.append(fresh.card)

    top = options[tops[0] if len(tops) == 1 else ""]
    row_of_cards = mixed(reviews, fresh_cards, top.mix)
    if card_limit is not None:
        kept = set(row_of_cards[:card_limit])
        reviews = [card for card in reviews if card in kept]
        fresh_cards = [card for card in fresh_cards if card in kept]
    queue.add(reviews, fresh_cards, top.mix)

    def later_new() -> Iterator[CardId]:
        rest = (new_in_order(by_deck[deck], options[deck].new_order, day) for deck in untouched)
        unseen = concatenated(new_beyond, concatenated.from_iterable(rest))
        return siblings.passing((fresh.card, fresh.deck) for fresh in unseen)

    queue.keep_spare(siblings.passing(due_beyond), later_new())
    return queue


class _OptionsByDeck(dict[str, Options]):
    """Options by deck, each asked for once."""

    def __init__(self, options_of: Callable[[str], Options]) -> None:
        super().__init__()
        self._options_of = options_of

    def __missing__(self, deck: str) -> Options:
        options = self[deck] = self._options_of(deck)
        return options


class _Siblings:
    """Notes of which a card was or will be seen today."""

    def __init__(self, answered: Collection[CardId], options: Mapping[str, Options]) -> None:
        self._options = options
        self._seen: dict[NoteId, CardId | None] = {}
        for card in answered:
            # Two cards of the note answered: then no card of it is the only one seen.
            self._seen[note_of(card)] = card if note_of(card) not in self._seen else None

    def is_held(self, card: CardId, deck: str) -> bool:
        """Whether another card of its note holds *card* back today."""
        note = note_of(card)
        return note in self._seen and self._seen[note] != card and self._options[deck].bury_siblings

    def take(self, card: CardId, deck: str) -> None:
        """*card* will be seen today."""
        self._seen[note_of(card)] = card

    def passing(self, cards: Iterable[tuple[CardId, str]]) -> Iterator[CardId]:
        """Those of *cards* (with their decks) that nothing holds back, each taken as it goes by."""
        for card, deck in cards:
            if not self.is_held(card, deck):
                self.take(card, deck)
                yield card
