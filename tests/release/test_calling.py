"""JSON over HTTP: what is tried again, what is not, and what nobody is told."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from loopback import Handler, on_loopback
from loopwright.errors import RegistryError
from loopwright.release.calling import TRIES, Server, key_of
from registry_servers import BASIC, SECRET, Cut, Fails, LangfuseServer, RegistryServer, Slow, Trouble, serving

PATH = ("api", "public", "v2", "prompts")
TEXT = {"name": "a/b", "type": "text", "prompt": "Be kind."}


def server_at(stub: RegistryServer, waits: list[float], timeout_s: float = 5) -> Server:
    return Server(stub.url, {"Authorization": f"Basic {BASIC}"}, (BASIC, SECRET), timeout_s, waits.append)


@pytest.mark.parametrize(
    "trouble", [Fails(500), Fails(502, b"<html>bad gateway</html>"), Fails(503), Fails(429), Cut(), Cut(done=True)]
)
def test_what_passes_is_tried_again(trouble: Trouble) -> None:
    """An error of the server, too many requests, a lost connection: it is tried again, after ever longer pauses."""
    waits: list[float] = []
    with serving(LangfuseServer()) as stub:
        stub.fail("GET", trouble, trouble)
        assert server_at(stub, waits).get(*PATH, page=1)["data"] == []
    assert (waits, len(stub.requests)) == ([0.5, 1.0], 3)


def test_what_is_told_reaches_the_server_after_all() -> None:
    """A write is tried again as a read is; where the answer was lost, the server has it twice."""
    waits: list[float] = []
    with serving(LangfuseServer()) as stub:
        stub.fail("POST", Fails(503), Cut(done=True))
        assert server_at(stub, waits).post(*PATH, body=TEXT)["version"] == 2
    assert [one["prompt"] for one in stub.prompts["a/b"]] == ["Be kind."] * 2


def test_the_server_says_how_long_to_wait() -> None:
    """Retry-After is heeded; one that is too long ends it, and a date is no number."""
    waits: list[float] = []
    with serving(LangfuseServer()) as stub:
        stub.fail("GET", Fails(429, headers={"Retry-After": "7"}), Fails(429, headers={"Retry-After": "Mon, 1 Jan"}))
        assert server_at(stub, waits).get(*PATH)["data"] == []
        assert waits == [7.0, 1.0]
        stub.fail("GET", Fails(429, headers={"Retry-After": "3600"}))
        with pytest.raises(RegistryError, match="429"):
            server_at(stub, waits).get(*PATH)
    assert waits == [7.0, 1.0]


def test_it_is_not_tried_for_ever() -> None:
    """After a few tries it is an error that says so, with the server's words."""
    waits: list[float] = []
    with serving(LangfuseServer()) as stub:
        stub.fail("GET", *[Fails(500)] * 9)
        with pytest.raises(RegistryError, match=r"500: .*the stub says so") as failed:
            server_at(stub, waits).get(*PATH)
    assert (len(stub.requests), f"{TRIES} tries" in failed.value.hint) == (TRIES, True)
    with pytest.raises(RegistryError, match="can't be reached"):
        server_at(stub, waits).get(*PATH)


def test_a_silent_server_is_not_waited_for() -> None:
    """A server that does not answer within the limit counts as one that can't be reached."""
    waits: list[float] = []
    with serving(LangfuseServer()) as stub:
        stub.fail("GET", *[Slow()] * TRIES)
        begun = time.monotonic()
        with pytest.raises(RegistryError, match=r"timed out|took longer"):
            server_at(stub, waits, 0.2).get(*PATH)
    assert time.monotonic() - begun < 20  # the stub would wait for two minutes


def test_an_answer_in_drops_is_not_waited_for() -> None:
    """Each piece in time is not enough: the whole has its limit."""

    class Drops(Handler):
        def get(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):  # who waited has left
                for _ in range(200):
                    self.wfile.write(b" ")
                    time.sleep(0.05)

    with on_loopback(Drops) as url, pytest.raises(RegistryError, match="its answer took longer than 1 s"):
        Server(url, {}, (), 1, lambda seconds: None).get("a")


