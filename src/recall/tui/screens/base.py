"""What every screen of the app shares: size classes, keys, the line that says what was done."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.content import Content
from textual.screen import Screen

from recall.errors import RecallError, StoreBusyError
from recall.model.review import Moment
from recall.tui import keys
from recall.tui.keys import Context
from recall.tui.surroundings import Surroundings
from recall.tui.widgets.key_line import Hint, KeyLine

if TYPE_CHECKING:
    from recall.tui.app import RecallApp

NARROW, WIDE = 100, 160
"""Columns at which the middle and the wide layout begin."""
SHORT = 32
"""Rows below which a screen is short."""
_STILL_WORKS_SMALL = {"quit", "back", "done", "interrupt", "suspend_process", "leave", "close", "cancel"}


def clock_time(moment: Moment) -> str:
    """Hour and minute of *moment* where the learner is."""
    minutes = moment.ms // 60_000 + moment.offset_min
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


class RecallScreen(Screen[Any]):
    """A screen with a key line. Subclasses draw themselves in `draw`."""

    CONTEXTS: ClassVar[tuple[Context, ...]] = ()
    """Whose keys work here, the screen's own first; help and palette show them."""
    NAME: ClassVar[str] = ""
    """For the header and help."""

    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(self) -> None:
        super().__init__()
        # With its size classes from the start, a screen is styled once, not twice.
        size = self.recall.size
        self.add_class(
            "-narrow" if size.width < NARROW else "-middle" if size.width < WIDE else "-wide",
            "-short" if size.height < SHORT else "-tall",
        )

    @property
    def recall(self) -> RecallApp:
        return cast("RecallApp", self.app)  # pyright: ignore[reportUnknownMemberType] -- App is generic there

    @property
    def surroundings(self) -> Surroundings:
        return self.recall.surroundings

    # --- size ------------------------------------------------------------------------------------------------------

    @property
    def is_too_small(self) -> bool:
        columns, rows = self.surroundings.minimum_size
        return self.size.width < columns or self.size.height < rows

    def on_resize(self, event: events.Resize) -> None:
        # The children are hidden, not removed: all state is there when the window grows again.
        self.set_class(self.is_too_small, "-too-small")

    def render(self) -> Content:
        if not self.has_class("-too-small"):
            return Content("")
        columns, rows = self.surroundings.minimum_size
        return Content(
            f"recall needs {columns} columns and {rows} rows: enlarge the window, or run recall review --plain."
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Nothing may happen to a card that is not seen.
        return action in _STILL_WORKS_SMALL or not self.has_class("-too-small")

    # --- keys ------------------------------------------------------------------------------------------------------

    def hint(self, name: str, word: str, context: Context | None = None, limit: int = 1) -> Hint:
        """The hint for the key *name* with the keys that are bound to it now."""
        context = context or self.CONTEXTS[0]
        bound = keys.keys_of(context, name, self.surroundings.keymap)
        action = next(key.action for key in keys.TABLE[context] if key.id == name)
        return Hint(keys.shown(bound, limit), word, action)

    def hints(self) -> Sequence[Hint]:
        """The hints of this screen as it is now; help is added."""
        return ()

    def show_keys(self) -> None:
        """Draw the key line anew and forget what was said there."""
        self.query_one(KeyLine).forget()
        self.update_keys()

    def update_keys(self) -> None:
        """Draw the key line anew."""
        self.query_one(KeyLine).show((*self.hints(), Hint("f1", "help", "app.help")))

    @on(KeyLine.Clicked)
    async def act_on_hint(self, event: KeyLine.Clicked) -> None:
        await self.run_action(event.action)

    # --- telling ---------------------------------------------------------------------------------------------------

    def say(self, text: str, style: str = "$foreground") -> None:
        """One short line where the keys stand, until the next action."""
        self.query_one(KeyLine).notice(text, style)

    def tell(self, message: str, *, title: str = "", error: bool = True) -> None:
        """Something longer, above the screen, until the next key."""
        self.recall.tell(message, title=title, error=error)

    def open_notice(self, message: str, title: str, error: bool) -> None:
        from recall.tui.widgets.notice import Notice

        self.close_notice()
        self.mount(Notice(message, title, error=error))

    def close_notice(self) -> None:
        for notice in self.query(".-notice"):
            notice.remove()

    @contextmanager
    def telling(self, failed: str) -> Generator[None]:
        """Run what may fail on disk or input; a failure is told, and *failed* says what did not happen."""
        try:
            yield
        except StoreBusyError as error:
            self.tell(f"{error}\nNothing is lost: press the key again.", title=failed)
        except RecallError as error:
            self.tell(str(error), title=failed)
        except OSError as error:
            self.tell(f"{error.strerror or error}", title=failed)
