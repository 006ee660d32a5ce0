"""Every setting by name: its form, its default, whether a deck may have its own, and what it does."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from recall.model.options import Options
from recall.settings.forms import Choice, Flag, Form, Real, Steps, Text, Weights, Whole, Zone

Theme = Literal["auto", "dark", "light", "ansi", "high-contrast", "mono"]
MathMode = Literal["auto", "unicode", "ascii", "spoken", "source"]

FSRS6_BOUNDS = (
    (0.001, 100), (0.001, 100), (0.001, 100), (0.001, 100), (1, 10), (0.001, 4), (0.001, 4), (0.001, 0.75),
    (0, 4.5), (0, 0.8), (0.001, 3.5), (0.001, 5), (0.001, 0.25), (0.001, 0.9), (0, 4), (0, 1), (1, 6), (0, 2),
    (0, 2), (0, 0.8), (0.1, 0.8),
)  # fmt: skip
"""Bounds of the weights of FSRS-6; source: `fsrs.scheduler` of py-fsrs 6.3."""

_DAY_S = 86_400


class Key(NamedTuple):
    """One setting."""

    name: str
    form: Form
    default: object
    about: str
    """One line for lists and help, without a final period."""
    per_deck: bool = False
    secret: bool = False
    """A URL whose password must not be shown."""

    @property
    def variable(self) -> str:
        """The environment variable that sets it, for settings that are not a deck's."""
        return "" if self.per_deck else f"RECALL_{self.name.upper()}"


_DEFAULTS = Options()


def _option(name: str, form: Form, about: str) -> Key:
    return Key(name, form, getattr(_DEFAULTS, name), about, per_deck=True)


GENERAL = (
    Key("database_url", Text(), "", "where the reviews are kept; empty: a SQLite file", secret=True),
    Key("timezone", Zone(), "", "time zone of the study day; empty: the system's"),
    Key("rollover_hour", Whole(0, 23), 4, "local hour at which a study day ends"),
    Key("learn_ahead_s", Whole(0, 14_400, "seconds"), 1200, "how early a waiting card may come"),
    Key("theme", Choice(get_args(Theme)), "auto", "colours of the app"),
    Key("math", Choice(get_args(MathMode)), "auto", "form of formulas; for now all are shown as source"),
    Key("plain", Flag(), False, "always review line by line, without a screen: for screen readers"),
    Key("editor", Text(), "", "command that opens a file for editing; empty: VISUAL, then EDITOR"),
)  # fmt: skip

OF_A_DECK = (
    _option("desired_retention", Real(0.7, 0.99), "probability of recall at which a card falls due"),
    _option("new_per_day", Whole(0, 9999), "new cards a day"),
    _option("reviews_per_day", Whole(0, 99_999), "reviews a day, learning cards not counted"),
    _option("new_order", Choice(("deck", "random")), "order in which new cards come"),
    _option("mix", Choice(("spread", "new_first", "new_last")), "where new cards come among the due ones"),
    _option("learning_steps_s", Steps(1, _DAY_S - 1), "steps of a new card, in seconds"),
    _option("relearning_steps_s", Steps(1, _DAY_S - 1), "steps of a forgotten card, in seconds"),
    _option("maximum_interval", Whole(1, 36_500, "days"), "longest interval, in days"),
    _option("fuzz", Flag(), "spread due days a little, so that cards learned together part"),
    _option("bury_siblings", Flag(), "show one card of a note a day"),
    _option("leech_threshold", Whole(0, 999), "lapses at which a card is a leech; 0: never"),
    _option("leech_action", Choice(("mark", "suspend")), "what happens to a leech"),
    _option("answer_cap_s", Whole(1, 86_400, "seconds"), "longest time logged for one answer, in seconds"),
    _option("model", Choice(("FSRS-6",)), "memory model"),
    _option("parameters", Weights(FSRS6_BOUNDS), "weights of the memory model"),
)

KEYS = {key.name: key for key in (*GENERAL, *OF_A_DECK)}

KEYMAP_TABLE = "keys"
DECK_TABLE = "deck"

# A field of Options without a setting would be an option that nobody can set.
assert set(Options._fields) == {key.name for key in OF_A_DECK}


def nearest(word: str, known: list[str]) -> str:
    """The known name that *word* was probably meant to be, or empty."""
    from difflib import get_close_matches

    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else ""


def did_you_mean(word: str, known: list[str]) -> str:
    """The question "did you mean ...?", or empty when nothing is near."""
    near = nearest(word, known)
    return f"did you mean {near!r}?" if near else ""
