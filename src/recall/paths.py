"""The only place that knows directories."""

from __future__ import annotations

import os
from pathlib import Path

PRIVATE_DIRECTORY = 0o700
PRIVATE_FILE = 0o600


def home() -> Path:
    """Where the program writes its data: `RECALL_HOME`, else the platform's own directory for it."""
    chosen = os.environ.get("RECALL_HOME")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("recall", appauthor=False)


def config_file() -> Path:
    """The settings file, TOML."""
    if os.environ.get("RECALL_HOME"):
        return home() / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("recall", appauthor=False) / "config.toml"


def database_file() -> Path:
    return home() / "recall.db"


def backups() -> Path:
    return home() / "backups"


def own_decks() -> Path:
    """Decks that the user wrote in the app, copied from the shipped ones, or imported from other formats."""
    return home() / "decks"


def bundled() -> Path:
    """Root of the shipped content: inside the installed package, else the repository that this file stands in."""
    package = Path(__file__).resolve().parent
    inside = package / "bundle"
    return inside if inside.is_dir() else package.parent.parent


def make_private(directory: Path) -> Path:
    """Create *directory* and its missing parents for the user alone, and return it.

    Raises `OSError` when that cannot be done.
    """
    missing = [directory, *directory.parents]
    for path in reversed([candidate for candidate in missing if not candidate.exists()]):
        path.mkdir(mode=PRIVATE_DIRECTORY, exist_ok=True)
    return directory
