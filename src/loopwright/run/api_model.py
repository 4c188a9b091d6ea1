"""A model behind an OpenAI-compatible or Anthropic endpoint, asked through pydantic-ai; for a process of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from pydantic_ai.direct import model_request
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
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from loopwright.endpoint import Endpoint, trouble_of
from loopwright.records.budget import Usage
from loopwright.run.api_settings import ApiSettings
from loopwright.run.api_tools import TOOLS, Answer, Tool

REQUEST_S = 300.0
"""How long one answer of the model may take."""


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


class Chat:
    """A conversation with a model, and all that was said in it."""

    def __init__(self, settings: ApiSettings, key: str, instructions: str, history: bytes = b"") -> None:
        """`history`: what `dump` gave; a ValueError where that can't be read."""
        endpoint = Endpoint(settings.model, settings.api, settings.base_url)
        self._model, self._host = endpoint.client(key, REQUEST_S), endpoint.host
        self._messages: list[ModelMessage] = ModelMessagesTypeAdapter.validate_json(history) if history else []
        self._instructions, self._settings = instructions, _model_settings(settings)
        tools = () if settings.answer else TOOLS
        self._parameters = ModelRequestParameters(function_tools=[_definition(tool) for tool in tools])

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
            raise trouble_of(error, self._host) from error
        self._messages.append(response)
        return _reply(response)

    def _add(self, parts: Sequence[ModelRequestPart]) -> None:
        self._messages.append(ModelRequest(parts=parts, instructions=self._instructions))


def _definition(tool: Tool) -> ToolDefinition:
    # Not strict: many a server does not know that, and what is wrong with a call is told by us.
    return ToolDefinition(
        name=tool.name, parameters_json_schema=tool.schema, description=tool.description, strict=False
    )


def _model_settings(settings: ApiSettings) -> ModelSettings:
    told: dict[str, Any] = {"timeout": REQUEST_S}
    if settings.temperature is not None:
        told["temperature"] = settings.temperature
    if settings.api == "anthropic":
        told["anthropic_cache"] = True  # else each turn pays for all that was said before
    return cast(ModelSettings, told)  # each maker has settings of its own


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
