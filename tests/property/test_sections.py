"""Properties of reading deck text, over texts made of the grammar's own pieces and over any text at all."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it.rules_block import StateBlock

from recall.content import layout
from recall.content.deck import clean, parse_deck
from recall.content.holes import find_holes
from recall.content.inline import parsed_layout
from recall.content.kinds import cards_of, kind_of
from recall.content.notes import parse_note
from recall.content.sections import split
from recall.content.source import Source
from recall.content.words import WORDS
from recall.content.writing import write_deck
from recall.prose.commonmark import build

PIECES = st.sampled_from(
    [
        "Q:", "A:", "C:", "why:", "hint: ", "id: a", "tags: x, y", "then: ", "number: 3", "source:", "tgs: ",
        "reverse:", "\\why: ", "\\Q:", "```", "~~~~", "````py", "<!--", "-->", "$$", "$", "- ", "> ", "1. ", "    ",
        "  ", "\t", "# ", "---", "\n", "\n", "\n", "\n\n", "\n---\n\n", "[", "]", "[x]", "[ ]", "{", "}", "{k?h}",
        "\\hole{", "\\[", "(u)", "!", "^", "`", "|", "a", "b c", "é", "e\u0301", "数", "🂡", "\r\n", "\u2028", "\\", "*",
        "<", ">", "==", "name = 'x'\n",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@given(TEXTS | st.text(max_size=200))
@settings(max_examples=600, deadline=None)
def test_any_text_is_read_and_every_fault_points_into_it(text: str) -> None:
    """Nothing is raised; each fault has a place in the text, each card a view."""
    deck = parse_deck(text, "any.md")
    lines = clean(text).split("\n")
    for fault in deck.faults:
        assert 1 <= fault.place.line <= len(lines)
        assert lines[fault.place.line - 1] == fault.source_line
        assert 1 <= fault.place.column <= len(fault.source_line) + 1
        assert fault.render()
    for note in deck.notes:
        for card in cards_of(note, "any"):
            view = kind_of(note).view(note, card.id.partition("/")[2])
            assert view.parts
            assert "\n" not in card.title


@given(TEXTS)
@settings(max_examples=600, deadline=None)
@example("Q: a\nA: $$\nb\n\nwhy: $$")
@example("Q: a\nA:\n\u2028b")
def test_what_is_written_is_read_back_the_same(text: str) -> None:
    """parse(write(parse(text))) equals parse(text)."""
    first = parse_deck(text, "x.md")
    again = parse_deck(write_deck(first), "x.md")
    assert (again.name, again.tags) == (first.name, first.tags)
    assert [_meaning(note) for note in again.notes] == [_meaning(note) for note in first.notes]


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_a_note_is_the_same_without_its_deck(text: str) -> None:
    """The stored text of a note is all that is needed to show its cards."""
    for note in parse_deck(text, "x.md").notes:
        alone = parse_note(note.text, "x.md", note.place.line, note.id)
        assert _meaning(alone) == _meaning(note)
        assert alone.place == note.place
        assert alone.text == note.text


@given(TEXTS)
@settings(max_examples=800, deadline=None)
@example("Q: a\nA: - ```\n  x\nid: y\n")
@example("Q: a\nA: 1. b\n$$c\nid: y\n$$")
@example("Q: a\nA: ```x: |\n---\n\nid: y\n")
@example("Q: a\nA: $$$\nid: y\n$$\nid: z\n")
@example("Q: a\nA: > ```\nid: y\n")
@example("Q: a\nA: 1. <!--\nid: y\n")
def test_sections_begin_where_the_markdown_parser_lets_a_block_begin(text: str) -> None:
    """Fences, comments and formulas by our quick walk are those of CommonMark."""
    text = clean(text)
    source = Source(text, "x.md")
    found = [source.place(section.head).line for piece in split(source) for section in piece.sections]
    outside = [
        fault.place.line for fault in source.faults if "belongs to no card" in fault.message and "`" in fault.message
    ]
    assert sorted(found + outside) == _heads_by_parser(text)


@given(TEXTS)
@settings(max_examples=800, deadline=None)
@example("$x$ for [n] = 1")
@example("`` ` [a] `` [b]")
@example("\u2028\n[a]")
def test_brackets_read_without_the_parser_are_those_of_the_parser(text: str) -> None:
    """The short way over plain paragraphs finds the same brackets and formulas."""
    text = clean(text).strip()
    if not layout._NEEDS_PARSER.search(text):
        quick, whole = layout.layout_of(text), parsed_layout(text)
        assert quick.formulas == whole.formulas
        assert [b.offset for b in quick.brackets] == [b.offset for b in whole.brackets]
        assert _joined(quick) == _joined(whole)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_holes_stand_in_the_text_where_they_say(text: str) -> None:
    """Holes do not overlap in a sound text, and have their text and one key for each text and repeat."""
    found = find_holes(clean(text))
    text = clean(text)
    for hole in found.holes:
        assert text[hole.text_start : hole.text_end] == hole.text
        assert hole.start < hole.text_start <= hole.text_end < hole.end
    if not any(problem.severity == "error" for problem in found.problems):
        for before, after in zip(found.holes, found.holes[1:], strict=False):
            assert before.end <= after.start
    unnamed = [hole.key for hole in found.holes if not hole.named]
    assert len(unnamed) == len(set(unnamed))


def _meaning(note):
    return note.id, note.kind, note.tags, [(section.word, section.text) for section in note.sections]


def _joined(found):
    """Which neighbouring brackets stand in one block."""
    return [a.block == b.block for a, b in zip(found.brackets, found.brackets[1:], strict=False)]


def _heads_by_parser(text: str) -> list[int]:
    """Lines of the sections of *text*, by one block parse of the whole, with a section as a block of its own.

    A word with Markdown behind it is given a line of its own, so that its text can begin with any block.
    """
    written: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        word = line.partition(":")[0]
        known = WORDS.get(word) if ":" in line else None
        tail = line[len(word) + 1 :]
        if known is None or not (word in {"Q", "A", "C"} or tail[:1] in {"", " ", "\t"}):
            written.append(line)
            numbers.append(number)
        elif known.form == "line":
            written.append(f"\ue010-{line}")
            numbers.append(number)
        else:
            # The mark keeps the new line from closing a fence, and is passed over where a section begins.
            written += [f"\ue010+{word}", "\ue011" + tail.lstrip(" \t")]
            numbers += [number, number]
    heads: list[int] = []

    def section(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        at = state.bMarks[start]
        if not state.src.startswith("\ue010", at) or (at and state.src[at - 1] != "\n"):
            return False
        if silent:
            return True
        heads.append(numbers[start])
        line = start + 1
        if state.src[at + 1] == "+":
            state.bMarks[line] += 1
        else:
            lines = state.src.split("\n")
            while line < end:
                following = line
                while following < end and not lines[following].strip(" \t"):
                    following += 1
                if following < end and lines[following].startswith(("  ", "\t")) and lines[following].strip(" \t"):
                    line = following + 1
                else:
                    break
        state.line = line
        return True

    parser = build()
    parser.disable("inline")
    parser.block.ruler.before("table", "section", section, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.parse("\n".join(written))
    return heads
