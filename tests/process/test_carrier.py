"""The lines to the proxy, over real sockets. Its rights are tried in tests/integrity/test_escapes.py."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from loopwright.process import carrier


def answer(path: Path, reply: bytes) -> tuple[threading.Thread, list[bytes]]:
    """Be a proxy that gives one reply, and says what it was sent."""
    listener, came = socket.socket(socket.AF_UNIX), list[bytes]()
    listener.bind(str(path))
    listener.listen()

    def serve() -> None:
        with listener, listener.accept()[0] as line, suppress(ConnectionResetError):
            came.append(line.recv(1000))
            line.sendall(reply)
            while reply and (chunk := line.recv(1000)):
                came.append(chunk)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread, came


def test_a_line_to_a_host(tmp_path: Path) -> None:
    """A port of a host's own is reached without a word of the proxy's."""
    proxy, came = answer(tmp_path / "p", b"HTTP/1.1 200 OK\r\n\r\nhello")
    near, far = socket.socketpair()
    thread = threading.Thread(target=carrier.connect, args=(far, str(tmp_path / "p"), "127.0.0.1:8080"))
    carrier._FREE.acquire()
    thread.start()
    with near:
        assert near.recv(100) == b"hello"
        near.sendall(b"and you?")
        near.shutdown(socket.SHUT_WR)
        proxy.join()
        assert near.recv(100) == b""
    thread.join()
    assert came == [b"CONNECT 127.0.0.1:8080 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", b"and you?"]


@pytest.mark.parametrize("reply", [b"HTTP/1.1 403 Forbidden\r\n\r\n", b"", b"x" * 5000])
def test_a_line_that_is_not_given(tmp_path: Path, reply: bytes) -> None:
    """Who is refused is hung up on, and never talks to what is not the host."""
    proxy, came = answer(tmp_path / "p", reply)
    near, far = socket.socketpair()
    carrier._FREE.acquire()
    thread = threading.Thread(target=carrier.connect, args=(far, str(tmp_path / "p"), "127.0.0.1:8080"))
    thread.start()
    with near:
        assert near.recv(100) == b""
    for other in (thread, proxy):
        other.join(10)
    assert came == [b"CONNECT 127.0.0.1:8080 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"]


def test_nobody_listens(tmp_path: Path) -> None:
    """Without a proxy the caller is hung up on, and the next one is taken."""
    for _ in range(2):
        near, far = socket.socketpair()
        carrier._FREE.acquire()
        carrier.connect(far, str(tmp_path / "nothing"), "")
        with near:
            assert near.recv(100) == b""
