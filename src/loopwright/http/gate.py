"""What every request passes first and last: may it be heard, what is logged of it, and how browsers are to take it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from loopwright.http.auth import Access

Log = Callable[[str], None]

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
]
_LONGEST = 200


class Gate:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, access: Access, log: Log) -> None:
        self._app, self._access, self._log = app, access, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._heard(scope, receive, send)

    async def _heard(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.monotonic(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), *_HEADERS]}
            await send(message)

        refusal = self._access.refusal(scope["path"], scope["query_string"], scope["headers"])
        try:
            if refusal is None:
                await self._app(scope, receive, answer)
            else:
                await _refuse(refusal.status, refusal.why, answer)
        finally:
            took = 1000 * (time.monotonic() - began)
            path = escaped(self._access.shown(scope["path"]))
            self._log(f"{escaped(scope['method'])} {path} {status or 500} {took:.0f} ms")


async def _refuse(status: HTTPStatus, why: str, send: Send) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status is HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    headers.append((b"connection", b"close"))  # what it wanted to send is not read
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def escaped(text: str) -> str:
    """Write what a stranger named on one line, whatever is in it."""
    return text[:_LONGEST].encode("unicode_escape").decode("ascii").replace(" ", "\\x20")
