"""What the process behind the agent `api` is told."""

from __future__ import annotations

from loopwright.run.api_settings import ApiSettings


def test_settings_survive_the_command_line() -> None:
    """What is written is read back, also text that is not plain."""
    settings = ApiSettings("m", "anthropic", "http://x", "KEY", "/run", "c", "»Sei kurz«\n", 0.0, 3, 0)
    assert ApiSettings.load(settings.dump()) == settings
