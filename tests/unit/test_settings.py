"""Settings: layers, inheritance of decks, faults that point, and changes that keep the file as it was."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.errors import DataError, UsageError
from recall.model.options import Options
from recall.settings import Settings, hide_password, load_settings
from recall.settings.edit import unset_setting, write_setting
from recall.settings.forms import quoted, to_toml
from recall.settings.keys import KEYS, Key
from recall.settings.places import entries


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("VISUAL", "EDITOR", "NO_COLOR", "RECALL_DATABASE_URL", "RECALL_THEME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RECALL_HOME", str(tmp_path))
    return tmp_path / "config.toml"


def load(config: Path, text: str) -> Settings:
    config.write_text(text, encoding="utf-8")
    return load_settings()


def test_without_a_file_everything_is_the_default(config: Path) -> None:
    settings = load_settings()
    assert not config.exists()
    assert settings.options("gpu/memory") == Options()
    assert (settings.rollover_hour, settings.timezone, settings.theme, settings.plain) == (4, "", "auto", False)
    assert settings.value("theme").layer == "default"


def test_flag_beats_environment_beats_file_beats_default(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '# mine\ntheme = "light"\n'
    assert load(config, text).value("theme").origin == f"{config}:2"
    monkeypatch.setenv("RECALL_THEME", "mono")
    from_environment = load_settings()
    assert (from_environment.theme, from_environment.value("theme").origin) == ("mono", "RECALL_THEME")
    from_flag = load_settings({"theme": "ansi"})
    assert (from_flag.theme, from_flag.value("theme").origin) == ("ansi", "--theme")


def test_variables_that_programs_share_are_weaker_than_our_own_file(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """no-color.org: a program's own configuration overrides NO_COLOR."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("EDITOR", "nano")
    monkeypatch.setenv("VISUAL", "code -w")
    settings = load_settings()
    assert (settings.theme, settings.editor) == ("mono", "code -w")
    assert settings.value("editor").origin == "VISUAL"
    assert load(config, 'theme = "dark"\neditor = "ed"').theme == "dark"
    assert load_settings().editor == "ed"


def test_a_deck_inherits_from_the_decks_above_it_and_then_from_the_general_values(config: Path) -> None:
    settings = load(
        config,
        """
new_per_day = 7
learning_steps_s = ["1m", "10 min", 3600]
[deck.gpu]
desired_retention = 0.95
new_per_day = 3
[deck."gpu/memory"]
new_per_day = 0
""",
    )
    memory = settings.options("gpu/memory/hbm")
    assert (memory.new_per_day, memory.desired_retention) == (0, 0.95)
    assert memory.learning_steps_s == (60, 600, 3600)
    assert settings.options("gpu").new_per_day == 3
    assert settings.options("gpus").new_per_day == 7
    assert settings.options("gpu") is settings.options("gpu")
    assert hash(settings.options("gpu")) == hash(settings.options("gpu"))
    assert settings.value("new_per_day", "gpu/memory").origin == f"{config}:8"
    assert settings.value("desired_retention", "gpu/memory").deck == "gpu"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rolover_hour = 4", ":1:1: unknown setting 'rolover_hour'"),
        ("rolover_hour = 4", "did you mean 'rollover_hour'?"),
        ("\nrollover_hour = 24", ":2:1: rollover_hour must be a whole number from 0 to 23"),
        ("rollover_hour = true", "must be a whole number"),
        ("desired_retention = 1.5", "must be a number from 0.7 to 0.99"),
        ("desired_retention = nan", "must be a number from 0.7 to 0.99"),
        ("new_per_day = -1", "must be a whole number from 0"),
        ("fuzz = 1", "must be true or false"),
        ("learning_steps_s = [0]", "must be steps of 1 to"),
        ('mix = "first"', "must be one of spread, new_first, new_last"),
        ("parameters = [1, 2]", "must be 21 numbers"),
        ('timezone = "Mars/Olympus"', "must be an IANA time zone"),
        ("[deck.gpu]\n  theme = 'dark'", ":2:3: theme is a general setting"),
        ("[deck.gpu]\nnew_per_dya = 1", "did you mean 'new_per_day'?"),
        ("[deck.gpu.memory]\nnew_per_day = 1", 'write [deck."gpu/memory"]'),
        ('[deck."gpu/memory.md"]\nnew_per_day = 1', "write 'gpu/memory'"),
        ("deck = 3", ":1:1: unknown setting 'deck'"),
        ("[keys]\nundo = 3", "keys are text"),
        ("a =", "config.toml:1:"),
        ("theme = 'dark", "not TOML"),
    ],
)
def test_a_fault_in_the_file_is_pointed_at(config: Path, text: str, said: str) -> None:
    with pytest.raises(DataError) as caught:
        load(config, text)
    assert said in str(caught.value)
    assert str(config) in str(caught.value)


def test_all_faults_of_the_file_are_told_at_once(config: Path) -> None:
    with pytest.raises(DataError) as caught:
        load(config, "themes = 1\nnew_per_day = 'x'\n")
    assert str(caught.value).count("config.toml:") == 2


def test_a_file_that_is_no_utf8_is_a_data_error_with_its_line(config: Path) -> None:
    config.write_bytes(b"theme = 'dark'\n# \xff\n")
    with pytest.raises(DataError, match=r"config.toml:2: not UTF-8"):
        load_settings()


