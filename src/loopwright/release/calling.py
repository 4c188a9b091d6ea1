"""JSON over HTTP to a registry's server, patiently: what passes is tried again, what is refused is not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from loopwright.errors import RegistryError
from loopwright.text.readable import readable

TRIES = 4
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0
_MOST_BYTES = 20_000_000
_PIECE = 65_536
_SHOWN = 200
_MISSING = 404
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_HINTS = {
    401: "is the key right, and for this server?",
    403: "may the key do that?",
    409: "somebody else is writing there; look, and try again",
}


class _Passing(Exception):
    """Something that may be gone at the next try."""

    def __init__(self, words: str, wait_s: float | None = None) -> None:
        super().__init__(words)
        self.wait_s = wait_s


@dataclass(frozen=True)
class Server:
    """One server, and what it wants to be told with every request."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    secrets: Sequence[str] = field(repr=False)
    """What no message may hold, whatever the server answers."""
    timeout_s: float = 10.0
    wait: Callable[[float], None] = time.sleep

    def get(self, *path: str, **query: object) -> Any:
        """Ask for something; None where it is not there."""
        return self._patiently("GET", path, query, None)

    def post(self, *path: str, body: object) -> Any:
        """Tell something. Where the answer is lost, it is told again: the server may have it twice."""
        if (answer := self._patiently("POST", path, {}, json.dumps(body).encode())) is None:
            raise self._error(f"it knows no `{'/'.join(path)}`", "is [registry] url right?")
        return answer

    def _patiently(self, method: str, path: Sequence[str], query: Mapping[str, object], body: bytes | None) -> Any:
        place = "/".join(quote(part, safe="") for part in path)
        asked = {name: value for name, value in query.items() if value != ""}
        url = f"{self.url.rstrip('/')}/{place}{f'?{urlencode(asked)}' if asked else ''}"
        for number in range(TRIES):
            try:
                return self._in_time(method, url, body)
            except _Passing as trouble:
                pause = _FIRST_WAIT_S * 2**number if trouble.wait_s is None else trouble.wait_s
                if number == TRIES - 1 or pause > _LONGEST_WAIT_S:
                    raise self._error(str(trouble), f"try again later; {number + 1} tries have failed") from None
                self.wait(pause)
        raise AssertionError("unreachable")

    def _in_time(self, method: str, url: str, body: bytes | None) -> Any:
        """Try once, with one limit for all of it: a server can be slow with its name, its handshake, each header."""
        answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()

        def ask() -> None:
            try:
                answers.put((self._once(method, url, body), None))
            except Exception as error:
                answers.put((None, error))

        Thread(target=ask, name="registry", daemon=True).start()
        try:
            answer, error = answers.get(timeout=self.timeout_s)
        except Empty:
            raise _Passing(f"its answer took longer than {self.timeout_s:g} s") from None
        if error:
            raise error
        return answer

    def _once(self, method: str, url: str, body: bytes | None) -> Any:
        import http.client  # loaded here: nobody else needs it, and every command would pay for it
        import urllib.error
        import urllib.request

        kind = {"Content-Type": "application/json"} if body else {}
        headers = {"Accept": "application/json", "User-Agent": "loopwright", **kind, **self.headers}
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            try:
                answer = _opener(self.url).open(request, timeout=self.timeout_s)
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                return self._understood(answer.status, answer.headers, self._read(answer))
        except urllib.error.URLError as error:
            raise _Passing(f"it can't be reached: {error.reason}") from None
        except (OSError, http.client.HTTPException) as error:
            raise _Passing(f"the connection was lost: {type(error).__name__} {error}".strip()) from None

    def _read(self, answer: Any) -> bytes:
        """Read an answer; one that comes in drops, which nobody waits for any more, is not read to its end."""
        ends, pieces, size = time.monotonic() + self.timeout_s, [], 0
        while piece := answer.read1(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > _MOST_BYTES:
                raise self._error("its answer is too long", "is [registry] url right?")
            if time.monotonic() > ends:
                raise _Passing(f"its answer took longer than {self.timeout_s:g} s")
        if answer.length:  # http.client says so of a cut answer only where all is read at once
            raise _Passing("the connection was lost in the middle of an answer")
        return b"".join(pieces)

    def _understood(self, status: int, headers: Mapping[str, str], body: bytes) -> Any:
        if status in _PASSING:
            raise _Passing(f"it answered {status}{self._begin(body)}", _retry_after(headers.get("Retry-After")))
        if status == _MISSING and body.lstrip().startswith(b"{"):  # a page says that the address is wrong
            return None
        if not 200 <= status < 300:
            hint = _HINTS.get(status, "is [registry] url right?")
            raise self._error(f"it answered {status}{self._begin(body)}", hint)
        try:
            return json.loads(body)
        except (ValueError, RecursionError):  # brackets in brackets without end
            raise self._error(f"its answer is no JSON{self._begin(body)}", "is [registry] url right?") from None

    def _begin(self, body: bytes) -> str:
        words = self._masked(" ".join(readable(body.decode(errors="replace")).split()))
        return f": {words[:_SHOWN]}" if words else ""

    def _error(self, words: str, hint: str) -> RegistryError:
        return RegistryError(f"`{self.url}`: {self._masked(words)}", hint)

    def _masked(self, words: str) -> str:
        for secret in self.secrets:
            words = words.replace(secret, "[masked]") if secret else words
        return words


def key_of(environment: Mapping[str, str], name: str) -> str:
    """Read a key from the environment; it goes into a header, and nowhere else."""
    key = environment.get(name, "").strip()
    if not key:
        raise RegistryError(f"the variable {name} is not set", "put the key there; it is never written down")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise RegistryError(f"what the variable {name} holds is no key", "copy it again, without what is around it")
    return key


def _retry_after(value: str | None) -> float | None:
    """Read how long the server wants to be left alone; a date is not understood, and our own pause counts."""
    return float(value) if value and value.strip().isdecimal() else None


def _opener(url: str) -> Any:
    """Give what follows no redirect: the key would go along. A server of this machine is not looked for at a proxy."""
    import urllib.request

    proxies = [urllib.request.ProxyHandler({})] if urlsplit(url).hostname in _THIS_MACHINE else []

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *given: Any, **named: Any) -> None:
            return None

    return urllib.request.build_opener(Stay, *proxies)
