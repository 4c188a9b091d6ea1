"""Plain data -> JSON that every program reads: what is no finite number is null."""

from __future__ import annotations

import json
import math
from typing import Any


def json_text(data: Any, indent: int = 2) -> str:
    """Write data as JSON; what it has no word for is written as text."""
    try:
        return json.dumps(data, indent=indent, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(data), indent=indent, ensure_ascii=False, default=str, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {_finite(key): _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
