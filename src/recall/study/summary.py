"""What a session came to, from its rows in the log."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from recall.model.card import CardId
from recall.model.review import DAY_MS, Rating, State
from recall.schedule.days import study_day
from recall.store import daily, sittings
from recall.store.log import logged_reviews
from recall.store.states import state_of

if TYPE_CHECKING:
    from recall.store.sittings import SittingRow
    from recall.study.study import Study


class Summary(NamedTuple):
    """Figures of one session."""

    reviewed: int
    """Ratings."""
    by_rating: dict[Rating, int]
    seconds: float
    first_try: int
    """Cards that were not rated Again when they first came."""
    firsts: int
    """Cards."""
    tomorrow: int
    """Cards that fall due tomorrow."""
    longest: tuple[str, int, int] | None
    """The card with the longest gap earned: (title, days that it was remembered over, days until it comes again)."""
    slowest: tuple[str, float] | None
    """(title, seconds)."""
    weakest: tuple[str, int] | None
    """The card of the session that was forgotten most often: (title, lapses)."""


def summarise(study: Study, session: int) -> Summary:
    """The summary of *session* up to now."""
    rows = sittings.ratings_of(study.database, session)
    firsts: dict[CardId, SittingRow] = {}
    for row in rows:
        firsts.setdefault(row.card, row)
    ratings = Counter(Rating(row.rating) for row in rows)
    today = study.today()
    states = {card: state for card in firsts if (state := state_of(study.database, card)) is not None}
    earned = {card: state.due_day - today for card, state in states.items() if state.state is State.REVIEW}
    longest = max(earned, key=lambda card: earned[card], default=None)
    forgotten = max(states, key=lambda card: states[card].lapses, default=None)
    slowest = max(rows, key=lambda row: row.thinking_ms, default=None)
    return Summary(
        reviewed=len(rows),
        by_rating={rating: ratings[rating] for rating in Rating},
        seconds=sum(row.thinking_ms for row in rows) / 1000,
        first_try=sum(row.rating > Rating.AGAIN for row in firsts.values()),
        firsts=len(firsts),
        tomorrow=sittings.due_on(study.database, (today + 1) * DAY_MS, (today + 2) * DAY_MS),
        longest=None if longest is None else (_title(study, longest), _last_gap(study, longest), earned[longest]),
        slowest=None if slowest is None else (_title(study, slowest.card), slowest.thinking_ms / 1000),
        weakest=None
        if forgotten is None or not states[forgotten].lapses
        else (_title(study, forgotten), states[forgotten].lapses),
    )


def _last_gap(study: Study, card: CardId) -> int:
    """Study days between the last two reviews of *card*; 0 when there are not two."""
    last = [
        study_day(row.rated_at, row.offset_min, study.rollover_hour) for row in logged_reviews(study.database, card)
    ][-2:]
    return max(0, last[-1] - last[0]) if last else 0


def _title(study: Study, card: CardId) -> str:
    facts = daily.card_facts(study.database, card)
    return facts.title if facts else card
