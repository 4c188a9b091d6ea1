"""Who may ask, decided without a server."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import UsageError
from loopwright.http.auth import Access, is_loopback, read_key

KEY = "a-key-of-this-test-0123456789"


def status(access: Access, host: str) -> int:
    found = access.refusal("/healthz", b"", [(b"host", host.encode())])
    return found.status.value if found else 200


@pytest.mark.parametrize(
    ("bound", "host", "expected"),
    [
        ("127.0.0.1", "localhost", 200),
        ("127.0.0.1", "192.168.1.5", 403),
        ("192.168.1.5", "192.168.1.5:4318", 200),
        ("192.168.1.5", "10.0.0.1", 403),
        ("0.0.0.0", "10.0.0.1", 200),
        ("0.0.0.0", "evil.example", 403),
        ("0.0.0.0", "box.example", 200),
        ("::", "[fe80::1]", 200),
    ],
)
def test_which_names_are_answered_to(bound: str, host: str, expected: int) -> None:
    """Its address, the names that it was told, and, bound to all addresses, any address but no other name."""
    assert status(Access(bound, ("box.example",), KEY), host) == expected


def test_the_key_is_not_shown() -> None:
    """Whoever prints what access needs does not print the key."""
    assert KEY not in repr(Access(key=KEY))


@given(st.text(max_size=40).filter(lambda text: text.strip() != KEY))
def test_no_other_key_opens(given_key: str) -> None:
    """Whatever is not the key is refused."""
    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer " + given_key.encode(errors="replace"))]
    found = Access(key=KEY).refusal("/v1/traces", b"", headers)
    assert found is not None
    assert found.status is HTTPStatus.UNAUTHORIZED


def test_where_a_key_comes_from(tmp_path: Path) -> None:
    """A file's key goes before that of the environment; without either there is none."""
    (tmp_path / "key").write_text(f"{KEY}\n")
    assert read_key("", None) == ""
    assert read_key(KEY, None) == KEY
    assert read_key("another-key-of-the-environment", tmp_path / "key") == KEY


@pytest.mark.parametrize(
    "key", ["short", "a key with spaces in it", "a-key-with-an-ümlaut-in-it", "line\nline-line-line-line"]
)
def test_a_key_that_is_none_is_refused(tmp_path: Path, key: str) -> None:
    """A key that could be guessed or can't be sent is refused, and not shown."""
    (tmp_path / "key").write_text(key)
    for told in ((key, None), ("", tmp_path / "key")):
        with pytest.raises(UsageError, match="16 or more letters") as error:
            read_key(*told)
        assert key not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A key file that is empty or missing is an error, and never no key."""
    (tmp_path / "empty").write_text("")
    for name in ("empty", "missing"):
        with pytest.raises(UsageError):
            read_key(KEY, tmp_path / name)


def test_what_only_this_machine_can_reach() -> None:
    """Loopback addresses are known; names are not looked up."""
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "10.0.0.1", "example.com", "")] == [False] * 5
