"""Attacks, over HTTP: each is refused, and nothing of it is stored or logged."""

from __future__ import annotations

import gzip
import http.client
import json
import time
from collections.abc import Iterator

import pytest
from served import Served, serving

from loopwright.http.gate import escaped
from otlp_spans import agent_at_work, request

KEY = "a-key-of-this-test-0123456789"
JSON = {"Content-Type": "application/json"}
BODY = json.dumps(request(*agent_at_work())).encode()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("guarded"), KEY) as found:
        yield found


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *[
            (host, 400)
            for host in ("a/?", "127.0.0.1/?", "", "127.0.0.1:4318@evil.example", "a b", "[::1", "127.0.0.1:x")
        ],
        *[(host, 403) for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1", "0.0.0.0")],
    ],
)
def test_a_foreign_host_is_refused(served: Served, host: str, status: int) -> None:
    """A name that somebody else's name server made lead here is not answered to."""
    for path, body in (("/healthz", None), ("/v1/traces", BODY)):
        assert served.ask(path, body, {**JSON, "Host": host})[0] == status
    assert served.store.runs() == []


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:4318"])
def test_its_own_names_are_answered_to(served: Served, host: str) -> None:
    """This machine is known by several names, and may be reached through another port."""
    assert served.ask("/healthz", headers={"Host": host})[0] == 200


def test_two_hosts_are_refused(served: Served) -> None:
    """A request that names two hosts is refused, whichever is right."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    connection.putrequest("GET", "/healthz", skip_host=True)
    for host in ("127.0.0.1", "evil.example"):
        connection.putheader("Host", host)
    connection.endheaders()
    assert connection.getresponse().status == 400
    connection.close()


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://", "http://127.0.0.1.evil.example"]
)
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    """A page of somebody else may not write here, whatever it sends along."""
    assert served.ask("/v1/traces", BODY, {**JSON, "Origin": origin})[0] == 403
    assert served.ask("/v1/traces", BODY, {**JSON, "Sec-Fetch-Site": "cross-site"})[0] == 403
    assert served.store.runs() == []


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_what_a_page_may_send_unasked_is_refused(served: Served, kind: str) -> None:
    """Content types that browsers send without asking first are not taken; with others they ask, and hear no."""
    headers = {"Content-Type": kind} if kind else {}
    assert served.ask("/v1/traces", BODY, headers)[0] == 415
    assert served.ask("/api/agent-runs", b'{"task_type": "x", "passed": true}', headers)[0] == 415
    asked = {"Access-Control-Request-Method": "POST"}
    status, _, told = served.ask("/v1/traces", headers=asked, method="OPTIONS")
    assert status == 405
    assert not any(name.startswith("access-control") for name in told)
    assert served.store.runs() == []


def test_without_the_key_nothing_is_taken(guarded: Served) -> None:
    """No key, a wrong one, half of it, two of them: refused; only /healthz answers."""
    wrong = [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {KEY[:-1]}"}, {"Authorization": KEY}]
    wrong += [{"Authorization": f"Basic {KEY}"}, {"Authorization": "Bearer "}, {"X-Api-Key": "é"}]
    wrong += [{"Authorization": "Bearer wrong", "X-Api-Key": KEY}]
    for headers in wrong:
        status, _, told = guarded.ask("/v1/traces", BODY, JSON | headers)
        assert (status, told["www-authenticate"]) == (401, "Bearer")
    assert guarded.ask("/healthz")[0] == 200
    assert guarded.store.runs() == []


@pytest.mark.parametrize("headers", [{"Authorization": f"Bearer {KEY}"}, {"x-api-key": KEY}])
def test_with_the_key_it_is(guarded: Served, headers: dict[str, str]) -> None:
    """The key opens, as a bearer's or as X-Api-Key."""
    assert guarded.ask("/v1/traces", b"{}", JSON | headers)[0] == 200


