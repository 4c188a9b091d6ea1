"""Prompts in files of the repository, each between two markers; all around them stays as it is, byte for byte."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import RegistryError
from loopwright.records.identity import new_id
from loopwright.records.registry import RegistrySettings, Remote

FILES = ("AGENTS.md", "CLAUDE.md", "SKILL.md")
_BEGIN, _END = "<!-- loopwright:NAME -->", "<!-- /loopwright -->"
_MARKER = re.compile(
    rb"^(?:\xef\xbb\xbf)?[ \t]*<!--[ \t]*(?:loopwright:(?P<name>[^\s<>]{1,200})|/loopwright)[ \t]*-->"
    rb"[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE,
)
_FENCE = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*(?P<fence>`{3,}|~{3,})(?P<rest>[^\r\n]*)", re.MULTILINE)
_SKIPPED = frozenset({".git", ".loopwright", ".venv", "venv", "node_modules", "__pycache__"})
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_LARGEST = 2_000_000


@dataclass(frozen=True)
class _Stretch:
    """What stands between two markers of one file."""

    path: Path
    name: str
    content: bytes
    """The whole file."""
    begin: int
    end: int

    @property
    def text(self) -> str:
        return self.content[self.begin : self.end].decode()

    @property
    def newline(self) -> bytes:
        return b"\r\n" if self.content[: self.begin].endswith(b"\r\n") else b"\n"


class Files:
    """The registry `files`."""

    joint = "/"

    def __init__(self, settings: RegistrySettings, root: Path | None, environment: Mapping[str, str]) -> None:
        self._root = root.resolve() if root else None

    def names(self, prefix: str) -> Sequence[str]:
        return sorted({stretch.name for stretch in self._stretches() if stretch.name.startswith(prefix)})

    def takes(self, name: str) -> bool:
        return self._find(name) is not None

    def read(self, name: str) -> Remote | None:
        found = self._find(name)
        if found is None or not found.text.strip():
            return None
        shown = hashlib.sha256(found.content[found.begin : found.end]).hexdigest()[:8]
        return Remote(found.text, f"{found.path.relative_to(self._base())} ({shown})")

    def write(self, name: str, text: str, note: str) -> None:
        found = self._find(name)
        if found is None:
            hint = f"write {_BEGIN.replace('NAME', name)} and {_END} on lines of their own, where it is to stand"
            raise RegistryError(f"no file has the markers of `{name}`", hint)
        body = _lines(text, found.newline)
        if _MARKER.search(body):
            raise RegistryError(f"the text of `{name}` has a marker in it", f"take lines like {_END} out of it")
        _replace(found.path, found.content, found.content[: found.begin] + body + found.content[found.end :])

    def _find(self, name: str) -> _Stretch | None:
        found = [stretch for stretch in self._stretches() if stretch.name == name]
        if len(found) > 1:
            places = ", ".join(str(stretch.path.relative_to(self._base())) for stretch in found)
            raise RegistryError(f"`{name}` has its markers {len(found)} times: in {places}", "leave one of them")
        return found[0] if found else None

    def _base(self) -> Path:
        if self._root is None:
            raise RegistryError(
                "there is no repository here whose files could hold prompts", "go to one, or use --repo"
            )
        return self._root

    def _stretches(self) -> Iterator[_Stretch]:
        for path in _paths(self._base()):
            with suppress(FileNotFoundError):  # it may go while we look
                yield from _between(path, path.relative_to(self._base()), _content(path))


def _paths(root: Path) -> list[Path]:
    """Find the files; a link counts as what it leads to, and only within the repository."""
    found: dict[Path, None] = {}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - _SKIPPED)
        for name in FILES:
            if name in files:
                path = (Path(folder) / name).resolve()
                if path.is_relative_to(root) and path.is_file():
                    found[path] = None
    return list(found)


def _content(path: Path) -> bytes:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            return file.read(_LARGEST + 1) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except FileNotFoundError:
        raise
    except OSError as error:
        raise RegistryError(f"`{path.name}` can't be read: {error.strerror}", "see that it can be") from None


def _between(path: Path, shown: Path, content: bytes) -> Iterator[_Stretch]:
    if content.startswith(_WIDE) and "loopwright:" in content.decode("utf-16", errors="replace"):
        raise RegistryError(f"`{shown}` is not UTF-8", "save it as UTF-8")
    opened: re.Match[bytes] | None = None
    for marker in _markers(content, shown):
        if (marker["name"] is None) == (opened is None):
            raise RegistryError(f"`{shown}`: {_wrong(marker)}", f"each {_BEGIN} needs one {_END} after it")
        if opened:
            yield _Stretch(path, opened["name"].decode(), content, opened.end(), marker.start())
        opened = marker if opened is None else None
    if opened:
        raise RegistryError(
            f"`{shown}`: `{opened['name'].decode(errors='replace')}` has no end", f"write {_END} after it"
        )


def _wrong(marker: re.Match[bytes]) -> str:
    if marker["name"] is None:
        return f"{_END} stands where nothing has begun"
    return f"`{marker['name'].decode(errors='replace')}` begins before the one before it has ended"


def _markers(content: bytes, shown: Path) -> list[re.Match[bytes]]:
    """Find the markers of a file; one that has any must be of a kind that can be written."""
    found = _outside_of_code(content)
    if found and len(content) > _LARGEST:
        raise RegistryError(f"`{shown}` is larger than {_LARGEST} bytes", "put the prompt into a file of its own")
    try:
        content.decode() if found else None
    except UnicodeDecodeError:
        raise RegistryError(f"`{shown}` is not UTF-8", "save it as UTF-8") from None
    return found


def _outside_of_code(content: bytes) -> list[re.Match[bytes]]:
    """Find the markers that do not stand in a fenced block; the fences of a prompt between markers hide none."""
    found: list[re.Match[bytes]] = []
    fence: bytes = b""
    both = sorted([*_MARKER.finditer(content), *_FENCE.finditer(content)], key=lambda line: line.start())
    for line in both:
        is_in_prompt = bool(found) and found[-1]["name"] is not None
        if line.re is _MARKER:
            found += [] if fence else [line]
        elif fence:
            fence = b"" if line["fence"].startswith(fence) and not line["rest"].strip() else fence
        elif not is_in_prompt and b"`" not in line["rest"]:
            fence = line["fence"]
    return found


def _lines(text: str, newline: bytes) -> bytes:
    lines = text.encode(errors="replace").replace(b"\r\n", b"\n").rstrip(b"\n")
    return lines.replace(b"\n", newline) + newline


def _replace(path: Path, before: bytes, after: bytes) -> None:
    """Put a new file in the place of one that is still as it was read; nobody ever sees half of it."""
    fresh = path.with_name(f".{path.name}.{new_id()}")
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(after)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        if _content(path) != before:
            raise RegistryError(f"`{path.name}` was changed just now", "try again")
        fresh.replace(path)
    except OSError as error:
        raise RegistryError(f"`{path.name}` can't be written: {error.strerror}", "see that it can be") from None
    finally:
        fresh.unlink(missing_ok=True)
