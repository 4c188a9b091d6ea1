"""The page of a run is one file: it holds everything, asks for nothing, and does nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from loopwright.export.html import page
from loopwright.records.bundle import Bundle
from loopwright.records.event import EventKind

from .samples import analysis_of, evaluated, event, hostile, observed, ours

ALLOWED = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "section",
    "h1",
    "h2",
    "p",
    "span",
    "div",
    "b",
    "table",
    "tr",
    "th",
    "td",
    "pre",
    "details",
    "summary",
    "a",
    "svg",
    "g",
    "rect",
    "text",
    "line",
}
ATTRIBUTES = {
    "class",
    "id",
    "href",
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "open",
    "role",
    "aria-label",
    "viewbox",
    "width",
    "height",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "text-anchor",
    "fill-opacity",
}


class Seen(HTMLParser):
    """Notes each tag and attribute, and that all are closed."""

    def __init__(self, written: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(written)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.ids |= {value or "" for name, value in attrs if name == "id"}
        if tag != "meta":
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("bundle", [observed(), ours(), hostile(), observed([])], ids=["seen", "ours", "bad", "empty"])
def test_only_harmless_tags(bundle: Bundle) -> None:
    """No tag or attribute is there that runs, loads or sends something, whatever an agent wrote."""
    seen = Seen(page(analysis_of(bundle)))
    assert seen.tags <= ALLOWED
    assert seen.attributes <= ATTRIBUTES
    assert all(link.startswith("#e") for link in seen.links)
    assert {link[1:] for link in seen.links} <= seen.ids


def test_its_own_policy_allows_nothing_but_its_style() -> None:
    """The policy comes before all content, and names the hash of the one style that there is."""
    written = page(analysis_of(hostile()))
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', written)
    style = re.search(r"<style>(.*?)</style>", written, re.DOTALL)
    assert policy and style and policy.start() < style.start() < written.index("<body>")
    assert "default-src 'none'" in unescape(policy[1]) and "unsafe" not in policy[1] and "script" not in policy[1]
    assert base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode() in unescape(policy[1])
    assert "http://" not in style[1] and "url(" not in style[1] and "@import" not in style[1]


def test_everything_is_in_it() -> None:
    """Figures, checks, tools, errors, every event and the diff can be read without anything else."""
    bundle = observed()
    seen = Seen(page(analysis_of(bundle)))
    assert {f"e{item.seq}" for item in bundle.events} <= seen.ids
    for words in ("Fix the login", "claude-opus-4-6", "$0.2500", "2 ×", "def login(): ...", "1 failed", "edits"):
        assert words in seen.text
    assert "svg" in seen.tags
    of_ours = Seen(page(analysis_of(ours()))).text
    for words in ("test pytest -q", "2 failed", "<b>old</b>", "Use the other table"):
        assert words in of_ours


def test_long_sessions_are_laid_out_in_parts_and_long_texts_are_cut() -> None:
    """Thousands of events are in parts that a browser leaves alone until they are seen."""
    many = [event(EventKind.MESSAGE, f"message {number}") for number in range(3000)]
    written = page(analysis_of(observed([*many, event(EventKind.MESSAGE, "x" * 300_000)])))
    assert written.count('<div class="part">') == 31
    assert len(written) < 2_000_000
    assert "more characters" in written


def test_what_was_thought_of_it() -> None:
    """The verdict of another program is on the page, with its score, its reason and what the agent gave."""
    written = page(analysis_of(evaluated()))
    for words in ('<span class="bad">failed · 0.25 of 10</span>', "two tests fail", "nightly", "<pre>a diff</pre>"):
        assert words in written
    assert "Evaluations" not in page(analysis_of(observed()))


def test_one_is_no_plural() -> None:
    """A figure of one stands over a noun in the singular."""
    written = page(analysis_of(observed()))
    assert "<b>1</b><span>prompt</span>" in written and "<b>6</b><span>tool calls</span>" in written
