"""What an agent is logged in with: copied into the home that it has in the sandbox, and back where it was renewed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from loopwright.errors import AgentError
from loopwright.run.blind_spots import delete
from loopwright.run.reaching import reached, read_file, write_file

_MOST_BYTES = 1_000_000
_RENEWABLE = (".credentials.json", "auth.json", "oauth_creds.json")
"""Names of files that hold a login and nothing else. Settings are lent only: they can name programs to run."""
_TOKENS = frozenset(
    (
        *("accessToken", "refreshToken", "expiresAt", "refreshTokenExpiresAt"),
        *("access_token", "refresh_token", "id_token", "expires_at", "expiry_date", "last_refresh"),
        *("access", "refresh", "expires"),
    )
)
"""What may be another in a login that was renewed."""
_LONGEST_TOKEN = 16_000


@dataclass(frozen=True)
class Login:
    """The files of one agent, named from the user's home."""

    files: Sequence[str]
    user: Path
    """The home that they are from."""
    home: Path
    """The agent's own."""
    places: Mapping[str, Path] = field(default_factory=dict)
    """Where one of the files lies instead, by its name."""
    _lent: dict[str, bytes] = field(default_factory=dict)

    def lend(self, owner: int | None) -> None:
        """Copy what is there; `owner` is whose the copies are to be, where that is not us.

        Whatever an earlier attempt has left in their place is gone, also where the user has no such file.
        """
        for name in self.files:
            if self._own(name).is_dir():
                hint = "name each of its files that the agent needs"
                raise AgentError(f"the login file `{name}` is a folder", hint)
            self._clear(name)
            with suppress(FileNotFoundError, NotADirectoryError):
                content = self._own(name).read_bytes()
                self._place(name, content, owner)
                self._lent[name] = content

    def take_back(self) -> list[str]:
        """Remove the copies; bring home what was renewed. Give what was changed and can't be brought home."""
        return [f"the login file `{name}` {why}" for name in self._lent if (why := self._taken_back(name))]

    def _own(self, name: str) -> Path:
        return self.places.get(name, self.user / name)

    def _clear(self, name: str) -> None:
        """Remove what is in a file's place, and what is no folder on the way there. Nobody is at work meanwhile."""
        way = self.home
        for part in PurePosixPath(name).parts[:-1]:
            way /= part
            if way.is_symlink() or (way.exists() and not way.is_dir()):
                way.unlink()
            if not way.exists():
                return
            way.chmod(way.stat().st_mode | stat.S_IRWXU)
        for rest in (name, f"{name}.loopwright"):
            delete(self.home / rest)

    def _place(self, name: str, content: bytes, owner: int | None) -> None:
        try:
            with reached(self.home, name, make=True, owner=owner) as (folder, last):
                write_file(folder, last, content, 0o600, owner)
        except OSError as error:
            raise AgentError(f"the login file `{name}` can't be put into the agent's home: {error}") from None

    def _taken_back(self, name: str) -> str:
        before, now = self._lent[name], None
        with suppress(OSError), reached(self.home, name) as (folder, last):
            now = read_file(folder, last, _MOST_BYTES)
            os.unlink(last, dir_fd=folder)
        if now is None or now == before or PurePosixPath(name).name not in _RENEWABLE:
            return ""
        if not _is_the_like(before, now):
            return "was changed in more than its tokens by the agent: yours is as it was"
        target = self._own(name).resolve()
        try:
            if target.read_bytes() != before:
                return ""  # somebody else has renewed it meanwhile
            _replace(target, now)
        except OSError as error:
            return f"was renewed, and can't be written: {error}"
        return ""


def _replace(target: Path, content: bytes) -> None:
    fresh = target.with_name(f"{target.name}.loopwright")
    fresh.unlink(missing_ok=True)
    mode = stat.S_IMODE(target.stat().st_mode)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
    fresh.replace(target)


def _is_the_like(before: bytes, now: bytes) -> bool:
    """Whether tokens and times were renewed, and nothing else was done."""
    try:
        return _alike(json.loads(before), json.loads(now), "")
    except (ValueError, RecursionError):
        return False


def _alike(old: object, new: object, name: str) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_alike(old[key], new[key], str(key)) for key in old)
    same = type(old) is type(new) and old == new
    return same or (name in _TOKENS and _is_token(old, new))


def _is_token(old: object, new: object) -> bool:
    if isinstance(old, str) and isinstance(new, str):
        return len(new) <= _LONGEST_TOKEN and new.isprintable()
    return type(old) in (int, float) and type(new) in (int, float)
