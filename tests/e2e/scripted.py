"""What all scripted model servers are made of: a script, what was asked and what was given."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any, Generic, TypeVar

from loopwright.records.budget import Usage

T = TypeVar("T")


class Script(Generic[T]):
    """Each request gets the next turn, and the last one again when they are used up."""

    def __init__(self, turns: Sequence[T]) -> None:
        self._turns = list(turns)
        self.requests: list[dict[str, Any]] = []
        """The bodies of the requests to the model, in order."""
        self.headers: list[dict[str, str]] = []
        self.others: list[str] = []
        """Paths of requests that are none to the model."""
        self.used = Usage()
        """The tokens of all answers that were given whole."""
        self.closed = threading.Event()
        self._lock = threading.Lock()

    def take(self, handler: BaseHTTPRequestHandler, raw: bytes) -> tuple[int, T]:
        """Write a request down; give its number and its turn."""
        with self._lock:
            self.requests.append(json.loads(raw))
            self.headers.append(dict(handler.headers))
            number = len(self.requests)
            return number, self._turns[min(number, len(self._turns)) - 1]

    def add(self, usage: Usage) -> Usage:
        """Add what an answer has used to the sum, and give it."""
        with self._lock:
            self.used += usage
        return usage

    def asked(self, number: int) -> str:
        """Give all words of a request, for looking whether something reached the model."""
        return json.dumps(self.requests[number], ensure_ascii=False)
