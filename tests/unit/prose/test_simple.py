"""The short way for simple text gives what the parser gives."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from recall.prose import blocks, commonmark
from recall.prose.blocks import Block, Items, Math, Paragraph, parse
from recall.prose.marks import strip_around_marks
from recall.prose.simple import simple_blocks
from recall.prose.spans import Span

PIECES = st.sampled_from(
    ["a", "bc", "1", " ", "  ", "\n", "\n\n", "*", "**", "`", "``",
     "$", "$x^2$", "$$", "\n\n$$\ny = \\frac{a}{b}\n$$\n\n", "\n- ", "\n\n---\n\n", "---",
      "\n\n- a\n- b", "`f(x)`", "**bold**", "*it*", "\\",
     ".", ",", "(", ")", "[", "]", "_", "~", "~~", "!", "#", "-", "+", "1.", "2)", ">", "<b>", "&amp;", "|", "=", ":",
     "\t",
     "é", "显存", "。", "\u00a0", "\u3000", "http://x.y", "…", "—", "%", "\ue000…\ue001", "\ue002x\ue003", "\u2028"]
)  # fmt: skip


def joined(spans: tuple[Span, ...]) -> list[list[object]]:
    """*spans* with neighbours of the same marks joined: the parser may split text anywhere."""
    runs: list[list[object]] = []
    for span in spans:
        if runs and runs[-1][1:] == [span.marks, span.target]:
            runs[-1][0] = str(runs[-1][0]) + span.text
        else:
            runs.append([span.text, span.marks, span.target])
    return runs


def merged(block: Block) -> object:
    match block:
        case Paragraph(spans) | Math(spans):
            return type(block), joined(spans)
        case Items(items, start, loose):
            return start, loose, [[merged(inner) for inner in item] for item in items]
        case _:
            return block


def parsed_in_full(text: str) -> list[object]:
    tokens = commonmark.parser().parse(strip_around_marks(text))
    return [merged(block) for block in blocks._blocks(blocks._Cursor(tokens), "")]


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_simple_text_reads_as_the_parser_reads_it(text: str) -> None:
    """Whatever the short way accepts, it reads exactly as CommonMark does."""
    if simple_blocks(strip_around_marks(text)) is not None:
        assert [merged(block) for block in parse(text)] == parsed_in_full(text)


def test_usual_cards_take_the_short_way() -> None:
    """Sentences with code, emphasis and a formula need no parser."""
    for text in (
        "What does a warp wait for?",
        "`softmax(x)` subtracts the *maximum*, so that $e^{x - m}$ is **at most 1**.",
        "Memory bandwidth: 3.35 TB/s (HBM3).\n\nAnd compute?",
        "`nvcc` compiles to PTX.",
        "The softmax:\n\n$$\np_i = \\frac{e^{z_i}}{\\sum_j e^{z_j}}\n$$",
        "Three roofs:\n\n- compute\n- *bandwidth*\n- `latency`",
    ):
        assert simple_blocks(text) is not None, text
