"""What most commands begin with: the settings of this run, and the study that they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from recall.model.fault import Fault
    from recall.settings import Settings
    from recall.study.study import Study

_FAULTS_TOLD = 3


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The settings under the flags of this command line."""
    from recall.settings import load_settings

    flags = {"database_url": getattr(arguments, "database", None) or ""}
    if getattr(arguments, "plain", False):
        flags["plain"] = "true"
    return load_settings(flags)


def plain_wanted(settings: Settings) -> bool:
    """Whether to go by lines: it was asked for, or there is no terminal that a screen could be drawn on."""
    from recall.tui.terminal import can_show_app

    return settings.plain or not can_show_app()


def back_up_today(study: Study, tell: Callable[[str], None]) -> None:
    """Make the day's backup if it is due, on a connection of its own; meant for a thread beside the session."""
    from recall.errors import RecallError
    from recall.study.upkeep import daily_backup

    try:
        own = study.again()
        try:
            daily_backup(own)
        finally:
            own.close()
    except RecallError as error:
        tell(f"no backup was made today: {error}")
    except Exception as error:
        # The edge of this thread: without it Python would print a traceback into the session.
        from recall.cli.crash import report

        tell(f"no backup was made today: {report(error, ['(backup)'])}")


def warn_of_faults(faults: Sequence[Fault]) -> None:
    """Tell on stderr of deck faults met on the way: the first few in one line each."""
    from recall.cli.output import counted, remark
    from recall.study.sync import GONE

    errors = [fault for fault in faults if fault.severity == "error" or fault.rule == GONE]
    for fault in errors[:_FAULTS_TOLD]:
        remark(f"{fault.place}: {fault.message}")
    if len(errors) > _FAULTS_TOLD:
        remark(f"and {counted(len(errors) - _FAULTS_TOLD, 'more fault')}; recall lint shows them all")
