from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopback import Handler, on_loopback
from loopwright.errors import TaskError
from loopwright.records import shape
from loopwright.records.check import Verdict
from loopwright.run.criteria.http import HttpCriteria


class Pages(Handler):
    """Answers by the path that was asked for."""

    def get(self) -> None:
        name = self.path.partition("?")[0].strip("/")
        getattr(self, f"serve_{name}", self.serve_missing)()

    post = head = get

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def serve_missing(self) -> None:
        self.answer(404, b"nothing here")

    def serve_health(self) -> None:
        self.answer(200, f'{{"status": "ok", "method": "{self.command}"}}'.encode())

    def serve_broken(self) -> None:
        self.answer(500, b"Traceback: boom")

    def serve_aaa(self) -> None:
        self.answer(200, b"a" * 5000 + b"b")

    def serve_huge(self) -> None:
        self.answer(200, b"x" * 1_000_000 + b"needle")

    def serve_here(self) -> None:
        self.answer(302, Location="/health")

    def serve_elsewhere(self) -> None:
        self.answer(302, Location=f"http://localhost:{self.server.server_port}/health")

    def serve_other_port(self) -> None:
        port = int(self.path.partition("?")[2])
        self.answer(302, Location=f"http://127.0.0.1:{port}/health")

    def serve_file(self) -> None:
        self.answer(302, Location="file:///etc/passwd")

    def serve_drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.drip()

    def serve_drip_head(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        self.drip()

    def drip(self) -> None:
        try:
            for _ in range(200):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            self.close_connection = True


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with on_loopback(Pages) as url:
        yield url


def test_status_and_body(room, site):
    """A URL that answers as it should passes; the body may be asked for by word or expression."""
    assert HttpCriteria(f"{site}/health").evaluate(room).verdict is Verdict.PASS
    assert HttpCriteria(f"{site}/health", body="ok").evaluate(room).verdict is Verdict.PASS
    assert HttpCriteria(f"{site}/health", body=r'"status":\s+"ok"').evaluate(room).verdict is Verdict.PASS
    assert HttpCriteria(f"{site}/nothing", 404).evaluate(room).verdict is Verdict.PASS


def test_wrong_status_shows_body(room, site):
    """A wrong status fails, and the evidence shows how the body begins."""
    evidence = HttpCriteria(f"{site}/broken", body="ok").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert evidence.text == "it answered 500; the body begins:\nTraceback: boom"


def test_wrong_body_fails(room, site):
    """A body that does not match fails, and is shown."""
    evidence = HttpCriteria(f"{site}/nothing", 404, body="^health").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert "`^health` is not in the body" in evidence.text
    assert "nothing here" in evidence.text


@pytest.mark.parametrize("method", ["POST", "post"])
def test_method(room, site, method):
    """The method is the one that was asked for."""
    assert HttpCriteria(f"{site}/health", body='"POST"', method=method).evaluate(room).verdict is Verdict.PASS
    assert HttpCriteria(f"{site}/health", method="HEAD").evaluate(room).verdict is Verdict.PASS


def test_refused_connection_fails_with_its_reason(room):
    """Where nothing listens the criterion fails and says why."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        evidence = HttpCriteria(f"http://127.0.0.1:{unused.getsockname()[1]}/").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert "refused" in evidence.text


def test_answer_that_is_no_http_fails(room):
    """A server that speaks something else fails with what is wrong, and nothing is raised."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-x\r\n")

        thread = threading.Thread(target=speak)
        thread.start()
        evidence = HttpCriteria(f"http://127.0.0.1:{server.getsockname()[1]}/").evaluate(room)
        thread.join()
    assert evidence.verdict is Verdict.FAIL
    assert "BadStatusLine" in evidence.text


@pytest.mark.parametrize(("path", "body"), [("drip", "done"), ("drip_head", None)])
def test_slow_answer_is_ended(room, site, path, body):
    """The limit is for the answer as a whole: a byte now and then doesn't lengthen it."""
    started = time.monotonic()
    evidence = HttpCriteria(f"{site}/{path}", body=body, timeout_s=1).evaluate(room)
    assert time.monotonic() - started < 5
    assert (evidence.verdict, evidence.timed_out) == (Verdict.FAIL, True)
    assert evidence.text == "no whole answer within 1 s"


