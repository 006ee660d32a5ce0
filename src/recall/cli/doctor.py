"""`recall doctor`: is everything as it should be?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

EXAMPLES = """examples:
  recall doctor         look at everything, change nothing
  recall doctor --fix   fold the states from the log again where they differ

exit codes: 0 all well, 1 a fault was found"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("--fix", action="store_true", help="mend what can be derived again")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from recall.cli.opening import settings_of
    from recall.cli.output import print_json, say
    from recall.study.doctor import examine
    from recall.study.study import open_study

    study = open_study(settings_of(arguments))
    try:
        findings = examine(study, fix=arguments.fix)
    finally:
        study.close()
    healthy = all(finding.status != "fault" for finding in findings)
    if arguments.json:
        print_json({"healthy": healthy, "findings": [asdict(finding) for finding in findings]})
    else:
        for finding in findings:
            say(f"{finding.status:8} {finding.subject}: {finding.message}")
            if finding.mend:
                say(f"         {finding.mend}")
    return 0 if healthy else 1
