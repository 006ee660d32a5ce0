"""`recall show`: one card as the learner sees it, its memory state and its history."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from recall.content.notes import Note
    from recall.model.card import CardId
    from recall.study.lookup import Named
    from recall.study.study import Study

EXAMPLES = """examples:
  recall show warp-size          all cards of one note
  recall show warp-size/width    one of them
  recall show draft.md#warp-size --json"""

MATH = ("unicode", "ascii", "spoken", "source")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("card", metavar="CARD", help="an id, or FILE.md#ID in a file that was never imported")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--math", choices=MATH, default="source", metavar="FORM", help=f"form of formulas: {', '.join(MATH)}"
    )


def run(arguments: argparse.Namespace) -> int:
    from recall.cli.opening import settings_of
    from recall.cli.output import remark
    from recall.study.lookup import in_file, in_study, names_a_file
    from recall.study.study import open_study

    if arguments.math != "source":
        remark("formulas are shown as their source: other forms are not yet supported")
    if names_a_file(arguments.card):
        return _show(in_file(arguments.card), None, as_json=arguments.json)
    study = open_study(settings_of(arguments))
    try:
        study.sync()
        return _show(in_study(study, arguments.card), study, as_json=arguments.json)
    finally:
        study.close()


def _show(named: Named, study: Study | None, *, as_json: bool) -> int:
    from recall.cli.output import print_json

    cards = list(zip(named.keys, named.cards, strict=True))
    if as_json:
        print_json({"cards": [_document(named.note, key, card, named.deck, study) for key, card in cards]})
        return 0
    for number, (key, card) in enumerate(cards):
        if number:
            print()
        _print(named.note, key, card, named.deck, study)
    return 0


def _document(note: Note, key: str, card: CardId, deck: str, study: Study | None) -> dict[str, object]:
    from recall.content.kinds import kind_of, revision

    view = kind_of(note).view(note, key)
    document: dict[str, object] = {
        "id": card,
        "deck": deck or None,
        "kind": note.kind,
        "question": _unmarked(view.question),
        "answer": _unmarked(view.answer),
        "why": view.why,
        "hints": list(view.hints),
        "source": view.source,
        "as_of": view.as_of or None,
        "media": list(view.media),
        "tags": list(note.tags),
        "file": note.place.file,
        "line": note.place.line,
        "revision": revision(note, key),
        "memory": None,
        "history": [],
    }
    if study is not None:
        from recall.cli.memory import instant_text, memory_document
        from recall.model.review import NEW_STATE
        from recall.store.log import logged_reviews
        from recall.store.states import state_of

        state = state_of(study.database, card) or NEW_STATE
        buried = state.buried_until > study.today()
        memory = memory_document(study, deck, state)
        document["memory"] = {**memory, "marked": state.marked, "buried": buried}
        document["history"] = [
            {"at": instant_text(study, row.rated_at), "rating": _rating(row.rating), "kind": _kind(row.kind)}
            for row in logged_reviews(study.database, card)
        ]
    return document


def _rating(number: int) -> str:
    from recall.model.review import Rating

    return Rating(number).name.lower()


def _kind(stored: object) -> str:
    from recall.model.review import ReviewKind

    return ReviewKind(stored).name.lower()


def _unmarked(markdown: str) -> str:
    """*markdown* with the marks of holes as brackets: private characters mean nothing to another program."""
    from recall.prose.marks import ANSWER_CLOSE, ANSWER_OPEN, HOLE_CLOSE, HOLE_OPEN

    opened, closed = (HOLE_OPEN, ANSWER_OPEN), (HOLE_CLOSE, ANSWER_CLOSE)
    return markdown.translate({**{ord(c): "[" for c in opened}, **{ord(c): "]" for c in closed}})


def _print(note: Note, key: str, card: CardId, deck: str, study: Study | None) -> None:
    from recall.cli.output import say
    from recall.content.kinds import kind_of
    from recall.prose.plain import plain_text

    view = kind_of(note).view(note, key)
    where = f", {deck}" if deck else ""
    say(f"{card} ({note.kind}{where})\n{note.place.file}:{note.place.line}\n")
    say(plain_text(view.question))
    for number, hint in enumerate(view.hints, 1):
        say(f"Hint {number}: {plain_text(hint)}")
    say(f"\nAnswer: {plain_text(view.answer)}")
    if view.why:
        say(f"Why: {plain_text(view.why)}")
    if view.source:
        say(f"Source: {view.source}{', as of ' + view.as_of if view.as_of else ''}")
    if note.tags:
        say(f"Tags: {', '.join(note.tags)}")
    if study is None:
        return
    from recall.cli.memory import instant_text, memory_words
    from recall.model.review import NEW_STATE
    from recall.store.log import logged_reviews
    from recall.store.states import state_of

    say(f"\nMemory: {memory_words(study, deck, state_of(study.database, card) or NEW_STATE)}")
    for row in logged_reviews(study.database, card):
        say(f"  {instant_text(study, row.rated_at)}  {_rating(row.rating)}  {_kind(row.kind)}")
