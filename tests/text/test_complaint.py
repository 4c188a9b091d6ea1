from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.complaint import meaning, retry_at

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
    ],
)
def test_when_it_may_come_back(words: str, expected: datetime | None) -> None:
    """A moment, a span or a time of day; nothing where it does not say, or where that has passed."""
    assert retry_at(words, NOW) == expected


@given(st.text())
def test_any_words(words: str) -> None:
    """Nothing that a server says makes it fail."""
    meaning(words)
    retry_at(words, NOW)
