"""Typed settings: flag, then environment, then config.toml, then default; each knows its origin.

Changing a setting is in `recall.settings.edit`, which reading them does not need.
"""

from recall.settings.load import Settings, load_settings
from recall.settings.secrets import hide_password

__all__ = ["Settings", "hide_password", "load_settings"]
