"""Which hosts may be reached: names as the settings have them -> whether one, or an address, is among them."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from loopwright.errors import SettingError

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?")
_USUAL = (443, 80)
HINT = "write `api.example.com`, `*.example.com` or `10.0.0.7:8080`: no path, no user"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Host:
    """One entry: `api.example.com`, `*.example.com`, `10.0.0.7:8080`, or `*` for all names."""

    name: str
    port: int | None = None
    """None: the usual ones, 443 and 80."""

    @staticmethod
    def parse(text: str) -> Host:
        """Read an entry; ValueError where it is none."""
        if "://" in text:
            url = urlsplit(text)
            host = url.netloc.rpartition("@")[2]
            raise ValueError(f"`{url._replace(netloc=host).geturl()}` is a URL; its host is `{host}`")
        name, port = split(text)
        bare = name.removeprefix("*.") if name != "*" else "any"
        if literal(name) is None and not _NAME.fullmatch(bare):
            raise ValueError(f"`{text}` is not a host")
        return Host(name, port)

    @staticmethod
    def chosen(text: str) -> Host:
        """Read an entry that a user has written; ValueError also where it opens the sandbox to half of the world."""
        host = Host.parse(text)
        if host.name.startswith("*") and "." not in host.name.removeprefix("*."):
            raise ValueError(f"`{text}` would open the sandbox to half of the world: name a domain")
        return host

    def covers(self, name: str, port: int) -> bool:
        """Whether a name (in lower case) at a port is meant."""
        if port not in (_USUAL if self.port is None else (self.port,)):
            return False
        if self.name == "*":
            return literal(name) is None
        if self.name.startswith("*."):
            return literal(name) is None and name.endswith(self.name[1:]) and name != self.name[1:]
        return name == self.name

    def trusts(self, address: str) -> bool:
        """Whether an address that its name was resolved to may be connected to.

        Who named a host in full may have it in the own network; nothing else leads there. To where a cloud's machine
        asks for its own keys (link-local), only its address itself does.
        """
        found = literal(address.partition("%")[0])
        if found is None:
            return False
        if literal(self.name) is not None:
            return True
        if found.is_link_local or found.is_multicast or found.is_unspecified:
            return False
        return found.is_global or not self.name.startswith("*")


def read_hosts(texts: Iterable[str], read: Callable[[str], Host] = Host.parse) -> list[Host]:
    """Read entries; a setting that is none is refused."""
    try:
        return [read(text) for text in texts]
    except ValueError as error:
        raise SettingError(f"the allowed hosts can't be read: {error}", HINT) from None


def split(text: str) -> tuple[str, int | None]:
    """Take a host apart from its port, in lower case; ValueError where the port is none."""
    text = text.strip().lower()
    if text.startswith("["):
        name, _, port = text[1:].partition("]")
        port = port.removeprefix(":")
    elif text.count(":") == 1:
        name, _, port = text.partition(":")
    else:
        name, port = text, ""
    if port and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536):
        raise ValueError(f"`{port}` is not a port: one is a number from 1 to 65535")
    return name if name == "*." else name.removesuffix("."), int(port) if port else None


def literal(name: str) -> Address | None:
    """Read an address, also as old C libraries write it (127.1, 0x7f000001); None for a name."""
    try:
        address: Address = ipaddress.ip_address(name)
    except ValueError:
        try:
            return ipaddress.IPv4Address(socket.inet_aton(name)) if " " not in name else None
        except (OSError, ValueError, UnicodeError):
            return None
    return getattr(address, "ipv4_mapped", None) or address


def refusal(name: str, port: int, hosts: Iterable[Host]) -> str:
    """Say why a host may not be reached; empty where it may."""
    if literal(name) is None and not _NAME.fullmatch(name):
        return "that is no name of a host"
    if any(host.covers(name, port) for host in hosts):
        return ""
    return "it is not in [run] hosts"
