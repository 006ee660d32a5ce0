"""Error messages are part of the product: each fault of a deck full of them, as a person sees it.

After a change of words on purpose: `python tests/golden/test_faults.py` writes the expected text anew.
"""

from __future__ import annotations

from pathlib import Path

from recall.content.deck import parse_deck

HERE = Path(__file__).parent


def rendered() -> str:
    deck = parse_deck((HERE / "faults.md").read_text(encoding="utf-8"), "faults.md")
    return "\n".join(f"{fault.render()}\n" for fault in deck.faults)


def test_faults_are_told_with_place_line_caret_and_mend():
    """Word for word."""
    assert rendered() == (HERE / "faults.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    (HERE / "faults.txt").write_text(rendered(), encoding="utf-8")