def test_headers_in_drops_are_not_waited_for() -> None:
    """A header now and then is no answer: the limit is for all that comes before the body as well."""

    class Headers(Handler):
        def get(self) -> None:
            with suppress(OSError):  # who waited has left
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                for _ in range(80):
                    self.wfile.write(b"X-A: b\r\n")
                    self.wfile.flush()
                    time.sleep(0.1)

    begun = time.monotonic()
    with on_loopback(Headers) as url, pytest.raises(RegistryError, match=r"its answer took longer than 0\.5 s"):
        Server(url, {}, (), 0.5, lambda seconds: None).get("a")
    assert time.monotonic() - begun < 0.5 * TRIES + 4


@pytest.mark.parametrize("body", [b"[" * 200_000, b'{"a":' * 100_000, b"9" * 6_000])
def test_an_answer_without_end_is_no_json(body: bytes) -> None:
    """Brackets in brackets and numbers that fill pages are told as what they are not."""
    with serving(LangfuseServer()) as stub:
        stub.fail("GET", Fails(200, body))
        with pytest.raises(RegistryError, match="is no JSON") as failed:
            server_at(stub, []).get(*PATH)
    assert len(str(failed.value)) < 400


@pytest.mark.parametrize("status", [400, 401, 403, 409, 422, 418])
def test_what_is_refused_is_not_tried_again(status: int) -> None:
    """A wrong key, a conflict and a wrong request stay so: one try, an error with a hint."""
    waits: list[float] = []
    with serving(LangfuseServer()) as stub:
        stub.fail("POST", Fails(status))
        with pytest.raises(RegistryError, match=str(status)) as failed:
            server_at(stub, waits).post(*PATH, body=TEXT)
    assert (waits, len(stub.requests), bool(failed.value.hint)) == ([], 1, True)


@pytest.mark.parametrize("status", [200, 404])
def test_a_page_is_no_answer(status: int) -> None:
    """HTML in the place of JSON says that the address is wrong, and not that a prompt is missing."""
    with serving(LangfuseServer()) as stub:
        stub.fail("GET", Fails(status, b"<html>a login page</html>"))
        with pytest.raises(RegistryError, match="a login page") as failed:
            server_at(stub, []).get(*PATH)
    assert "url" in failed.value.hint


def test_no_message_holds_a_key() -> None:
    """What the server answers is told without the keys in it, also where it is cut."""
    with serving(LangfuseServer()) as stub:
        wrong = Server(stub.url, {"Authorization": "Basic d3Jvbmc6a2V5"}, ("d3Jvbmc6a2V5",))
        stub.fail("GET", Fails(400, b'{"message": "' + b"x" * 180 + BASIC.encode() + b'"}'))
        for server in (server_at(stub, []), wrong):
            with pytest.raises(RegistryError) as failed:
                server.get(*PATH)
            assert not any(part in str(failed.value) for part in (BASIC[:12], SECRET, "d3Jvbmc6"))
        assert "[masked]" in str(failed.value)
        assert BASIC not in repr(server_at(stub, []))


def test_a_server_of_this_machine_needs_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment is for others; those are asked through it."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(LangfuseServer()) as stub:
        assert server_at(stub, []).get(*PATH)["data"] == []
    with pytest.raises(RegistryError, match="refused"):
        Server("http://registry.invalid", {}, (), 1, lambda seconds: None).get("a")


def test_no_redirect_is_followed() -> None:
    """The key would go along to wherever it leads."""
    with serving(LangfuseServer()) as stub, serving(LangfuseServer()) as other:
        stub.fail("GET", Fails(302, headers={"Location": f"{other.url}/api/public/v2/prompts"}))
        with pytest.raises(RegistryError, match="302"):
            server_at(stub, []).get(*PATH)
        assert other.requests == []


@pytest.mark.parametrize("value", ["", "  ", "two words", "a\nb", "schlüssel"])
def test_what_is_no_key_is_refused(value: str) -> None:
    """A missing or mangled key is told by its variable, and its value is not."""
    with pytest.raises(RegistryError, match="the variable A_KEY") as failed:
        key_of({"A_KEY": value}, "A_KEY")
    assert not value.strip() or value not in str(failed.value)
