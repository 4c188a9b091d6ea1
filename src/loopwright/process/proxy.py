"""The only way out of a sandbox: an HTTP proxy on a Unix socket, in a thread of ours, to the hosts allowed."""

from __future__ import annotations

import asyncio
import shutil
import socket
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from loopwright.errors import SetupError
from loopwright.process.upstream import connect_through, way_to
from loopwright.records.host import literal, read_hosts, refusal, split

_CHUNK = 65_536
_HEAD_S, _CONNECT_S = 30.0, 15.0
_MOST_LINES = 256
_LONGEST_PLACE = 60
"""The path of a socket may have 107 characters."""
_MOST_DENIALS = 100
_OURS = ("host", "connection", "keep-alive", "proxy-")
"""Headers that are between a caller and its proxy, or that we write ourselves."""


class Denied(Exception):
    """Somebody asked for what is not allowed."""


class Proxy:
    """Runs from `with` to its end; `socket` is where it listens."""

    def __init__(self, hosts: Sequence[str]) -> None:
        self._hosts = read_hosts(hosts)
        self._seen: set[str] = set()
        self._news: list[str] = []
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._trouble: OSError | None = None

    def __enter__(self) -> Self:
        # It can't lie with the run, nor below just any TMPDIR.
        place = tempfile.gettempdir()
        self._folder = Path(
            tempfile.mkdtemp(prefix="loopwright-", dir=place if len(place) < _LONGEST_PLACE else "/tmp")
        )
        self.socket = self._folder / "proxy"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._trouble is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise SetupError(f"the sandbox's proxy can't listen: {self._trouble}", "or run without: --sandbox off")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        shutil.rmtree(self._folder, ignore_errors=True)

    def denials(self) -> list[str]:
        """Say whom somebody tried to reach, and why not, as far as that was not said before."""
        with self._lock:
            news, self._news = self._news, []
        return news

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except OSError as error:
            self._trouble = error
        finally:
            self._ready.set()  # whatever became of it, nobody waits for ever

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self._free = asyncio.Semaphore(_MOST_LINES)
        server = await asyncio.start_unix_server(self._take, self.socket, limit=_CHUNK)
        self.socket.chmod(0o666)  # its folder is ours alone; inside, somebody else may be there
        self._ready.set()
        async with server:
            await self._stop.wait()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self._free:
            try:
                await self._answer(reader, writer)
            except Denied as denied:
                self._note(str(denied))
                await _reply(writer, f"403 Forbidden\r\nContent-Type: text/plain\r\n\r\nloopwright: {denied}\n")
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                await _reply(writer, "400 Bad Request\r\n\r\n")
            except (OSError, TimeoutError) as error:
                await _reply(writer, f"502 Bad Gateway\r\n\r\n{error}\n")
            except asyncio.CancelledError:
                pass  # we end, and nobody waits for this one
            finally:
                await _close(writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # `wait_for` would swallow that we end, where both come at once.
        async with asyncio.timeout(_HEAD_S):
            head = await reader.readuntil(b"\r\n\r\n")
        first, *headers = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        method, _, rest = first.partition(" ")
        target = rest.rpartition(" ")[0]
        if method == "CONNECT":
            name, port = _asked(target)
            far_reader, far = await self._connect(name, port or 443)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            url = urlsplit(target)
            if url.scheme != "http":
                raise ValueError(f"`{target}` is no URL for a proxy")
            name, port = _asked(url.netloc.rpartition("@")[2])
            far_reader, far = await self._connect(name, port or 80)
            far.write(_forwarded(method, url.path or "/", url.query, url.netloc.rpartition("@")[2], headers))
        try:
            await asyncio.gather(_pump(reader, far), _pump(far_reader, writer))
        except OSError:
            pass  # one of them is gone, and with it the line
        finally:
            await _close(far)

    async def _connect(self, name: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a host, at an address that was looked at: a name may lead elsewhere the next time."""
        asked = f"it tried to reach {_shown(name)}:{port}: denied"
        if why := refusal(name, port, self._hosts):
            raise Denied(f"{asked}, {why}")
        way = None if literal(name) or name == "localhost" else way_to(name)
        if way is not None:
            async with asyncio.timeout(_CONNECT_S):
                return await connect_through(way, name, port, _CHUNK)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        addresses = dict.fromkeys(str(address[0]) for *_, address in found)
        named = [host for host in self._hosts if host.covers(name, port)]
        fit = [address for address in addresses if any(host.trusts(address) for host in named)]
        if not fit:
            raise Denied(f"{asked}, it leads to {', '.join(addresses)}, which is not a public address")
        trouble = OSError("there is no address")
        for address in fit:
            try:
                async with asyncio.timeout(_CONNECT_S):
                    return await asyncio.open_connection(address, port, limit=_CHUNK)
            except OSError as error:
                trouble = error
        raise trouble

    def _note(self, words: str) -> None:
        with self._lock:
            if words not in self._seen and len(self._seen) < _MOST_DENIALS:
                self._seen.add(words)
                self._news.append(words)


def _asked(target: str) -> tuple[str, int | None]:
    try:
        return split(target)
    except ValueError:
        raise Denied(f"it tried to reach {_shown(target)}: denied, that is no name of a host") from None


def _shown(name: str) -> str:
    """Write a name so that nothing in it can do anything to who reads it."""
    return name[:253].encode("unicode_escape").decode() if name.isascii() else ascii(name[:253])


def _forwarded(method: str, path: str, query: str, host: str, headers: Sequence[str]) -> bytes:
    """Write a request as a server wants it that was written for a proxy."""
    kept = [line for line in headers if not line.lower().startswith(_OURS)]
    first = f"{method} {path}{f'?{query}' if query else ''} HTTP/1.1"
    return "\r\n".join([first, f"Host: {host}", "Connection: close", *kept, "", ""]).encode("latin-1")


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(_CHUNK):
        writer.write(chunk)
        await writer.drain()
    writer.write_eof()


async def _reply(writer: asyncio.StreamWriter, words: str) -> None:
    with suppress(OSError):
        writer.write(f"HTTP/1.1 {words}".encode(errors="backslashreplace"))
        await writer.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.close()
        await writer.wait_closed()
