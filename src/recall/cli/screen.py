"""Start the app with what the settings and the terminal say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from recall.settings import Settings
    from recall.study.session import Session
    from recall.study.study import Study

_THEMES = {
    "dark": "recall-dark",
    "light": "recall-light",
    "ansi": "recall-ansi",
    "high-contrast": "recall-high-contrast",
    "mono": "recall-mono",
}


def _keep_theme(name: str) -> None:
    from recall.settings.edit import write_setting

    write_setting("theme", name)


def show(
    study: Study,
    settings: Settings,
    *,
    start: Literal["home", "review"],
    session: Callable[[], Session] | None = None,
) -> int:
    """Run the app until it is left, and return the exit code. *session* is begun while the terminal answers."""
    from recall import paths
    from recall.cli.opening import back_up_today
    from recall.tui.terminal import BackgroundQuery

    _check_keymap(settings)
    with BackgroundQuery() as query:
        # The terminal has its 50 ms while the app is imported, which takes longer.
        from recall.tui.app import run_app
        from recall.tui.glyphs import ASCII, UNICODE
        from recall.tui.surroundings import Surroundings
        from recall.tui.terminal import ascii_only

        begun = session() if session is not None else None
        theme = settings.theme
        if theme == "auto":
            theme = "light" if query.is_light() else "dark"
    surroundings = Surroundings(
        clock=study.clock,
        rollover_hour=settings.rollover_hour,
        glyphs=ASCII if ascii_only() else UNICODE,
        keymap=settings.keymap,
        editor=settings.editor,
        copy_file=paths.home() / "copied.txt",
        keep_theme=_keep_theme,
    )
    return run_app(
        study,
        start=start,
        session=begun,
        theme=_THEMES[theme],
        surroundings=surroundings,
        # What goes wrong there is told by `recall doctor`: a line on stderr would spoil the screen.
        after_first_frame=lambda: back_up_today(study, lambda _: None),
        report_directory=paths.home() / "crashes",
    )


def _check_keymap(settings: Settings) -> None:
    """Raise `DataError` for a name in the table `[keys]` that no key has."""
    if not settings.keymap:
        return
    from difflib import get_close_matches

    from recall.errors import DataError
    from recall.tui.keys import TABLE, binding_id, unknown_ids

    unknown = unknown_ids(settings.keymap)
    if unknown:
        known = [binding_id(context, key) for context, keys in TABLE.items() for key in keys]
        near = get_close_matches(unknown[0], known, n=1)
        mend = f"did you mean {near[0]!r}?" if near else "docs/keys.md lists the names"
        raise DataError(f"{settings.file}: no key is called {unknown[0]!r}", mend)
