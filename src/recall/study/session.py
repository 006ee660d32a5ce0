"""A session of reviews, without any screen: what is shown, what it may become, what was done.

Every method stores before it returns; a `StoreError` means that nothing changed and the same card is still shown.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall.errors import StoreError, UsageError
from recall.model.card import CardId, NoteId, Place
from recall.model.fault import Fault
from recall.model.review import Act, CardState, Moment, Rating, Review, ReviewKind, State
from recall.model.verdict import Verdict
from recall.store import daily, log
from recall.store.log import Undone
from recall.store.states import state_of
from recall.study.intervals import interval_in_words, short_interval
from recall.study.shown import Read, Shown, read_card
from recall.study.summary import Summary, summarise

if TYPE_CHECKING:
    from recall.schedule.queue import Queue
    from recall.study.sitting import Chooser
    from recall.study.study import Study

Phase = Literal["question", "revealed", "done"]
CRAM_STEP_MS = 60_000
"""When a card that was not known in a cram session comes again in it."""
LATEST_DUE_DAYS = 36_500
"""As far as the longest interval reaches: beyond, an instant is no number that a database holds."""


class Counts(NamedTuple):
    """Cards of this session: still to come, by what they are, and done."""

    due: int
    new: int
    again: int
    reviewed: int


class Button(NamedTuple):
    """One rating and what it brings: `state` is exactly what will be stored."""

    rating: Rating
    label: str
    """Such as `10 min` or `4 d`."""
    words: str
    """Such as `10 minutes` or `4 days`."""
    state: CardState


class Rated(NamedTuple):
    """What a rating did."""

    card: CardId
    state: CardState
    leech: bool
    """The card has just become a leech, or become one again."""


class Session:
    """The cards of one sitting, one after the other. Made by `recall.study.sitting.begin`."""

    def __init__(
        self,
        study: Study,
        queue: Queue,
        session: int,
        is_chosen: Chooser,
        *,
        cram: bool = False,
        ahead: bool = False,
    ) -> None:
        self._study = study
        self._queue = queue
        self._id = session
        self._is_chosen = is_chosen
        self._cram = cram
        self._ahead = ahead
        self._at_any_time: set[CardId] = set()
        """Cards that were asked for though they are not due: ahead of time, or by an undo."""
        self._crammed: set[CardId] = set()
        """Cards that came by `weakest`: they are crammed whatever the session is."""
        self._copied: set[str] = set()
        """Shipped decks that were copied for an editor in this session."""
        self._read: Read | None = None
        self._shown_at = 0
        self._verdict: Verdict | None = None
        self._answer: str | None = None
        self._hints = 0
        self._revealed = False
        self._reviewed = 0
        self._show_next()

    # --- what is shown ---------------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        if self._read is None:
            return "done"
        return "revealed" if self._revealed else "question"

    @property
    def shown(self) -> Shown | None:
        """The card that is asked; None when the session is done."""
        return None if self._read is None else self._read.shown

    @property
    def counts(self) -> Counts:
        left = self._queue.remaining
        return Counts(left.due, left.new, left.learning, self._reviewed)

    @property
    def waiting_until(self) -> int | None:
        """When done: the instant (ms) at which the next learning card comes, or None."""
        return self._queue.next_waiting()

    @property
    def suggested(self) -> Rating | None:
        """The rating that space or enter takes: the verdict's, or Good after a mere reveal."""
        if not self._revealed:
            return None
        if self._verdict is not None and self._verdict.suggested is not None:
            return self._verdict.suggested
        return Rating.GOOD

    def reveal(self) -> None:
        """Show the answer."""
        if self._read is not None:
            self._revealed = True

    def hint(self) -> str | None:
        """The next hint, or None when there is none left; a hint is logged with the rating."""
        if self._read is None or self._hints >= len(self._read.shown.hints):
            return None
        self._hints += 1
        return self._read.shown.hints[self._hints - 1]

    def check(self, given: str) -> Verdict:
        """Judge what the learner typed, and reveal; a malformed answer is not graded and reveals nothing."""
        from recall.content.kinds import Context

        read = self._require()
        verdict = read.kind.check(read.note, read.key, given, Context())
        if verdict.outcome != "malformed":
            # The first verdict counts: trying again is for learning.
            if self._verdict is None:
                self._verdict, self._answer = verdict, given
            self._revealed = True
        return verdict

    def buttons(self) -> tuple[Button, ...]:
        """The four ratings with the intervals that they bring now."""
        from recall.schedule.scheduler import previews

        shown = self._require().shown
        now = self._study.clock.now()
        today = self._study.today()
        states = previews(
            shown.card.id,
            shown.state,
            now,
            self._study.settings.options(shown.card.deck),
            self._kind(shown.state),
            self._study.rollover_hour,
        )
        if self._is_crammed(shown.card.id):
            return tuple(Button(rating, "-", "no change", state) for rating, state in states.items())
        return tuple(
            Button(rating, short_interval(state, now.ms, today), interval_in_words(state, now.ms, today), state)
            for rating, state in states.items()
        )

    # --- what is done ----------------------------------------------------------------------------------------------

    def rate(self, rating: Rating) -> Rated:
        """Log the rating with the state that follows from it, durably, and go on to the next card."""
        from recall.schedule.scheduler import answer, is_leech

        shown = self._require().shown
        card, options = shown.card.id, self._study.settings.options(shown.card.deck)
        now, kind = self._study.clock.now(), self._kind(shown.state)
        lapsed = shown.state.state is State.REVIEW and kind is not ReviewKind.CRAM and rating is Rating.AGAIN
        leech = lapsed and is_leech(shown.state.lapses + 1, options.leech_threshold)
        action = Act.SUSPEND if options.leech_action == "suspend" else Act.MARK
        _, state = log.rate(
            self._study.database,
            self._review(shown, rating, kind, now, options.answer_cap_s),
            self._study.machine,
            lambda before: answer(card, before, rating, now, options, kind, self._study.rollover_hour),
            [(action, None)] if leech else [],
        )
        self._reviewed += 1
        self._at_any_time.discard(card)
        if kind is not ReviewKind.CRAM:
            self._queue.after_rating(card, state)
        elif rating is Rating.AGAIN:
            self._queue.come_back(card, now.ms + CRAM_STEP_MS)
        else:
            self._crammed.discard(card)
            self._queue.remove(card)
        self._show_next()
        return Rated(card, state, leech)

    def undo(self) -> Undone | None:
        """Take back the last thing that was done on this machine, in this session or before it."""
        undone = log.undo(self._study.database, self._study.machine, self._study.clock.now(), self._study.fold)
        if undone is not None:
            if undone.what == "rating":
                if undone.session == self._id:
                    self._reviewed = max(0, self._reviewed - 1)
                # It is asked as it was asked before.
                (self._crammed.add if undone.crammed else self._crammed.discard)(undone.card)
            self._return_to(undone.card)
        return undone

    def redo(self) -> Undone | None:
        """Do again what `undo` took back last; None when there is nothing, or something was done since."""
        redone = log.redo(self._study.database, self._study.machine, self._study.fold)
        if redone is not None:
            if redone.what == "rating" and redone.session == self._id:
                self._reviewed += 1
            state = state_of(self._study.database, redone.card)
            if redone.what in ("mark", "unmark"):
                self._refresh()
            else:
                self._crammed.discard(redone.card)
                self._at_any_time.discard(redone.card)
                if redone.what == "rating" and state is not None and not redone.crammed:
                    self._queue.after_rating(redone.card, state)
                else:
                    self._queue.remove(redone.card)
                self._show_next()
        return redone

    def suspend(self) -> None:
        """Take the shown card out of all sessions until it is unsuspended."""
        self._act_and_go_on(Act.SUSPEND)

    def bury(self) -> None:
        """Let the shown card rest until tomorrow."""
        self._act_and_go_on(Act.BURY, self._study.today() + 1)

    def toggle_mark(self) -> None:
        """Mark the shown card, or take its mark away."""
        shown = self._require().shown
        self._act(Act.UNMARK if shown.state.marked else Act.MARK)
        self._refresh()

    def forget(self) -> None:
        """Make the shown card new again; its history stays in the log."""
        self._act_and_go_on(Act.FORGET)

    def set_due(self, days: int) -> None:
        """Let the shown card come in *days* days, whatever the schedule says. Raises `UsageError` beyond a century."""
        if not 0 <= days <= LATEST_DUE_DAYS:
            raise UsageError(f"{days} days are too many", f"a card may be put off for {LATEST_DUE_DAYS:,} days")
        day = self._study.today() + days
        if self._require().shown.state.state is State.NEW:
            # A new card has no memory to schedule: it waits.
            self._act_and_go_on(Act.BURY, day)
        else:
            self._act_and_go_on(Act.SET_DUE, day)

    # --- decks -----------------------------------------------------------------------------------------------------

    def source(self) -> Place:
        """Where the shown card can be edited.

        A shipped deck is copied among the learner's own for it: in place, the next release would undo the change.
        Raises `DataError` when it cannot be copied.
        """
        from recall.study.decks import copy_shipped, is_shipped

        card = self._require().shown.card
        if is_shipped(card.place):
            copy_shipped(self._study, card.deck)
            self._copied.add(card.deck)
            self._refresh()
        return self._require().shown.card.place

    def reload(self) -> tuple[Fault, ...]:
        """Read the shown card's deck again after an edit; returns the faults of the file.

        A card that went away with its file, or out of it, is told as a fault, too.
        """
        from recall.study.decks import drop_unchanged_copy

        card = self._require().shown.card
        if card.deck in self._copied and drop_unchanged_copy(card.deck):
            self._copied.discard(card.deck)
        faults = self._study.sync([card.deck]).all_faults
        if not faults and daily.is_absent(self._study.database, card.id):
            mend = "its history is kept, and it comes again when it is back"
            faults = [Fault(card.place, "this card is not in a deck any more", mend, "warning", "gone")]
        self._refresh()
        return tuple(faults)

    def add(self, text: str, deck: str = "inbox") -> NoteId:
        """Write a new note into the learner's own *deck* and return its id. Raises `DataError` with its faults."""
        from recall.study.authoring import add_note

        return add_note(self._study, text, deck)

    # --- going on --------------------------------------------------------------------------------------------------

    def resume(self) -> bool:
        """When done: show a learning card whose time has come; returns whether there is one."""
        if self._read is None:
            self._show_next()
        return self._read is not None

    def more_new(self, count: int) -> int:
        """Go on with up to *count* new cards beyond today's limit; returns how many there were."""
        found = self._queue.more("new", count)
        self.resume()
        return found

    def ahead(self, count: int = 20) -> int:
        """Go on with up to *count* cards before their time, those due soonest first; returns how many."""
        from recall.study.sitting import ahead_cards

        cards = ahead_cards(self._study, count, self._is_chosen, skip=self._queue)
        self._at_any_time.update(cards)
        self._queue.add(cards, [], "new_last")
        self.resume()
        return len(cards)

    def weakest(self, count: int) -> int:
        """Go through the *count* weakest cards once more, without touching their schedule; returns how many."""
        from recall.study.sitting import weakest_cards

        cards = weakest_cards(self._study, count, self._is_chosen, skip=self._queue)
        self._crammed.update(cards)
        self._queue.add(cards, [], "new_last")
        self.resume()
        return len(cards)

    def summary(self) -> Summary:
        """What this session came to so far."""
        return summarise(self._study, self._id)

    def close(self) -> None:
        """Record that the session ended. What was rated is stored: that this cannot be written now is no error."""
        with suppress(StoreError):
            log.end_session(self._study.database, self._id, self._study.clock.now())

    # --- inside ----------------------------------------------------------------------------------------------------

    def _require(self) -> Read:
        if self._read is None:
            raise StoreError("no card is shown: the session is done")
        return self._read

    def _is_crammed(self, card: CardId) -> bool:
        return self._cram or card in self._crammed

    def _kind(self, state: CardState) -> ReviewKind:
        if self._read is not None and self._is_crammed(self._read.shown.card.id):
            return ReviewKind.CRAM
        if state.state is State.REVIEW:
            return ReviewKind.AHEAD if state.due_day > self._study.today() else ReviewKind.REVIEW
        return ReviewKind.RELEARN if state.state is State.RELEARNING else ReviewKind.LEARN

    def _review(self, shown: Shown, rating: Rating, kind: ReviewKind, now: Moment, cap_s: int) -> Review:
        verdict = self._verdict
        return Review(
            id=0,
            card=shown.card.id,
            session=self._id,
            shown_at=self._shown_at,
            rated_at=now.ms,
            offset_min=now.offset_min,
            rating=rating,
            kind=kind,
            suggested=None if verdict is None else verdict.suggested,
            outcome="self_rated" if verdict is None else verdict.outcome,
            answer=self._answer,
            revision=shown.card.revision,
            # A clock set back must not make a time negative, an abandoned card not a long one.
            thinking_ms=min(max(0, now.ms - self._shown_at), cap_s * 1000),
            hints=self._hints,
        )

    def _show_next(self) -> None:
        self._show(None)
        while (card := self._queue.next(self._study.clock.now().ms)) is not None:
            read = read_card(self._study, card)
            if read is None or self._rests(read):
                self._queue.remove(card)
            elif self._waits(read.shown):
                self._queue.come_back(card, read.shown.state.due)
            else:
                self._show(read)
                return

    def _rests(self, read: Read) -> bool:
        """Whether a card of the queue is not to be asked any more: another session did something to it."""
        card, state, today = read.shown.card.id, read.shown.state, self._study.today()
        if state.suspended or read.absent:
            return True
        if self._ahead or card in self._at_any_time or self._is_crammed(card):
            return False
        return state.buried_until > today or (state.state is State.REVIEW and state.due_day > today)

    def _waits(self, shown: Shown) -> bool:
        """Whether a card of the queue is in its steps now, and comes later: another session rated it."""
        card, state = shown.card.id, shown.state
        if state.state not in (State.LEARNING, State.RELEARNING) or self._is_crammed(card):
            return False
        early = self._study.settings.learn_ahead_s * 1000 if self._queue.kind_of(card) == "learning" else 0
        return card not in self._at_any_time and state.due > self._study.clock.now().ms + early

    def _show(self, read: Read | None) -> None:
        self._read = read
        self._shown_at = self._study.clock.now().ms
        self._verdict = self._answer = None
        self._hints = 0
        self._revealed = False

    def _refresh(self) -> None:
        """Read the shown card again, without asking it anew."""
        if self._read is None:
            return
        card = self._read.shown.card.id
        read = read_card(self._study, card)
        if read is None or read.absent:
            self._queue.remove(card)
            self._show_next()
        else:
            self._read = read

    def _return_to(self, card: CardId) -> None:
        """After an undo: show *card*, unless it is shown already."""
        state = state_of(self._study.database, card)
        if self._read is not None and self._read.shown.card.id == card:
            self._refresh()
        elif state is not None and not state.suspended and not daily.is_absent(self._study.database, card):
            self._at_any_time.add(card)
            self._queue.put_back(card, state)
            self._show_next()

    def _act(self, act: Act, value: int | None = None) -> None:
        card = self._require().shown.card.id
        study = self._study
        log.act(study.database, [card], act, study.machine, study.clock.now(), study.fold, value=value)

    def _act_and_go_on(self, act: Act, value: int | None = None) -> None:
        card = self._require().shown.card.id
        self._act(act, value)
        self._queue.remove(card)
        self._show_next()
