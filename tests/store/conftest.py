"""One suite over both databases."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from databases import DIALECTS, fresh_url
from recall.store.database import Database
from recall.store.migrations import migrate

NOW = 1_800_000_000_000
"""2027-01-15 08:00 UTC."""


@pytest.fixture(params=DIALECTS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    with fresh_url(request.param, tmp_path) as fresh:
        yield fresh


@pytest.fixture
def database(url: str) -> Generator[Database]:
    opened = Database(url)
    migrate(opened, NOW)
    yield opened
    opened.close()
