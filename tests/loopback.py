"""Small web servers on loopback, for as long as a block lasts."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    """Answers without a word on the terminal."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.get()

    def do_HEAD(self) -> None:
        self.head()

    def do_POST(self) -> None:
        self.post()

    def get(self) -> None:
        self.send_json(404, {"error": {"message": "not here"}})

    def head(self) -> None:
        self.send(200, "text/plain", b"")

    def post(self) -> None:
        self.get()

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def send(self, status: int, kind: str, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def send_json(self, status: int, body: object, **headers: str) -> None:
        self.send(status, "application/json", json.dumps(body).encode(), **headers)


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _SixServer(_Server):
    address_family = socket.AF_INET6


@contextmanager
def on_loopback(
    handler: type[Handler], closed: threading.Event | None = None, port: int = 0, *, six: bool = False
) -> Iterator[str]:
    """Serve, with `six` on IPv6; give the URL. `closed` is set first at the end, for who keeps somebody waiting."""
    server = _SixServer(("::1", port), handler) if six else _Server(("127.0.0.1", port), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://{'[::1]' if six else '127.0.0.1'}:{server.server_port}"
    finally:
        if closed:
            closed.set()
        server.shutdown()
        server.server_close()
        thread.join()
