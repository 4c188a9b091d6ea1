"""What a model's server complains of -> what that means for a run, and when it may be asked again."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Literal

Meaning = Literal["error", "unavailable", "no_access", "over_limit"]

_STATUS = re.compile(
    r"\b(?:API Error:? |status(?: code)?:? |HTTP(?:/\d\.\d)? |error[_ ]code:? |\"code\":\s?|\bcode: )(\d{3})\b", re.I
)
_OVER_LIMIT = re.compile(
    r"prompt is too long|prompt_too_long|context (?:length|window)|maximum context|too many tokens|input is too long",
    re.I,
)
_NO_ACCESS = re.compile(
    r"invalid (?:x-)?api[ -]key|incorrect api key|authentication|not logged in|/login\b|"
    r"(?:log|sign) ?in (?:again|first)|unauthori[sz]ed|api key not (?:found|valid)|no api key|"
    r"expired token|token (?:has )?expired|credit balance|insufficient_quota|billing|payment required|"
    r"permission_denied: |forbidden|may not have access",
    re.I,
)
_UNAVAILABLE = re.compile(
    r"rate.?limit|overloaded|usage limit|limit reached|quota|too many requests|high demand|at capacity|"
    r"resource.?exhausted|temporarily unavailable|service unavailable|bad gateway|gateway time-?out|internal server|"
    r"server_error|connection (?:error|failed|refused|reset|closed)|ECONN\w+|ENOTFOUND|EAI_AGAIN|fetch failed|"
    r"network error|stream (?:disconnected|closed)|request timed out|unable to connect|empty or malformed response",
    re.I,
)
_UNITS = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_IN = re.compile(
    r"(?:retry|try again|available|resets?|reset after)[^.\n]{0,40}?\b(?:in|after)\b:?\s*"
    r"((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|milliseconds?|ms|seconds?|secs?|s)(?![a-z])"
    r"[\s,]*(?:and )?)+)",
    re.I,
)
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|milli|d|h|m|s)", re.I)
_RETRY_AFTER = re.compile(r"retry-after\W{1,3}(\d+)\b", re.I)
_EPOCH = re.compile(r"\|(\d{10})\b")
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)")
_CLOCK = re.compile(r"(?:resets?|again|until|available)\s+(?:at\s+|from\s+)?(\d{1,2})(?::(\d\d))?\s*(am|pm)?\b", re.I)


def meaning(words: str, status: int | None = None) -> Meaning:
    """Say what an error is about: the model's limits and troubles, access, a conversation's length, or anything."""
    if status is None and (found := _STATUS.search(words)):
        status = int(found.group(1))
    if _OVER_LIMIT.search(words) or status == 413:
        return "over_limit"
    if status in (401, 402, 403):
        return "no_access"
    if status is not None and (status in (408, 425, 429) or status >= 500):
        return "no_access" if status == 429 and re.search("credit|billing", words, re.I) else "unavailable"
    if _NO_ACCESS.search(words):
        return "no_access"
    return "unavailable" if _UNAVAILABLE.search(words) else "error"


def retry_at(words: str, now: datetime) -> datetime | None:
    """Read when one may come back; None where it does not say, or says something in the past."""
    found = _later(words, now)
    return found if found is not None and found > now else None


def _later(words: str, now: datetime) -> datetime | None:
    if epoch := _EPOCH.search(words):
        return datetime.fromtimestamp(int(epoch.group(1)), UTC)
    if after := _RETRY_AFTER.search(words):
        return now + timedelta(seconds=int(after.group(1)))
    if span := _IN.search(words):
        parts = _SPAN.findall(span.group(1))
        seconds = sum(
            float(number) * _UNITS["ms" if unit.lower() == "milli" else unit.lower()] for number, unit in parts
        )
        return now + timedelta(seconds=min(seconds, 366 * 86_400.0))
    if iso := _ISO.search(words):
        return _moment(iso.group(1))
    if clock := _CLOCK.search(words):
        return _next(int(clock.group(1)), int(clock.group(2) or 0), (clock.group(3) or "").lower(), now)
    return None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _next(hour: int, minute: int, half: str, now: datetime) -> datetime | None:
    """Give the next time that a clock shows this, in the zone of `now`."""
    hour = hour % 12 + (12 if half == "pm" else 0) if half else hour
    if hour > 23 or minute > 59:
        return None
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return then if then > now else then + timedelta(days=1)
