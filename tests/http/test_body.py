"""Bodies, unpacked up to a size."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.http.body import BadBody, unpacked


@given(st.binary(max_size=2000))
def test_what_was_packed_comes_out(body: bytes) -> None:
    """Gzip and none give the body back as it was."""
    assert unpacked(gzip.compress(body), "GZIP") == unpacked(body, "") == unpacked(body, "identity") == body


@given(st.binary(max_size=200))
def test_anything_else_is_refused(body: bytes) -> None:
    """Bytes that are no gzip are refused, and nothing else is raised."""
    with pytest.raises(BadBody):
        unpacked(body, "gzip")


def test_the_size_counts_unpacked() -> None:
    """Exactly as much as is allowed is taken, and one byte more is not."""
    assert len(unpacked(gzip.compress(b"x" * 1000), "gzip", 1000)) == 1000
    with pytest.raises(BadBody, match="too large"):
        unpacked(gzip.compress(b"x" * 1001), "gzip", 1000)
