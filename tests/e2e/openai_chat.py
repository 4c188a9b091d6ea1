"""A model's server on loopback that speaks OpenAI's chat API from a script, and counts what it gave."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

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


class OpenAIChat:
    """The server: each request gets the next turn, and the last one again when they are used up."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = list(turns)
        self.requests: list[dict[str, Any]] = []
        self.used = Usage()
        self._lock = threading.Lock()

    def take(self, body: dict[str, Any]) -> tuple[int, Turn]:
        """Write a request down; give its number and its turn."""
        with self._lock:
            self.requests.append(body)
            number = len(self.requests)
            return number, self._turns[min(number, len(self._turns)) - 1]

    def count(self, number: int) -> dict[str, Any]:
        """Give the usage of an answer, each of its own size, and add it to the sum."""
        usage = Usage(60 + number, 20 + number, 40, 0)
        with self._lock:
            self.used += usage
        return {
            "prompt_tokens": usage.input + usage.cache_read,
            "prompt_tokens_details": {"cached_tokens": usage.cache_read},
            "completion_tokens": usage.output,
            "completion_tokens_details": {"reasoning_tokens": 5},
            "total_tokens": usage.total,
        }

    def asked(self, number: int) -> str:
        """Give all words of a request, for looking whether something reached the model."""
        return json.dumps(self.requests[number], ensure_ascii=False)


@contextmanager
def serving(*turns: Turn) -> Iterator[tuple[OpenAIChat, str]]:
    """Serve a script; give the server and its base URL."""
    model = OpenAIChat(turns)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield model, f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(model: OpenAIChat) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            number, turn = model.take(body)
            if isinstance(turn, int):
                error = {"error": {"message": f"the stub says {turn}", "type": "stub_error", "code": "stub"}}
                return self._send(turn, "application/json", json.dumps(error).encode())
            return self._send(200, "text/event-stream", b"".join(_chunks(model, number, turn)))

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler


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
