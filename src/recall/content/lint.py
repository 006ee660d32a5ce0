"""Rules over whole decks and over the library. A new rule is one function with the decorator `rule`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from recall.content.deck import Deck
from recall.content.folders import DeckFile
from recall.content.holes import find_holes
from recall.content.media import is_there, media_of, resolve
from recall.content.notes import Note
from recall.content.source import Source
from recall.model.card import NoteId
from recall.model.fault import Fault


@dataclass(frozen=True, slots=True)
class Entry:
    """One deck of the library with its file."""

    file: DeckFile
    deck: Deck


@dataclass(frozen=True)
class Library:
    """All decks that are linted together, and who has which id."""

    entries: tuple[Entry, ...]
    owners: dict[NoteId, list[tuple[Entry, Note]]] = field(default_factory=dict[NoteId, list[tuple[Entry, Note]]])

    def __post_init__(self) -> None:
        for entry, note in self.notes():
            self.owners.setdefault(note.id, []).append((entry, note))

    def notes(self) -> Iterator[tuple[Entry, Note]]:
        for entry in self.entries:
            for note in entry.deck.notes:
                yield entry, note

    def decks(self) -> set[str]:
        """Identities of all decks, and of the folders they stand in."""
        names: set[str] = set()
        for entry in self.entries:
            levels = entry.file.deck.split("/")
            names.update("/".join(levels[:depth]) for depth in range(1, len(levels) + 1))
        return names


Rule = Callable[[Library], Iterable[Fault]]
RULES: dict[str, Rule] = {}
"""By name, in the order in which they run."""


def rule(name: str) -> Callable[[Rule], Rule]:
    """Add the decorated function to the rules."""

    def add(function: Rule) -> Rule:
        RULES[name] = function
        return function

    return add


def lint(decks: Iterable[tuple[DeckFile, Deck]]) -> list[Fault]:
    """Every fault of *decks*: those found while reading, then those of the rules, by file and place."""
    library = Library(tuple(Entry(file, deck) for file, deck in decks))
    faults = [fault for entry in library.entries for fault in entry.deck.faults]
    for check in RULES.values():
        faults.extend(check(library))
    return sorted(faults, key=lambda fault: (fault.place.file, fault.place.line, fault.place.column))


@rule("duplicate-id")
def duplicate_id(library: Library) -> Iterator[Fault]:
    """An id names one note in the whole library."""
    for note_id, owners in library.owners.items():
        first = owners[0][1]
        for _, note in owners[1:]:
            section = note.section("id")
            if section is not None and note.explicit_id:
                yield note.origin.make(
                    section.start,
                    f"the id `{note_id}` is taken by the card at {first.place}",
                    "give one of the two another id",
                    rule="duplicate-id",
                    width=len(section.text),
                )
            else:
                yield note.origin.make(
                    note.parts[0].question.head,
                    f"the card at {first.place} asks the same question, and neither of them has an id",
                    "give each an `id:`, or let `recall lint --fix` write them",
                    rule="duplicate-id",
                    width=2,
                )


@rule("no-id")
def no_id(library: Library) -> Iterator[Fault]:
    """Without an id a card's history hangs on the wording of its question. Told once a file."""
    for entry in library.entries:
        without = [note for note in entry.deck.notes if not note.explicit_id]
        if without:
            count = f"{len(without)} cards have" if len(without) > 1 else "this card has"
            yield without[0].origin.make(
                without[0].parts[0].question.head,
                f"{count} no id, so a changed question begins a new history",
                "`recall lint --fix` writes the ids",
                rule="no-id",
                width=2,
                severity="warning",
            )


@rule("same-question")
def same_question(library: Library) -> Iterator[Fault]:
    """Two cards with ids of their own ask the very same."""
    asked: dict[tuple[str, str], Note] = {}
    for _, note in library.notes():
        question = " ".join(unicodedata.normalize("NFC", note.parts[0].question.text).split())
        first = asked.setdefault((note.kind, question), note)
        if first is not note and first.id != note.id and (first.explicit_id or note.explicit_id):
            yield note.origin.make(
                note.parts[0].question.head,
                f"the card `{first.id}` at {first.place} asks the same question",
                "remove one of the two, or say in each what sets it apart",
                rule="same-question",
                width=2,
                severity="warning",
            )


@rule("hint-answers")
def hint_answers(library: Library) -> Iterator[Fault]:
    """A hint that holds the answer gives it away."""
    for _, note in library.notes():
        for part in note.parts:
            if part.answer.word == "C":
                answers = [hole.text for hole in find_holes(part.answer.text).holes]
            else:
                answers = [part.answer.text]
            for section in part.all("hint"):
                hint = _plain(section.text)
                # An answer of one or two characters stands in every other word.
                if any(len(answer) > 2 and answer in hint for answer in map(_plain, answers)):
                    yield note.origin.make(
                        section.head,
                        "this hint contains the answer",
                        "say where the answer comes from, not what it is",
                        rule="hint-answers",
                        width=5,
                        severity="warning",
                    )


