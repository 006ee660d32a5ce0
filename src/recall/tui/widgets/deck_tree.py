"""The tree of decks with what waits in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from recall.prose.marks import strip_unsafe
from recall.tui.glyphs import Glyphs
from recall.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from recall.tui.ports import DeckRow

_NUMBER = 5
"""Cells of a column of counts."""
_RETENTION = 7


@dataclass(slots=True)
class _Node:
    """A deck, or a folder of decks that has no cards of its own."""

    deck: str
    name: str
    depth: int
    due: int = 0
    new: int = 0
    total: int = 0
    retention: float | None = None
    last: bool = True
    has_children: bool = False


class DeckTree(Rows):
    """Decks by path; a branch can be closed."""

    DEFAULT_CSS = """
    DeckTree {
        padding: 0 1; border: none; border-top: blank; border-title-align: right; border-title-color: $muted;
        border-title-style: none;
    }
    """

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self.border_title = f"{'due':>{_NUMBER}}{'new':>{_NUMBER}}{'kept':>{_RETENTION}}"
        self._glyphs = glyphs
        self._tree: list[_Node] = []
        self._visible: list[_Node] = []
        self._folded: set[str] = set()

    def show(self, decks: Sequence[DeckRow]) -> None:
        """Show *decks*; the cursor stays on the deck that it was on."""
        under = self.deck
        self._tree = _nodes([deck for deck in decks if not deck.hidden])
        self._refold(under)

    @property
    def _has_folders(self) -> bool:
        return any(node.has_children for node in self._tree)

    @property
    def deck(self) -> str | None:
        """Path of the deck under the cursor."""
        return self._visible[self.cursor].deck if self._visible else None

    @property
    def count(self) -> int:
        return len(self._visible)

    def fold(self) -> None:
        """Close the branch under the cursor, or go to what it hangs on."""
        node = self._visible[self.cursor] if self._visible else None
        if node is None:
            return
        if node.has_children and node.deck not in self._folded:
            self._folded.add(node.deck)
            self._refold(node.deck)
        elif "/" in node.deck:
            self._refold(node.deck.rpartition("/")[0])

    def unfold(self) -> None:
        """Open the branch under the cursor."""
        if self.deck in self._folded:
            self._folded.discard(self.deck)
            self._refold(self.deck)

    def _refold(self, under: str | None) -> None:
        self._visible = [
            node for node in self._tree if not any(node.deck.startswith(f"{closed}/") for closed in self._folded)
        ]
        self.rows_changed(next((row for row, node in enumerate(self._visible) if node.deck == under), 0))

    def draw_row(self, row: int, width: int, *, under_cursor: bool) -> Content:
        node = self._visible[row]
        glyphs = self._glyphs
        fold = "" if node.depth or not self._has_folders else "  "
        if node.has_children:
            fold = f"{glyphs.closed_fold if node.deck in self._folded else glyphs.open_fold} "
        stem = ""
        if node.depth:
            stem = "  " * (node.depth - 1) + (glyphs.last_branch if node.last else glyphs.branch)
        numbers = 2 * _NUMBER + _RETENTION
        room = width - numbers - len(stem) - len(fold)
        name = Content(strip_unsafe(node.name).replace("\n", " ")).truncate(max(4, room), ellipsis=True, pad=True)
        if node.retention is not None:
            retention = f"{node.retention:.0%}".replace("%", " %")
        else:
            retention = "new" if node.new == node.total and node.total else ""

        def style(token: str) -> str:
            return "" if under_cursor else token

        return Content.assemble(
            (stem, style("$rule")),
            (fold, style("$muted")),
            name.stylize("bold") if node.has_children else name,
            (f"{node.due or '':>{_NUMBER}}", style("$primary")),
            (f"{node.new or '':>{_NUMBER}}", style("$secondary")),
            (f"{retention:>{_RETENTION}}", style("$muted")),
        )


def _nodes(decks: Sequence[DeckRow]) -> list[_Node]:
    """Decks and the folders above them in the order of the tree, counts summed upwards."""
    nodes: dict[str, _Node] = {}
    for deck in sorted(decks, key=lambda deck: deck.deck.split("/")):
        levels = deck.deck.split("/")
        for depth in range(len(levels)):
            path = "/".join(levels[: depth + 1])
            node = nodes.setdefault(path, _Node(path, levels[depth].replace("-", " "), depth))
            node.due += deck.due
            node.new += deck.new
            node.total += deck.total
            node.has_children = node.has_children or depth < len(levels) - 1
        nodes[deck.deck].name = deck.name
        nodes[deck.deck].retention = deck.retention
    ordered = list(nodes.values())
    for index, node in enumerate(ordered):
        for later in ordered[index + 1 :]:
            if later.depth < node.depth:
                break
            if later.depth == node.depth:
                node.last = False
                break
    return ordered
