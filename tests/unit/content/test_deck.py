"""Decks as text: what is a card, what belongs to it, and which faults drop it."""

from __future__ import annotations

import pytest

from recall.content.deck import parse_deck
from recall.content.kinds import cards_of, kind_of, revision
from recall.content.notes import NoteError, parse_note
from recall.content.words import near_word

DECK = """\
---
name = "Roofline"
tags = ["gpu", "performance"]
source = "CUDA C++ Programming Guide"
as-of = 2026-05-01
after = ["gpu/memory"]
units = ["SM"]
---

# Memory

Q: What does an elementwise kernel wait for?
A: Memory bandwidth: it does one operation per element moved.
why: Its arithmetic intensity is
below the ridge point.
hint: Count the bytes.
hint: Then the operations.
source: Williams,
  Waterman, Patterson
tags: roofline, gpu
id: elementwise-bound

C: A warp is [32] threads; divergent branches run [one after the other].
id: warp-divergence
"""


def faults_of(text: str) -> list[tuple[str, int, int]]:
    return [(fault.rule, fault.place.line, fault.place.column) for fault in parse_deck(text, "d.md").faults]


def ids_of(text: str) -> list[str]:
    return [card.id for note in parse_deck(text, "d.md").notes for card in cards_of(note, "d")]


def test_a_deck_holds_its_front_matter_and_its_notes():
    """All keys are read, and sections keep their lines."""
    deck = parse_deck(DECK, "roofline.md")
    assert (deck.name, deck.tags, deck.units) == ("Roofline", ("gpu", "performance"), ("SM",))
    assert (deck.as_of, deck.after) == ("2026-05-01", ("gpu/memory",))
    assert deck.faults == ()
    first, second = deck.notes
    view = kind_of(first).view(first, "")
    assert view.why == "Its arithmetic intensity is\nbelow the ridge point."
    assert view.hints == ("Count the bytes.", "Then the operations.")
    assert view.source == "Williams, Waterman, Patterson"
    assert first.place.line == 12
    assert [card.tags for card in cards_of(first, "r", deck.tags)] == [("gpu", "performance", "roofline")]
    assert (second.id, second.kind) == ("warp-divergence", "cloze")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_bom_and_a_missing_last_one_change_nothing(ending: str):
    """The same deck, as any editor writes it."""
    plain = parse_deck(DECK, "d.md")
    other = parse_deck("\ufeff" + DECK.rstrip("\n").replace("\n", ending), "d.md")
    assert other.faults == ()
    assert [note.text for note in other.notes] == [note.text for note in plain.notes]


def test_ids_are_compared_in_nfc():
    """Two spellings of the same letter are the same id."""
    assert [rule for rule, _, _ in faults_of("Q: a\nA: b\nid: caf\u00e9\n\nQ: c\nA: d\nid: cafe\u0301\n")] == [
        "duplicate-id"
    ]


def test_ids_may_have_letters_of_any_script():
    """Also scripts that write vowels as marks."""
    assert ids_of("Q: 1\nA: b\nid: 显存-1\n\nQ: 2\nA: d\nid: हिन्दी\n") == ["显存-1", "हिन्दी"]


def test_a_hashcards_deck_loads_as_it_stands():
    """No space needed behind the colon; `---` between cards; many lines."""
    text = (
        "Q:What?\nA:This.\n\n---\n\nQ: Long?\n\nAnd longer.\n\nA: Yes\n\n- one\n- two\n\nC: [Paris] is in [France].\n"
    )
    deck = parse_deck(text, "d.md")
    assert deck.faults == ()
    assert [note.kind for note in deck.notes] == ["text", "text", "cloze"]
    assert deck.notes[1].parts[0].question.text == "Long?\n\nAnd longer."
    assert len(ids_of(text)) == 4


def test_a_hashcards_file_is_warned_once_of_prose_that_reads_as_a_section():
    """Only when no card has an id, which hashcards never writes."""
    text = "Q: a\nA: b\nsource: c\nwhy: d\n\nQ: e\nA: f\ntime: is money\n"
    assert [fault for fault in faults_of(text) if fault[0] == "hashcards-word"] == [("hashcards-word", 3, 1)]
    assert not [fault for fault in faults_of(text + "id: x\n") if fault[0] == "hashcards-word"]


