"""What is checked before the app is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall.cli.screen import show
from recall.errors import DataError
from recall.settings import load_settings


def test_a_key_with_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[keys]\nreview.undoo = "x"\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"no key is called 'review\.undoo'\n  did you mean 'review\.undo'\?"):
        show(None, load_settings(file=config), start="home")  # type: ignore[arg-type]
