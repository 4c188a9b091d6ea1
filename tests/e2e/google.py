"""A model's server on loopback that speaks Gemini's API from a script, and counts what it gave."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from e2e.scripted import Script
from loopback import Handler, on_loopback
from loopwright.records.budget import Usage

Part = dict[str, Any]
Turn = Sequence[Part] | int
"""An answer of the model, or an error of HTTP."""


def says(text: str) -> Part:
    """Give words of the model."""
    return {"text": text}


def calls(name: str, **arguments: Any) -> Part:
    """Give a call of a tool."""
    return {"functionCall": {"name": name, "args": arguments}}


class Google(Script[Turn]):
    """The server."""

    def count(self, number: int) -> dict[str, int]:
        """Give the usage of an answer, each of its own size, and add it to the sum."""
        usage = self.add(Usage(60 + number, 20 + number, 40, 0))
        return {
            "promptTokenCount": usage.input + usage.cache_read,
            "candidatesTokenCount": usage.output - 5,
            "thoughtsTokenCount": 5,
            "cachedContentTokenCount": usage.cache_read,
            "totalTokenCount": usage.total,
        }


@contextmanager
def serving(*turns: Turn) -> Iterator[tuple[Google, str]]:
    """Serve a script; give the server and its base URL."""
    model = Google(turns)
    with on_loopback(_handler(model), model.closed) as url:
        yield model, url


def _handler(model: Google) -> type[Handler]:
    class Gemini(Handler):
        def post(self) -> None:
            raw = self.body()
            if "generatecontent" not in self.path.lower():
                model.others.append(self.path)
                return self.send_json(200, {"totalTokens": 10})
            number, turn = model.take(self, raw)
            if isinstance(turn, int):
                error = {"code": turn, "message": f"the stub says {turn}", "status": "STUB"}
                return self.send_json(turn, {"error": error})
            answer = _answer(model, number, turn)
            if "alt=sse" in self.path:
                return self.send(200, "text/event-stream", f"data: {json.dumps(answer)}\r\n\r\n".encode())
            return self.send_json(200, answer)

    return Gemini


def _answer(model: Google, number: int, turn: Sequence[Part]) -> dict[str, Any]:
    content = {"role": "model", "parts": list(turn)}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": model.count(number),
        "modelVersion": "gemini-2.5-flash",
    }
