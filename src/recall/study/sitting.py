"""Which cards a session holds, and its beginning."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Container
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from recall.errors import UsageError
from recall.model.card import CardId
from recall.model.review import DAY_MS, ReviewKind, State
from recall.schedule.memory import arithmetic_for
from recall.schedule.order import urgency_by
from recall.schedule.queue import Done, Queue, build_queue
from recall.store import daily, index, log
from recall.study.session import Session

if TYPE_CHECKING:
    from recall.store.daily import DueRow, NewRow
    from recall.study.study import Study

    Chooser = Callable[[DueRow | NewRow], bool]
    """Whether a card is of the decks and the query that a session was begun for."""

AHEAD_LIMIT = 50
"""Cards of an `--ahead` session that names no limit."""


class Choice(NamedTuple):
    """What a session is asked to hold."""

    decks: tuple[str, ...] = ()
    """Identities of decks, each with those below it; empty: all."""
    query: str = ""
    limit: int | None = None
    """Due and new cards in all."""
    new: int | None = None
    """New cards, in place of the daily limit."""
    ahead: bool = False
    """Cards before their time; the schedule takes it into account."""
    cram: bool = False
    """Every chosen card, logged, without a change of its schedule."""


def begin(study: Study, choice: Choice) -> Session:
    """Begin the session of *choice*. Raises `UsageError` for an unknown deck, a query that cannot be read."""
    decks = [resolve_deck(study, deck) for deck in choice.decks]
    is_chosen = _chooser(study, decks, choice.query)
    if choice.cram:
        queue = _cram_queue(study, is_chosen, choice.limit)
    elif choice.ahead:
        rows = daily.cards_by_due(study.database, study.today() * DAY_MS, study.today(), 1_000_000)
        queue = Queue(study.settings.learn_ahead_s * 1000)
        limit = AHEAD_LIMIT if choice.limit is None else choice.limit
        queue.add([row.card for row in rows if is_chosen(row)][:limit], [], "new_last")
    else:
        queue = _daily_queue(study, is_chosen, decks, choice)
    now = study.clock.now()
    chosen = {name: value for name, value in choice._asdict().items() if value}
    session = log.begin_session(study.database, study.machine, now, json.dumps(chosen))
    return Session(study, queue, session, is_chosen, cram=choice.cram, ahead=choice.ahead)


def resolve_deck(study: Study, name: str) -> str:
    """The identity of the deck that *name* means: an identity, one above it, or a shown name.

    Raises `UsageError` with the nearest names when there is none.
    """
    wanted = name.removesuffix(".md").strip("/")
    rows = index.decks(study.database)
    identities = {row.deck for row in rows}
    if any(deck == wanted or deck.startswith(f"{wanted}/") for deck in identities):
        return wanted
    named = [row.deck for row in rows if row.name.casefold() == name.casefold()]
    ending = [deck for deck in identities if deck.endswith(f"/{wanted}")]
    if len(found := named or ending) == 1:
        return found[0]
    from difflib import get_close_matches

    near = get_close_matches(wanted, sorted(identities), n=3, cutoff=0.6)
    raise UsageError(
        f"there is no deck {name!r}", f"did you mean {' or '.join(near)}?" if near else "`recall` lists them"
    )


def _is_below(deck: str, tops: Collection[str]) -> bool:
    return any(deck == top or deck.startswith(f"{top}/") for top in tops)


def _chooser(study: Study, decks: Collection[str], query: str) -> Chooser:
    ids: set[CardId] | None = None
    if query:
        from recall.study.searching import search

        ids = {found.id for found in search(study, query, None)}

    def is_chosen(row: DueRow | NewRow) -> bool:
        return (not decks or _is_below(row.deck, decks)) and (ids is None or row.card in ids)

    return is_chosen


def _daily_queue(study: Study, is_chosen: Chooser, decks: list[str], choice: Choice) -> Queue:
    today = study.today()
    until = max(today * DAY_MS, study.day_start(today + 1))
    everything = not decks and not choice.query
    due = daily.due_rows(study.database, until, today)
    new = new_cards(study, today, decks, every=bool(choice.query), at_least=choice.new or 0)
    return build_queue(
        due if everything else [row for row in due if is_chosen(row)],
        new if everything else [row for row in new if is_chosen(row)],
        today,
        study.settings.options,
        done_today(study, today),
        tuple(decks),
        choice.new,
        choice.limit,
        study.settings.learn_ahead_s * 1000,
    )


def new_cards(
    study: Study, today: int, decks: Collection[str] = (), *, every: bool = False, at_least: int = 0
) -> list[NewRow]:
    """New cards of *decks*: enough of each for its daily limit, for siblings that are held back, and for more."""
    found: list[NewRow] = []
    for row in index.decks(study.database):
        if row.missing or row.hidden or (decks and not _is_below(row.deck, decks)):
            continue
        options = study.settings.options(row.deck)
        whole = every or options.new_order == "random"
        limit = 1_000_000 if whole else max(at_least, options.new_per_day) + 60
        found += daily.new_rows(study.database, row.deck, today, limit)
    return found


def done_today(study: Study, today: int) -> Done:
    """What was answered since the study day *today* began."""
    rows = daily.done_rows(study.database, study.day_start(today), study.day_start(today + 1))
    new: dict[str, int] = {}
    reviews: dict[str, int] = {}
    for row in rows:
        if row.kind is ReviewKind.LEARN and row.introduced:
            new[row.deck] = new.get(row.deck, 0) + 1
        elif row.kind is ReviewKind.REVIEW:
            reviews[row.deck] = reviews.get(row.deck, 0) + 1
    return Done({row.card for row in rows}, new, reviews)


def _cram_queue(study: Study, is_chosen: Chooser, limit: int | None) -> Queue:
    queue = Queue()
    queue.add([row.card for row in _weakest(study) if is_chosen(row)][:limit], [], "new_last")
    return queue


def _weakest(study: Study) -> list[DueRow]:
    """All cards, those most likely forgotten first, new ones last."""
    today = study.today()

    def retrievability(row: DueRow) -> float:
        if row.state == State.NEW:
            return 2.0
        model = arithmetic_for(study.settings.options(row.deck))
        return urgency_by(model)(row.stability, max(0, today - row.last_day))

    return sorted(daily.all_rows(study.database), key=lambda row: (retrievability(row), row.position))


def ahead_cards(study: Study, count: int, is_chosen: Chooser, skip: Container[CardId]) -> list[CardId]:
    """The first *count* chosen cards that fall due after today, the soonest first."""
    today = study.today()
    rows = daily.cards_by_due(study.database, today * DAY_MS, today, 1_000_000)
    return list(islice((row.card for row in rows if row.card not in skip and is_chosen(row)), count))


def weakest_cards(study: Study, count: int, is_chosen: Chooser, skip: Container[CardId]) -> list[CardId]:
    """The *count* chosen cards that are most likely forgotten, of those seen before."""
    rows = (row for row in _weakest(study) if row.state != State.NEW and row.card not in skip and is_chosen(row))
    return list(islice((row.card for row in rows), count))
