"""A model's server on loopback that speaks OpenAI's chat API from a script, and counts what it gave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from e2e.scripted import Script
from loopback import Handler, on_loopback
from loopwright.records.budget import Usage

Delta = dict[str, Any]
Turn = Delta | int
"""An answer of the model, or an error of HTTP."""


def says(text: str) -> Delta:
    """Give words of the model."""
    return {"role": "assistant", "content": text}


def calls(name: str, **arguments: Any) -> Delta:
    """Give a call of a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": "", "tool_calls": [{"index": 0, "type": "function", "function": function}]}


class OpenAIChat(Script[Turn]):
    """The server."""

    def count(self, number: int) -> dict[str, Any]:
        """Give the usage of an answer, each of its own size, and add it to the sum."""
        usage = self.add(Usage(60 + number, 20 + number, 40, 0))
        return {
            "prompt_tokens": usage.input + usage.cache_read,
            "prompt_tokens_details": {"cached_tokens": usage.cache_read},
            "completion_tokens": usage.output,
            "completion_tokens_details": {"reasoning_tokens": 5},
            "total_tokens": usage.total,
        }


@contextmanager
def serving(*turns: Turn) -> Iterator[tuple[OpenAIChat, str]]:
    """Serve a script; give the server and its base URL."""
    model = OpenAIChat(turns)
    with on_loopback(_handler(model), model.closed) as url:
        yield model, f"{url}/v1"


def _handler(model: OpenAIChat) -> type[Handler]:
    class Chat(Handler):
        def post(self) -> None:
            number, turn = model.take(self, self.body())
            if isinstance(turn, int):
                error = {"message": f"the stub says {turn}", "type": "stub_error", "code": "stub"}
                return self.send_json(turn, {"error": error})
            return self.send(200, "text/event-stream", b"".join(_chunks(model, number, turn)))

    return Chat


def _chunks(model: OpenAIChat, number: int, turn: Delta) -> Iterator[bytes]:
    """Write an answer as server-sent events."""
    told = [{**call, "id": f"call_{number}"} for call in turn.get("tool_calls", ())]
    delta = {**turn, "tool_calls": told} if told else turn
    reason = "tool_calls" if told else "stop"
    for choices, usage in (
        ([{"index": 0, "delta": delta, "finish_reason": None}], None),
        ([{"index": 0, "delta": {}, "finish_reason": reason}], None),
        ([], model.count(number)),
    ):
        chunk = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
        yield f"data: {json.dumps({**chunk, 'choices': choices, 'usage': usage})}\n\n".encode()
    yield b"data: [DONE]\n\n"
