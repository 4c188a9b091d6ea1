"""A model that is asked through pydantic-ai; how it ends is tested with the agent."""

from __future__ import annotations

import pytest

from loopwright.endpoint import Trouble
from loopwright.run.api_model import Chat
from loopwright.run.api_settings import ApiSettings

SETTINGS = ApiSettings("m", "openai", "http://127.0.0.1:1/v1", "KEY", "/run")


@pytest.mark.parametrize(
    ("status", "passing"), [(408, True), (429, True), (500, True), (529, True), (0, True), (401, False), (None, False)]
)
def test_some_trouble_passes(status: int | None, passing: bool) -> None:
    """Limits, troubles of the server and of the network may be gone in a moment; all else is not."""
    assert Trouble("words", status).passing is passing


def test_a_chat_is_kept_and_taken_up() -> None:
    """What was said is in the dump, byte for byte the same when it was read back."""
    chat = Chat(SETTINGS, "sk-secret", "Be brief.")
    chat.tell("Fix »it«")
    dump = chat.dump()
    assert Chat(SETTINGS, "sk-secret", "Be brief.", dump).dump() == dump
    assert "Fix »it«" in dump.decode()
    assert b"sk-secret" not in dump
    with pytest.raises(ValueError, match="valid"):
        Chat(SETTINGS, "key", "", b"[3]")
