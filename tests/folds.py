"""Whether the stored states are what the log gives."""

from __future__ import annotations

from pathlib import Path

from recall.clock import open_clock
from recall.model.card import CardId
from recall.settings import load_settings
from recall.store.database import Database
from recall.study.rebuild import differing
from recall.study.study import Study


def differing_cards(database: Path) -> list[CardId]:
    """Cards in *database* whose stored state is not the fold of their log."""
    settings = load_settings(file=database.with_name("config.toml"))
    study = Study(Database(f"sqlite:///{database}"), settings, open_clock(), "a test")
    try:
        cards, _, wrong = differing(study)
        return [cards[position] for position in wrong]
    finally:
        study.close()
