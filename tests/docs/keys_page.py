"""docs/keys.md, made from the table that the app's bindings are made from.

python tests/docs/keys_page.py      (writes the page anew)
"""

from __future__ import annotations

from pathlib import Path

from recall.tui.keys import TABLE, Context, Key, shown

FILE = Path(__file__).resolve().parents[2] / "docs" / "keys.md"
HEAD = """# Keys

Single letters act only while no text field has the focus; there every printable key is text. The mouse does what the
keys do. An input method's full-width digits and space are taken as the plain ones.

The third column is the name under which a key can be changed in `config.toml`:

```toml
[keys]
"review.undo" = "u,ctrl+z,backspace"
```

*palette* means that it has no key of its own: `ctrl+p` opens the palette, which finds everything by name.
"""
TITLES: dict[Context, str] = {
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


def row(context: Context, key: Key) -> str:
    """One line of the page."""
    keys = " ".join(f"`{one}`" for one in shown(key.keys, None).split()) or "palette"
    return f"| {keys} | {key.about} | `{context}.{key.id}` |\n"


def page() -> str:
    """The whole page."""
    sections = [
        f"\n## {TITLES[context]}\n\n| keys | | name |\n|---|---|---|\n" + "".join(row(context, key) for key in keys)
        for context, keys in TABLE.items()
    ]
    return HEAD + "".join(sections)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
