"""All keys of the app in one table: bindings, key line, help and palette are made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

Context = Literal["everywhere", "home", "review", "summary", "list", "scroll", "first_run", "write", "find", "help"]
Group = Literal["answer", "card", "session", "move", "app"]


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that keys do."""

    id: str
    """Stable name, by which the settings give it other keys."""
    keys: str
    """Split by commas; the first one is shown. Empty: in the palette only."""
    action: str
    about: str
    """For help and palette."""
    group: Group = "app"
    palette: bool = True


# Full-width forms are what an input method leaves when it was not switched off.
_DIGITS = ("one", "two", "three", "four")


def _rating(number: int, name: str, about: str) -> Key:
    keys = f"{number},fullwidth_digit_{_DIGITS[number - 1]}"
    return Key(f"rate.{name}", keys, f"rate({number})", about, "answer")


EVERYWHERE = (
    Key("palette", "colon,ctrl+p", "palette", "every command by name", "app", palette=False),
    Key("help", "f1,question_mark", "help", "the keys of this screen", "app"),
    Key("shell", "Z", "suspend_process", "suspend to the shell", "app"),
    Key("interrupt", "ctrl+c", "interrupt", "copy the selected text, or quit when pressed twice", "app", palette=False),
)
SCROLL = (
    Key("scroll.down", "j,down", "scroll_card(1)", "one line down", "move", palette=False),
    Key("scroll.up", "k,up", "scroll_card(-1)", "one line up", "move", palette=False),
    Key("scroll.half_down", "ctrl+d", "scroll_pages(0.5)", "half a page down", "move", palette=False),
    Key("scroll.half_up", "ctrl+u", "scroll_pages(-0.5)", "half a page up", "move", palette=False),
    Key("scroll.page_down", "ctrl+f,pagedown", "scroll_pages(1)", "a page down", "move", palette=False),
    Key("scroll.page_up", "ctrl+b,pageup", "scroll_pages(-1)", "a page up", "move", palette=False),
    Key("scroll.top", "g,home", "scroll_to('top')", "to the top", "move", palette=False),
    Key("scroll.end", "G,end", "scroll_to('end')", "to the end", "move", palette=False),
)
LIST = (
    Key("list.down", "j,down", "move(1)", "next", "move", palette=False),
    Key("list.up", "k,up", "move(-1)", "previous", "move", palette=False),
    Key("list.half_down", "ctrl+d", "move_pages(0.5)", "half a page down", "move", palette=False),
    Key("list.half_up", "ctrl+u", "move_pages(-0.5)", "half a page up", "move", palette=False),
    Key("list.page_down", "ctrl+f,pagedown", "move_pages(1)", "a page down", "move", palette=False),
    Key("list.page_up", "ctrl+b,pageup", "move_pages(-1)", "a page up", "move", palette=False),
    Key("list.top", "g,home", "move_to('top')", "to the first", "move", palette=False),
    Key("list.end", "G,end", "move_to('end')", "to the last", "move", palette=False),
)
REVIEW = (
    Key(
        "reveal",
        "space,ideographic_space,enter",
        "reveal_or_rate",
        "show the answer; then take the tinted rating",
        "answer",
    ),
    _rating(1, "again", "forgotten: again"),
    _rating(2, "hard", "remembered with effort: hard"),
    _rating(3, "good", "remembered: good"),
    _rating(4, "easy", "remembered at once: easy"),
    Key("show", "escape", "reveal", "show the answer; never quits", "answer", palette=False),
    Key("hint", "ctrl+g", "hint", "the next hint", "answer"),
    Key("why", "w", "why", "why: show or hide the explanation", "answer"),
    Key("edit", "e", "edit", "edit the card in your editor", "card"),
    Key("write", "a", "write", "write a new card", "card"),
    Key("suspend", "s,at", "suspend", "suspend: it rests until you wake it in the search", "card"),
    Key("bury", "b,minus,equals_sign", "bury", "bury until tomorrow", "card"),
    Key("mark", "asterisk", "mark", "mark, or take the mark off", "card"),
    Key("copy", "y", "copy", "copy question and answer", "card"),
    Key("open", "o", "open", "open images, sound and links outside", "card"),
    Key("forget", "", "forget", "forget: the card is new again", "card"),
    Key("set_due", "", "set_due", "set the day on which the card is due", "card"),
    Key("undo", "u,ctrl+z", "undo", "undo the last rating, as often as you like", "session"),
    Key("redo", "U,ctrl+y", "redo", "redo what was undone", "session"),
    Key("back", "q", "back", "back; asks nothing, everything is saved", "session"),
)
HOME = (
    Key("review_all", "space,ideographic_space", "review_all", "review all that is due", "session"),
    Key("review_deck", "enter", "review_deck", "review the deck under the cursor", "session"),
    Key("fold", "h,left", "fold", "close the deck's branch", "move", palette=False),
    Key("unfold", "l,right", "unfold", "open the deck's branch", "move", palette=False),
    Key("find", "slash", "find", "search all cards", "card"),
    Key("write", "a", "write", "write a new card", "card"),
    Key("import", "i", "import", "import decks", "card"),
    Key("refresh", "f5", "refresh_home", "read the decks again", "session"),
    Key("quit", "q", "quit", "quit", "app"),
)
SUMMARY = (
    Key("home", "enter,escape,q", "done", "home", "session"),
    Key("more_new", "n", "more_new", "five more new cards", "session"),
    Key("ahead", "a", "ahead", "review ahead: what is due next", "session"),
    Key("weakest", "l", "weakest", "the ten weakest cards", "session"),
    Key("undo", "u,ctrl+z", "undo", "undo the last rating", "session"),
)
FIRST_RUN = (
    Key("start", "enter,space", "start", "start with ten cards", "session"),
    Key("look", "h", "look", "look at the decks first", "session"),
    Key("write", "a", "write", "write a new card", "card"),
    Key("import", "i", "import", "import decks", "card"),
    Key("quit", "q", "quit", "quit", "app"),
)
WRITE = (
    Key("save", "f2,ctrl+enter", "save", "save the card", "card"),
    Key("cancel", "escape", "cancel", "back without saving; the text is kept for next time", "session"),
)
FIND = (
    Key("leave", "escape", "leave", "clear the line, then back", "session", palette=False),
    Key("choose", "enter", "choose", "review the deck of this card", "session", palette=False),
    Key("wake", "f4", "wake", "wake a suspended card", "card", palette=False),
    Key("find.down", "down", "move(1)", "next", "move", palette=False),
    Key("find.up", "up", "move(-1)", "previous", "move", palette=False),
    Key("find.page_down", "pagedown", "move_pages(1)", "a page down", "move", palette=False),
    Key("find.page_up", "pageup", "move_pages(-1)", "a page up", "move", palette=False),
)
HELP = (
    Key("filter", "slash", "filter", "filter", "move", palette=False),
    Key("close", "escape,q,f1,question_mark", "close", "close", "session", palette=False),
)
TABLE: dict[Context, tuple[Key, ...]] = {
    "everywhere": EVERYWHERE,
    "home": HOME,
    "review": REVIEW,
    "summary": SUMMARY,
    "list": LIST,
    "scroll": SCROLL,
    "first_run": FIRST_RUN,
    "write": WRITE,
    "find": FIND,
    "help": HELP,
}

