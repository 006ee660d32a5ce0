"""The review: one card at a time, question and answer as two states of one screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from recall.model.review import Rating, State
from recall.prose.marks import ANSWER_OPEN
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.screens.base import SHORT, clock_time
from recall.tui.screens.scrolling import ScrollingScreen
from recall.tui.widgets.card_text import RULE, CardText, Piece, markdown, said
from recall.tui.widgets.header import Header
from recall.tui.widgets.key_line import Hint, KeyLine
from recall.tui.widgets.rating_bar import RatingBar
from recall.tui.widgets.session_bar import SessionBar

if TYPE_CHECKING:
    from recall.tui.ports import Counts, Session, Shown

_KIND_WORDS = {"text": "concept"}
_STATE_WORDS = {State.NEW: "new", State.LEARNING: "learning", State.RELEARNING: "relearning"}
_MANY_LAPSES = 4
_CLOCK_S = 20.0
_LONGEST_NUMBER = 9
"""Digits."""


class ReviewScreen(ScrollingScreen):
    """Shows what the session says; decides nothing itself."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ("review", "scroll")
    NAME: ClassVar[str] = "review"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("review", "scroll")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._hints_open = 0
        self._why_open = True
        self._opened = 0
        self._on_screen: tuple[str, str] | None = None
        self._gap = 1
        """Empty lines around the question; none where rows are few."""

    def compose(self) -> ComposeResult:
        glyphs = self.surroundings.glyphs
        yield Header()
        yield SessionBar(glyphs)
        with VerticalScroll(id="stage", can_focus=False):
            yield CardText(glyphs)
        yield RatingBar(glyphs)
        yield KeyLine()

    def on_mount(self) -> None:
        self._gap = self._fitting_gap()
        self.draw()
        # Whether the card scrolls is known once it is laid out.
        self.watch(self.stage, "show_vertical_scrollbar", self.update_keys, init=False)
        self.set_interval(_CLOCK_S, self._draw_header)

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self._gap != self._fitting_gap():
            self._gap = self._fitting_gap()
            self.draw()

    def _fitting_gap(self) -> int:
        return 0 if self.recall.size.height < SHORT else 1

    # --- drawing ---------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the session as it is now."""
        shown = self.session.shown
        if shown is None:
            self._finish()
            return
        if self._on_screen is None or self._on_screen[0] != shown.card.id:
            self._hints_open = 0
            self._opened = 0
        revealed = self.session.phase == "revealed"
        now = (shown.card.id, self.session.phase)
        self._draw_header()
        self.query_one(CardText).show(list(self._pieces(shown, revealed=revealed)))
        self.query_one(RatingBar).show(
            self.session.buttons() if revealed else (), self.session.suggested if revealed else None
        )
        if now != self._on_screen and not revealed:
            self.stage.scroll_home(animate=False)
        self._on_screen = now
        self.show_keys()

    def _draw_header(self) -> None:
        shown, counts = self.session.shown, self.session.counts
        glyphs = self.surroundings.glyphs
        path = ""
        if shown:
            folders = shown.card.deck.replace("-", " ").split("/")[:-1]
            path = f" {glyphs.path} ".join([*folders, shown.deck_name])
        full, narrow, left = count_forms(counts, glyphs.count)
        clock = (f"   {clock_time(self.surroundings.clock.now())}", "$muted")
        self.query_one(Header).show(
            [("recall", "bold $primary"), (f"  {path}", "$muted")], [*full, clock], [*narrow, clock], [left]
        )
        self.query_one(SessionBar).show(counts.reviewed, counts.again, counts.due + counts.new)

    def _pieces(self, shown: Shown, *, revealed: bool) -> Iterator[Piece]:
        glyphs = self.surroundings.glyphs
        yield said(*self._tag_line(shown))
        gap = self._gap
        # A cloze is filled in where it stands; a question keeps its place above the answer.
        filled_in = revealed and ANSWER_OPEN in shown.answer
        yield markdown(shown.answer if filled_in else shown.question, gap)
        if not revealed:
            for number, hint in enumerate(shown.hints[: self._hints_open], 1):
                yield said((f"{glyphs.bar}hint {number} of {len(shown.hints)}", "$accent"))
                yield markdown(hint, 0)
            return
        if not filled_in:
            yield said((RULE, "$rule"), gap=gap)
            yield markdown(shown.answer, gap)
        if shown.changed:
            yield said((f"{glyphs.bar}{glyphs.attention} the answer changed since you last saw it", "$warning"))
        if shown.why and self._why_open:
            yield said((f"{glyphs.bar}why", "$secondary"))
            yield markdown(shown.why, 0)
        origin = [text for text in (shown.source, f"as of {shown.as_of}" if shown.as_of else "") if text]
        if origin:
            yield said((f" {glyphs.dot} ".join(origin), "$muted"))

    def _tag_line(self, shown: Shown) -> Iterator[tuple[str, str]]:
        glyphs = self.surroundings.glyphs
        dot = f" {glyphs.dot} "
        yield _KIND_WORDS.get(shown.kind, shown.kind), "$secondary"
        state = shown.state
        if state.state is State.REVIEW:
            yield f"{dot}{_days_ago(max(0, self.surroundings.today() - state.last_day))}", "$muted"
        else:
            yield f"{dot}{_STATE_WORDS[state.state]}", "$muted"
        if state.lapses >= _MANY_LAPSES:
            yield f"{dot}{glyphs.attention} {state.lapses} lapses", "$warning"
        if state.marked:
            yield f"{dot}* marked", "$accent"

    def hints(self) -> Sequence[Hint]:
        shown = self.session.shown
        if shown is None:
            return ()
        scrolls = self.stage.show_vertical_scrollbar
        if self.session.phase == "question":
            return [
                self.hint("reveal", "show answer"),
                *([self.hint("hint", f"hint {self._hints_open}/{len(shown.hints)}")] if shown.hints else []),
                *([self.hint("scroll.down", "more", "scroll")] if scrolls else []),
                self.hint("undo", "undo"),
                self.hint("edit", "edit"),
                self.hint("suspend", "suspend"),
                self.hint("bury", "bury"),
                *([self.hint("open", "open")] if shown.media else []),
                self.hint("back", "back"),
            ]
        first, last = (keys.keys_of("review", f"rate.{name}", self.surroundings.keymap) for name in ("again", "easy"))
        suggested = self.session.suggested or Rating.GOOD
        return [
            self.hint("reveal", suggested.name.lower()),
            Hint(f"{keys.shown(first)}-{keys.shown(last)}", "rate", f"rate({suggested.value})"),
            *([self.hint("scroll.down", "more", "scroll")] if scrolls else []),
            self.hint("undo", "undo"),
            self.hint("edit", "edit"),
            *([self.hint("why", "why")] if shown.why else []),
            self.hint("suspend", "suspend"),
            self.hint("bury", "bury"),
            *([self.hint("open", "open")] if shown.media else []),
            self.hint("back", "back"),
        ]

    # --- answering -------------------------------------------------------------------------------------------------

    def action_reveal(self) -> None:
        if self.session.phase == "question":
            self.session.reveal()
            self.draw()

    def action_reveal_or_rate(self) -> None:
        if self.session.phase == "question":
            self.action_reveal()
        elif self.session.phase == "revealed":
            self.action_rate(self.session.suggested or Rating.GOOD)

    def action_rate(self, rating: int) -> None:
        shown = self.session.shown
        if self.session.phase != "revealed" or shown is None:
            return
        with self.telling("The rating was not saved"):
            rated = self.session.rate(Rating(rating))
            self.draw()
            if rated.leech:
                self.tell(
                    f"{shown.card.title}\nIt was forgotten again and again: reword it, split it, or let it rest.",
                    title="a leech",
                    error=False,
                )

    @on(RatingBar.Chosen)
    def rate_by_mouse(self, event: RatingBar.Chosen) -> None:
        self.action_rate(event.rating)

    def action_hint(self) -> None:
        shown = self.session.shown
        if shown is None or self.session.phase != "question":
            return
        if self.session.hint() is not None:
            self._hints_open += 1
            self.draw()
        else:
            self.say("no further hint" if shown.hints else "this card has no hint", "$muted")

    def action_why(self) -> None:
        shown = self.session.shown
        if shown is None or self.session.phase != "revealed":
            return
        if not shown.why:
            self.say("this card has no explanation", "$muted")
            return
        self._why_open = not self._why_open
        self.draw()

    # --- the card --------------------------------------------------------------------------------------------------

    def action_suspend(self) -> None:
        self._put_away("suspended", self.session.suspend)

    def action_bury(self) -> None:
        self._put_away("buried until tomorrow", self.session.bury)

    def action_forget(self) -> None:
        self._put_away("forgotten: it is new again", self.session.forget)

    def _put_away(self, what: str, act: Callable[[], None]) -> None:
        if self.session.shown is None:
            return
        with self.telling("The card was not changed"):
            act()
            self.draw()
            self.recall.say(f"{what}; {self._undo_key()} takes it back")

    def action_mark(self) -> None:
        if self.session.shown is None:
            return
        with self.telling("The card was not marked"):
            self.session.toggle_mark()
            self.draw()
            shown = self.session.shown
            self.recall.say("marked" if shown and shown.state.marked else "mark taken off")

    def action_set_due(self) -> None:
        from recall.tui.screens.ask import AskScreen

        def answered(text: str | None) -> None:
            if text is None:
                return
            # Python itself refuses to read very long numbers.
            if not text.strip().isdecimal() or len(text) > _LONGEST_NUMBER:
                self.say(f"{text!r} is no number of days; nothing was changed", "$warning")
                return
            days = int(text)
            self._put_away("due today" if days == 0 else f"due in {days} days", lambda: self.session.set_due(days))

        if self.session.shown is not None:
            self.recall.push_screen(AskScreen("In how many days is this card due?", "0 is today"), answered)

    def action_undo(self) -> None:
        with self.telling("Nothing was undone"):
            undone = self.session.undo()
            self.draw()
            self.recall.say("nothing to undo" if undone is None else f"undone: {undone.what}")

    def action_redo(self) -> None:
        with self.telling("Nothing was redone"):
            redone = self.session.redo()
            self.draw()
            self.recall.say("nothing to redo" if redone is None else f"redone: {redone.what}")

    def _undo_key(self) -> str:
        return keys.shown(keys.keys_of("review", "undo", self.surroundings.keymap))

    # --- outside ---------------------------------------------------------------------------------------------------

    def action_edit(self) -> None:
        """Open the card's file in the editor, then show what it has become."""
        shown = self.session.shown
        if shown is None:
            return
        from recall.tui.editor import chosen_editor, editor_command

        with self.telling("The card was not edited"):
            before = shown.card.place.file
            place = self.session.source()
            command = editor_command(chosen_editor(self.surroundings.editor), place.file, place.line)
            if not self.recall.run_outside(command):
                return
            faults = self.session.reload()
            self.draw()
            now = self.session.shown
            if now is not None and now.card.id == shown.card.id and now.card.place.file != before:
                self.recall.say(f"your copy of the deck now: {now.card.place.file}")
            if faults:
                more = f"\nand {len(faults) - 1} more" if len(faults) > 1 else ""
                self.tell(f"{faults[0].render()}{more}", title="the deck has a fault")

    def action_write(self) -> None:
        from recall.tui.screens.write import WriteScreen

        def written(card: str | None) -> None:
            self.draw()
            if card is not None:
                self.recall.say(f"written: {card}")

        self.recall.push_screen(WriteScreen(self.session.add), written)

    def action_copy(self) -> None:
        shown = self.session.shown
        if shown is None:
            return
        from recall.prose.plain import plain_text

        texts = [shown.question, shown.answer] if self.session.phase == "revealed" else [shown.question]
        with self.telling("The file with the copy was not written"):
            self.recall.copy("\n\n".join(plain_text(text, 100) for text in texts) + "\n")
            file = self.surroundings.copy_file
            self.say("copied" + (f"; also in {file}" if file else ""))

    def action_open(self) -> None:
        """Open the next image, sound or link of the card outside."""
        shown = self.session.shown
        if shown is None:
            return
        from recall.tui.outside import openable

        texts = [shown.question, shown.answer, shown.why] if self.session.phase == "revealed" else [shown.question]
        found = openable(texts, shown.media, shown.card.place.file)
        if not found:
            self.say("nothing to open on this card", "$muted")
            return
        address = found[self._opened % len(found)]
        with self.telling("It could not be opened"):
            self.surroundings.open_outside(address)
            self.say(f"opened {self._opened % len(found) + 1} of {len(found)}: {Path(address).name}")
            self._opened += 1

    # --- the end ---------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        from recall.tui.screens.summary import SummaryScreen

        self._on_screen = None

        def ended(choice: str | None) -> None:
            if choice == "go on":
                self.draw()
            else:
                self.action_back()

        self.recall.push_screen(SummaryScreen(self.session), ended)

    def action_back(self) -> None:
        self.session.close()
        self.recall.leave(self)


def count_forms(counts: Counts, sign: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]], tuple[str, str]]:
    """What is left in three forms: with words, counts only, one number."""
    kinds = (
        (counts.due, "due", "$primary"),
        (counts.new, "new", "$secondary"),
        (counts.again, "again", "$warning"),
    )
    full = [("reviewed ", "$muted"), (str(counts.reviewed), "")]
    narrow: list[tuple[str, str]] = []
    for number, word, style in kinds:
        full += [(f"  {sign} ", style), (f"{number} {word}", "")]
        narrow += [(f" {sign}" if narrow else sign, style), (str(number), "")]
    return full, narrow, (f"{counts.due + counts.new + counts.again} left", "$muted")


def _days_ago(days: int) -> str:
    if days == 0:
        return "seen today"
    return "seen yesterday" if days == 1 else f"seen {days} days ago"
