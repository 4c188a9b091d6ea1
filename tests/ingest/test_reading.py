"""Times, documents and odd JSON are read as far as they can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.guard.redact import Masker
from loopwright.ingest.reading import (
    LONGEST_RESULT,
    TooLarge,
    document_of,
    ends_of,
    moment_of,
    parsed,
    raw_event,
    written,
)


@pytest.mark.parametrize(
    ("told", "read"),
    [
        ("2026-11-16T10:00:00.123Z", "2026-11-16T10:00:00.123Z"),
        ("2026-11-16T12:00:00+02:00", "2026-11-16T10:00:00.000Z"),
        ("2026-11-16 10:00:00", "2026-11-16T10:00:00.000Z"),
        (1794823200000, "2026-11-16T10:00:00.000Z"),
        (1794823200, "2026-11-16T10:00:00.000Z"),
        ("٢٠٢٦-11-16T10:00:00.123Z", ""),
        ("yesterday", ""),
        ("2026-99-99T99:99:99.999Z", ""),
        ("0001-01-01T00:00:00+14:00", ""),
        (True, ""),
        (float("nan"), ""),
        (10**30, ""),
        (None, ""),
        ([], ""),
    ],
)
def test_a_time_is_written_in_one_way(told: object, read: str) -> None:
    """Text of ISO 8601, seconds and milliseconds since 1970; what is none is empty."""
    assert moment_of(told) == read


def test_the_ends_of_a_long_text_are_kept() -> None:
    """What an error says stands at the beginning or the end."""
    text = "first " + "x" * 10_000 + " last"
    kept = ends_of(text)
    assert kept.startswith("first") and kept.endswith("last") and len(kept) <= LONGEST_RESULT + 100
    assert " characters …]" in kept
    assert ends_of(f"{'a ' * 1500}{'b' * 100} {'c ' * 3000}").count("b") in (0, 100)
    assert ends_of("short\0") == "short\ufffd"


@pytest.mark.parametrize("end", ["-----END RSA PRIVATE KEY-----\nthe end", ""])
@pytest.mark.parametrize("newline", ["\n", "\\n", "\r\n"])
def test_nothing_of_a_private_key_is_left_at_a_cut(end: str, newline: str) -> None:
    """Wherever the cut is: the masker knows a key by its beginning, and what is after the cut has none."""
    for length in (10, 60):
        lines = [f"MII{number:061}" for number in range(length)]
        key = newline.join(["-----BEGIN RSA PRIVATE KEY-----", *lines, end])
        for beside in range(0, 2400, 5 if length > 10 else 1):
            text = "a b " * 900 + " x" * beside + key + (" y" * (beside // 2) if end else "")
            assert "MII" not in Masker({}).text(ends_of(text)), beside
            assert ends_of(text).endswith(" y" * (min(beside, 1980) // 2) if end else "")
        assert "MII" not in Masker({}).text(ends_of(key + "a b " * 2000))


def test_what_is_no_key_is_left_at_a_cut() -> None:
    """A certificate, and a key that has ended before."""
    for kind in ("CERTIFICATE", "PRIVATE KEY"):
        text = (
            f"-----BEGIN {kind}-----\nMIIB\n" + "-----END PRIVATE KEY-----" * (kind != "CERTIFICATE") + "MIIC " * 2000
        )
        assert ends_of(text).count("MIIC") > 700


def test_json_that_strict_readers_refuse_is_read() -> None:
    """Bad UTF-8 and halves of surrogate pairs; what is no JSON is None."""
    assert parsed(b'{"a":"\xff"}') == {"a": "\ufffd"}
    assert parsed(b'{"a":"\\ud800"}') == {"a": "\ud800"}
    assert parsed(b"{") is None
    assert parsed(b"[" * 100_000) is None


def test_whatever_was_read_can_be_written() -> None:
    """Numbers of any size and halves of characters too."""
    assert written({"a": 10**40}) == b'{"a": 10000000000000000000000000000000000000000}'
    assert written({"a": "\ud800"}) == b'{"a": "\\ud800"}'


def test_a_document_of_any_size_is_read_or_refused(tmp_path: Path) -> None:
    """One that would take too much memory is named."""
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}')
    assert document_of(path) == {"a": 1}
    path.write_bytes(b"no json")
    assert document_of(path) is None
    with path.open("r+b") as file:
        file.truncate(65_000_000)
    with pytest.raises(TooLarge, match="64 MB"):
        document_of(path)


def test_a_raw_line_is_kept_without_its_end() -> None:
    """Bytes that are no text are replaced, and what is cut is said."""
    assert raw_event(b"a\xff\r\n", "now").text == "a\ufffd"
    assert raw_event("x" * 5000).data == {"cut_from": 5000}


def test_nothing_of_a_token_is_left_where_a_text_without_blanks_is_cut() -> None:
    """At the end of what is kept of its beginning, and at the beginning of what is kept of its end."""
    token = "ghp_" + "Zq7Xw9Kd3Lm5Np2Rt8Vy4Bc6Hj1Fg0SaUeTi"
    for before in (1962, 1990, 5990):
        text = ("x," * 3000)[:before] + token + '"y",' * ((8000 - before) // 4)
        masked = Masker({}).text(raw_event(text).text)
        assert not any(part in masked for part in (token[:6], token[-6:]))