@pytest.mark.parametrize(
    "body",
    [
        "```\nQ: not a card\nid: no\n```",
        "~~~~ python\nQ: not a card\n~~~\n~~~~",
        "<!-- Q: no\nQ: not a card\n-->",
        "$$\nQ: not a card\n$$",
        "- item\n  ```\nQ: not a card".replace("\nQ", "\n  ```\n\n  Q"),
        "1. ```\n   id: no\n   ```",
        "> ~~~\n> Q: no\n> ~~~",
        "text\n    Q: indented\n",
        "`code\\`\n\\Q: escaped",
    ],
)
def test_fences_comments_and_formulas_never_open_a_card(body: str):
    """Whatever stands in them, by CommonMark's rules."""
    for text in (f"Q: a\nA: {body}\nid: x\n\nQ: b\nA: c\nid: y\n", f"Q: a\nA:\n{body}\nid: x\n\nQ: b\nA: c\nid: y\n"):
        assert ids_of(text) == ["x", "y"]
        assert faults_of(text) == []


def test_a_fence_in_a_list_ends_with_the_list():
    """A line in column 0 is no part of the item, so the section begins."""
    assert ids_of("Q: a\nA: Steps:\n- ```\n  x\nid: x\n\nQ: b\nA: c\nid: y\n") == ["x", "y"]


def test_an_open_fence_is_an_error_where_it_stands_and_cards_before_it_stay():
    """It swallows the rest of the file, by CommonMark's rules."""
    text = "Q: a\nA: b\nid: x\n\nQ: c\nA: d\n```py\nid: y\n\nQ: e\nA: f\n"
    assert faults_of(text) == [("unclosed", 7, 1)]
    assert ids_of(text) == ["x"]


def test_a_backslash_keeps_a_line_text_and_is_not_shown():
    """Columns still count in the file."""
    deck = parse_deck("Q: a\nA: b\n\\why: c\n\\Q: [d]\nid: x\n", "d.md")
    assert deck.notes[0].parts[0].answer.text == "b\nwhy: c\nQ: [d]"
    cloze = parse_deck("C: [a]\n\\why: [b] and []\nid: x\n", "d.md")
    assert [(fault.rule, fault.place.line, fault.place.column) for fault in cloze.faults] == [("hole-empty", 2, 15)]


def test_rules_close_cards_only_between_blank_line_and_card():
    """Any other `---` is Markdown."""
    assert [
        part.answer.text for note in parse_deck("Q: a\nA: b\n\n---\n\nc\nid: x\n", "d").notes for part in note.parts
    ] == ["b\n\n---\n\nc"]
    closed = parse_deck("Q: a\nA: b\n\n---\n\nQ: c\nA: d\n\n---\n", "d")
    assert [note.parts[0].answer.text for note in closed.notes] == ["b", "d"]
    assert faults_of("Q: a\nA: b\n---\nQ: c\nA: d\nid: x")[0] == ("heading-rule", 3, 1)


def test_then_opens_a_part_of_the_same_card():
    """One card; the reveal shows the chain, and its parts can be shown one by one."""
    deck = parse_deck("Q: a\nA: b\nwhy: c\nthen: d\nA: e\nwhy: f\nhint: g\nid: x\n", "d.md")
    note = deck.notes[0]
    view = kind_of(note).view(note, "")
    assert deck.faults == ()
    assert [(part.question, part.answer, part.why, part.hints) for part in view.parts] == [
        ("a", "b", "c", ()),
        ("d", "e", "f", ("g",)),
    ]
    assert view.answer == "b\n\n---\n\nd\n\ne"
    assert ids_of("Q: a\nA: b\nthen: d\nA: e\nid: x\n") == ["x"]


