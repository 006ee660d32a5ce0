"""Decks for the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from program import Recall

DECK = """---
name = "GPU basics"
tags = ["gpu"]
---

Q: How many threads has a warp?
A: **32**, on every NVIDIA GPU so far.
hint: a power of two
why: See `warpSize`.
id: warp-size

C: A block runs on [one]{where?how many} SM.
id: block

Q: What hides memory latency?
A: - other warps
- more loads in flight
source: CUDA C++ Programming Guide
id: latency
"""


@pytest.fixture
def deck(tmp_path: Path, recall: Recall) -> Path:
    """A folder with the deck `gpu`, followed already."""
    folder = tmp_path / "decks"
    folder.mkdir()
    (folder / "gpu.md").write_text(DECK, encoding="utf-8")
    assert recall("import", folder).code == 0
    return folder
