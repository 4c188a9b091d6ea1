from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.complaint import meaning, retry_at, unreachable

NOW = datetime(2026, 11, 16, 14, 20, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        ("API Error: 429 rate_limit_error", None, "unavailable"),
        ("API Error: Repeated 529 Overloaded errors", None, "unavailable"),
        ("exceeded retry limit, last status: 429 Too Many Requests", None, "unavailable"),
        ("We're currently experiencing high demand, which may cause temporary errors.", None, "unavailable"),
        ("Claude AI usage limit reached|1794900000", None, "unavailable"),
        ("You've hit your usage limit. Try again in 3 hours 20 minutes.", None, "unavailable"),
        ("stream disconnected before completion: stream closed before response.completed", None, "unavailable"),
        ("API returned an empty or malformed response (HTTP 200)", None, "unavailable"),
        ("stub says so", 503, "unavailable"),
        ("You've hit your limit · resets 3am (Europe/Berlin)", None, "unavailable"),
        ("You've hit your weekly Opus limit · resets Nov 20, 9am", None, "unavailable"),
        ("5-hour limit · resets 3am", None, "unavailable"),
        (
            "API Error: Couldn't connect through your proxy (ERR_PROXY_TUNNEL) — check its credentials",
            None,
            "unavailable",
        ),
        ("ERR_PROXY_TUNNEL", None, "unavailable"),
        ("Couldn't connect through your proxy", None, "unavailable"),
        ("Tunnel connection failed: 502 Bad Gateway", None, "unavailable"),
        ("Proxy response (502) !== 200 when HTTP Tunneling", None, "unavailable"),
        ("error sending request for url (https://api.example.com/v1)", None, "unavailable"),
        ("Proxy response (403) !== 200 when HTTP Tunneling", None, "no_access"),
        ("Tunnel connection failed: 403 Forbidden", None, "no_access"),
        ("fetch failed: loopwright: it tried to reach a.com:443: denied, it is not allowed", None, "no_access"),
        ("unexpected status 401 Unauthorized: stub says 401", None, "no_access"),
        ("Invalid API key · Please run /login", None, "no_access"),
        ("Your credit balance is too low to access the API", 400, "no_access"),
        ("stub says so", 403, "no_access"),
        ("the selected model may not exist or you may not have access to it", 404, "no_access"),
        ("Prompt is too long", None, "over_limit"),
        ("This model's maximum context length is 128000 tokens", 400, "over_limit"),
        ("API Error: 400 stub says 400", None, "error"),
        ("the file was not found", None, "error"),
        ("line 429 of the test", None, "error"),
    ],
)
def test_what_it_means(words: str, status: int | None, expected: str) -> None:
    """What passes by itself, what a person has to mend, what needs a new conversation, and what is any other error."""
    assert meaning(words, status) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Claude AI usage limit reached|1794900000", datetime.fromtimestamp(1794900000, UTC)),
        ("Try again in 3 hours 20 minutes.", NOW + timedelta(hours=3, minutes=20)),
        ("Please retry in 12.5s", NOW + timedelta(seconds=12.5)),
        ("quota will reset after 18h31m10s", NOW + timedelta(hours=18, minutes=31, seconds=10)),
        ("retry-after: 30", NOW + timedelta(seconds=30)),
        ("please try again in 250ms", NOW + timedelta(seconds=0.25)),
        ("limit reached, resets 5pm", NOW.replace(hour=17, minute=0, second=0)),
        ("resets at 3:30 am", (NOW + timedelta(days=1)).replace(hour=3, minute=30, second=0)),
        ("available until then; try again at 2026-11-16T18:00:00Z", NOW.replace(hour=18, minute=0, second=0)),
        ("try again at 2026-11-15T18:00:00Z", None),
        ("rate limited", None),
        ("retry-after: 99999999999999999", NOW + timedelta(days=365)),
        ("retry-after: " + "9" * 5000, NOW + timedelta(days=365)),
        ("usage limit reached|9999999999", NOW + timedelta(days=365)),
        ("try again in 99999999999999999 days", NOW + timedelta(days=365)),
        ("try again at 9999-12-31T23:59:59-23:59", NOW + timedelta(days=365)),
        ("try again at 0001-01-01T00:00:00+23:59", None),
        ("resets 7pm (America/New_York)", datetime(2026, 11, 17, tzinfo=UTC)),
        ("You've hit your limit · resets 3am (Europe/Berlin)", datetime(2026, 11, 17, 2, tzinfo=UTC)),
        ("resets 3:15pm (Europe/Berlin)", datetime(2026, 11, 17, 14, 15, tzinfo=UTC)),
        ("resets 7pm (Middle/Earth)", datetime(2026, 11, 16, 19, tzinfo=UTC)),
        ("resets 7pm (America)", datetime(2026, 11, 16, 19, tzinfo=UTC)),
        ("resets 7pm (../../etc/passwd)", datetime(2026, 11, 16, 19, tzinfo=UTC)),
        ("resets Nov 20, 9am", datetime(2026, 11, 20, 9, tzinfo=UTC)),
        ("resets Nov 20, 9am (America/New_York)", datetime(2026, 11, 20, 14, tzinfo=UTC)),
        ("it resets on November 20 at 9:00", datetime(2026, 11, 20, 9, tzinfo=UTC)),
        ("Try again at Nov 20th, 2026 9:05 PM.", datetime(2026, 11, 20, 21, 5, tzinfo=UTC)),
        ("resets Jan 2, 9 a.m. UTC", datetime(2027, 1, 2, 9, tzinfo=UTC)),
        ("resets Dec 1", datetime(2026, 12, 1, tzinfo=UTC)),
        ("resets Nov 15, 9am", None),
        ("resets Nov 31, 9am", None),
        ("resets Nov 20, 2099 9am", NOW + timedelta(days=365)),
        ("resets 25:61", None),
    ],
)
def test_when_it_may_come_back(words: str, expected: datetime | None) -> None:
    """A moment, a span or a time of day; nothing where it does not say, or where that has passed."""
    assert retry_at(words, NOW) == expected


