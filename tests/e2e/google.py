"""A model's server on loopback that speaks Gemini's API from a script, and counts what it gave."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from loopwright.records.budget import Usage

Part = dict[str, Any]
Turn = Sequence[Part] | int
"""An answer of the model, or an error of HTTP."""


def says(text: str) -> Part:
    """Give words of the model."""
    return {"text": text}


def calls(name: str, **arguments: Any) -> Part:
    """Give a call of a tool."""
    return {"functionCall": {"name": name, "args": arguments}}


class Google:
    """The server: each request gets the next turn, and the last one again when they are used up."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = list(turns)
        self.requests: list[dict[str, Any]] = []
        self.others: list[str] = []
        """Paths of requests that are none to the model."""
        self.used = Usage()
        self._lock = threading.Lock()

    def take(self, body: dict[str, Any]) -> tuple[int, Turn]:
        """Write a request down; give its number and its turn."""
        with self._lock:
            self.requests.append(body)
            number = len(self.requests)
            return number, self._turns[min(number, len(self._turns)) - 1]

    def count(self, number: int) -> dict[str, int]:
        """Give the usage of an answer, each of its own size, and add it to the sum."""
        usage = Usage(60 + number, 20 + number, 40, 0)
        with self._lock:
            self.used += usage
        return {
            "promptTokenCount": usage.input + usage.cache_read,
            "candidatesTokenCount": usage.output - 5,
            "thoughtsTokenCount": 5,
            "cachedContentTokenCount": usage.cache_read,
            "totalTokenCount": usage.total,
        }

    def asked(self, number: int) -> str:
        """Give all words of a request, for looking whether something reached the model."""
        return json.dumps(self.requests[number], ensure_ascii=False)


@contextmanager
def serving(*turns: Turn) -> Iterator[tuple[Google, str]]:
    """Serve a script; give the server and its base URL."""
    model = Google(turns)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield model, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(model: Google) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if "generatecontent" not in self.path.lower():
                model.others.append(self.path)
                return self._send(200, "application/json", b'{"totalTokens": 10}')
            number, turn = model.take(json.loads(raw))
            if isinstance(turn, int):
                error = {"error": {"code": turn, "message": f"the stub says {turn}", "status": "STUB"}}
                return self._send(turn, "application/json", json.dumps(error).encode())
            answer = json.dumps(_answer(model, number, turn))
            if "alt=sse" in self.path:
                return self._send(200, "text/event-stream", f"data: {answer}\r\n\r\n".encode())
            return self._send(200, "application/json", answer.encode())

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler


def _answer(model: Google, number: int, turn: Sequence[Part]) -> dict[str, Any]:
    content = {"role": "model", "parts": list(turn)}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": model.count(number),
        "modelVersion": "gemini-2.5-flash",
    }
