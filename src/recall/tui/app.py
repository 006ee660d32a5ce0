"""The app: chooses the first screen, holds the theme, and leaves the terminal as it was."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from textual import events, on
from textual.app import App, SuspendNotSupported
from textual.binding import BindingType
from textual.driver import Driver
from textual.screen import Screen
from textual.theme import Theme

from recall.errors import RecallError
from recall.tui import keys
from recall.tui.glyphs import ASCII
from recall.tui.screens.base import NARROW, SHORT, WIDE, RecallScreen
from recall.tui.surroundings import Surroundings
from recall.tui.theme import MONO, THEMES, VARIABLE_DEFAULTS, AsciiSigns, WithoutColor

if TYPE_CHECKING:
    from recall.tui.ports import Session, Study

Start = Literal["home", "review"]

_TWICE_S = 2.0
"""Within this time a second ctrl+c quits."""

CSS = """
Screen { background: $background; color: $foreground; scrollbar-size: 1 1; }
RecallScreen.-too-small { align: center middle; }
RecallScreen.-too-small > * { display: none; }
VerticalScroll { scrollbar-size: 1 1; }
#stage { align: center top; padding: 1 2 0 2; height: 1fr; }
ReviewScreen.-short #stage { padding: 0 2; }
RatingBar { height: 4; padding: 1 0; }
RecallScreen.-short RatingBar { height: 2; padding: 0; }
"""


class RecallApp(App[int]):
    """Shows a study. Decides nothing itself."""

    CSS = CSS
    TITLE = "recall"
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("everywhere")]

    def __init__(
        self,
        study: Study,
        *,
        start: Start = "home",
        session: Session | None = None,
        theme: str = "recall-dark",
        surroundings: Surroundings | None = None,
        after_first_frame: Callable[[], None] | None = None,
    ) -> None:
        self.study = study
        self.surroundings = surroundings or Surroundings()
        self.crash: BaseException | None = None
        self.draft = ""
        """Text of a card that was begun and not saved."""
        self._start = start
        self._session = session
        self._after_first_frame = after_first_frame
        self._interrupted_at = -_TWICE_S
        self._first_theme = theme if theme in THEMES else "recall-dark"
        super().__init__(driver_class=_driver())
        self.set_reactive(App.theme, self._first_theme)
        if self._first_theme == MONO.name:
            self.no_color = True
            self._filters = [WithoutColor()]
        if self.surroundings.glyphs == ASCII:
            self._filters.append(AsciiSigns())
        self.animation_level = "none"
        # We have a notice of our own: two widgets less on every screen.
        self._disable_notifications = True
        self._disable_tooltips = True
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (NARROW, "-middle"), (WIDE, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (SHORT, "-tall")]
        self.set_keymap(dict(self.surroundings.keymap))

    # --- theme -----------------------------------------------------------------------------------------------------

    def get_theme(self, theme_name: str) -> Theme | None:
        # Known before the base class sets itself up, so that the style sheet is made once, not twice.
        return THEMES.get(theme_name) or THEMES[self._first_theme]

    @property
    def available_themes(self) -> dict[str, Theme]:
        return THEMES

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return VARIABLE_DEFAULTS

    # --- screens ---------------------------------------------------------------------------------------------------

    def get_default_screen(self) -> Screen[Any]:
        # Only the first screen is imported: the others wait until they are asked for.
        if self._start == "review":
            from recall.tui.screens.review import ReviewScreen

            return ReviewScreen(self._session or self.study.session())
        overview = self.study.overview()
        if overview.first_run:
            from recall.tui.screens.first_run import FirstRunScreen

            return FirstRunScreen(overview)
        from recall.tui.screens.home import HomeScreen

        return HomeScreen(overview)

    def on_mount(self) -> None:
        self.call_after_refresh(self._first_frame_is_drawn)

    @on(Driver.SignalResume)
    def _draw_again(self) -> None:
        # Back from the shell: the terminal forgot the screen, and Textual believes that it is still there.
        self.refresh(layout=True)

    def _first_frame_is_drawn(self) -> None:
        gc.enable()
        if self._after_first_frame is not None:
            threading.Thread(target=self._after_first_frame, name="after-first-frame", daemon=True).start()

    async def on_event(self, event: events.Event) -> None:
        # A notice stays until the next key.
        if isinstance(event, events.Key) and not event.is_forwarded and isinstance(self.screen, RecallScreen):
            self.screen.close_notice()
        await super().on_event(event)

    def tell(self, message: str, *, title: str = "", error: bool = True) -> None:
        """Something longer, over the screen that is on top."""

        if isinstance(self.screen, RecallScreen):
            self.screen.call_after_refresh(self.screen.open_notice, message, title, error)

    def say(self, text: str, style: str = "$foreground") -> None:
        """One short line where the keys of the screen on top stand, until the next action."""

        if isinstance(self.screen, RecallScreen):
            self.screen.call_after_refresh(self.screen.say, text, style)

    # --- actions ---------------------------------------------------------------------------------------------------

    def action_help(self) -> None:
        from recall.tui.screens.help import HelpScreen

        if isinstance(self.screen, RecallScreen) and not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    def action_palette(self) -> None:
        from recall.tui.screens.palette import PaletteScreen

        below = self.screen
        if not isinstance(below, RecallScreen) or isinstance(below, PaletteScreen):
            return

        async def act(action: str | None) -> None:
            if action is not None:
                await below.run_action(action)

        self.push_screen(PaletteScreen(below), act)

    def action_use_theme(self, name: str) -> None:
        """Use the theme *name*, also the next time."""
        self.theme = name
        if self.surroundings.keep_theme is not None:
            try:
                self.surroundings.keep_theme(name.removeprefix("recall-"))
            except RecallError as error:
                self.tell(f"The theme will not be remembered: {error.message}.")

    def action_interrupt(self) -> None:
        """Copy what is selected; else quit at the second press."""
        # A text field knows its own selection.
        text = self.screen.get_selected_text() or str(getattr(self.focused, "selected_text", ""))
        if text:
            self.copy_to_clipboard(text)
            return
        now = time.monotonic()
        if now - self._interrupted_at < _TWICE_S:
            self.exit(1)
            return
        self._interrupted_at = now
        self.say("ctrl+c again quits; everything is saved")

    def leave(self, screen: Screen[Any]) -> None:
        """Go back from *screen*: to home with fresh counts, or out of the app when it was the first."""
        from recall.tui.screens.home import HomeScreen

        if len(self.screen_stack) == 1:
            self.exit(0)
            return
        below = self.screen_stack[-2]
        screen.dismiss()
        if isinstance(below, HomeScreen):
            below.call_after_refresh(below.refresh_overview)

    def run_outside(self, command: Sequence[str]) -> bool:
        """Give the terminal to *command* until it ends; False when it ended badly, which is told.

        Raises `OSError` when it cannot be started.
        """
        try:
            with self.suspend():
                status = self.surroundings.run_command(command)
        except SuspendNotSupported:
            # No terminal to give away, as in a browser: an editor with its own window still works.
            status = self.surroundings.run_command(command)
        if status != 0:
            self.tell(f"{command[0]} ended with status {status}")
        return status == 0

    def copy(self, text: str) -> None:
        """Copy *text* through the terminal and into a file of the user's own. Raises `OSError` for the file."""
        self.copy_to_clipboard(text)
        file = self.surroundings.copy_file
        if file is not None:
            from recall.tui.private_file import write_private

            write_private(file, text)

    # --- the end ---------------------------------------------------------------------------------------------------

    def _handle_exception(self, error: Exception) -> None:
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # Textual would draw a traceback; the launcher says one sentence once the terminal is itself again.
        self._close_messages_no_wait()

    def panic(self, *renderables: Any) -> None:
        self._close_messages_no_wait()


