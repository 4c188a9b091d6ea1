"""The user's own proxy behind ours: ours decides who is reached, theirs is the way there."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from loopwright.process.proxy import Proxy
from loopwright.process.upstream import way_to


def ask(place: Path, target: str) -> bytes:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(10)
        line.connect(str(place))
        line.sendall(f"CONNECT {target} HTTP/1.1\r\n\r\n".encode())
        return line.recv(1000)


@pytest.mark.parametrize(("reply", "given"), [(b"200 OK", b"HTTP/1.1 200 "), (b"407 No", b"HTTP/1.1 502 ")])
def test_through_theirs(monkeypatch: pytest.MonkeyPatch, reply: bytes, given: bytes) -> None:
    """An allowed host is asked for at the user's proxy, with its login; who is not allowed never gets there."""
    came: list[bytes] = []

    def serve() -> None:
        with listener.accept()[0] as line:
            came.append(line.recv(1000))
            line.sendall(b"HTTP/1.1 " + reply + b"\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setenv("https_proxy", f"http://me:p%40ss@127.0.0.1:{listener.getsockname()[1]}")
        monkeypatch.setenv("no_proxy", "near.example")
        thread = threading.Thread(target=serve)
        thread.start()
        with Proxy(["far.example"]) as proxy:
            assert ask(proxy.socket, "evil.example:443").startswith(b"HTTP/1.1 403 ")
            assert ask(proxy.socket, "far.example:443").startswith(given)
        thread.join()
    said = (
        b"CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\nProxy-Authorization: Basic bWU6cEBzcw==\r\n\r\n"
    )
    assert came == [said]


def test_which_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts that the environment names as near are reached without it, and other kinds of proxies are not used."""
    for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert way_to("a.example") is None
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "near.example,127.0.0.1")
    found = way_to("a.example")
    assert found is not None and (found.hostname, found.port) == ("proxy.example", 3128)
    assert way_to("x.near.example") is way_to("127.0.0.1") is None
    monkeypatch.setenv("HTTPS_PROXY", "socks5://proxy.example")
    assert way_to("a.example") is None
