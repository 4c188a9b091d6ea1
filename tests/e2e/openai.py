"""A model's server on loopback that speaks OpenAI's Responses API from a script, and counts what it gave."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from e2e.scripted import Script
from loopback import Handler, on_loopback
from loopwright.records.budget import Usage

Item = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """An answer of the model: what it thinks, says and calls."""

    items: Sequence[Item]
    cut: bool = False
    """The connection is closed in the middle of it."""


@dataclass(frozen=True)
class Fail:
    """An answer of the server: an HTTP error."""

    status: int
    message: str = "the stub says so"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """An answer that begins well and ends in an error of the model's own."""

    code: str
    message: str = "the stub says so"


@dataclass(frozen=True)
class Garbage:
    """A stream of which nothing is of the protocol."""


@dataclass(frozen=True)
class Silence:
    """No answer at all, until the server is closed."""


Turn = Reply | Fail | Failed | Garbage | Silence


def says(text: str) -> Item:
    """Give a message of the model."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "role": "assistant", "status": "completed", "content": content}


def thinks(text: str) -> Item:
    """Give the summary of a thought."""
    return {"type": "reasoning", "summary": [{"type": "summary_text", "text": text}], "encrypted_content": None}


def calls(name: str, **arguments: Any) -> Item:
    """Give a call of a function with JSON arguments."""
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "status": "completed"}


def runs(command: str) -> Item:
    """Give a call of Codex's own shell."""
    return calls("exec_command", cmd=command)


def patches(*lines: str) -> Item:
    """Give a patch in the form that Codex's apply_patch takes, without its first and last line."""
    text = "\n".join(("*** Begin Patch", *lines, "*** End Patch"))
    return {"type": "custom_tool_call", "name": "apply_patch", "input": text, "status": "completed"}


def reply(*items: Item) -> Reply:
    """Give an answer of some items."""
    return Reply(items)


class OpenAI(Script[Turn]):
    """The server."""

    def count(self, number: int) -> dict[str, Any]:
        """Give the usage of an answer, each of its own size, and add it to the sum."""
        usage = self.add(Usage(100 + 7 * number, 20 + number, 40 + 3 * number, 0))
        return {
            "input_tokens": usage.input + usage.cache_read,
            "input_tokens_details": {"cached_tokens": usage.cache_read},
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": 5},
            "total_tokens": usage.total,
        }


@contextmanager
def serving(*turns: Turn) -> Iterator[tuple[OpenAI, str]]:
    """Serve a script; give the server and its base URL."""
    model = OpenAI(turns)
    with on_loopback(_handler(model), model.closed) as url:
        yield model, f"{url}/v1"


def _handler(model: OpenAI) -> type[Handler]:
    class Responses(Handler):
        protocol_version = "HTTP/1.1"

        def get(self) -> None:
            model.others.append(f"GET {self.path}")
            super().get()

        def post(self) -> None:
            raw = self.body()
            if not self.path.split("?")[0].endswith("/responses"):
                model.others.append(f"POST {self.path}")
                return self.send_json(404, {"error": {"message": "not here"}})
            number, turn = model.take(self, raw)
            try:
                self._answer(number, turn)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            return None

        def _answer(self, number: int, turn: Turn) -> None:
            match turn:
                case Fail():
                    error = {"message": turn.message, "type": "stub_error", "code": "stub"}
                    self.send_json(turn.status, {"error": error}, **turn.headers)
                case Silence():
                    model.closed.wait()
                    self.close_connection = True
                case Garbage():
                    self._stream(lambda: [b"data: {no json\n\n", b"<html>hello</html>\n\n"])
                case Failed():
                    self._stream(lambda: _failure(turn))
                case Reply():
                    self._stream(lambda: _events(model, number, turn))

        def _stream(self, chunks: Callable[[], Sequence[bytes]]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for chunk in chunks():
                self.wfile.write(chunk)
                self.wfile.flush()
            self.close_connection = True

    return Responses


def _events(model: OpenAI, number: int, turn: Reply) -> list[bytes]:
    """Write an answer as server-sent events."""
    answer = {"id": f"resp_{number}", "object": "response", "model": "stub", "status": "in_progress", "output": []}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": answer}]
    done = []
    for index, item in enumerate(turn.items):
        whole = _named(item, number, index)
        done.append(whole)
        events += _item(whole, index)
    if turn.cut:
        return [_written(event) for event in events[:-1]]
    usage = model.count(number)
    end = {**answer, "status": "completed", "output": done, "usage": usage}
    return [_written(event) for event in (*events, {"type": "response.completed", "response": end})]


def _failure(turn: Failed) -> list[bytes]:
    answer = {"id": "resp_failed", "object": "response", "status": "failed"}
    error = {"code": turn.code, "message": turn.message}
    began, ended = {"type": "response.created"}, {"type": "response.failed"}
    return [_written({**began, "response": answer}), _written({**ended, "response": {**answer, "error": error}})]


def _named(item: Item, number: int, index: int) -> Item:
    name = f"{number}_{index}"
    called = {"call_id": f"call_{name}"} if "call" in item["type"] else {}
    return {"id": f"{zlib.crc32(name.encode()):08x}", **item, **called}


def _item(item: Item, index: int) -> list[dict[str, Any]]:
    began = {"type": "response.output_item.added", "output_index": index, "item": {**item, "status": "in_progress"}}
    ended = {"type": "response.output_item.done", "output_index": index, "item": item}
    if item["type"] != "message":
        return [began, ended]
    text = {"item_id": item["id"], "output_index": index, "content_index": 0}
    delta = {"type": "response.output_text.delta", **text, "delta": item["content"][0]["text"]}
    return [began, delta, ended]


def _written(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
