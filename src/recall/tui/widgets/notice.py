"""Something that takes more than a line to say, over the lower right of the screen until the next key."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.widget import Widget

from recall.prose.marks import strip_unsafe


class Notice(Widget):
    """Plain text; a fault keeps its line and caret."""

    DEFAULT_CSS = """
    Notice {
        dock: bottom; layer: notice; width: auto; max-width: 72; height: auto; margin: 0 1 2 1; padding: 0 1;
        background: $panel; border-left: outer $primary; offset-x: 0;
    }
    Notice.-error { border-left: outer $error; }
    """

    def __init__(self, message: str, title: str, *, error: bool) -> None:
        super().__init__(classes="-notice -error" if error else "-notice")
        self._message = message
        self._title = title
        self._error = error

    def render(self) -> Content:
        message = Content(strip_unsafe(self._message.strip()))
        if not self._title:
            return message
        return (
            Content.styled(strip_unsafe(self._title), "bold $error" if self._error else "bold $primary")
            + "\n"
            + message
        )

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.remove()
