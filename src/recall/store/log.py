"""From a key to the log: ratings and other acts, each durable with the state that follows from it; undo and redo.

Plain statements over DB-API; `tests/store/test_statements.py` holds them to the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from recall.errors import StoreError
from recall.model.card import CardId, NoteId
from recall.model.review import Act, CardState, Event, Moment, Review, ReviewKind
from recall.schedule.replay import EventRow, ReviewRow
from recall.store.database import Database, first_id_of
from recall.store.states import SELECT_STATE, state_from, state_of, write_state

_REVIEW_COLUMNS = (
    "id, card_id, session, shown_at, rated_at, offset_min, rating, kind, suggested, outcome, answer, seed,"
    " revision, thinking_ms, hints, parts, measurement, source"
)
_INSERT_REVIEW = f"INSERT INTO review ({_REVIEW_COLUMNS}) VALUES ({', '.join('?' * 18)})"
_ON_MACHINE = "EXISTS (SELECT 1 FROM session s WHERE s.id = review.session AND s.machine = ?)"
_INSERT_EVENT = (
    "INSERT INTO event (id, card_id, action, machine, at, offset_min, act, value, text)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


Refold = Callable[[CardId, Sequence[ReviewRow], Sequence[EventRow]], CardState]
"""Folds the log of one card into its state, by the options of its deck."""


class Undone(NamedTuple):
    """A user action that was taken back, or done again."""

    what: str
    """`rating`, or the act: `suspend`, `bury`, ..."""
    card: CardId
    session: int | None
    """Session of the rating; None for other acts."""
    crammed: bool = False
    """The rating was one of a cram session."""


def begin_session(database: Database, machine: str, now: Moment, filter_json: str) -> int:
    """Record that a session began, and return its id."""
    with database.transaction():
        session = max(first_id_of(now.ms), (database.execute("SELECT max(id) FROM session").fetchone()[0] or 0) + 1)
        database.execute(
            "INSERT INTO session (id, machine, started_at, filter) VALUES (?, ?, ?, ?)",
            (session, machine, now.ms, filter_json),
        )
    return session


def end_session(database: Database, session: int, now: Moment) -> None:
    """Record that *session* ended."""
    database.execute("UPDATE session SET ended_at = ? WHERE id = ?", (now.ms, session))


def rate(
    database: Database,
    review: Review,
    machine: str,
    advance: Callable[[CardState], CardState],
    also: Iterable[tuple[Act, int | None]] = (),
) -> tuple[Review, CardState]:
    """Add *review* to the log, with a new id, and return it with the card's new state.

    *advance* makes the new state from the present one; *also* are acts that follow from the rating, undone with it.
    Log row and state are written in one transaction, so that a crash cannot leave them in disagreement, and the
    state is read inside it, so that another process's rating of the same card is built upon and not overwritten.
    """
    with database.transaction():
        row = database.execute(SELECT_STATE, (review.card,)).fetchone()
        if row is None:
            raise StoreError(f"the card {review.card!r} is not in the database", "was its deck removed meanwhile?")
        logged = review._replace(id=database.next_id(review.rated_at))
        state = state_from(row) if logged.kind is ReviewKind.CRAM else advance(state_from(row))
        insert_review(database, logged)
        next_id = logged.id
        for act, value in also:
            next_id += 1
            state = _with_act(state, act, value)
            moment = Moment(review.rated_at, review.offset_min)
            _insert_event(
                database,
                Event(next_id, review.card, logged.id, machine, moment.ms, moment.offset_min, act, value),
            )
        write_state(database, review.card, state)
    return logged, state


def act(
    database: Database,
    cards: Iterable[CardId],
    what: Act,
    machine: str,
    now: Moment,
    refold: Refold,
    *,
    value: int | None = None,
    text: str | None = None,
) -> None:
    """Log one user action on *cards* and fold their states anew, in one transaction."""
    with database.transaction():
        action = next_id = database.next_id(now.ms)
        for card in cards:
            _insert_event(database, Event(next_id, card, action, machine, now.ms, now.offset_min, what, value, text))
            refold_card(database, card, refold)
            next_id += 1


def undo(database: Database, machine: str, now: Moment, refold: Refold) -> Undone | None:
    """Take back the last action of *machine* that was not taken back yet; None when there is none."""
    with database.transaction():
        last = _last_action(database, machine)
        if last is None:
            return None
        action, undone = last
        stamp = database.next_id(now.ms)
        _mark(database, action, "voided IS NULL", stamp, refold)
    return undone


def redo(database: Database, machine: str, refold: Refold) -> Undone | None:
    """Do again what `undo` last took back; None when there is nothing, or something was done since."""
    with database.transaction():
        review = database.execute(
            "SELECT voided, id, card_id, session, kind FROM review WHERE voided IS NOT NULL"
            f" AND {_ON_MACHINE} ORDER BY voided DESC LIMIT 1",
            (machine,),
        ).fetchone()
        event = database.execute(
            "SELECT voided, action, card_id, act FROM event WHERE voided IS NOT NULL AND machine = ?"
            " ORDER BY voided DESC, id LIMIT 1",
            (machine,),
        ).fetchone()
        # A rating voids what followed from it with the same stamp; then the rating names the action.
        if review is not None and (event is None or review[0] >= event[0]):
            stamp, action, undone = review[0], review[1], _rating(*review[2:])
        elif event is not None:
            stamp, action, undone = event[0], event[1], Undone(event[3], event[2], None)
        else:
            return None
        last = _last_action(database, machine)
        if last is not None and last[0] > stamp:
            return None
        _mark(database, action, "voided IS NOT NULL", None, refold)
    return undone


def relink_note(database: Database, old: NoteId, new: NoteId, machine: str, now: Moment) -> list[CardId]:
    """Let the cards of the note *new* go on with the history of the missing cards of *old*, key by key.

    Returns the cards that got one; their states must be folded anew.
    """
    rows = database.execute("SELECT id FROM card WHERE note = ? AND missing_since IS NOT NULL", (old,)).fetchall()
    pairs = [(row[0], CardId(new + row[0][len(old) :])) for row in rows]
    return [card for before, card in pairs if relink_card(database, before, card, machine, now)]


def relink_card(database: Database, old: CardId, new: CardId, machine: str, now: Moment) -> bool:
    """Let the card *new* go on with the history of *old*, which is no card any more; returns whether it does.

    It does not when there is no such card, or when it has a history of its own. Its state must be folded anew.
    """
    if state_of(database, new) is None or logged_reviews(database, new):
        return False
    for table in ("review", "event"):
        database.execute(f"UPDATE {table} SET card_id = ? WHERE card_id = ?", (new, old))
    database.execute("DELETE FROM card_state WHERE card_id = ?", (old,))
    database.execute("DELETE FROM card WHERE id = ?", (old,))
    number = database.next_id(now.ms)
    event = Event(number, new, number, machine, now.ms, now.offset_min, Act.RELINK, None, old)
    _insert_event(database, event)
    return True


def _last_action(database: Database, machine: str) -> tuple[int, Undone] | None:
    # No rating of this machine is older than its first session: a log of others' is not searched to its end.
    first = database.execute("SELECT min(id) FROM session WHERE machine = ?", (machine,)).fetchone()[0]
    review = None
    if first is not None:
        review = database.execute(
            "SELECT id, card_id, session, kind FROM review WHERE id >= ? AND voided IS NULL AND source = ''"
            f" AND {_ON_MACHINE} ORDER BY id DESC LIMIT 1",
            (first, machine),
        ).fetchone()
    event = database.execute(
        "SELECT action, card_id, act FROM event WHERE machine = ? AND voided IS NULL AND act <> 'relink'"
        " ORDER BY id DESC LIMIT 1",
        (machine,),
    ).fetchone()
    if event is not None and (review is None or event[0] > review[0]):
        return event[0], Undone(event[2], event[1], None)
    return None if review is None else (review[0], _rating(*review[1:]))


def _rating(card: CardId, session: int, kind: int) -> Undone:
    return Undone("rating", card, session, kind == ReviewKind.CRAM)


def _mark(database: Database, action: int, where: str, stamp: int | None, refold: Refold) -> None:
    """Set `voided` on all rows of *action* and fold the cards that they touch."""
    cards: list[CardId] = []
    for table, key in (("review", "id"), ("event", "action")):
        rows = database.execute(f"SELECT card_id FROM {table} WHERE {key} = ? AND {where}", (action,)).fetchall()
        if rows:
            database.execute(f"UPDATE {table} SET voided = ? WHERE {key} = ? AND {where}", (stamp, action))
            cards += [row[0] for row in rows]
    for card in dict.fromkeys(cards):
        refold_card(database, card, refold)


def refold_card(database: Database, card: CardId, refold: Refold) -> CardState:
    """Fold the log of *card*, store the state and return it."""
    state = refold(card, logged_reviews(database, card), logged_events(database, card))
    write_state(database, card, state)
    return state


def logged_reviews(database: Database, card: CardId) -> list[ReviewRow]:
    """The reviews of *card* that were not taken back, in the order of the log."""
    rows = database.execute(
        "SELECT id, rated_at, offset_min, rating, kind FROM review WHERE card_id = ? AND voided IS NULL ORDER BY id",
        (card,),
    )
    return [ReviewRow(*row) for row in rows]


def logged_events(database: Database, card: CardId) -> list[EventRow]:
    """The events of *card* that were not taken back, in the order of the log."""
    rows = database.execute(
        "SELECT id, act, value FROM event WHERE card_id = ? AND voided IS NULL ORDER BY id", (card,)
    )
    return [EventRow(*row) for row in rows]


def insert_review(database: Database, review: Review) -> None:
    """Add one row to the review log as it is."""
    suggested = review.suggested
    database.execute(
        _INSERT_REVIEW,
        (
            review.id,
            review.card,
            review.session,
            review.shown_at,
            review.rated_at,
            review.offset_min,
            int(review.rating),
            int(review.kind),
            None if suggested is None else int(suggested),
            None if review.outcome == "self_rated" else review.outcome,
            review.answer,
            review.seed,
            review.revision,
            review.thinking_ms,
            review.hints,
            review.parts,
            review.measurement,
            review.source,
        ),
    )


def _insert_event(database: Database, event: Event) -> None:
    database.execute(
        _INSERT_EVENT,
        (
            event.id,
            event.card,
            event.action,
            event.machine,
            event.at,
            event.offset_min,
            event.act.value,
            event.value,
            event.text,
        ),
    )


def _with_act(state: CardState, act: Act, value: int | None) -> CardState:
    match act:
        case Act.SUSPEND | Act.UNSUSPEND:
            return state._replace(suspended=act is Act.SUSPEND)
        case Act.MARK | Act.UNMARK:
            return state._replace(marked=act is Act.MARK)
        case Act.BURY | Act.UNBURY:
            return state._replace(buried_until=(value or 0) if act is Act.BURY else 0)
        case Act.FORGET | Act.SET_DUE | Act.RELINK | Act.DISPUTE:
            raise ValueError(f"{act.value} is not an act that follows from a rating")
