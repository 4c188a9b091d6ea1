"""The body of a request, up to a size: as it was sent, and unpacked."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

import anyio
from starlette.requests import ClientDisconnect, Request

MOST = 20_000_000
"""As sent and unpacked: OpenTelemetry's collector takes as much."""
_MOST_HELD = 100_000_000
_PATIENCE_S = 30.0
_GZIP = 16 + zlib.MAX_WBITS


class BadBody(Exception):
    """A body that is not taken."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Room:
    """Holds the bodies of all requests, up to a size."""

    def __init__(self, most: int = _MOST_HELD) -> None:
        self._free = most

    @asynccontextmanager
    async def body_of(self, request: Request, most: int = MOST) -> AsyncIterator[bytes]:
        """Read what is sent, as long as it is not too much and does not take too long; it is held until all is done."""
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > most:
            raise _too_large(most)
        parts: list[bytes] = []
        try:
            await self._read(request, most, parts)
            yield b"".join(parts)
        finally:
            self._free += sum(map(len, parts))

    async def _read(self, request: Request, most: int, parts: list[bytes]) -> None:
        size = 0
        try:
            with anyio.fail_after(_PATIENCE_S):
                async for chunk in request.stream():
                    parts.append(chunk)
                    size += len(chunk)
                    self._free -= len(chunk)
                    if size > most:
                        raise _too_large(most)
                    if self._free < 0:
                        raise BadBody(HTTPStatus.SERVICE_UNAVAILABLE, "too much is sent at once; try again later")
        except TimeoutError:
            raise BadBody(HTTPStatus.REQUEST_TIMEOUT, f"the body did not come within {_PATIENCE_S:.0f} s") from None
        except ClientDisconnect:
            raise BadBody(HTTPStatus.BAD_REQUEST, "the body was cut off") from None


def kind_of(request: Request, *kinds: str) -> str:
    """Give the body's content type, which has to be one of these: none that a page could send without being asked."""
    found = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if found not in kinds:
        words = f"the content type `{found[:100]}` is not taken: send {' or '.join(kinds)}"
        raise BadBody(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, words)
    return found


def unpacked(body: bytes, encoding: str, most: int = MOST) -> bytes:
    """Unpack a body; one that would be too large is never held as a whole."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding != "gzip":
        raise BadBody(
            HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"the encoding `{encoding[:50]}` is not taken: send gzip or none"
        )
    unpacker = zlib.decompressobj(_GZIP)
    try:
        found = unpacker.decompress(body, most + 1)
    except zlib.error:
        raise BadBody(HTTPStatus.BAD_REQUEST, "the body is no gzip") from None
    if len(found) > most:
        raise _too_large(most)
    if not unpacker.eof or unpacker.unused_data:
        raise BadBody(HTTPStatus.BAD_REQUEST, "the body is not one whole gzip")
    return found


def _too_large(most: int) -> BadBody:
    return BadBody(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body is too large: send up to {most // 10**6} MB at once")
