"""Where a team's prompts live besides the store."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from loopwright.records.shape import ShapeError


@dataclass(frozen=True)
class RegistrySettings:
    """The registry of a team's prompts: `[registry]`."""

    kind: str = ""
    """Which one; empty: the store alone."""
    prefix: str = ""
    """What the names of our prompts begin with there."""
    url: str = ""
    """Its server; empty: the vendor's."""
    label: str = ""
    """Which version is in use there; empty: the registry's own way to say so."""
    timeout_s: float = 10.0
    """How long one answer may take."""

    def __post_init__(self) -> None:
        if not self.timeout_s > 0:
            raise ShapeError(f"{self.timeout_s:g} is not possible here: it must be more than 0", ("timeout",))
        if self.url and not _is_address(self.url):
            raise ShapeError("it is not the address of a server", ("url",), 'write "https://HOST", without a password')


@dataclass(frozen=True)
class Remote:
    """What a registry says of one prompt."""

    text: str
    mark: str
    """Its version there, as a human would name it."""


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        usual = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        return False
    return bool(usual and parts.hostname and "@" not in parts.netloc and not parts.query and not parts.fragment)
