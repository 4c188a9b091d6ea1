"""Who says nothing is not waited for."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from pathlib import Path

from served import Served, serving

from loopwright.http.impatience import HEADER_S


def connected(served: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", served.port), timeout=HEADER_S + 3)


def test_idle_connections_block_nobody_and_are_closed(tmp_path: Path) -> None:
    """Those that send no header, and those that send one byte by byte; who asks again and again is heard."""
    with serving(tmp_path) as served, contextlib.ExitStack() as open_ones:
        idle = [open_ones.enter_context(connected(served)) for _ in range(120)]
        slow, asking = open_ones.enter_context(connected(served)), http.client.HTTPConnection("127.0.0.1", served.port)
        assert served.ask("/healthz")[0] == 200
        began = time.monotonic()
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < began + HEADER_S + 2:
                slow.sendall(b"G")
                asking.request("GET", "/healthz")
                assert asking.getresponse().read() == b'{"status":"ok"}'
                time.sleep(0.25)
        assert HEADER_S - 1 < time.monotonic() - began < HEADER_S + 2
        assert [connection.recv(1) for connection in idle] == [b""] * 120
        asking.close()
