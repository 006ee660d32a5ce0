"""Real databases for tests: a fresh SQLite file, and a fresh schema on the PostgreSQL server that CI starts."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

POSTGRES = os.environ.get("RECALL_TEST_POSTGRES", "")

DIALECTS = [
    "sqlite",
    pytest.param(
        "postgresql",
        marks=[
            pytest.mark.postgres,
            pytest.mark.skipif(not POSTGRES, reason="RECALL_TEST_POSTGRES names no PostgreSQL server"),
        ],
    ),
]


@contextmanager
def fresh_url(dialect: str, directory: Path) -> Generator[str]:
    """The URL of an empty database of *dialect*, dropped afterwards."""
    if dialect == "sqlite":
        yield f"sqlite:///{directory / 'recall.db'}"
        return
    import psycopg

    schema = f"recall_{uuid.uuid4().hex}"
    plain = POSTGRES.replace("postgresql+psycopg://", "postgresql://", 1)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        try:
            separator = "&" if "?" in POSTGRES else "?"
            yield f"{POSTGRES}{separator}options=-csearch_path%3D{schema}"
        finally:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")
