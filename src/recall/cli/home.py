"""`recall` alone: the home screen, or its figures as lines where no screen can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.opening import plain_wanted, settings_of

    settings = settings_of(arguments)
    if plain_wanted(settings):
        from recall.cli.decks import print_overview

        return print_overview(settings)
    from recall.study.study import open_study

    study = open_study(settings)
    try:
        study.sync()
        # Textual costs most of the start: only where there is a screen to draw on.
        from recall.cli.screen import show

        return show(study, settings, start="home")
    finally:
        study.close()
