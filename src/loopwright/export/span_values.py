"""Values of a run -> as OTLP/JSON has them: attributes, times, a status, the name of a provider."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from loopwright.text.amounts import moment

_ERROR = 2
_PROVIDERS = {"claude": "anthropic", "gpt": "openai", "o1": "openai", "o3": "openai", "o4": "openai"}
_PROVIDERS |= {"gemini": "gcp.gemini", "grok": "x_ai", "mistral": "mistral_ai", "deepseek": "deepseek"}
_LONGEST = 2**63 - 1


def attributes(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Write what is known as attributes; what is None is left out."""
    return [{"key": key, "value": _value(value)} for key, value in told.items() if value is not None]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int) and abs(value) <= _LONGEST:
        return {"intValue": str(value)}
    if isinstance(value, float) and math.isfinite(value):
        return {"doubleValue": value}
    return {"stringValue": whole(str(value))}


def failed(message: str) -> dict[str, Any]:
    """Give the status of a span that failed."""
    return {"code": _ERROR, "message": whole(message)}


def whole(words: str) -> str:
    """Replace halves of characters, which protobuf does not take."""
    return words.encode(errors="replace").decode()


def provider(model: str) -> str:
    """Name who offers a model, as the conventions do."""
    name = model.rpartition("/")[2].lower()
    return next((known for begin, known in _PROVIDERS.items() if name.startswith(begin)), "unknown")


def nanoseconds(at: str) -> int:
    """Read a moment; 0 where it is none."""
    return max(0, round((moment(at) or 0.0) * 1000)) * 1_000_000


def written(value: Any) -> str | None:
    """Write data as JSON, as attributes have what is no plain value."""
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str)
