"""A model behind an OpenAI-compatible or Anthropic endpoint, asked through pydantic-ai; for a process of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from loopwright.records.budget import Usage
from loopwright.run.api_settings import ApiSettings
from loopwright.run.api_tools import TOOLS, Answer, Tool

REQUEST_S = 300.0
"""How long one answer of the model may take."""
_PASSING = frozenset({408, 409, 425, 429})
_OPENAI, _ANTHROPIC = "api.openai.com", "api.anthropic.com"


@dataclass(frozen=True)
class Call:
    """A tool that the model wants to use."""

    id: str
    name: str
    arguments: object


@dataclass(frozen=True)
class Reply:
    """What the model said."""

    blocks: Sequence[dict[str, Any]]
    """As Claude Code's stream-json has them: thinking, text, tool_use."""
    calls: Sequence[Call]
    text: str
    usage: Usage
    model: str
    stop: str
    """Why it stopped: `refusal`, `max_tokens`, or else nothing to worry about."""
    refusal: str = ""


class Trouble(Exception):
    """The model could not be asked, or its answer was none."""

    def __init__(self, words: str, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(words)
        self.words, self.status, self.retry_after = words, status, retry_after

    @property
    def passing(self) -> bool:
        """Whether it may be gone in a moment."""
        return self.status in _PASSING or (self.status or 0) >= 500 or self.status == 0


class Chat:
    """A conversation with a model, and all that was said in it."""

    def __init__(self, settings: ApiSettings, key: str, instructions: str, history: bytes = b"") -> None:
        """`history`: what `dump` gave; a ValueError where that can't be read."""
        self._model = _anthropic(settings, key) if settings.api == "anthropic" else _openai(settings, key)
        self._messages: list[ModelMessage] = ModelMessagesTypeAdapter.validate_json(history) if history else []
        self._instructions, self._settings = instructions, _model_settings(settings)
        self._host = urlsplit(settings.base_url).netloc.rpartition("@")[2]
        self._parameters = ModelRequestParameters(function_tools=[_definition(tool) for tool in TOOLS])

    def dump(self) -> bytes:
        """Give all that was said, to go on with later."""
        return ModelMessagesTypeAdapter.dump_json(self._messages)

    def tell(self, prompt: str) -> None:
        """Add what the user says."""
        self._add([UserPromptPart(prompt)])

    def answer(self, answers: Sequence[tuple[Call, Answer]]) -> None:
        """Add what came of the tools."""
        parts = [
            ToolReturnPart(call.name, answer.text, call.id, outcome="failed" if answer.is_error else "success")
            for call, answer in answers
        ]
        self._add(parts)

    async def ask(self) -> Reply:
        """Let the model say the next thing; Trouble where it does not."""
        try:
            response = await model_request(
                self._model,
                self._messages,
                model_settings=self._settings,
                model_request_parameters=self._parameters,
            )
        except Exception as error:  # on an answer that is none, the vendors' code raises whatever it stumbles over
            raise _trouble(error, self._host) from error
        self._messages.append(response)
        return _reply(response)

    def _add(self, parts: Sequence[ModelRequestPart]) -> None:
        self._messages.append(ModelRequest(parts=parts, instructions=self._instructions))


def _definition(tool: Tool) -> ToolDefinition:
    # Not strict: many a server does not know that, and what is wrong with a call is told by us.
    return ToolDefinition(
        name=tool.name, parameters_json_schema=tool.schema, description=tool.description, strict=False
    )


def _openai(settings: ApiSettings, key: str) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    # The attempts are counted and told by us. A server of one's own asks for no key, and the client for any.
    client = AsyncOpenAI(api_key=key or "none", base_url=settings.base_url, max_retries=0, timeout=REQUEST_S)
    host = urlsplit(settings.base_url).hostname or ""
    if host == _OPENAI:
        return OpenAIChatModel(settings.model, provider=OpenAIProvider(openai_client=client))
    return OpenAIChatModel(settings.model, provider=OpenAICompatibleProvider(host, openai_client=client))


def _anthropic(settings: ApiSettings, key: str) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    key, maker = key or "none", urlsplit(settings.base_url).hostname == _ANTHROPIC
    # The client sends the key as a bearer's; servers of others may look for it where it was before.
    headers = {} if maker else {"X-Api-Key": key}
    client = AsyncAnthropic(
        api_key=key, base_url=settings.base_url, max_retries=0, timeout=REQUEST_S, default_headers=headers
    )
    return AnthropicModel(settings.model, provider=AnthropicProvider(anthropic_client=client))


def _model_settings(settings: ApiSettings) -> ModelSettings:
    told: dict[str, Any] = {"timeout": REQUEST_S}
    if settings.temperature is not None:
        told["temperature"] = settings.temperature
    if settings.api == "anthropic":
        told["anthropic_cache"] = True  # else each turn pays for all that was said before
    return cast(ModelSettings, told)  # each maker has settings of its own


def _trouble(error: Exception, host: str) -> Trouble:
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


def _complaint(body: object) -> str:
    """Find the words in what a server sent with an error."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        said = inner.get("message") if isinstance(inner, dict) else inner
        return str(said or body)
    return str(body or "")


def _reply(response: ModelResponse) -> Reply:
    calls = [Call(part.tool_call_id, part.tool_name, _arguments(part)) for part in _calls(response)]
    refused = response.finish_reason == "content_filter"
    return Reply(
        blocks=[block for part in response.parts for block in _blocks(part)],
        calls=calls,
        text="\n".join(part.content for part in response.parts if isinstance(part, TextPart)),
        usage=_usage(response),
        model=response.model_name or "",
        stop="refusal" if refused else "max_tokens" if response.finish_reason == "length" else "end_turn",
        refusal=str((response.provider_details or {}).get("refusal") or "") if refused else "",
    )


def _calls(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]


def _blocks(part: ModelResponsePart) -> list[dict[str, Any]]:
    if isinstance(part, TextPart):
        return [{"type": "text", "text": part.content}]
    if isinstance(part, ThinkingPart):
        return [{"type": "thinking", "thinking": part.content}]
    if isinstance(part, ToolCallPart):
        return [{"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": _arguments(part)}]
    return []


def _arguments(part: ToolCallPart) -> object:
    if not isinstance(part.args, str):
        return part.args or {}
    try:
        return json.loads(part.args)
    except (ValueError, RecursionError):
        return part.args


def _usage(response: ModelResponse) -> Usage:
    used = response.usage
    read, written = used.cache_read_tokens, used.cache_write_tokens
    return Usage(max(0, used.input_tokens - read - written), used.output_tokens, read, written)
