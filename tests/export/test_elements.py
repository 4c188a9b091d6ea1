from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from loopwright.export.elements import Markup, document, joined, tag


def test_text_is_escaped_and_markup_is_not() -> None:
    """What is put into an element is text, unless we made it an element."""
    assert tag("p", "<b>&\"'", tag("i", "x")) == "<p>&lt;b&gt;&amp;&quot;&#x27;<i>x</i></p>"
    assert tag("a", title='"><script>') == '<a title="&quot;&gt;&lt;script&gt;"></a>'
    assert joined(tag("i"), tag("b")) == "<i></i><b></b>"


def test_attributes() -> None:
    """Python's words get an underscore, a dash is one, numbers are short, and what is None is left out."""
    made = tag("rect", class_="bar", aria_hidden="true", x=1.50001, y=2.0, rx=None)
    assert made == '<rect class="bar" aria-hidden="true" x="1.5" y="2"></rect>'
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_a_page_may_load_run_and_send_nothing() -> None:
    """The policy of a page allows its own style and nothing else."""
    page = document("<t>", "p { color: red }", tag("p", "x"))
    assert page.startswith("<!doctype html>\n")
    digest = base64.b64encode(hashlib.sha256(b"p { color: red }").digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert policy.replace("'", "&#x27;") in page
    assert "<title>&lt;t&gt;</title>" in page


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.text(), some.text())
def test_no_text_becomes_an_element(inside: str, attribute: str) -> None:
    """Whatever somebody writes, the page has the elements that we made, and can be written to a file."""
    page = document(inside, "", tag("p", inside, title=attribute))
    page.encode()
    tags = Tags()
    tags.feed(page)
    assert tags.seen == ["html", "head", *["meta"] * 5, "title", "style", "body", "p"]
    assert not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e]", page)


def test_markup_is_text() -> None:
    """What was made can be put together as text, and is then text again."""
    assert not isinstance(tag("i") + "", Markup)
