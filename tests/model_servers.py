"""Models for tests: scripted servers on loopback that speak OpenAI's chat API and Anthropic's, without streaming."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from loopback import Handler, on_loopback

INPUT, OUTPUT = 100, 10
"""Tokens of each answer."""


@dataclass(frozen=True)
class Says:
    """The model answers with words, and with tools that it wants to use: name and arguments."""

    text: str = ""
    calls: Sequence[tuple[str, dict[str, Any] | str]] = ()
    stop: str = ""
    """`refusal` or `length`; else as the answer needs it."""
    cached: int = 0
    """How many of the tokens came from the cache."""


@dataclass(frozen=True)
class Fails:
    """The server answers with an error."""

    status: int
    message: str = "the stub says so"
    code: str = "stub_error"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Garbage:
    """The server answers 200 with something that is no answer."""

    body: bytes = b"<html>a captive portal</html>"


Step = Says | Fails | Garbage


class ModelServer:
    """Plays its steps in order, one for each request; past the end it says `done`."""

    def __init__(self, steps: Sequence[Step], anthropic: bool) -> None:
        self._steps, self._anthropic = list(steps), anthropic
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    def step(self) -> Step:
        return self._steps.pop(0) if self._steps else Says("done")

    def write(self, step: Step) -> tuple[int, bytes, dict[str, str]]:
        if isinstance(step, Garbage):
            return 200, step.body, {"Content-Type": "text/html"}
        if isinstance(step, Fails):
            body = {"type": "error", "error": {"type": step.code, "code": step.code, "message": step.message}}
            return step.status, json.dumps(body).encode(), step.headers
        number = len(self.requests)
        return 200, json.dumps((_message if self._anthropic else _completion)(step, number)).encode(), {}


@contextmanager
def model_server(*steps: Step, anthropic: bool = False) -> Iterator[ModelServer]:
    """Serve a model until the block ends."""
    model = ModelServer(steps, anthropic)

    class Model(Handler):
        def post(self) -> None:
            model.requests.append(json.loads(self.body()) | {"path": self.path})
            model.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, answer, headers = model.write(model.step())
            self.send(status, "application/json", answer, **headers)

    with on_loopback(Model) as url:
        model.url = url + ("" if anthropic else "/v1")
        yield model


def _completion(step: Says, number: int) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{number}_{index}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for index, (name, given) in enumerate(step.calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if step.stop == "refusal":
        message = {"role": "assistant", "content": None, "refusal": step.text}
    if calls:
        message["tool_calls"] = calls
    stop = "length" if step.stop == "length" else "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": INPUT, "completion_tokens": OUTPUT, "total_tokens": INPUT + OUTPUT}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "stub-model",
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": usage | {"prompt_tokens_details": {"cached_tokens": step.cached}},
    }


def _message(step: Says, number: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
    for index, (name, given) in enumerate(step.calls):
        content.append({"type": "tool_use", "id": f"toolu_{number}_{index}", "name": name, "input": given})
    stop = {"length": "max_tokens", "refusal": "refusal"}.get(step.stop, "tool_use" if step.calls else "end_turn")
    usage = {"input_tokens": INPUT - step.cached, "output_tokens": OUTPUT, "cache_creation_input_tokens": 0}
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "claude-stub",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage | {"cache_read_input_tokens": step.cached},
    }
