"""Who may ask: the key, the names that this server answers to, and the pages that may speak to it."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl

from loopwright.errors import UsageError

Headers = Iterable[tuple[bytes, bytes]]

SHORTEST_KEY = 16
_HOST = re.compile(r"(?:([A-Za-z0-9._-]{1,253})|\[([0-9A-Fa-f:.]{2,45})\])(?::(\d{1,5}))?", re.ASCII)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_EVERYWHERE = frozenset({"0.0.0.0", "::"})
_SECRETS = re.compile(r"(?i)(^|[_-])(key|apikey|token|secret|password|auth|authorization|bearer|credential)s?$")
_OPEN = frozenset({"/healthz"})
"""What is answered without a key."""


@dataclass(frozen=True)
class Refusal:
    """Why a request is not heard."""

    status: HTTPStatus
    why: str


@dataclass(frozen=True)
class Access:
    """What a request needs to be heard."""

    host: str = "127.0.0.1"
    """What the server is bound to."""
    names: Sequence[str] = ()
    """Other names by which it is known."""
    key: str = field(default="", repr=False)

    def refusal(self, path: str, query: bytes, headers: Headers) -> Refusal | None:
        """Say why a request is not heard; None where it is."""
        told = [(name.lower(), value.decode("latin-1").strip()) for name, value in headers]
        hosts = [value for name, value in told if name == b"host"]
        if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
            return Refusal(HTTPStatus.BAD_REQUEST, "the header `Host` is not the name of a host")
        if not self._answers_to(hosts[0]):
            return Refusal(HTTPStatus.FORBIDDEN, "this server does not answer to that name: see --allow-host")
        if not _same_origin(told, hosts[0]):
            return Refusal(HTTPStatus.FORBIDDEN, "a page of another origin may not ask")
        if self._has_secret(query):
            return Refusal(HTTPStatus.BAD_REQUEST, "a key in a URL is refused: send it as `Authorization: Bearer …`")
        if self.key and path not in _OPEN and not self._has_key(told):
            return Refusal(HTTPStatus.UNAUTHORIZED, "the key is missing or wrong: send it as `Authorization: Bearer …`")
        return None

    def _answers_to(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        name = (found[1] or found[2]).lower() if found else ""
        if name in self.names or name == self.host.lower():
            return name not in _EVERYWHERE
        if name in _LOOPBACK:
            return True
        # Only a name can be made to lead here by somebody else's name server.
        return self.host in _EVERYWHERE and name not in _EVERYWHERE and _is_address(name)

    def _has_secret(self, query: bytes) -> bool:
        pairs = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
        return any(_SECRETS.search(name) or (self.key and self.key in f"{name}={value}") for name, value in pairs)

    def shown(self, path: str) -> str:
        """Give a path as it may be logged: whoever has put the key there is not to find it in a log."""
        return path.replace(self.key, "[key]") if self.key else path

    def _has_key(self, told: Sequence[tuple[bytes, str]]) -> bool:
        given = [value[7:] for name, value in told if name == b"authorization" and value[:7].lower() == "bearer "]
        given += [value for name, value in told if name == b"x-api-key"]
        # All are compared, each in the same time, whatever it is.
        found = [hmac.compare_digest(_digest(value.strip()), _digest(self.key)) for value in given]
        return len(found) == 1 and found[0]


def read_key(environment_key: str, path: Path | None) -> str:
    """Give the key: of a file, else of the environment; empty where there is none."""
    try:
        key = path.read_text(encoding="utf-8").strip() if path else environment_key.strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the key can't be read from `{path}`: {error}", "name a file with the key in it") from None
    if (path or key) and (len(key) < SHORTEST_KEY or not key.isascii() or not key.isprintable() or " " in key):
        where = f"the file `{path}`" if path else "LOOPWRIGHT_KEY"
        hint = "make one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        raise UsageError(f"the key in {where} is not {SHORTEST_KEY} or more letters, digits and marks", hint)
    return key


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach a host."""
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _same_origin(told: Sequence[tuple[bytes, str]], host: str) -> bool:
    """Say whether a browser sends this for a page of ours; what is no browser says nothing of it."""
    origins = [value for name, value in told if name == b"origin"]
    sites = [value for name, value in told if name == b"sec-fetch-site"]
    ours = {f"http://{host}".lower(), f"https://{host}".lower()}
    return all(value.lower() in ours for value in origins) and all(value in ("same-origin", "none") for value in sites)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _digest(value: str) -> bytes:
    return hashlib.sha256(value.encode()).digest()