def test_a_bad_variable_is_wrong_use_and_named(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECALL_ROLLOVER_HOUR", "noon")
    with pytest.raises(UsageError, match="RECALL_ROLLOVER_HOUR: must be a whole number"):
        load_settings()


def test_a_change_keeps_comments_order_and_everything_else(config: Path) -> None:
    config.write_text(
        '# my settings\r\ntheme = "dark" # as the terminal\r\n\r\n'
        "# the small deck\r\n[deck.gpu]\r\nnew_per_day = 3\r\n",
        encoding="utf-8",
        newline="",
    )
    write_setting("theme", "light")
    write_setting("rollover_hour", "5")
    write_setting("desired_retention", "0.95", "gpu")
    write_setting("fuzz", "off", "a/b")
    assert config.read_bytes().decode() == (
        '# my settings\r\ntheme = "light" # as the terminal\r\nrollover_hour = 5\r\n\r\n# the small deck\r\n'
        "[deck.gpu]\r\nnew_per_day = 3\r\ndesired_retention = 0.95\r\n\r\n"
        '[deck."a/b"]\r\nfuzz = false\r\n'
    )
    unset_setting("rollover_hour")
    assert "rollover_hour" not in config.read_text(encoding="utf-8")
    assert load_settings().options("a/b/c").fuzz is False


def test_the_first_general_setting_goes_above_the_first_table_and_its_comment(config: Path) -> None:
    config.write_text("# about the deck\n[deck.gpu]\nfuzz = true", encoding="utf-8")
    write_setting("plain", "yes")
    assert config.read_text(encoding="utf-8") == "plain = true\n# about the deck\n[deck.gpu]\nfuzz = true"


def test_the_file_is_for_the_user_alone_and_a_link_to_it_stays_a_link(config: Path, tmp_path: Path) -> None:
    write_setting("theme", "dark")
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    dotfiles = tmp_path / "dotfiles.toml"
    config.rename(dotfiles)
    config.symlink_to(dotfiles)
    write_setting("theme", "light")
    assert config.is_symlink()
    assert 'theme = "light"' in dotfiles.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_is_refused_changes_nothing(config: Path) -> None:
    config.write_text('theme = "dark"\ndeck = { gpu = { new_per_day = 3 } }\n', encoding="utf-8")
    before = config.read_bytes()
    for name, text, deck in [("theme", "pink", None), ("thème", "x", None), ("theme", "dark", "gpu")]:
        with pytest.raises(UsageError):
            write_setting(name, text, deck)
    # An inline table cannot be extended by a header: refused, not broken.
    with pytest.raises(DataError):
        write_setting("fuzz", "no", "gpu")
    assert config.read_bytes() == before


def test_a_bad_value_in_the_file_can_be_mended_by_the_command(config: Path) -> None:
    config.write_text("rollover_hour = 99\n", encoding="utf-8")
    write_setting("rollover_hour", "3")
    assert load_settings().rollover_hour == 3


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg://me:s3cret@db/recall", "postgresql+psycopg://me:***@db/recall"),
        ("postgresql://me:p@ss/w:rd@db/recall", "postgresql://me:***@db/recall"),
        ("postgresql://db/recall?user=me&password=s3cret", "postgresql://db/recall?user=me&password=***"),
        ("postgresql://me@db/recall", "postgresql://me@db/recall"),
        ("me:s3cret@db/recall", "me:***@db/recall"),
        ("sqlite:////home/me/recall.db", "sqlite:////home/me/recall.db"),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str) -> None:
    assert hide_password(url) == shown


def test_a_password_in_the_file_is_not_part_of_a_fault(config: Path) -> None:
    with pytest.raises(DataError) as caught:
        load(config, 'database_ur = "postgresql://me:s3cret@db/recall"\n')
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("key", list(KEYS.values()), ids=lambda key: key.name)
def test_every_default_is_accepted_by_its_own_form(key: Key) -> None:
    assert key.form.check(key.default) == key.default
    assert key.form.check(tomllib.loads(f"v = {to_toml(key.default)}")["v"]) == key.default


@given(st.text())
def test_any_text_survives_as_a_toml_string(text: str) -> None:
    cleaned = text.encode("utf-8", "ignore").decode()
    assert tomllib.loads(f"v = {quoted(cleaned)}")["v"] == cleaned


def test_places_are_found_in_every_form_of_toml() -> None:
    text = (
        '''# [no] = table
a.b = """x
[no]
""" # tail
"quoted key" = 'it'''
        + """'
list = [ # comment ]
  1, "]",
  { x = [2] },
]
[ t . "u v" ]
z=1
[[many]]
k = 2"""
    )
    found = [(entry.path, entry.line, text[entry.value_start : entry.value_end]) for entry in entries(text)]
    tomllib.loads(text)
    assert [(path, line) for path, line, _ in found] == [
        (("a", "b"), 2), (("quoted key",), 5), (("list",), 6), (("t", "u v"), 10), (("t", "u v", "z"), 11),
        (("many",), 12), (("many", "k"), 13),
    ]  # fmt: skip
    assert found[2][2].endswith("]")
    assert found[-1][2] == "2"


def test_keys_are_named_with_or_without_quotes(config: Path) -> None:
    settings = load(config, '[keys]\n"review.undo" = "u,ctrl+z"\nreview.bury = "x"\n')
    assert settings.keymap == {"review.undo": "u,ctrl+z", "review.bury": "x"}
