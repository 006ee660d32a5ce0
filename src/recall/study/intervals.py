"""How long until a card comes again, in few characters and in words."""

from __future__ import annotations

from recall.model.review import DAY_MS, CardState, State

_MINUTE_MS = 60_000
_DAYS_A_MONTH = 30.4375
_DAYS_A_YEAR = 365.25


def short_interval(state: CardState, now_ms: int, today: int) -> str:
    """Such as `10 min`, `4 d`, `2.3 mo`, `1.5 y`: what a rating button shows."""
    number, unit = _amount(state, now_ms, today)
    return f"{number} {unit}"


def interval_in_words(state: CardState, now_ms: int, today: int) -> str:
    """Such as `10 minutes`, `4 days`: what plain mode says."""
    number, unit = _amount(state, now_ms, today)
    word = {"s": "second", "min": "minute", "h": "hour", "d": "day", "mo": "month", "y": "year"}[unit]
    return f"{number} {word}{'' if number == '1' else 's'}"


def _amount(state: CardState, now_ms: int, today: int) -> tuple[str, str]:
    if state.state is not State.REVIEW:
        left_ms = max(0, state.due - now_ms)
        if left_ms < _MINUTE_MS:
            return str(round(left_ms / 1000)), "s"
        if left_ms < 60 * _MINUTE_MS:
            return str(round(left_ms / _MINUTE_MS)), "min"
        if left_ms < DAY_MS:
            return _short(left_ms / (60 * _MINUTE_MS)), "h"
        return _short(left_ms / DAY_MS), "d"
    days = max(0, state.due_day - today)
    if days < 31:
        return str(days), "d"
    if days < _DAYS_A_YEAR:
        return _short(days / _DAYS_A_MONTH), "mo"
    return _short(days / _DAYS_A_YEAR), "y"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
