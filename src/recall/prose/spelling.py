"""What style would tell, written out: for readers who see no colours, or none at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recall.prose.blocks import Block, Code, Heading, Items, Math, Paragraph, Quote, Rule, Table
from recall.prose.spans import Mark, Span


@dataclass(frozen=True, slots=True)
class Spelling:
    """What to write out."""

    brackets: frozenset[Mark] = frozenset({"asked", "answer"})
    """Holes that stand in brackets."""
    addresses: bool = True
    """Whether a link is followed by its address."""

    def block(self, block: Block) -> Block:
        """*block* with everything in it spelled."""
        match block:
            case Paragraph(spans):
                return Paragraph(self.spans(spans))
            case Heading(level, spans):
                return Heading(level, self.spans(spans))
            case Math(spans):
                return Math(self.spans(spans))
            case Items(items, start, loose):
                return Items(tuple(tuple(map(self.block, item)) for item in items), start, loose)
            case Quote(blocks):
                return Quote(tuple(map(self.block, blocks)))
            case Table(align, head, rows):
                return Table(align, tuple(map(self.spans, head)), tuple(tuple(map(self.spans, row)) for row in rows))
            case Code() | Rule():
                return block

    def spans(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """*spans* with brackets around holes and addresses after links."""
        spelled: list[Span] = []
        for index, span in enumerate(spans):
            before = spans[index - 1] if index else None
            after = spans[index + 1] if index + 1 < len(spans) else None
            text = span.text
            if self._is_hole(span):
                opens = not (before and self._is_hole(before))
                closes = not (after and self._is_hole(after))
                text = f"{'[' * opens}{text}{']' * closes}"
            ends_link = "link" in span.marks and not (after and "link" in after.marks and after.target == span.target)
            if self.addresses and ends_link and span.target not in ("", span.text, f"mailto:{span.text}"):
                text += f" ({span.target})"
            spelled.append(Span(text, span.marks, span.target))
        return tuple(spelled)

    def _is_hole(self, span: Span) -> bool:
        return bool(span.marks & self.brackets)
