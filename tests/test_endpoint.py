"""Which API a model speaks, and where its server is."""

from __future__ import annotations

import pytest

from loopwright.endpoint import Endpoint


@pytest.mark.parametrize(
    ("model", "base_url", "api", "host"),
    [
        ("claude-haiku-4-5", "", "anthropic", "api.anthropic.com"),
        ("gpt-5", "", "openai", "api.openai.com"),
        ("some-model", "https://eu.anthropic.com", "anthropic", "eu.anthropic.com"),
        ("llama", "http://me:secret@localhost:11434/v1", "openai", "localhost:11434"),
    ],
)
def test_what_is_not_given_is_found(
    monkeypatch: pytest.MonkeyPatch, model: str, base_url: str, api: str, host: str
) -> None:
    """The API is told by the model's name or its server's; a host is named without a password."""
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    found = Endpoint.of(model, None, base_url)
    assert (found.api, found.host) == (api, host)


def test_the_users_variable_names_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own is found by the vendor's variable."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")
    assert Endpoint.of("gpt-5").base_url == "http://127.0.0.1:8080/v1"
