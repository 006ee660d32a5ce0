"""`recall review`: the session, in the app or by lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.study.session import Session

EXAMPLES = """examples:
  recall review                             all that is due
  recall review gpu distributed --limit 20  twenty cards of two decks and those below them
  recall review --query "tag:nccl is:due"   what a search finds; see recall search --help
  printf '\\n3\\nq\\n' | recall review        one card by pipe: show the answer, rate it good, stop

exit codes: 0 done, 1 stopped early with everything saved"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("deck", nargs="*", metavar="DECK", help="only these decks and those below them")
    parser.add_argument("--query", metavar="Q", default="", help="only cards that this search finds")
    parser.add_argument("--limit", metavar="N", type=count, help="at most N cards")
    parser.add_argument("--new", metavar="N", type=count, help="at most N new cards, instead of the day's limit")
    parser.add_argument("--ahead", action="store_true", help="also cards that are not yet due")
    parser.add_argument("--cram", action="store_true", help="any cards; the schedule is left as it is")
    parser.add_argument("--plain", action="store_true", help="line by line; by itself when there is no terminal")


def count(text: str) -> int:
    """A number of cards."""
    import argparse

    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of cards")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.opening import back_up_today, plain_wanted, settings_of, warn_of_faults
    from recall.errors import UsageError
    from recall.study.study import open_study

    if arguments.ahead and arguments.cram:
        raise UsageError("--ahead and --cram exclude each other", "--cram takes any card and leaves the schedule alone")
    settings = settings_of(arguments)
    plain = plain_wanted(settings)
    study = open_study(settings)

    def begin() -> Session:
        faults = study.sync().all_faults
        if plain:
            warn_of_faults(faults)
        return study.session(
            decks=[name.replace("::", "/") for name in arguments.deck],
            query=arguments.query,
            limit=arguments.limit,
            new=arguments.new,
            ahead=arguments.ahead,
            cram=arguments.cram,
        )

    try:
        if not plain:
            from recall.cli.screen import show

            return show(study, settings, start="review", session=begin)
        import threading

        from recall.cli.output import remark
        from recall.cli.plain import review_by_lines

        session = begin()
        # Beside the session, so that no rating waits for it.
        copying = threading.Thread(target=back_up_today, args=(study, remark), name="backup")
        copying.start()
        try:
            return 0 if review_by_lines(session, settings.editor) == "done" else 1
        finally:
            session.close()
            copying.join()
    finally:
        study.close()
