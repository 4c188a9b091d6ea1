"""The proxy on its socket, with real servers behind it."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from loopwright.errors import SettingError
from loopwright.process.proxy import Proxy


@pytest.fixture
def server() -> Iterator[tuple[int, list[bytes]]]:
    """Give the port of a server that answers `pong` to whatever comes first, and what came."""
    came: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            with line:
                came.append(line.recv(65_536))
                line.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\npong")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1], came
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def line_to(proxy: Proxy) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(10)
    line.connect(str(proxy.socket))
    return line


def asked(proxy: Proxy, request: bytes) -> str:
    """Send a request and give the whole answer."""
    with closing(line_to(proxy)) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := line.recv(65_536):
            answer += chunk
    return answer.decode()


def test_a_line(server: tuple[int, list[bytes]]) -> None:
    """CONNECT gives a line to an allowed host, and bytes go both ways as they are."""
    port, came = server
    with Proxy([f"127.0.0.1:{port}"]) as proxy, closing(line_to(proxy)) as line:
        line.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert line.recv(1000) == b"HTTP/1.1 200 Connection established\r\n\r\n"
        line.sendall(b"\x16\x03anything")
        assert line.recv(1000).endswith(b"pong")
        assert came == [b"\x16\x03anything"]
        assert proxy.denials() == []


def test_plain_http(server: tuple[int, list[bytes]]) -> None:
    """A request for a URL goes to its host as a server wants it, with the name of that host and no other."""
    port, came = server
    with Proxy([f"localhost:{port}"]) as proxy:
        request = (
            f"GET http://localhost:{port}/a?b=1 HTTP/1.1\r\nHost: inner.evil\r\nProxy-Connection: x\r\nX: y\r\n\r\n"
        )
        assert asked(proxy, request.encode()).endswith("pong")
    assert came == [f"GET /a?b=1 HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\nX: y\r\n\r\n".encode()]


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("evil.example:443", "evil.example:443"),
        ("evil\0.allowed.example:443", "evil\\x00.allowed.example:443"),
        ("127.0.0.1:1", "127.0.0.1:1"),
        ("169.254.169.254:80", "169.254.169.254:80"),
        ("api.allowed.example:22", "api.allowed.example:22"),
        ("allowed.example:no", "allowed.example:no"),
        ("\x1b[31mred:443", "\\x1b[31mred:443"),
        ("é.allowed.example:443", "'\\xe9.allowed.example':443"),
    ],
)
def test_refusals(target: str, shown: str) -> None:
    """Who is not allowed is refused, and that is told once, with nothing in the name that could do harm."""
    with Proxy(["*.allowed.example"]) as proxy:
        for _ in range(2):
            assert asked(proxy, f"CONNECT {target} HTTP/1.1\r\n\r\n".encode("latin-1")).startswith("HTTP/1.1 403 ")
        (said,) = proxy.denials()
        assert said.startswith(f"it tried to reach {shown}: denied")
        assert proxy.denials() == []


def test_a_name_that_leads_home(server: tuple[int, list[bytes]]) -> None:
    """A name that only a star allows is refused where it leads to an address that is not public."""
    port, came = server
    with Proxy([f"*:{port}"]) as proxy:
        assert "which is not a public address" in asked(proxy, f"CONNECT localhost:{port} HTTP/1.1\r\n\r\n".encode())
        assert len(proxy.denials()) == 1
    assert came == []


@pytest.mark.parametrize(
    "request_", [b"\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"x" * 200_000, b"GET ftp://a/ H\r\n\r\n", b"C"]
)
def test_no_request_for_a_proxy(request_: bytes) -> None:
    """What is no request for a proxy gets an error, and the next one is served."""
    with Proxy([]) as proxy:
        for _ in range(2):
            with suppress(BrokenPipeError, ConnectionResetError):  # it hung up before all was sent
                assert asked(proxy, request_).startswith("HTTP/1.1 400 ")
        assert asked(proxy, b"CONNECT a.example:443 HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 403 ")


def test_nobody_there() -> None:
    """A host that can't be reached is no denial."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with Proxy([f"127.0.0.1:{port}"]) as proxy:
        assert asked(proxy, f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode()).startswith("HTTP/1.1 502 ")
        assert proxy.denials() == []


def test_its_end(server: tuple[int, list[bytes]]) -> None:
    """When it ends, open lines end with it, and nothing is left on the disk."""
    port, _ = server
    with Proxy([f"127.0.0.1:{port}"]) as proxy:
        line = line_to(proxy)
        line.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
        assert line.recv(1000)
    with closing(line):
        assert line.recv(1000) == b""
    assert not proxy.socket.parent.exists()


def test_many_denials_do_not_fill_the_record() -> None:
    """Only so many different hosts are named."""
    with Proxy([]) as proxy:
        for number in range(120):
            asked(proxy, f"CONNECT h{number}.example:443 HTTP/1.1\r\n\r\n".encode())
        assert len(proxy.denials()) == 100


def test_hosts_that_are_none() -> None:
    """An entry that is no host is refused at once."""
    with pytest.raises(SettingError, match="`a b`"):
        Proxy(["a b"])


END_OFTEN = """
import socket
from contextlib import ExitStack
from loopwright.process.proxy import Proxy
with socket.create_server(("127.0.0.1", 0), backlog=1000) as server:
    host = f"127.0.0.1:{server.getsockname()[1]}"
    for _ in range(100):
        with ExitStack() as lines, Proxy([host]) as proxy:
            for _ in range(8):
                line = lines.enter_context(socket.socket(socket.AF_UNIX))
                line.connect(str(proxy.socket))
                line.sendall(f"CONNECT {host} HTTP/1.1\\r\\n\\r\\n".encode())
"""


def test_it_ends_while_lines_are_opened() -> None:
    """Whoever is just about to be connected when it ends does not keep it from ending."""
    done = subprocess.run([sys.executable, "-c", END_OFTEN], capture_output=True, timeout=30)
    assert done.returncode == 0, done.stderr


def test_a_long_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path of a socket has a limit that a temporary folder's may exceed: it listens all the same."""
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    with Proxy(()) as proxy:
        assert proxy.socket.exists()
