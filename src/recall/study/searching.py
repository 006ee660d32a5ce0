"""Finding cards by a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall.model.query import parse_query
from recall.schedule.memory import arithmetic_for
from recall.store.search import FoundCard, Today, count, find

if TYPE_CHECKING:
    from recall.study.study import Study


def search(study: Study, query: str, limit: int | None = 50) -> list[FoundCard]:
    """The first *limit* cards that *query* holds for. Raises `UsageError` that points into the query."""
    return find(study.database, parse_query(query), today_of(study), limit)


def count_cards(study: Study, query: str) -> int:
    """How many cards *query* holds for. Raises `UsageError` that points into the query."""
    return count(study.database, parse_query(query), today_of(study))


def today_of(study: Study) -> Today:
    """What conditions about time and memory are weighed against now, by the general options."""
    now, today = study.clock.now(), study.today()
    options = study.settings.options()
    return Today(
        day=today,
        offset_min=now.offset_min,
        rollover_hour=study.rollover_hour,
        leech_threshold=options.leech_threshold,
        elapsed_at=lambda retrievability: arithmetic_for(options).interval(1.0, retrievability),
        now_ms=now.ms,
    )
