"""The report as a page: it stands alone, and what sessions say is text in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from loopwright.cli.scan_page import page_of, write_page
from loopwright.ingest.report import report_of
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary, ToolUse

NASTY = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e'


def session(number: int = 1, words: str = "shop", **told: object) -> Summary:
    given: dict[str, object] = {
        "project": f"/home/ada/{words}",
        "goal": f"Fix the login {words}",
        "started_at": f"2026-11-{1 + number % 28:02}T10:00:00.000Z",
        "cost_usd": 1.0,
        "tokens": Usage(1, 100, 900, 0),
        "active_s": 600.0,
        "interrupts": 1,
        "reread": {f"/{words}.py": 5},
        "usage": [DailyUsage(f"2026-11-{1 + number % 28:02}", words, Usage(1, 100, 900), 1.0)],
        "tools": [ToolUse(words, 10, 1, 10, 30.0)],
    }
    return Summary(f"run-{number:08}", f"s{number}", words, "/a", **(given | told))  # type: ignore[arg-type]


class Seen(HTMLParser):
    """Notes the elements of a page and what they are closed by."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def seen(page: str) -> Seen:
    found = Seen()
    found.feed(page)
    assert found.open == []
    return found


def test_the_page_has_every_part() -> None:
    """Each part of the report is a section of the page."""
    sessions = [session(number) for number in range(20)]
    page = page_of(report_of([*sessions, session(50, "blog", cost_usd=90.0)]), ["a note"])
    names = re.findall(r"<h2>([^<]+)", page)
    assert names == [
        *("Cost by day", "Tokens", "Projects", "Agents", "Models", "Tools", "Dearest sessions"),
        *(
            "Against your median session",
            "Where you stepped in",
            "Files read again and again",
            "What this does not know",
        ),
    ]
    assert "<summary>All sessions</summary>" in page
    assert "90×" in page
    assert "<li>a note</li>" in page


def test_nothing_in_it_loads_or_runs_anything() -> None:
    """The page has no script, no link, no picture from elsewhere and no handler, and its policy forbids them."""
    page = page_of(report_of([session(number, NASTY) for number in range(20)]), [NASTY])
    found = seen(page)
    assert found.tags.isdisjoint({"script", "img", "link", "iframe", "object", "a", "form", "image", "use"})
    assert not [name for name in found.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert "default-src &#x27;none&#x27;" in page
    assert not re.search(r"url\(|@import|https?://", page)
    assert "\u202e" not in page


def test_what_is_not_there_is_left_out() -> None:
    """A report of nothing is a page all the same."""
    page = page_of(report_of([]), [])
    seen(page)
    assert re.findall(r"<h2>", page) == []
    assert "0 sessions" in page


def test_many_sessions_are_cut_and_counted() -> None:
    """The page of thousands of sessions has the newest ones."""
    page = page_of(report_of([session(number) for number in range(1200)]), [])
    assert "The newest 1,000 sessions of 1,200" in page
    assert len(page) < 2_000_000


def test_it_is_written_as_it_is_made(tmp_path: Path) -> None:
    """Letters of all languages arrive in the file."""
    write_page(tmp_path / "report.html", report_of([session(1, "Grüße 你好 \ud800")]), [])
    assert "Grüße 你好 �" in (tmp_path / "report.html").read_text(encoding="utf-8")


COUNTS = some.integers(0, 10**12)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.lists(some.tuples(some.text(max_size=20), some.floats(0, 1e12), COUNTS), max_size=12))
def test_any_session_makes_a_page(told: list[tuple[str, float, int]]) -> None:
    """Whatever sessions say and come to, the page is well-formed."""
    sessions = [
        session(number, words, cost_usd=cost, active_s=cost, tokens=Usage(many), raw_lines=many)
        for number, (words, cost, many) in enumerate(told)
    ]
    assert seen(page_of(report_of(sessions), [words for words, _, _ in told])).open == []
