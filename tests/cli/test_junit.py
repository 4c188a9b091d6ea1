from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.cli.junit import junit
from loopwright.records.check import Verdict
from store.samples import make_check

KINDS = {Verdict.PASS: None, Verdict.FAIL: "failure", Verdict.TAINTED: "failure", Verdict.UNVERIFIABLE: "error"}


@pytest.mark.parametrize("verdict", KINDS)
def test_a_check(verdict: Verdict) -> None:
    """What fails or is tainted is a failure, what can't be told an error, with the verdict and the first line."""
    check = make_check("r", verdict=verdict, evidence="first\nsecond", criterion="test <a> & 'b'", duration_s=1.25)
    suite = ElementTree.fromstring(junit([check]))
    (case,) = suite
    assert (case.get("classname"), case.get("name"), case.get("time")) == ("says", "test <a> & 'b'", "1.250")
    assert [inner.tag for inner in case] == ([KINDS[verdict]] if KINDS[verdict] else [])
    for inner in case:
        assert (inner.get("type"), inner.get("message"), inner.text) == (verdict, "first", "first\nsecond")


def test_the_sums() -> None:
    """The suite counts each case once."""
    suite = ElementTree.fromstring(junit([make_check("r", verdict=verdict) for verdict in KINDS for _ in range(2)]))
    counts = [suite.get(name) for name in ("name", "tests", "failures", "errors", "time")]
    assert counts == ["loopwright", "8", "4", "2", "4.000"]


def test_no_checks() -> None:
    """Without a check there is an empty suite."""
    assert ElementTree.fromstring(junit([])).get("tests") == "0"


@given(st.text(), st.text())
def test_any_text_is_valid_xml(name: str, evidence: str) -> None:
    """Whatever a program printed, control characters and half characters included, a parser can read the file."""
    text = junit([make_check("r", verdict=Verdict.FAIL, criterion=name, evidence=f"\0\x1b[31m\ud800\ufffe{evidence}")])
    case = ElementTree.fromstring(text.encode())[0]
    assert (case[0].text or "").startswith("\ufffd\ufffd[31m\ufffd\ufffd")
