"""docs/keys.md lists every key of the app."""

from __future__ import annotations

from docs.keys_page import FILE, page


def test_the_page_of_keys_says_what_the_app_binds() -> None:
    """`python tests/docs/keys_page.py` writes it anew."""
    assert FILE.read_text("utf-8") == page()
