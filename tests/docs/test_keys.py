"""docs/keys.md lists every key of the app, from the table that the bindings are made from."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall.tui.keys import TABLE, Key, shown

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "keys.md").read_text("utf-8")
TITLES = {
    "everywhere": "Everywhere",
    "home": "Home",
    "review": "Review",
    "summary": "Summary",
    "list": "Lists",
    "scroll": "A long card",
    "first_run": "First run",
    "write": "Writing a card",
    "find": "Search",
    "help": "Help",
}


def row(context: str, key: Key) -> str:
    """One line of the page."""
    keys = " ".join(f"`{one}`" for one in shown(key.keys, None).split()) or "palette"
    return f"| {keys} | {key.about} | `{context}.{key.id}` |"


@pytest.mark.parametrize("context", TABLE)
def test_every_key_is_listed(context: str) -> None:
    section = PAGE.partition(f"## {TITLES[context]}\n")[2].partition("\n## ")[0]
    listed = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| keys")]
    assert listed == [row(context, key) for key in TABLE[context]]
