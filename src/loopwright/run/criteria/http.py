"""A URL answers with a status and, where asked for, with a body that matches."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from dataclasses import KW_ONLY, dataclass
from typing import IO, Any, ClassVar
from urllib.parse import SplitResult, urlsplit

from loopwright.errors import TaskError
from loopwright.ports import Room
from loopwright.process.aside import aside
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion
from loopwright.text.pattern import matches, valid

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_MOST_BYTES = 1_000_000
_SHOWN = 500


@dataclass(frozen=True)
class HttpCriteria(Criterion):
    """One request, made from this machine without a proxy. Redirects are followed on the same host only.

    A service that the agent wrote could otherwise have us read, and tell it, what it can't reach itself.
    """

    kind: ClassVar[str] = "http"
    primary: ClassVar[str] = "url"

    url: str
    status: int = 200
    """With a 3xx the redirect itself is what is looked at."""
    _: KW_ONLY
    body: str | None = None
    """A regular expression that must match somewhere in the first megabyte."""
    method: str = "GET"
    timeout_s: float = 10.0
    """For the whole answer, from the name of the host to the last byte."""

    def __post_init__(self) -> None:
        _check_url(self.url)
        object.__setattr__(self, "method", self.method.upper())
        if self.method not in _METHODS:
            raise TaskError(f"there is no method `{self.method}`", f"one of: {', '.join(_METHODS)}")
        if not 100 <= self.status <= 599:
            raise TaskError(f"`{self.status}` is not an HTTP status", "write one from 100 to 599")
        if self.body is not None:
            valid(self.body)
            if self.method == "HEAD":
                raise TaskError("an answer to HEAD has no body", "use GET to look at the body")
        if not self.timeout_s > 0:
            raise TaskError(f"`timeout_s` of `{self.url}` is {self.timeout_s}: it must be more than 0")

    def describe(self) -> str:
        asked = f"http {self.method} {self.url} answers {self.status}"
        return asked if self.body is None else f"{asked} with `{self.body}` in the body"

    def evaluate(self, room: Room) -> Evidence:
        try:
            status, text = aside(
                self.timeout_s, ask, self.url, self.method, self.status, _SHOWN if self.body is None else _MOST_BYTES
            )
        except TimeoutError:
            return Evidence(Verdict.FAIL, f"no whole answer within {self.timeout_s:g} s", timed_out=True)
        if status is None:
            return Evidence(Verdict.FAIL, text)
        if status != self.status:
            return Evidence(Verdict.FAIL, _with_body(f"it answered {status}", text))
        return Evidence(Verdict.PASS, f"it answered {status}") if self.body is None else self._match(self.body, text)

    def _match(self, pattern: str, text: str) -> Evidence:
        try:
            if matches(pattern, text, self.timeout_s):
                return Evidence(Verdict.PASS, f"it answered {self.status} and the body matches `{pattern}`")
        except TimeoutError:
            return Evidence(
                Verdict.FAIL, f"`{pattern}` took longer than {self.timeout_s:g} s: it backtracks", timed_out=True
            )
        return Evidence(
            Verdict.FAIL, _with_body(f"it answered {self.status}, and `{pattern}` is not in the body", text)
        )


class SameHost(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only to where the request went anyway, or to its https."""

    def __init__(self, expected: int) -> None:
        self._follow = not 300 <= expected <= 399

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if not self._follow:
            return None
        if not _is_same_host(urlsplit(req.full_url), urlsplit(newurl)):
            raise urllib.error.URLError(f"it redirects to `{newurl[:200]}`, which is elsewhere: ask there")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def ask(url: str, method: str, expected: int, most: int) -> tuple[int | None, str]:
    """Give the status and the beginning of the body, or None and what went wrong."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        SameHost(expected),
    ):
        opener.add_handler(handler)
    request = urllib.request.Request(url, method=method, headers={"User-Agent": "loopwright", "Connection": "close"})
    try:
        try:
            answer = opener.open(request)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status, _read(answer, expected, most)
    except urllib.error.URLError as error:
        return None, f"no answer: {error.reason}"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return None, f"no answer: {type(error).__name__}: {error}"


def _read(answer: Any, expected: int, most: int) -> str:
    # One piece is enough to show what is wrong; only a body that has to match is waited for.
    data: bytes = answer.read(most) if answer.status == expected and most > _SHOWN else answer.read1(_SHOWN)
    return data.decode(errors="replace")


def _is_same_host(before: SplitResult, after: SplitResult) -> bool:
    if after.scheme not in ("http", "https") or before.hostname != after.hostname:
        return False
    is_upgrade = (before.scheme, after.scheme) == ("http", "https")
    return is_upgrade or (before.scheme == after.scheme and before.port == after.port)


def _with_body(text: str, body: str) -> str:
    return f"{text}; the body begins:\n{body[:_SHOWN]}" if body else text


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        port_is_possible = parts.port != 0
    except ValueError as error:
        raise TaskError(f"`{url}` is not a URL: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_possible:
        raise TaskError(f"`{url}` is not an http or https URL", "write http://localhost:8000/health")
    if parts.username is not None or parts.password is not None:
        raise TaskError(f"the URL of `{parts.hostname}` holds a name or a password", "criteria are shown to the agent")
    if not url.isascii() or any(sign <= " " or sign == "\x7f" for sign in url):
        raise TaskError(f"`{url}` has signs that no URL has", "write them as %20 and the like")
