"""What an app has drawn, as text: cells, and on demand the style of each run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from rich.cells import cell_len

import factories
from recall.clock import FrozenClock
from recall.tui.app import RecallApp
from recall.tui.surroundings import Surroundings

NOW = FrozenClock(datetime.fromisoformat("2026-12-01T08:41:00+01:00"))


def app_on(
    session: factories.FakeSession | None = None,
    *,
    overview: factories.Overview = factories.OVERVIEW,
    theme: str = "recall-dark",
    sessions: Callable[[], factories.FakeSession] | None = None,
    **surroundings: object,
) -> RecallApp:
    """The app on a fake study: the review of *session*, or home when there is none."""
    study = factories.FakeStudy(overview, sessions)
    around = Surroundings(clock=NOW, **surroundings)  # type: ignore[arg-type]
    start = "home" if session is None else "review"
    return RecallApp(study, start=start, session=session, theme=theme, surroundings=around)


def lines(app: RecallApp) -> list[str]:
    """The rows of the screen on top, without the spaces at their ends."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


def text(app: RecallApp) -> str:
    return "\n".join(lines(app))


def widths(app: RecallApp) -> set[int]:
    """Cells of each row: one value when nothing sticks out."""
    return {cell_len(strip.text) for strip in app.screen._compositor.render_strips()}


def styled(app: RecallApp) -> str:
    """Rows with the style of each run of text that has more than the ground: for snapshots."""
    rows: list[str] = []
    for strip in app.screen._compositor.render_strips():
        runs: list[tuple[str, str]] = []
        for segment in strip:
            style = str(segment.style.without_color) if segment.style else ""
            color = segment.style.color.name if segment.style and segment.style.color else ""
            ground = segment.style.bgcolor.name if segment.style and segment.style.bgcolor else ""
            name = " ".join(
                part for part in (style.replace("none", ""), color, f"on {ground}" if ground else "") if part
            )
            if runs and runs[-1][1] == name:
                runs[-1] = (runs[-1][0] + segment.text, name)
            else:
                runs.append((segment.text, name))
        rows.append("".join(run for run, _ in runs).rstrip())
        rows.append("    " + " | ".join(f"{run.strip()[:12]!r} {name}" for run, name in runs if run.strip()))
    return "\n".join(rows) + "\n"
