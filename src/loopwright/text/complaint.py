"""What a model's server complains of -> what that means for a run, and when it may be asked again."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

Meaning = Literal["error", "unavailable", "no_access", "over_limit"]

_STATUS = re.compile(
    r"\b(?:API Error:? |status(?: code)?:? |HTTP(?:/\d\.\d)? |error[_ ]code:? |\"code\":\s?|\bcode: )(\d{3})\b", re.I
)
_OVER_LIMIT = re.compile(
    r"prompt is too long|prompt_too_long|context (?:length|window)|maximum context|too many tokens|input is too long",
    re.I,
)
_DENIED_BY_US = re.compile(r"loopwright: it tried to reach .{1,300}: denied|Proxy response \(403\)", re.I)
_NO_ACCESS = re.compile(
    r"invalid (?:x-)?api[ -]key|incorrect api key|authentication|not logged in|/login\b|"
    r"(?:log|sign) ?in (?:again|first)|unauthori[sz]ed|api key not (?:found|valid)|no api key|"
    r"expired token|token (?:has )?expired|credit balance|insufficient_quota|billing|payment required|"
    r"permission_denied: |forbidden|may not have access",
    re.I,
)
_UNREACHABLE = re.compile(
    r"connection (?:error|failed|refused|reset|closed)|ECONN\w+|ENOTFOUND|EAI_AGAIN|fetch failed|network error|"
    r"stream (?:disconnected|closed)|request timed out|unable to connect|error sending request|"
    r"ERR_PROXY_TUNNEL|couldn.t connect through your proxy|tunnel connection failed|tunnel error|HTTP tunneling|"
    r"could not resolve (?:host|proxy)",
    re.I,
)
_UNAVAILABLE = re.compile(
    r"rate.?limit|overloaded|usage limit|limit reached|quota|too many requests|high demand|at capacity|"
    r"(?:hit|reached|exceeded) (?:your|the)(?: [\w-]+){0,3} limit|limit\b.{0,20}\bresets\b|"
    r"resource.?exhausted|temporarily unavailable|service unavailable|bad gateway|gateway time-?out|internal server|"
    r"server_error|empty or malformed response",
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
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_THEN = r"(?:resets?|again|until|available)\s+(?:on\s+|at\s+|from\s+)?"
_DAY = (
    rf"(?P<month>{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
    r"(?:,?\s+(?P<year>\d{4}))?(?!\d)"
)
_TIME = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?(?::\d\d)?(?!\d)(?:\s*(?P<half>[ap])\.?m\b\.?)?"
    r"(?:\s*\((?P<zone>[\w+/-]{1,40})\)|\s*(?P<utc>UTC|GMT)\b)?"
)
_CLOCK = re.compile(_THEN + _TIME, re.I)
_DATE = re.compile(rf"{_THEN}{_DAY}(?:,?\s+(?:at\s+)?{_TIME})?", re.I)
_LONGEST = timedelta(days=365)


def meaning(words: str, status: int | None = None) -> Meaning:
    """Say what an error is about: the model's limits and troubles, access, a conversation's length, or anything."""
    if status is None and (found := _STATUS.search(words)):
        status = int(found.group(1))
    if _DENIED_BY_US.search(words):
        return "no_access"
    if _OVER_LIMIT.search(words) or status == 413:
        return "over_limit"
    if status in (401, 402, 403):
        return "no_access"
    if status is not None and (status in (408, 425, 429) or status >= 500):
        return "no_access" if status == 429 and re.search("credit|billing", words, re.I) else "unavailable"
    if _NO_ACCESS.search(words):
        return "no_access"
    return "unavailable" if _UNAVAILABLE.search(words) or unreachable(words) else "error"


def unreachable(words: str) -> bool:
    """Tell whether an error is about the way to a server, and not about what the server said."""
    return _UNREACHABLE.search(words) is not None


def retry_at(words: str, now: datetime) -> datetime | None:
    """Read when one may come back, within a year; None where it does not say, or says something in the past."""
    try:
        found = _later(words, now)
        return min(found, now + _LONGEST) if found is not None and found > now else None
    except (ValueError, OverflowError):  # a number or a date that no calendar has
        return None


def _later(words: str, now: datetime) -> datetime | None:
    if epoch := _EPOCH.search(words):
        return datetime.fromtimestamp(int(epoch.group(1)), UTC)
    if after := _RETRY_AFTER.search(words):
        return now + _span(float(after.group(1)))
    if span := _IN.search(words):
        parts = _SPAN.findall(span.group(1))
        return now + _span(
            sum(float(number) * _UNITS["ms" if unit.lower() == "milli" else unit.lower()] for number, unit in parts)
        )
    if iso := _ISO.search(words):
        moment = datetime.fromisoformat(iso.group(1))
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if date := _DATE.search(words):
        return _on(date, now)
    if clock := _CLOCK.search(words):
        then = _at(clock, now)
        return then if then > now else then + timedelta(days=1)
    return None


def _span(seconds: float) -> timedelta:
    return timedelta(seconds=min(seconds, _LONGEST.total_seconds()))


def _on(found: re.Match[str], now: datetime) -> datetime | None:
    """Give a day; without a year it is the next such day, unless the last one is nearer and so has passed."""
    month, day, year = _MONTHS.index(found["month"].lower()) + 1, int(found["day"]), found["year"]
    then = _at(found, now)
    if year:
        return then.replace(int(year), month, day)
    then = then.replace(month=month, day=day)
    if then <= now:
        then = then.replace(year=then.year + 1)
    return then if then - now < _LONGEST / 2 else None


def _at(found: re.Match[str], now: datetime) -> datetime:
    """Give the time of day that is named, today, in the zone that is named or else in that of `now`."""
    hour, half = int(found["hour"] or 0), (found["half"] or "").lower()
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    here = now.astimezone(UTC if found["utc"] else _zone(found["zone"] or "") or now.tzinfo)
    return here.replace(hour=hour, minute=int(found["minute"] or 0), second=0, microsecond=0)


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # OSError: there is a folder of that name
        return None