def _driver() -> Any:
    if os.name != "posix":
        return None
    from recall.tui.driver import RecallDriver

    return RecallDriver


@contextmanager
def _interruptible() -> Generator[None]:
    """Until the driver listens, ctrl+c ends the program; asyncio would only cancel a task, which Textual may miss."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def run_app(
    study: Study,
    *,
    start: Start = "home",
    session: Session | None = None,
    theme: str = "recall-dark",
    surroundings: Surroundings | None = None,
    after_first_frame: Callable[[], None] | None = None,
    report_directory: Path | None = None,
) -> int:
    """Run the app until it is left, and return the exit code.

    *session* is shown at once when *start* is `review`. *after_first_frame* runs on a thread once the first
    screen is drawn. After a crash the terminal is restored, one sentence goes to stderr, and a report is
    written to *report_directory*.
    """
    # Collecting garbage while everything is being made only costs time.
    gc.disable()
    app = RecallApp(
        study,
        start=start,
        session=session,
        theme=theme,
        surroundings=surroundings,
        after_first_frame=after_first_frame,
    )
    try:
        with _interruptible():
            code = app.run()
    except KeyboardInterrupt:
        return 130
    if app.crash is not None:
        from recall.tui.report import report_crash

        return report_crash(app.crash, report_directory)
    return code or 0