@pytest.mark.parametrize(
    "query", [f"key={KEY}", f"api_key={KEY}", "access_token=x", f"x={KEY}", "Authorization=x", KEY]
)
def test_a_key_in_a_url_is_refused_and_not_logged(guarded: Served, query: str) -> None:
    """URLs are logged by everybody on the way: a key has no place there, also beside the right one."""
    headers = {**JSON, "Authorization": f"Bearer {KEY}"}
    before = len(guarded.log)
    assert guarded.ask(f"/v1/traces?{query}", b"{}", headers)[0] == 400
    assert _logged(guarded, before, "/v1/traces 400")
    assert KEY not in "".join(guarded.log)


@pytest.mark.parametrize("path", [f"/{KEY}", f"/v1/{'x' * 180}{KEY}", "/" + KEY.replace("a", "%61")])
def test_a_key_in_a_path_is_not_logged(guarded: Served, path: str) -> None:
    """Nor half of it, where the path is cut."""
    before = len(guarded.log)
    assert guarded.ask(path)[0] == 401
    assert KEY[:8] not in _logged(guarded, before, "[key]")


def test_the_key_as_a_name_of_a_run_is_not_stored(guarded: Served) -> None:
    """Whatever a program puts it into; what it sends again under the same id is the same run."""
    names = dict.fromkeys(("task_type", "id", "agent", "model", "prompt_hash", "by", "reason"), KEY)
    body = json.dumps({**names, "passed": True, "attributes": {KEY: KEY}, "tokens": {"input": 3}}).encode()
    headers = {**JSON, "Authorization": f"Bearer {KEY}"}
    answers = [guarded.ask("/api/agent-runs", body, headers) for _ in range(2)]
    assert [status for status, _, _ in answers] == [201, 201] and answers[0][1] == answers[1][1]
    (row,) = guarded.store.view("agent_runs")
    (run,) = guarded.store.runs()
    assert KEY not in str((row, run)) and guarded.store.sent.run_of("agent_run", KEY) is None


def _logged(served: Served, before: int, part: str) -> str:
    """Wait for a line of the log, which comes after the answer."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if lines := [line for line in served.log[before:] if part in line]:
            return lines[0]
        time.sleep(0.01)
    raise AssertionError(served.log[before:])


def test_lines_of_the_log_stay_lines(served: Served) -> None:
    """CR, LF and colours in a path do not make lines of their own."""
    before = len(served.log)
    served.ask("/x%0d%0a127.0.0.1%20GET%20/forged%20200%1b[31m")
    _logged(served, before, "forged")
    assert all("\n" not in line and "\r" not in line and "\x1b" not in line for line in served.log)
    assert any("\\r\\n127.0.0.1" in line for line in served.log)
    assert escaped("a b\n\u202e") == "a\\x20b\\n\\u202e"


def test_a_zip_bomb_is_capped(served: Served) -> None:
    """A body that is small and becomes huge is refused before it is."""
    bomb = gzip.compress(b" " * 300_000_000, 1)
    began = time.monotonic()
    status, _, _ = served.ask("/v1/traces", bomb, {**JSON, "Content-Encoding": "gzip"})
    assert status == 413
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "body", [b"no gzip", gzip.compress(b"{}")[:-3], gzip.compress(b"{}") + b"more"], ids=["none", "cut", "more"]
)
def test_what_is_no_gzip_is_refused(served: Served, body: bytes) -> None:
    """Bodies that are cut, or not packed at all, are refused."""
    assert served.ask("/v1/traces", body, {**JSON, "Content-Encoding": "gzip"})[0] == 400
    assert served.ask("/v1/traces", body, {**JSON, "Content-Encoding": "br"})[0] == 415


def test_a_body_that_is_too_large_is_refused(served: Served) -> None:
    """By what it says of its size, and by what comes where it says nothing."""
    assert served.ask("/v1/traces", b"", {**JSON, "Content-Length": "99999999999"})[0] == 413
    assert served.ask("/api/agent-runs", b" " * 3_000_000, JSON)[0] == 413
