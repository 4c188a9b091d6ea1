"""What all scripted model servers are made of: a script, what was asked, what was given, and a place on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Generic, TypeVar

from loopwright.records.budget import Usage

T = TypeVar("T")


class Script(Generic[T]):
    """Each request gets the next turn, and the last one again when they are used up."""

    def __init__(self, turns: Sequence[T]) -> None:
        self._turns = list(turns)
        self.requests: list[dict[str, Any]] = []
        """The bodies of the requests to the model, in order."""
        self.headers: list[dict[str, str]] = []
        self.others: list[str] = []
        """Paths of requests that are none to the model."""
        self.used = Usage()
        """The tokens of all answers that were given whole."""
        self.closed = threading.Event()
        self._lock = threading.Lock()

    def take(self, handler: BaseHTTPRequestHandler, raw: bytes) -> tuple[int, T]:
        """Write a request down; give its number and its turn."""
        with self._lock:
            self.requests.append(json.loads(raw))
            self.headers.append(dict(handler.headers))
            number = len(self.requests)
            return number, self._turns[min(number, len(self._turns)) - 1]

    def add(self, usage: Usage) -> Usage:
        """Add what an answer has used to the sum, and give it."""
        with self._lock:
            self.used += usage
        return usage

    def asked(self, number: int) -> str:
        """Give all words of a request, for looking whether something reached the model."""
        return json.dumps(self.requests[number], ensure_ascii=False)


class Handler(BaseHTTPRequestHandler):
    """Answers without a word on the terminal."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post()

    def get(self) -> None:
        self.send_json(404, {"error": {"message": "not here"}})

    def post(self) -> None:
        """Answer what the model is asked."""
        raise NotImplementedError

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status: int, kind: str, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def send_json(self, status: int, body: object, **headers: str) -> None:
        self.send(status, "application/json", json.dumps(body).encode(), **headers)


@contextmanager
def on_loopback(handler: type[Handler], closed: threading.Event) -> Iterator[str]:
    """Serve; give the URL. `closed` is set first at the end, for who keeps somebody waiting."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        closed.set()
        server.shutdown()
        server.server_close()
        thread.join()
