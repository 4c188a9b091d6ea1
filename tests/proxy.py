"""A network that fails on demand: it refuses, cuts, stalls, or loses the word of a commit."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path
from types import TracebackType


class Proxy:
    """A port on loopback in front of a server's socket."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._flowing = threading.Event()
        self._flowing.set()
        self._lose_commits = 0
        self.lost: list[bytes] = []
        """What the server answered to each commit whose answer was lost."""
        self.cut_at = b""
        """Cut when this is on its way to the server, once."""
        self.port = 0
        self.listen()

    def listen(self) -> None:
        """Take connections, on the same port as before."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def refuse(self) -> None:
        """Be gone: cut what is connected, take no more."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Cut all connections."""
        while self._pairs:
            _close(*self._pairs.pop())

    def stall(self) -> None:
        """Keep connections open and let nothing through."""
        self._flowing.clear()

    def flow(self) -> None:
        self._flowing.set()

    def lose_commit(self) -> None:
        """Pass on the next commit, wait until the server has done it, and cut before its word arrives."""
        self._lose_commits += 1

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.flow()
        self.refuse()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                self._pairs.append((client, server))
                threading.Thread(target=self._upwards, args=(client, server), daemon=True).start()

    def _upwards(self, client: socket.socket, server: socket.socket) -> None:
        losing = threading.Event()
        threading.Thread(target=self._downwards, args=(client, server, losing), daemon=True).start()
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                self._flowing.wait()
                if self.cut_at and self.cut_at in data:
                    self.cut_at = b""
                    break
                if self._lose_commits and b"COMMIT\0" in data:
                    self._lose_commits -= 1
                    losing.set()
                server.sendall(data)
        _close(client, server)

    def _downwards(self, client: socket.socket, server: socket.socket, losing: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                self._flowing.wait()
                if losing.is_set():
                    self.lost.append(data)
                    break
                client.sendall(data)
        _close(client, server)


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
