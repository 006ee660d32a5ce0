"""A learner on SQLite, and one on each database."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from databases import DIALECTS, fresh_url
from learner import Learner, at_home


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose database knows the shipped decks, hidden: reading them anew for every test takes long."""
    home = tmp_path_factory.mktemp("template") / "home"
    with pytest.MonkeyPatch.context() as patch:
        at_home(patch, home)
        learner = Learner(home, home.parent / "none", "sqlite")
        learner.open()
        learner.opened[0].database.execute("DELETE FROM root")
        learner.close()
    return home


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: Path) -> Generator[Learner]:
    """A learner on SQLite."""
    home = tmp_path / "home"
    shutil.copytree(template, home)
    at_home(monkeypatch, home)
    made = Learner(home, tmp_path / "decks", "sqlite")
    yield made
    made.close()


@pytest.fixture(params=DIALECTS)
def both(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: Path):
    """A learner on SQLite, and one on PostgreSQL."""
    home = tmp_path / "home"
    at_home(monkeypatch, home)
    if request.param == "sqlite":
        shutil.copytree(template, home)
    with fresh_url(request.param, tmp_path) as url:
        made = Learner(home, tmp_path / "decks", "sqlite" if request.param == "sqlite" else url)
        yield made
        made.close()
