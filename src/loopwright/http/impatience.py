"""Connections that say nothing are closed: each takes the place of one that would."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_S = 5.0
"""Within this time the header of a request has to come as a whole."""


class Impatience(H11Protocol):
    """Uvicorn's protocol, which by itself waits for a header for ever."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Take what comes, and wait for the rest of a header."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._stop()

    def _look(self) -> None:
        """Wait where no request is at work. Between two requests, Uvicorn waits by itself until the first byte."""
        if not self._is_idle():
            self._stop()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(HEADER_S, self._close)

    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _close(self) -> None:
        self._waiting = None
        if self._is_idle():
            self.transport.close()