def test_reverse_gives_a_second_card():
    """Empty: the answer is asked; else its own question is."""
    for line, question in (("reverse:", "Paris"), ("reverse: Whose capital is Paris?", "Whose capital is Paris?")):
        deck = parse_deck(f"Q: Capital of France?\nA: Paris\n{line}\nid: x\n", "d.md")
        note = deck.notes[0]
        assert [card.id for card in cards_of(note, "d")] == ["x", "x/reverse"]
        view = kind_of(note).view(note, "reverse")
        assert (view.question, view.answer) == (question, "Capital of France?")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Q: a\n\nQ: b\nA: c\nid: y\n", ("no-answer", 1, 1)),
        ("Q: a\nA:\n\nQ: b\nA: c\nid: y\n", ("empty", 2, 1)),
        ("Q:\nA: b\n\nQ: b\nA: c\nid: y\n", ("empty", 1, 1)),
        ("Q: a\nA: b\nnumber: 3\n\nQ: b\nA: c\nid: y\n", ("two-answers", 3, 1)),
        ("C: [a]\nA: b\n\nQ: b\nA: c\nid: y\n", ("two-answers", 2, 1)),
        ("Q: a\nA: b\nwhy: c\nwhy: d\n\nQ: b\nA: c\nid: y\n", ("word-twice", 4, 1)),
        ("Q: a\nA: b\nid: c\nid: d\n\nQ: b\nA: c\nid: y\n", ("word-twice", 4, 1)),
        ("Q: a\nA: b\nid: c d\n\nQ: b\nA: c\nid: y\n", ("bad-id", 3, 6)),
        ("Q: a\nA: b\nid: c/d\n\nQ: b\nA: c\nid: y\n", ("bad-id", 3, 6)),
        ("Q: a\nA: b\nid:\n\nQ: b\nA: c\nid: y\n", ("bad-id", 3, 1)),
        (f"Q: a\nA: b\nid: {'x' * 81}\n\nQ: b\nA: c\nid: y\n", ("bad-id", 3, 5)),
        ("Q: a\nA: b\nas-of: May\n\nQ: b\nA: c\nid: y\n", ("bad-date", 3, 8)),
        ("C: a\nreverse:\n\nQ: b\nA: c\nid: y\n", ("reverse-kind", 2, 1)),
        ("C: a\n\nQ: b\nA: c\nid: y\n", ("no-hole", 1, 1)),
        ("Q: a\nA: b\nthen: c\n\nQ: b\nA: c\nid: y\n", ("no-answer", 3, 1)),
    ],
)
def test_an_error_drops_its_note_and_no_other(text: str, fault: tuple[str, int, int]):
    """Each error stands at its place; the good card goes on."""
    assert fault in faults_of(text)
    assert ids_of(text) == ["y"]


def test_an_id_taken_twice_names_both_places():
    """The first one keeps it."""
    deck = parse_deck("Q: a\nA: b\nid: x\n\nQ: c\nA: d\nid: x\n", "d.md")
    assert [note.place.line for note in deck.notes] == [1]
    assert str(deck.faults[0].place) == "d.md:7:5"
    assert "d.md:1:1" in deck.faults[0].message


def test_without_ids_the_same_question_still_gives_two_notes():
    """Told, and kept apart."""
    text = "Q: a\nA: b\n\nQ: a\nA: c\n"
    first, second = ids_of(text)
    assert second == f"{first}-2"
    assert faults_of(text) == [("same-question", 4, 1)]


def test_the_id_of_a_note_without_one_is_that_of_its_question():
    """Answer, place and line ends play no role; NFC and NFD are the same."""
    assert ids_of("Q: caf\u00e9?\nA: b\n") == ids_of("\r\n\r\nQ:  cafe\u0301?\r\nA: other\r\n")


def test_words_of_later_kinds_are_known_and_reported():
    """No card, no error, and the next card is not touched."""
    text = "Q: a\nnumber: 3 GB\nunit: GB\nmistake: 4 => no\nmistake: 5 => no\nid: x\n\nQ: b\nA: c\nid: y\n"
    assert faults_of(text) == [("not-supported", 2, 1)]
    assert ids_of(text) == ["y"]


