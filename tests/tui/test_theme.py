"""Colours: contrast computed for what is drawn where, and no meaning by colour alone."""

from __future__ import annotations

from typing import get_args

import pytest
from textual.color import Color
from textual.theme import Theme

from drawn import app_on, text
from factories import FakeSession, shown
from recall.settings import keys
from recall.tui import theme
from recall.tui.theme import DARK, HIGH_CONTRAST, LIGHT, THEMES

COLORED = ("primary", "secondary", "accent", "success", "warning", "error")
RATINGS = ("error", "warning", "success", "primary")
TINT = 0.22


def luminance(color: Color) -> float:
    """Relative luminance; source: WCAG 2.2, section 'relative luminance'."""

    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b)


def contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def color(of: Theme, token: str) -> Color:
    return Color.parse(of.variables.get(token) or getattr(of, token))


@pytest.mark.parametrize("of", [DARK, LIGHT, HIGH_CONTRAST], ids=lambda of: of.name)
@pytest.mark.parametrize("surface", ["background", "surface", "panel"])
def test_text_can_be_read_on_every_surface(of: Theme, surface: str) -> None:
    ground = color(of, surface)
    assert contrast(color(of, "foreground"), ground) >= 7
    for token in (*COLORED, "muted"):
        assert contrast(color(of, token), ground) >= 4.5, token


@pytest.mark.parametrize("of", [DARK, LIGHT, HIGH_CONTRAST], ids=lambda of: of.name)
def test_text_can_be_read_on_the_suggested_rating_and_under_the_cursor(of: Theme) -> None:
    for token in RATINGS:
        tinted = color(of, "surface").blend(color(of, token), TINT)
        assert contrast(color(of, "foreground"), tinted) >= 7, token
    assert contrast(color(of, "cursor-foreground"), color(of, "cursor-background")) >= 7


def test_every_theme_of_the_settings_is_there() -> None:
    """`auto` is one of them at the start."""
    assert {f"recall-{name}" for name in get_args(keys.Theme) if name != "auto"} == set(THEMES)


@pytest.mark.parametrize("name", THEMES)
async def test_every_theme_draws_every_state(name: str) -> None:
    app = app_on(FakeSession([shown(1), shown(2)]), theme=name)
    async with app.run_test() as pilot:
        await pilot.press("space", "f1", "escape", "ctrl+p", "escape", "a", "escape", "3")
        assert "Question 2?" in text(app)


def test_themes_define_the_same_variables() -> None:
    """A variable that one theme lacks would break the style sheet when that theme is chosen."""
    for of in THEMES.values():
        assert set(theme.VARIABLE_DEFAULTS) - set(of.variables) <= {"block-cursor-text-style"}, of.name
