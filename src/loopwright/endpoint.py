"""A model's server: which API it speaks, where it is, which key it needs; a client for it, and its troubles.

What is asked, and what becomes of the answer, is the business of who asks: the agent `api`, and models/api.py.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from pydantic_ai.models import Model

Kind = Literal["openai", "anthropic"]
INSTALL = 'pip install "pydantic-ai-slim[anthropic,openai]>=2.66"'
PACKAGES = ("pydantic_ai", "openai", "anthropic")
KEYS: dict[Kind, str] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
BASES: dict[Kind, str] = {"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}
"""The variables in which the address of another server stands."""
URLS: dict[Kind, str] = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_PASSING = frozenset({408, 409, 425, 429})


@dataclass(frozen=True)
class Endpoint:
    """One model at one server."""

    model: str
    api: Kind
    base_url: str

    @classmethod
    def of(cls, model: str, api: Kind | None = None, base_url: str = "") -> Endpoint:
        """Find out what is not given: the API by the model's name, the address by the user's variable."""
        kind = api or _guessed(model, base_url)
        return cls(model, kind, base_url or os.environ.get(BASES[kind], "") or URLS[kind])

    @property
    def host(self) -> str:
        """Its server, as a person would name it; without a password."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    def client(self, key: str, timeout_s: float) -> Model:
        """Give what speaks to it; pydantic-ai is loaded here, which takes a second."""
        return (_anthropic if self.api == "anthropic" else _openai)(self, key, timeout_s)


class Trouble(Exception):
    """The model could not be asked, or its answer was none."""

    def __init__(self, words: str, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(words)
        self.words, self.status, self.retry_after = words, status, retry_after

    @property
    def passing(self) -> bool:
        """Whether it may be gone in a moment."""
        return self.status in _PASSING or (self.status or 0) >= 500 or self.status == 0


def trouble_of(error: Exception, host: str) -> Trouble:
    """Say in words what went wrong with a request."""
    from pydantic_ai.exceptions import (
        ModelAPIError,
        ModelConnectionError,
        ModelContextWindowExceededError,
        ModelHTTPError,
    )

    if not isinstance(error, ModelAPIError):
        return Trouble(f"the model's answer was not understood: {type(error).__name__}: {error}")
    words = _complaint(error.body) or error.message
    if isinstance(error, ModelContextWindowExceededError):
        words = f"prompt is too long: {words}"
    if error.retry_after is not None:
        words = f"{words}; retry-after: {error.retry_after:.0f}"
    if isinstance(error, ModelHTTPError):
        return Trouble(f"API Error: {error.status_code} {words}", error.status_code, error.retry_after)
    if isinstance(error, ModelConnectionError):
        why = "" if words.startswith("Connection error") else f": {words}"
        return Trouble(f"Connection error: nobody answers at {host}{why}", 0, error.retry_after)
    return Trouble(f"the model's answer was not understood: {words}")


def _guessed(model: str, base_url: str) -> Kind:
    host = urlsplit(base_url).hostname or ""
    return "anthropic" if model.startswith("claude") or host.endswith("anthropic.com") else "openai"


def _openai(endpoint: Endpoint, key: str, timeout_s: float) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    # The attempts are counted and told by us. A server of one's own asks for no key, and the client for any.
    client = AsyncOpenAI(api_key=key or "none", base_url=endpoint.base_url, max_retries=0, timeout=timeout_s)
    host = urlsplit(endpoint.base_url).hostname or ""
    if host == urlsplit(URLS["openai"]).hostname:
        return OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client))
    return OpenAIChatModel(endpoint.model, provider=OpenAICompatibleProvider(host, openai_client=client))


def _anthropic(endpoint: Endpoint, key: str, timeout_s: float) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    key, maker = key or "none", urlsplit(endpoint.base_url).hostname == urlsplit(URLS["anthropic"]).hostname
    # The client sends the key as a bearer's; servers of others may look for it where it was before.
    headers = {} if maker else {"X-Api-Key": key}
    client = AsyncAnthropic(
        api_key=key, base_url=endpoint.base_url, max_retries=0, timeout=timeout_s, default_headers=headers
    )
    return AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=client))


def _complaint(body: object) -> str:
    """Find the words in what a server sent with an error."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        said = inner.get("message") if isinstance(inner, dict) else inner
        return str(said or body)
    return str(body or "")
