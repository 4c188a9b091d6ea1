"""What is to be written -> the same without the secrets in it, and how many of which kind there were."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from loopwright.guard.formats import LOOK_AHEAD, LOOK_BEHIND, Found, find_secrets, open_pem
from loopwright.guard.known import SHORTEST, Known

LINE_LIMIT = 65_536
BLOCK = 24_000  # from 30,000 bytes on Python prepares each search at length

_KNOWN = "[masked:environment-secret]"


class Masker:
    """Masks the secrets of an environment, and all that look like a well-known kind of key."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._known = Known(environment)

    def stream(self) -> Stream:
        """Begin to mask what comes in chunks."""
        return Stream(self)

    def text(self, text: str, counts: dict[str, int] | None = None) -> str:
        """Mask a whole text; what was masked is added to `counts`."""
        raw = text.encode(errors="surrogatepass")
        if len(raw) < SHORTEST or not self.find(b"\n" + raw, 1, len(raw) + 1):
            return text
        stream = self.stream()
        masked = stream.close(raw)
        _add(stream.counts, counts)
        return masked.decode(errors="surrogatepass")

    def identity(self, text: str, counts: dict[str, int] | None = None) -> str:
        """Mask what something is called: the same name gives the same, and another key another."""
        masked = self.text(text, counts)
        if masked == text or _KNOWN in masked:  # one that is known may be short enough to be guessed
            return masked
        return f"{masked}-{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:8]}"

    def data(self, value: Any, counts: dict[str, int] | None = None) -> Any:
        """Mask every text in plain data, the keys of objects too."""
        if isinstance(value, str):
            return self.text(value, counts)
        if isinstance(value, Mapping):
            return {self.data(key, counts): self._item(key, item, counts) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.data(item, counts) for item in value]
        return value

    def _item(self, key: Any, item: Any, counts: dict[str, int] | None) -> Any:
        """Mask a value, which may be a secret because of its name."""
        if not isinstance(key, str) or not isinstance(item, str) or "\n" in key:
            return self.data(item, counts)
        name = f'{key}="'
        masked = self.text(name + item, counts)
        return masked.removeprefix(name) if masked.startswith(name) else self.text(item, counts)

    def find(self, raw: bytes, begin: int, stop: int) -> list[Found]:
        """Give what begins between two places of `raw`, in order; the better name is first where two begin."""
        found: list[Found] = []
        for first in range(begin, stop, BLOCK):
            last = min(first + BLOCK, stop)
            found += find_secrets(raw, first, last) + self._known.find(raw, first, last)
        return sorted(found, key=lambda one: one[0])


class Stream:
    """Masks chunks as if they were one: a chunk may end anywhere.

    It holds back the unfinished last line, of a line over 64 KB only as much as a secret can be long, and a private
    key that has begun. So at each place everything is at hand that decides whether a secret begins there.
    """

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._raw = bytearray(b"\n")  # what was emitted last, which is looked at, and what is held back
        self._begin = 1
        """Before this place it is decided where secrets begin."""
        self._done = 1
        """Up to this place all is emitted or masked: beyond `_begin` within a secret."""
        self.counts: dict[str, int] = {}
        """How many secrets were masked, by their kind."""

    @property
    def total(self) -> int:
        """Say how many secrets were masked."""
        return sum(self.counts.values())

    def feed(self, chunk: bytes) -> bytes:
        """Take a chunk, and give what can be written."""
        self._raw += chunk
        if b"\n" not in chunk and len(self._raw) - self._begin <= LINE_LIMIT:
            return b""
        raw = bytes(self._raw)
        stop = max(raw.rfind(b"\n") + 1, self._begin)
        if len(raw) - stop > LINE_LIMIT:
            stop = len(raw) - LOOK_AHEAD
        return self._emit(raw, open_pem(raw, self._begin, stop))

    def close(self, chunk: bytes = b"") -> bytes:
        """Take the last chunk, and give all that is left."""
        raw = bytes(self._raw + chunk)
        return self._emit(raw, len(raw))

    def _emit(self, raw: bytes, stop: int) -> bytes:
        parts = []
        done = self._done
        for start, end, kind in self._masker.find(raw, self._begin, stop):
            if start >= done:
                parts += [raw[done:start], self._mask(kind)]
            done = max(done, end)  # where secrets overlap, one mask stands for them
        parts.append(raw[done:stop])
        kept = max(0, stop - LOOK_BEHIND)
        self._raw = bytearray(raw[kept:])
        self._begin, self._done = stop - kept, max(done, stop) - kept
        return b"".join(parts)

    def _mask(self, name: str) -> bytes:
        kind = name.replace("_", "-")
        _add({kind: 1}, self.counts)
        return f"[masked:{kind}]".encode()


def _add(counts: Mapping[str, int], to: dict[str, int] | None) -> None:
    if to is not None:
        for kind, count in counts.items():
            to[kind] = to.get(kind, 0) + count