def test_a_clock_of_another_place() -> None:
    """UTC is UTC wherever one is, and a time without a zone is one's own."""
    here = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    assert retry_at("resets 5pm UTC", here) == NOW.replace(hour=17, minute=0, second=0)
    assert retry_at("resets 5pm (UTC)", here) == NOW.replace(hour=17, minute=0, second=0)
    assert retry_at("resets 5pm", here) == NOW.replace(day=17, hour=8, minute=0, second=0)


def test_the_way_and_the_server() -> None:
    """A way that is closed is told from a server that answered."""
    assert unreachable("API Error: Couldn't connect through your proxy (ERR_PROXY_TUNNEL)")
    assert not unreachable("API Error: 429 rate_limit_error")


NUMBERS = st.one_of(st.integers(0, 99), st.integers(0), st.decimals(allow_nan=False)).map(str)
PIECES = st.one_of(
    NUMBERS,
    st.sampled_from(
        ["resets ", "try again ", "retry-after: ", "at ", "on ", "in ", "|", ":", "-", ", ", " ", "T", "Z"]
    ),
    st.sampled_from(
        ["Nov ", "February ", "am", "pm", " (Europe/Berlin)", " (America)", " (x/..)", "UTC", " days", "h"]
    ),
    st.datetimes(timezones=st.timezones()).map(datetime.isoformat),
    st.text(max_size=5),
)


@given(st.lists(PIECES, max_size=12).map("".join), st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1)))
def test_any_words(words: str, moment: datetime) -> None:
    """Nothing that a server says makes it fail, or leads back or further than a year ahead."""
    now = moment.replace(tzinfo=UTC)
    meaning(words)
    found = retry_at(words, now)
    assert found is None or now < found <= now + timedelta(days=365)
