"""Numbers that a stranger's program printed -> counts, amounts and moments that any store can hold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

_MOST = 10**15
_MOST_EXIT_CODE = 2**31


def amount(value: object) -> float:
    """Read what should be a number and not less than nothing; 0 where it is not."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return value if 0 <= value <= _MOST else 0.0


def count(value: object) -> int:
    """Read what should be a whole number; 0 where it is not."""
    if type(value) is int and 0 <= value <= _MOST:
        return value
    return int(amount(value))


def count_of(told: Mapping[str, Any], *names: str) -> int:
    """Read a whole number that goes by one of several names; 0 where it goes by none."""
    return next(filter(None, (count(told.get(name)) for name in names)), 0)


def exit_code(value: object) -> int | None:
    """Read what should be the exit code of a command; None where it is not."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if abs(value) < _MOST_EXIT_CODE else None


def moment(value: object) -> float | None:
    """Read a time as seconds: text of ISO 8601, or milliseconds since 1970; None where it is neither."""
    if isinstance(value, str):
        try:
            told = datetime.fromisoformat(value[:100])
            return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
    return amount(value) / 1000 or None


def elapsed(began: float | None, ended: float | None) -> float | None:
    """Give the seconds between two moments; None where one is not known, or the clock went back."""
    if began is None or ended is None or ended < began:
        return None
    return round(ended - began, 6)
