"""The memory state of a card as JSON and in words: the same keys wherever a command prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall.model.review import DAY_MS, CardState, State

if TYPE_CHECKING:
    from recall.study.study import Study


def memory_document(study: Study, deck: str, state: CardState) -> dict[str, object]:
    """What the scheduler knows of a card; figures that a new card lacks are null."""
    new = state.state is State.NEW
    return {
        "state": state.state.name.lower(),
        "due": due_text(study, state),
        "stability": None if new else state.stability,
        "difficulty": None if new else state.difficulty,
        "retrievability": None if new else retrievability(study, deck, state),
        "reps": state.reps,
        "lapses": state.lapses,
        "suspended": state.suspended,
    }


def retrievability(study: Study, deck: str, state: CardState) -> float:
    """Probability of recall now, from fractional days since the last review."""
    from recall.schedule.memory import arithmetic_for

    elapsed_days = max(0.0, (study.clock.now().ms - state.last_review) / DAY_MS)
    return arithmetic_for(study.settings.options(deck)).retrievability(state.stability, elapsed_days)


def due_text(study: Study, state: CardState) -> str | None:
    """ISO 8601: the local day of a card in review, the local instant of one in learning, None for a new one."""
    if state.state is State.NEW:
        return None
    if state.state is State.REVIEW:
        from recall.schedule.days import date_of

        return date_of(state.due_day).isoformat()
    return instant_text(study, state.due)


def instant_text(study: Study, ms: int) -> str:
    """The instant *ms* in ISO 8601, in the learner's zone, to the second."""
    from datetime import UTC, datetime, timedelta, timezone

    offset = timezone(timedelta(minutes=study.clock.at(ms).offset_min))
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(offset).isoformat(timespec="seconds")


def memory_words(study: Study, deck: str, state: CardState) -> str:
    """The state in one line."""
    from recall.cli.output import counted

    if state.state is State.NEW:
        words = ["new"]
    else:
        words = [
            state.state.name.lower(),
            f"due {due_text(study, state)}",
            f"stability {state.stability:.1f} d",
            f"difficulty {state.difficulty:.1f}",
            f"retrievability {retrievability(study, deck, state):.0%}",
            counted(state.reps, "review"),
            counted(state.lapses, "lapse"),
        ]
    words += ["suspended"] * state.suspended + ["marked"] * state.marked
    if state.buried_until > study.today():
        words.append("buried")
    return ", ".join(words)
