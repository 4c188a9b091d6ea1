"""A socket, and the server behind it, until somebody ends it."""

from __future__ import annotations

import socket

import uvicorn
from starlette.types import ASGIApp

from loopwright.errors import SetupError
from loopwright.http.impatience import Impatience

_AT_ONCE = 500
"""So many connections; most files that a process may have open are 1,024."""
_GRACE_S = 10


def listen(host: str, port: int) -> socket.socket:
    """Bind a socket; a port of 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        hint = "is another server there? name another port with --port, or 0 for any that is free"
        raise SetupError(f"`{host}:{port}` can't be listened on: {error}", hint) from None


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Make a server that says and logs no more than it has to."""
    config = uvicorn.Config(
        app,
        http=Impatience,
        ws="none",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        log_level="error",
        limit_concurrency=_AT_ONCE,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return uvicorn.Server(config)


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Answer requests until a signal comes."""
    server_of(app).run(sockets=[listening])
