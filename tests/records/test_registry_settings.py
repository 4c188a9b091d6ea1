"""The settings of a registry: what can't be meant is refused without showing a password."""

from __future__ import annotations

import pytest

from loopwright.records.registry import RegistrySettings
from loopwright.records.shape import ShapeError


@pytest.mark.parametrize("url", ["https://langfuse.example.com", "http://127.0.0.1:3000/", "https://example.com/base"])
def test_addresses(url: str) -> None:
    """A server's address is taken as it is."""
    assert RegistrySettings("langfuse", url=url).url == url


@pytest.mark.parametrize(
    "url",
    [
        "example.com",
        "ftp://example.com",
        "https://",
        "https://me:hunter2@example.com",
        "http://a:99999",
        "http://a?k=v",
    ],
)
def test_what_is_no_address(url: str) -> None:
    """Anything else is refused; keys belong into the environment, and are not repeated."""
    with pytest.raises(ShapeError) as refused:
        RegistrySettings("langfuse", url=url)
    assert "hunter2" not in str(refused.value)


def test_a_limit_is_more_than_nothing() -> None:
    """A registry that may take no time could never answer."""
    with pytest.raises(ShapeError, match="more than 0"):
        RegistrySettings("langfuse", timeout_s=0)
