"""The proxy that the user's own machine has to go through, where it has one: a line to a host, asked for there."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def way_to(name: str) -> SplitResult | None:
    """Give the proxy that a host is to be reached through, as the environment has it; None: there is none."""
    said: Mapping[str, str] = getproxies_environment()
    url = said.get("https") or said.get("all") or ""
    if not url or proxy_bypass_environment(name, dict(said)):
        return None
    way = urlsplit(url if "://" in url else f"http://{url}")
    return way if way.scheme == "http" and way.hostname else None


async def connect_through(way: SplitResult, name: str, port: int, limit: int) -> Connection:
    """Ask for a line to a host; OSError where it is not given."""
    reader, writer = await asyncio.open_connection(way.hostname, way.port or 80, limit=limit)
    target = f"[{name}]:{port}" if ":" in name else f"{name}:{port}"
    writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n{_login(way)}\r\n".encode())
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        head = b""
    if head.split(b" ")[1:2] == [b"200"]:
        return reader, writer
    writer.close()
    raise OSError(f"the proxy {way.hostname} gives no line to {target}")


def _login(way: SplitResult) -> str:
    if not way.username:
        return ""
    words = f"{unquote(way.username)}:{unquote(way.password or '')}".encode()
    return f"Proxy-Authorization: Basic {base64.b64encode(words).decode()}\r\n"
