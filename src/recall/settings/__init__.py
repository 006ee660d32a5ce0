"""Typed settings: flag, then environment, then config.toml, then default; each knows its origin."""

from recall.settings.edit import unset_setting, write_setting
from recall.settings.load import Settings, load_settings
from recall.settings.secrets import hide_password

__all__ = ["Settings", "hide_password", "load_settings", "unset_setting", "write_setting"]