def test_a_model_answer_may_join_a_rubric():
    """`A:` beside `rubric:` or `code:` is not a second answer."""
    assert faults_of("Q: a\nrubric:\n- one\n- two\nA: like this\nid: x\n") == [("not-supported", 2, 1)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("stray\n\nQ: a\nA: b\nid: x\n", 1),
        ("Q: a\nA: b\nid: x\nstray\n", 4),
        ("Q: a\nA: b\nid: x\n\n# Heading\n\n<!-- note\n-->\nstray\nmore\n\nQ: b\nA: c\nid: y", 9),
    ],
)
def test_text_of_no_card_is_reported(text: str, line: int):
    """Once for each run of lines; headings and comments may stand between cards."""
    assert faults_of(text) == [("no-card", line, 1)]


def test_a_page_without_cards_is_told_so_once():
    """It may be a note that stands beside the decks."""
    assert [rule for rule, _, _ in faults_of("# Title\n\nSome prose.\n\nMore of it.\nwhi: not\n")] == ["no-cards"]
    assert faults_of("") == []


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("hnit", "hint"),
        ("wyh", "why"),
        ("tag", "tags"),
        ("sources", "source"),
        ("asof", "as-of"),
        ("us", None),
        ("example", None),
    ],
)
def test_a_slip_in_a_word_is_near_it(word: str, near: str | None):
    """Two edits at most, fewer in short words."""
    assert near_word(word) == near


def test_a_slip_is_warned_of_and_stays_text():
    """The line belongs to the answer."""
    deck = parse_deck("Q: a\nA: b\nwyh: c\nid: x\n", "d.md")
    assert [(fault.rule, fault.severity) for fault in deck.faults] == [("unknown-word", "warning")]
    assert deck.notes[0].parts[0].answer.text == "b\nwyh: c"


@pytest.mark.parametrize(
    ("front", "fault"),
    [
        ("---\nname = \n---\n", ("front-matter", 2, 8)),
        ("---\nname = 3\n---\n", ("front-matter", 2, 1)),
        ('---\ntitle = "x"\n---\n', ("front-matter-key", 2, 1)),
        ('---\nas-of = "May"\n---\n', ("front-matter", 2, 1)),
        ('---\nname = "x"\n\n', ("front-matter", 1, 1)),
    ],
)
def test_faulty_front_matter_costs_no_card(front: str, fault: tuple[str, int, int]):
    """The fault points at the key or character."""
    text = f"{front}Q: a\nA: b\nid: x\n"
    assert fault in faults_of(text)
    assert ids_of(text) == ["x"]


def test_wording_leaves_the_revision_alone_and_answers_change_it():
    """Lengths are hashed too, so no two splits collide."""

    def revision_of(text: str, key: str = "") -> str:
        return revision(parse_note(text, "d.md"), key)

    base = revision_of("Q: a\nA: b\nid: x")
    assert revision_of("Q: changed\nA: b\nwhy: c\nhint: d\nid: x") == base
    assert revision_of("Q: a\nA: c\nid: x") != base
    assert revision_of("Q: a\nA: b\nthen: c\nA: d") != revision_of("Q: a\nA: bd")
    cloze = revision_of("C: a [b] c [d]{k}", "k")
    assert revision_of("C: changed [b2] words [d]{k}", "k") == cloze
    assert revision_of("C: a [b] c [e]{k}", "k") != cloze


def test_a_single_note_that_cannot_be_read_says_where():
    """With the line of the file it stands in."""
    with pytest.raises(NoteError) as caught:
        parse_note("Q: a\nA:\n", "d.md", 40)
    assert caught.value.message == "d.md:41:1: `A:` is empty"


def test_what_could_do_harm_is_not_read():
    """Escape codes, bidi controls and our own marks never come out of a deck."""
    deck = parse_deck("Q: a\x1b[31m\u202eb\ue000\nA: c\x00\x9b\nid: x\n", "d.md")
    assert deck.notes[0].parts[0].question.text == "a[31mb"
    assert deck.notes[0].parts[0].answer.text == "c"
