"""The review as lines: for pipes and for screen readers. One line is read at each prompt; nothing is redrawn.

Every line that says something happened is written after it was stored.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

from recall.errors import StoreError
from recall.model.review import Rating

if TYPE_CHECKING:
    from recall.model.card import Place
    from recall.model.fault import Fault
    from recall.study.session import Session
    from recall.study.shown import Shown
    from recall.study.summary import Summary

Ending = Literal["done", "stopped"]

WIDTH = 80
"""Cells; the same whether a terminal reads or a pipe, so that a transcript does not depend on who looks."""

HELP = """enter: show the answer; at the rating prompt: take the suggested rating
1 again, 2 hard, 3 good, 4 easy: rate the card
u: undo the last action     U: redo it
s: suspend the card         b: bury it until tomorrow
*: mark it, or unmark it    e: edit it in your editor
h: hint                     r: read the card again
q: stop; everything is saved
?: this help"""

_RATINGS = {str(rating.value): rating for rating in Rating} | {rating.name.lower(): rating for rating in Rating}


class PlainReview:
    """Leads one session over lines in and lines out."""

    def __init__(
        self,
        session: Session,
        read: Callable[[], str],
        write: Callable[[str], None],
        edit: Callable[[Place], bool],
        *,
        patient: bool,
    ) -> None:
        """*read* gives a line with its end, or empty at the end of input; *edit* opens a file and says whether it did.

        *patient*: a person reads, so a failed write is told and asked again. In a pipe the lines that follow
        were written for cards that would now come out of step, so it stops there.
        """
        self._session = session
        self._read = read
        self._write = write
        self._edit = edit
        self._patient = patient
        self._counted = ""

    def run(self) -> Ending:
        """Ask until nothing is left or the input ends. Raises `StoreError` when what was asked could not be stored."""
        self._greet()
        while self._session.phase != "done":
            shown = self._session.shown
            assert shown is not None  # only a session that is done shows nothing
            self._ask(shown)
            line = self._line()
            if line is None or line in ("q", "quit"):
                return self._stop()
            try:
                self._obey(line)
            except StoreError as error:
                if not self._patient:
                    raise
                self._say(str(error))
        self._finish(self._session.summary())
        return "done"

    def _obey(self, line: str) -> None:
        """Do what *line* asks at the present prompt."""
        if self._command(line):
            return
        if self._session.phase == "question":
            self._reveal(line)
            return
        rating = self._session.suggested if line == "" else _RATINGS.get(line.lower())
        if rating is None:
            self._say(f"Not understood: {line!r}. Type 1, 2, 3 or 4; ? lists the commands.")
            return
        self._rate(rating)

    def _reveal(self, line: str) -> None:
        """Take *line* as the answer of a card that asks for one; else show the answer."""
        shown = self._session.shown
        if shown is not None and shown.typed and line:
            verdict = self._session.check(line)
            message = f": {verdict.message}" if verdict.message else ""
            self._say(f"{verdict.outcome.replace('_', ' ')}{message}.")
        elif line in _RATINGS:
            self._say("The answer first: press enter, then rate.")
        else:
            self._session.reveal()

    def _rate(self, rating: Rating) -> None:
        gap = next(button.words for button in self._session.buttons() if button.rating == rating)
        rated = self._session.rate(rating)
        coming = "schedule unchanged" if gap == "no change" else f"next in {gap}"
        self._say(f"Saved: {rating.value} {rating.name.lower()}, {coming}.")
        if rated.leech:
            self._say("This card was forgotten often. Consider to write it anew, or to split it.")

    def _command(self, line: str) -> bool:
        """Do *line* if it is a command of both prompts."""
        session = self._session
        match line:
            case "u" | "undo":
                undone = session.undo()
                self._say(f"Undone: {undone.what} of {undone.card}." if undone else "Nothing to undo.")
            case "U" | "redo":
                redone = session.redo()
                self._say(f"Done again: {redone.what} of {redone.card}." if redone else "Nothing to redo.")
            case "s" | "suspend" | "@":
                session.suspend()
                self._say("Saved: suspended.")
            case "b" | "bury" | "-" | "=":
                session.bury()
                self._say("Saved: buried until tomorrow.")
            case "*" | "mark":
                session.toggle_mark()
                shown = session.shown
                self._say("Saved: marked." if shown and shown.state.marked else "Saved: mark removed.")
            case "e" | "edit":
                self._edit_card()
            case "h" | "hint":
                self._hint()
            case "r" | "read":
                self._counted = ""
            case "?" | "help":
                self._say(HELP)
            case _:
                return False
        return True

    def _edit_card(self) -> None:
        place = self._session.source()
        if not self._edit(place):
            self._say(f"No terminal for an editor. The card stands in {place.file}, line {place.line}.")
            return
        self._tell(self._session.reload())
        self._counted = ""

    def _tell(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self._say(fault.render())

    def _hint(self) -> None:
        hint = self._session.hint()
        self._say("No more hints." if hint is None else "Hint: " + self._text(hint))

    # --- what is said ----------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        counts = self._session.counts
        if self._session.phase != "done":
            learning = f", {counts.again} learning" if counts.again else ""
            self._say(f"{counts.due} due, {counts.new} new{learning}. ? lists the commands.")

    def _ask(self, shown: Shown) -> None:
        """Say the card, as far as it was not said before, and the prompt."""
        reviewed = self._session.counts.reviewed
        here = f"{shown.card.id} {reviewed} {shown.card.revision} {shown.question}"
        if here != self._counted.removesuffix(" revealed"):
            self._counted = here
            kind = "concept" if shown.kind == "text" else shown.kind
            marked = ", marked" if shown.state.marked else ""
            self._say(f"\nCard {reviewed + 1}, {kind}, {shown.deck_name}{marked}")
            if shown.changed:
                self._say("Its answer has changed since you last saw it.")
            self._say(self._text(shown.question))
        if self._session.phase == "question":
            self._say("Type your answer; enter alone shows it." if shown.typed else "Enter shows the answer.")
            return
        if not self._counted.endswith(" revealed"):
            self._counted += " revealed"
            self._answer(shown)
        gaps = ", ".join(
            f"{button.rating.value} {button.rating.name.lower()} {button.words}" for button in self._session.buttons()
        )
        self._say(f"rate {gaps}")

    def _answer(self, shown: Shown) -> None:
        self._say("Answer: " + self._text(shown.answer))
        if shown.why:
            self._say("Why: " + self._text(shown.why))
        for medium in shown.media:
            self._say(f"File: {medium}")
        if shown.source:
            as_of = f", as of {shown.as_of}" if shown.as_of else ""
            self._say(f"Source: {shown.source}{as_of}")

    def _text(self, markdown: str) -> str:
        from recall.prose.plain import plain_text

        return plain_text(markdown, WIDTH)

    def _stop(self) -> Ending:
        reviewed = self._session.counts.reviewed
        self._say(f"Stopped. {_cards(reviewed)} reviewed, everything is saved.")
        return "stopped"

    def _finish(self, summary: Summary) -> None:
        if not summary.reviewed:
            self._say("Nothing is due.")
        else:
            rated = ", ".join(
                f"{count} {rating.name.lower()}" for rating, count in sorted(summary.by_rating.items()) if count
            )
            minutes = round(summary.seconds / 60)
            spent = "less than a minute" if minutes < 1 else "1 minute" if minutes == 1 else f"{minutes} minutes"
            self._say(f"\nDone. {_cards(summary.reviewed)} reviewed in {spent}: {rated}.")
        if self._session.waiting_until is not None:
            self._say("Some cards that you are learning come back later today.")
        self._say(f"Due tomorrow: {summary.tomorrow}.")

    def _say(self, text: str) -> None:
        self._write(text)

    def _line(self) -> str | None:
        """The next line of input without blanks around it; None at its end."""
        line = self._read()
        if not line:
            return None
        # Input methods leave full-width digits and letters: the plain key is meant.
        return unicodedata.normalize("NFKC", line).strip()


def _cards(number: int) -> str:
    return f"{number} card" if number == 1 else f"{number} cards"


def review_by_lines(session: Session, editor: str) -> Ending:
    """Lead *session* over standard input and output. Raises `StoreError`."""
    from recall.prose.marks import strip_unsafe

    terminal = sys.stdin.isatty() and sys.stdout.isatty()

    def write(text: str) -> None:
        # At once: whoever reads the other end of a pipe acts on what was confirmed.
        print(strip_unsafe(text).expandtabs(4), flush=True)

    def edit(place: Place) -> bool:
        if not terminal:
            return False
        import subprocess

        from recall.tui.editor import chosen_editor, editor_command

        words = editor_command(chosen_editor(editor), place.file, place.line)
        try:
            subprocess.run(words, check=False)
        except OSError as error:
            print(f"Cannot start {words[0]}: {error.strerror or error}", flush=True)
            return False
        return True

    return PlainReview(session, sys.stdin.readline, write, edit, patient=terminal).run()
