"""`recall try`: give an answer to one card and see the verdict; nothing is scheduled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.content.notes import Note
    from recall.model.verdict import Verdict
    from recall.study.lookup import Named

EXAMPLES = """examples:
  recall try warp-size                       see the answer of a card that has none to type
  recall try ring-all-reduce "2*(N-1)/N*K"   check an answer
  recall try draft.md#ring-all-reduce < answer.txt

exit codes: 0 correct or close, 1 any other verdict"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("card", metavar="CARD", help="an id, or FILE.md#ID in a file that was never imported")
    parser.add_argument("answer", nargs="?", metavar="ANSWER", help="the answer; without it, standard input is read")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="draw the values of the card from this seed")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    import time

    from recall.cli.output import print_json
    from recall.content.kinds import Context, card_id, kind_of

    named = find_card(arguments)
    key = named.only()
    kind = kind_of(named.note)
    given = _answer(arguments.answer) if kind.typed else arguments.answer or ""
    begun = time.perf_counter()
    verdict = kind.check(named.note, key, given, Context(seed=arguments.seed))
    elapsed_ms = round((time.perf_counter() - begun) * 1000)
    if arguments.json:
        print_json(_document(card_id(named.note, key), named.note, verdict, arguments.seed, elapsed_ms))
    else:
        _print(named.note, key, verdict)
    return 0 if verdict.outcome in ("correct", "close") else 1


def find_card(arguments: argparse.Namespace) -> Named:
    """The card that the command line names. A file's card opens no database. Raises `UsageError`, `DataError`."""
    from recall.cli.opening import settings_of
    from recall.study.lookup import in_file, in_study, names_a_file

    if names_a_file(arguments.card):
        return in_file(arguments.card)
    from recall.study.study import open_study

    study = open_study(settings_of(arguments))
    try:
        study.sync()
        return in_study(study, arguments.card)
    finally:
        study.close()


def _answer(given: str | None) -> str:
    import sys

    return sys.stdin.read() if given is None else given


def _document(card: str, note: Note, verdict: Verdict, seed: int, elapsed_ms: int) -> dict[str, object]:
    return {
        "card": card,
        "kind": note.kind,
        "outcome": verdict.outcome,
        "message": verdict.message,
        "expected": verdict.expected,
        "given_as": verdict.given_as,
        "deviation": verdict.deviation,
        "first_wrong_step": verdict.first_wrong_step,
        "counterexample": None if verdict.counterexample is None else dict(verdict.counterexample),
        "misconception": verdict.misconception,
        "suggested_rating": None if verdict.suggested is None else verdict.suggested.name.lower(),
        "seed": seed,
        "elapsed_ms": elapsed_ms,
    }


_WORDS = {
    "correct": "Correct",
    "close": "Close",
    "wrong": "Not equal",
    "undecided": "Could not decide",
    "malformed": "Could not be read, and is not graded",
    "self_rated": "You judge this one yourself",
}


def _print(note: Note, key: str, verdict: Verdict) -> None:
    from recall.cli.output import say
    from recall.content.kinds import kind_of
    from recall.prose.plain import plain_text

    view = kind_of(note).view(note, key)
    say(plain_text(view.question))
    say(f"\n{_WORDS[verdict.outcome]}.{' ' + verdict.message if verdict.message else ''}")
    if verdict.given_as is not None:
        say(f"Read as: {verdict.given_as}")
    if verdict.first_wrong_step is not None:
        say(f"First wrong step: {verdict.first_wrong_step}")
    for name, value in (verdict.counterexample or {}).items():
        say(f"  {name} = {value}")
    say(f"Answer: {plain_text(view.answer)}")
    if view.why:
        say(f"Why: {plain_text(view.why)}")