def _plain(text: str) -> str:
    """For comparing: NFC, lower case, single spaces with one around every word."""
    words = "".join(character if character.isalnum() else " " for character in unicodedata.normalize("NFC", text))
    return f" {' '.join(words.casefold().split())} "


@rule("media")
def media(library: Library) -> Iterator[Fault]:
    """An image or sound lies in the deck's folder or below it."""
    for entry, note in library.notes():
        for name in media_of(note):
            path = resolve(name, entry.file.path)
            if path is not None and is_there(path):
                continue
            at = note.origin.text.find(name, note.sections[0].head)
            yield note.origin.make(
                max(at, note.sections[0].head),
                f"there is no file `{name}`" if path else f"`{name}` is not below the deck's own folder",
                "put the file beside the deck and write its path from there",
                rule="media",
                width=len(name),
                severity="warning",
            )


@rule("after-unknown")
def after_unknown(library: Library) -> Iterator[Fault]:
    """`after:` names cards and decks that are there."""
    decks = library.decks()
    known: set[str] = {*library.owners, *decks}
    for link in _links(library):
        for name in link.names:
            if name not in known:
                near = get_close_matches(name, known, 1)
                at = link.origin.text.find(name, link.offset)
                yield link.origin.make(
                    max(at, link.offset),
                    f"`after` names `{name}`, and no card or deck is called that",
                    f"did you mean `{near[0]}`?" if near else "write the id of a card, or the path of a deck",
                    rule="after-unknown",
                    width=len(name),
                )


@rule("after-cycle")
def after_cycle(library: Library) -> Iterator[Fault]:
    """What is to be learnt before must not, by a detour, come after."""
    graph, places = _graph(library)
    done: set[str] = set()
    for start in graph:
        if start in done:
            continue
        path = [start]
        depth = {start: 0}
        """Where each node of the path stands in it."""
        waiting = [iter(graph[start])]
        while waiting:
            after = next(waiting[-1], None)
            if after is None:
                waiting.pop()
                node = path.pop()
                del depth[node]
                done.add(node)
            elif after in depth:
                yield _circle(path[depth[after] :], places)
            elif after not in done:
                depth[after] = len(path)
                path.append(after)
                waiting.append(iter(graph[after]))


@dataclass(frozen=True, slots=True)
class _Link:
    """One `after` of a card or a deck."""

    node: str
    origin: Source
    offset: int
    names: tuple[str, ...]


def _links(library: Library) -> Iterator[_Link]:
    for entry in library.entries:
        if entry.deck.after:
            yield _Link(
                f"deck {entry.file.deck}", entry.deck.origin, entry.deck.front.offset("after"), entry.deck.after
            )
    for _, note in library.notes():
        section = note.section("after")
        if section is not None and note.after:
            yield _Link(f"card {note.id}", note.origin, section.head, note.after)


def _graph(library: Library) -> tuple[dict[str, tuple[str, ...]], dict[str, _Link]]:
    """What comes before each card and deck, and where that is said.

    A card waits for what its deck waits for; whoever waits for a deck waits for all of its cards.
    """
    graph: dict[str, list[str]] = {}
    for entry in library.entries:
        levels = entry.file.deck.split("/")
        for depth in range(1, len(levels)):
            folder = graph.setdefault(f"deck {'/'.join(levels[:depth])}", [])
            folder.append(f"deck {'/'.join(levels[: depth + 1])}")
        graph.setdefault(f"deck {entry.file.deck}", []).extend(f"card {note.id}" for note in entry.deck.notes)
    for _, note in library.notes():
        graph.setdefault(f"card {note.id}", [])
    places: dict[str, _Link] = {}
    for link in _links(library):
        found = [f"card {name}" if f"card {name}" in graph else f"deck {name}" for name in link.names]
        known = [node for node in found if node in graph]
        kind, _, name = link.node.partition(" ")
        for node in graph[link.node] if kind == "deck" else [link.node]:
            if node.startswith("card "):
                graph[node].extend(known)
                places.setdefault(node, link)
        if kind == "deck":
            places[f"deck {name}"] = link
    return {node: tuple(dict.fromkeys(before)) for node, before in graph.items()}, places


def _circle(circle: list[str], places: dict[str, _Link]) -> Fault:
    """The fault at the first link of *circle* that is said somewhere; a deck's contents say nothing."""
    link = next(places[node] for node in circle if node in places)
    names = [node.partition(" ")[2] for node in (*circle, circle[0])]
    return link.origin.make(
        link.offset,
        f"`after` runs in a circle: {' after '.join(names)}",
        "take one of these out",
        rule="after-cycle",
        width=5,
    )