_SHOWN = {
    "space": "space", "asterisk": "*", "question_mark": "?", "slash": "/", "colon": ":", "at": "@", "minus": "-",
    "equals_sign": "=", "escape": "esc", "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "pgup",
    "pagedown": "pgdn",
}  # fmt: skip


def binding_id(context: Context, key: Key) -> str:
    """The name of *key* in the settings, such as `review.undo`."""
    return f"{context}.{key.id}"


_BEFORE_TEXT_FIELDS = {"interrupt"}
"""Keys that a text field would take for itself."""


def bindings(*contexts: Context) -> list[BindingType]:
    """The bindings of a screen or widget, each with its id."""
    return [
        Binding(
            key.keys,
            key.action,
            key.about,
            show=False,
            priority=key.id in _BEFORE_TEXT_FIELDS,
            id=binding_id(context, key),
        )
        for context in contexts
        for key in TABLE[context]
        if key.keys
    ]


def keys_of(context: Context, name: str, keymap: Mapping[str, str]) -> str:
    """The keys now bound to *name*, split by commas."""
    key = next(key for key in TABLE[context] if key.id == name)
    return keymap.get(binding_id(context, key), key.keys)


def shown(keys: str, limit: int | None = 1) -> str:
    """*keys* as people write them, at most *limit* of them; full-width twins are left out."""
    written = [
        _SHOWN.get(key, key)
        for key in (part.strip() for part in keys.split(","))
        if key and not key.startswith(("fullwidth_", "ideographic_"))
    ]
    return " ".join(written[:limit])


def unknown_ids(keymap: Mapping[str, str]) -> Sequence[str]:
    """Ids in a keymap that no key has."""
    known = {binding_id(context, key) for context, keys in TABLE.items() for key in keys}
    return sorted(set(keymap) - known)
