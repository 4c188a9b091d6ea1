from __future__ import annotations

import pytest

from loopwright.errors import SettingError
from loopwright.records.host import Host, literal, read_hosts, refusal, split


@pytest.mark.parametrize(
    ("entry", "name", "port", "covered"),
    [
        ("api.example.com", "api.example.com", 443, True),
        ("API.example.com.", "api.example.com", 80, True),
        ("api.example.com", "api.example.com", 22, False),
        ("api.example.com:8443", "api.example.com", 8443, True),
        ("api.example.com:8443", "api.example.com", 443, False),
        ("api.example.com", "evil.api.example.com", 443, False),
        ("api.example.com", "api.example.com.evil.org", 443, False),
        ("*.example.com", "a.b.example.com", 443, True),
        ("*.example.com", "example.com", 443, False),
        ("*.example.com", "evilexample.com", 443, False),
        ("*.example.com", ".example.com", 443, False),
        ("*", "anything.org", 443, True),
        ("*", "10.0.0.1", 443, False),
        ("*", "2130706433", 443, False),
        ("127.0.0.1:8080", "127.0.0.1", 8080, True),
        ("127.0.0.1:8080", "127.1", 8080, False),
        ("[::1]:8080", "::1", 8080, True),
    ],
)
def test_who_is_meant(entry: str, name: str, port: int, covered: bool) -> None:
    """An entry means its host at its port, or at 443 and 80; a star means what is below, and never an address."""
    assert Host.parse(entry).covers(name, port) is covered


@pytest.mark.parametrize(
    "name", ["evil\0.example.com", "a b.example.com", "a\n.example.com", "", "-x", "é.example.com"]
)
def test_what_is_no_name(name: str) -> None:
    """Signs that no name has are refused, whatever is allowed."""
    assert refusal(name, 443, [Host("*"), Host("*.example.com")]) == "that is no name of a host"


@pytest.mark.parametrize(
    ("entry", "address", "trusted"),
    [
        ("api.example.com", "93.184.216.34", True),
        ("*.example.com", "93.184.216.34", True),
        ("api.example.com", "10.0.0.7", True),
        ("*.example.com", "10.0.0.7", False),
        ("*", "127.0.0.1", False),
        ("*", "100.100.100.200", False),
        ("*", "fd00:ec2::254", False),
        ("*", "::ffff:10.0.0.1", False),
        ("api.example.com", "169.254.169.254", False),
        ("api.example.com", "::ffff:169.254.169.254", False),
        ("api.example.com", "fe80::1%eth0", False),
        ("api.example.com", "0.0.0.0", False),
        ("169.254.169.254:80", "169.254.169.254", True),
    ],
)
def test_where_a_name_may_lead(entry: str, address: str, trusted: bool) -> None:
    """A name that is written in full may lead to the own network, a star may not, and no name to link-local."""
    assert Host.parse(entry).trusts(address) is trusted


@pytest.mark.parametrize("entry", ["", "a b", "x:0", "x:99999", "x:y", "*.", "**", "a*.com", "https://example.com"])
def test_entries_that_are_none(entry: str) -> None:
    """What is no host is refused, with an example."""
    with pytest.raises(SettingError) as caught:
        read_hosts(["good.example.com", entry])
    assert "api.example.com" in caught.value.hint


def test_apart() -> None:
    """A host is taken apart from its port, also where it is an address with colons."""
    assert split("A.example:1") == ("a.example", 1)
    assert split("[::1]:1") == ("::1", 1)
    assert split("::1") == ("::1", None)


@pytest.mark.parametrize("name", ["127.1", "0x7f000001", "2130706433", "::ffff:7f00:1"])
def test_addresses_in_disguise(name: str) -> None:
    """All that a C library takes for an address is one."""
    assert str(literal(name)) == "127.0.0.1"


@pytest.mark.parametrize(
    ("entry", "host"),
    [
        ("https://packages.example.com", "packages.example.com"),
        ("http://me:secret@127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("https://", ""),
    ],
)
def test_a_url_is_told_its_host(entry: str, host: str) -> None:
    """Who writes a URL is told what of it is the host."""
    with pytest.raises(SettingError) as caught:
        read_hosts([entry])
    assert caught.value.message.endswith(f"is a URL; its host is `{host}`")
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("entry", ["*", "*:443", "*.com", "*.COM.", "*.com:8443"])
def test_half_of_the_world(entry: str) -> None:
    """A star for everything, or for all of a top-level domain, is refused: there would be no sandbox any more."""
    with pytest.raises(SettingError, match="name a domain") as caught:
        read_hosts([entry], Host.chosen)
    assert "`*.example.com`" in caught.value.hint
    assert read_hosts(["*.example.com", "localhost"], Host.chosen)
