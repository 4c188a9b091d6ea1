"""Ids and times, made by the logic and never by a database."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

SHORT = 8


def new_id() -> str:
    """Make a UUIDv7: sorts by the time it was made, and is random in its last 74 bits."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def short(run_id: str) -> str:
    """The part of an id that tells two runs apart: its last digits (the first ones are the time)."""
    return run_id[-SHORT:]


def timestamp(seconds: float | None = None) -> str:
    """Write a moment (now, unless given) as UTC in ISO 8601 with milliseconds: sorts as text."""
    moment = datetime.fromtimestamp(time.time() if seconds is None else seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds_of(at: str) -> float | None:
    """Read a moment as `timestamp` writes it."""
    try:
        return datetime.fromisoformat(at).timestamp()
    except (ValueError, OverflowError):
        return None


def canonical_hash(data: Mapping[str, Any]) -> str:
    """Hash plain data so that the order of keys and the white space do not matter."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
