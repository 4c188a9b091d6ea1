"""A real server on this machine, started by a test and ended by it."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.http.app import make_app
from loopwright.http.auth import Access
from loopwright.http.prometheus import Exposition
from loopwright.http.server import listen, server_of
from loopwright.store import Store
from loopwright.taking import make_recording, make_traces
from loopwright.wire import open_record


@dataclass
class Served:
    """Where it listens, what it logged, and the store that it writes to."""

    port: int
    store: Store
    log: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None, method: str = ""
    ) -> tuple[int, bytes, dict[str, str]]:
        """Send a request with exactly these headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        told = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
        connection.putrequest(method or ("GET" if body is None else "POST"), path, skip_host=True)
        for name, value in told.items():
            connection.putheader(name, value)
        if body is not None and not any(name.lower() in ("content-length", "transfer-encoding") for name in told):
            connection.putheader("Content-Length", str(len(body)))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.endheaders(body)
        answer = connection.getresponse()
        found = answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return found

    def settled(self) -> None:
        """Wait until the sessions of what was sent are made."""
        deadline = time.monotonic() + 20
        while self.store.sent.unsettled_traces(1):
            assert time.monotonic() < deadline
            time.sleep(0.02)


@contextlib.contextmanager
def serving(home: Path, key: str = "") -> Iterator[Served]:
    """Start a server with a store of its own."""
    record, listening = open_record(home, str(home / "state")), listen("127.0.0.1", 0)
    served = Served(listening.getsockname()[1], record.store)
    told = Exposition(record.store.outcomes.sums, record.store.measured.counts)
    taking = make_traces(record, key), make_recording(record, key)
    app = make_app(Access(key=key), *taking, served.log.append, told.text)
    server = server_of(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield served
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
        record.close()
