"""The real Claude Code while things go wrong: its server, its login, and us."""

from __future__ import annotations

import signal
import subprocess
import time
from datetime import datetime
from pathlib import Path

import pytest

from e2e.anthropic import Answer, at_first, fails, flawed, in_turn, says, uses
from e2e.conftest import Claude
from world import start, wait_for

FIX = uses("Bash", command="echo 42 > answer", description="Write the answer")
WORKS = in_turn(FIX, says("done"))


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(fails(429, "rate_limit_error", "try again in 2 seconds", retry_after="0"), id="429"),
        pytest.param(fails(500, "api_error"), id="500"),
        pytest.param(fails(529, "overloaded_error"), id="529"),
        pytest.param(flawed("garbage"), id="garbage"),
        pytest.param(flawed("cut"), id="cut"),
    ],
)
def test_a_model_that_is_out_of_order_is_waited_for(claude: Claude, trouble: Answer) -> None:
    """The run goes on by itself when the model is there again, and no iteration was spent on it."""
    claude.set("limits", unavailable="30s")
    done = claude.run(at_first(trouble, WORKS), "--max-iterations", 1)
    assert (done.code, done.json["iterations"]) == (0, 1)
    assert claude.endings() == ["unavailable", "finished"]
    assert "paused: the model is not available" in done.err


def test_a_limit_that_lasts_is_put_before_a_person(claude: Claude) -> None:
    """A limit that is lifted later than we wait ends the run at once, with the time at which it can go on."""
    trouble = fails(429, "rate_limit_error", "You are over your limit, try again in 2 hours", retry_after="7200")
    began = time.time()
    done = claude.run(lambda _: trouble)
    assert (done.code, done.json["status"], done.json["reason"]) == (5, "escalated", "unavailable")
    assert done.json["iterations"] == 0
    moment = datetime.strptime(done.json["detail"].rpartition(" at ")[2], "%Y-%m-%d %H:%M:%S %Z").timestamp()
    assert 7190 < moment - began < 7260


def test_a_wrong_key(claude: Claude) -> None:
    """Without access nothing is tried again: a person is asked at once."""
    done = claude.run(lambda _: fails(401, "authentication_error", "invalid x-api-key"))
    assert (done.code, done.json["status"], done.json["reason"]) == (5, "escalated", "no_access")
    assert claude.endings() == ["no_access"]
    assert done.json["detail"].endswith("see: loopwright doctor")


def test_no_login(claude: Claude, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Claude Code that nobody has logged in says so, and that is what the person reads."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    done = claude.run(WORKS)
    assert (done.code, done.json["reason"]) == (5, "no_access")
    assert "Not logged in" in done.json["detail"]
    assert not claude.server.requests


def test_a_server_that_never_answers(claude: Claude) -> None:
    """An agent that waits in silence is ended after the time for that, and the next one may work."""
    done = claude.run(at_first(flawed("silent"), WORKS), "--idle-timeout", "4s")
    assert (done.code, done.json["iterations"]) == (0, 2)
    assert claude.endings() == ["idle", "finished"]


def test_a_conversation_that_is_too_long(claude: Claude) -> None:
    """A conversation that is over its limit is not gone on with: the next iteration begins a new one."""
    profile = claude.profile(conversation="resume")
    trouble = fails(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum")
    done = claude.run(at_first(trouble, WORKS), *profile)
    assert (done.code, done.json["iterations"]) == (0, 2)
    assert claude.endings() == ["error", "finished"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_we_are_ended(claude: Claude, number: signal.Signals) -> None:
    """Neither the CLI nor the command that it runs outlives us, however we end; the run is taken up and finished."""
    claude.server.script = lambda _: uses("Bash", command=f"echo half > half; sleep {NEVER}", description="Wait")
    with start(*claude.words(), cwd=claude.repo.root, stdout=subprocess.DEVNULL) as ours:
        try:
            wait_for(lambda: _running(claude.server.url, NEVER), 30)
        finally:
            ours.send_signal(number)
        ours.communicate(timeout=30)
    wait_for(lambda: not _running(claude.server.url, ""), 15)
    claude.server.script = lambda asked: says("done") if asked.results else FIX
    done = claude.loopwright("resume", "last", "--json")
    assert (done.code, done.json["reason"]) == (0, "criteria_met")
    assert claude.endings() == ["cancelled" if number == signal.SIGTERM else "lost", "finished"]
    assert claude.repo.show(done.json["branch"], "half") == "half"


NEVER = "31536.25"
"""So many seconds nobody else sleeps."""


def _running(url: str, word: str) -> list[str]:
    """Find the processes that were told of this server, of which each test has its own, by a word of theirs."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment, words = (folder / "environ").read_bytes(), (folder / "cmdline").read_bytes().decode()
        except OSError:
            continue
        if f"ANTHROPIC_BASE_URL={url}\0".encode() in environment and word in words:
            found.append(words.replace("\0", " "))
    return found
