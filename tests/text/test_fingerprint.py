from __future__ import annotations

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.fingerprint import fingerprint, normalise

LIKE = [
    ("src/a.py:12:5: error TS2304: Cannot find name 'x'.", "/home/b/c.ts:1:99: error TS2304: Cannot find name 'x'."),
    ("a.py:3: boom", "C:\\Users\\me\\b.py:14: boom"),
    ("<Foo object at 0x7f3a2b1c>", "<Foo object at 0x55AA>"),
    ("2026-01-02T03:04:05.123Z worker died", "2025-12-31 23:59:59,001 worker died"),
    ("[12:30:11] worker died", "[09:01:59.5] worker died"),
    ("commit 3f2a9bc not found", "commit deadbee5f00d not found"),
    ("run 0193a4c2-7d1e-7abc-8def-0123456789ab ended", "run FFFFFFFF-7d1e-7abc-8def-0123456789ab ended"),
    ("exit code 1 after 0.12s", "exit code 137 after 12.5s"),
    ("\x1b[31merror\x1b[0m: \x1b[1mboom\x1b[m", "error: boom"),
    ("'/tmp/tmpab12cd_3/x' vanished", "'/var/folders/zz/T/tmpzzzzzzzz/y' vanished"),
    ("'tmpab12cd_3' vanished", "'tmpq9w8e7r6' vanished"),
    ("line 12, column 5", "line 1200, column 77"),
    ("http://localhost:8000/a gave 500", "https://example.com/b?c=d gave 502"),
    ("expected -1 but got 1e-05", "expected 1_000 but got 3.11.7"),
    ("boom\n\n  at once", "boom at once\n"),
    ("FAILED tests/test_a.py::test_login", "FAILED app/tests/test_b.py::test_login"),
]
UNLIKE = [
    ("error TS2304: x", "error TS2345: x"),
    ("No module named 'requests'", "No module named 'numpy'"),
    ("TypeError: boom", "ValueError: boom"),
    ("FAILED tests/a.py::test_login", "FAILED tests/a.py::test_logout"),
    ("I/O error", "network error"),
    ("error[E0308]: mismatched types", "error[E0502]: mismatched types"),
    (
        "AttributeError: 'NoneType' object has no attribute 'a'",
        "AttributeError: 'NoneType' object has no attribute 'b'",
    ),
    ("effaced", "defaced"),
    ("Expected\\nfoo", "Expected\\nbar"),
]


@pytest.mark.parametrize(("one", "other"), LIKE)
def test_like_errors_share_it(one, other):
    """What changes with the place, the time or the machine does not count."""
    assert normalise(one) == normalise(other)
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_unlike_errors_do_not(one, other):
    """Names, words and codes of errors count."""
    assert fingerprint(one) != fingerprint(other)


@given(st.text())
def test_it_is_sixteen_hex_digits(message):
    """Whatever the message is, the fingerprint is 16 hex digits and always the same."""
    found = fingerprint(message)
    assert len(found) == 16
    assert set(found) <= set(string.hexdigits.lower())
    assert found == fingerprint(message)


def test_half_a_surrogate_pair_is_no_problem():
    """Text that can't be encoded has a fingerprint too."""
    assert len(fingerprint("a\ud800b")) == 16


@given(st.integers(), st.integers(), st.from_regex(r"(/[a-z]{2,9}){1,4}", fullmatch=True))
def test_numbers_and_paths_do_not_count(one, other, path):
    """Any number and any path may stand in a message."""
    assert (
        normalise(f"took {one} in {path}: no") == normalise(f"took {other} in /etc/hosts: no") == "took # in <path>: no"
    )


def test_only_the_beginning_counts():
    """A message is read up to 10,000 characters."""
    assert fingerprint("x" * 10_000 + "a") == fingerprint("x" * 10_000 + "b")


@pytest.mark.parametrize(
    "piece",
    ["a", "a/", "-", "1", "1_", "1.", "\x1b[", "\x1b]", " ", "\r", "0x", "abcdef", "tmp", "1-", "a:", "a://", "I/"],
)
def test_linear_time(piece):
    """No message makes it slow."""
    started = time.monotonic()
    fingerprint(piece * 1_000_000)
    assert time.monotonic() - started < 0.5


def test_elements_are_no_paths() -> None:
    """The end of an element is a word of the message, a path in brackets is none."""
    assert normalise("not found</b>") == "not found</b>"
    assert normalise("not found </usr/lib/a.py>") == "not found <<path>>"