def test_body_that_is_not_asked_for_is_not_waited_for(room, site):
    """An endless stream answers as soon as its status is there."""
    assert HttpCriteria(f"{site}/drip", timeout_s=5).evaluate(room).verdict is Verdict.PASS


def test_backtracking_body_pattern_is_ended(room, site):
    """A pattern that backtracks on the body fails at its limit."""
    evidence = HttpCriteria(f"{site}/aaa", body="(a+)+$", timeout_s=1).evaluate(room)
    assert (evidence.verdict, evidence.timed_out) == (Verdict.FAIL, True)
    assert "it backtracks" in evidence.text


def test_body_is_bounded(room, site):
    """Only the first megabyte of a body is looked at."""
    assert HttpCriteria(f"{site}/huge", body="needle").evaluate(room).verdict is Verdict.FAIL


def test_redirect_is_followed_on_the_same_host(room, site):
    """A redirect within the host leads to its target; with a 3xx asked for it is looked at itself."""
    assert HttpCriteria(f"{site}/here", body="ok").evaluate(room).verdict is Verdict.PASS
    assert HttpCriteria(f"{site}/here", 302).evaluate(room).verdict is Verdict.PASS


def test_redirect_elsewhere_is_not_followed(room, site):
    """A service can't send us to another host, port or scheme and have the answer told."""
    with on_loopback(Pages) as other:
        for path in ("elsewhere", f"other_port?{other.rpartition(':')[2]}"):
            evidence = HttpCriteria(f"{site}/{path}").evaluate(room)
            assert evidence.verdict is Verdict.FAIL
            assert "it redirects to" in evidence.text
    evidence = HttpCriteria(f"{site}/file").evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.FAIL, "it answered 302")


def test_proxies_are_not_used(room, site, monkeypatch):
    """A proxy of the environment does not stand between a check and the service."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert HttpCriteria(f"{site}/health").evaluate(room).verdict is Verdict.PASS


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://x/",
        "localhost:8000",
        "http://",
        "",
        "http://user:password@x/",
        "http://evil\0.allowed.com/",
        "http://x/a b",
        "http://x/\r\nHost: y",
        "http://x:99999/",
        "http://[::1/",
        "http://x/ä",
    ],
)
def test_impossible_url_is_refused(url):
    """What is no plain http or https URL is refused before a run starts."""
    with pytest.raises(TaskError):
        HttpCriteria(url)


def test_password_is_not_repeated():
    """The refusal of a URL with a password does not show the password."""
    with pytest.raises(TaskError) as caught:
        HttpCriteria("http://user:hunter2@x/")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": 42},
        {"body": "("},
        {"method": "BREW"},
        {"timeout_s": 0},
        {"method": "HEAD", "body": "x"},
        {"body": ""},
    ],
)
def test_impossible_fields_are_refused(fields):
    """A status, a pattern, a method and a limit that can't be are refused before a run starts."""
    with pytest.raises(TaskError):
        HttpCriteria("http://localhost/", **fields)


@given(
    st.integers(100, 599),
    st.none() | st.text(st.characters(exclude_characters=r".^$*+?{}[]\|()"), min_size=1),
    st.sampled_from(["GET", "POST", "delete"]),
    st.integers(1, 100),
)
def test_round_trip(status, body, method, timeout_s):
    """What is written as plain data is read back as the same criterion with the same hash."""
    criterion = HttpCriteria("https://x/", status, body=body, method=method, timeout_s=timeout_s)
    again = shape.criterion(criterion.to_dict(), lambda _: HttpCriteria)
    assert again == criterion
    assert again.hash == criterion.hash


def test_describe():
    """The words say what must hold."""
    assert HttpCriteria("http://x/", body="ok").describe() == "http GET http://x/ answers 200 with `ok` in the body"
