"""How the end of an agent is judged, over the recordings and over plain text."""

from __future__ import annotations

import json
import time
from datetime import datetime

import pytest

from loopwright.ports import Outcome, Stream
from loopwright.records.budget import Usage
from loopwright.records.event import EventKind
from loopwright.records.run import Ending
from loopwright.run.agent_stream import AgentStream
from loopwright.run.json_stream import DETAIL_LIMIT, OUTPUT_LIMIT
from recordings import cases, replay

CASES = cases("claude")


def _outcome(name: str) -> Outcome:
    return replay(AgentStream(), name)[1]


@pytest.mark.parametrize("name", sorted(CASES))
def test_every_recording_ends_as_it_did(name: str) -> None:
    """An end with exit code 0 is no error, but for an interrupt; each error says why."""
    outcome = _outcome(name)
    assert (outcome.ending not in (Ending.FINISHED, Ending.DENIED)) is (
        CASES[name] != 0 or name == "claude_sigint_in_bash"
    )
    assert bool(outcome.detail) is (outcome.ending is not Ending.FINISHED)
    assert len(outcome.detail) <= DETAIL_LIMIT


ENDINGS = {
    Ending.UNAVAILABLE: ("badall", "err429_r2", "err500_r2", "err529_r2", "err529_defaultretries"),
    Ending.NO_ACCESS: ("err401", "err403", "err404"),
    Ending.MAX_TURNS: ("maxturns",),
    Ending.REFUSED: ("refusal",),
    Ending.DENIED: ("tools_acceptEdits", "tools_default", "tools_dontAsk"),
    Ending.ERROR: (
        *("budget", "c197r_othercwd", "err400", "maxtokens", "resume_missing", "sessionid_reuse", "toolong"),
        *("sigint_in_bash", "sigkill_in_bash", "sigterm_in_bash", "sigterm_in_stream", "tools_bypass_root"),
    ),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_recording_has_its_own_ending(name: str) -> None:
    """What passes by itself, what a person has to mend, and what the agent could not or did not want to do differ."""
    expected = [ending for ending, names in ENDINGS.items() if name.removeprefix("claude_") in names]
    assert [_outcome(name).ending] == (expected or [Ending.FINISHED])


def test_only_a_conversation_that_is_too_long_is_over_its_limit() -> None:
    """No other trouble ends a conversation, so the next iteration may go on with it."""
    assert [name for name in CASES if _outcome(name).over_limit] == ["claude_toolong"]


def test_a_conversation_that_is_not_there_is_not_gone_on_with() -> None:
    """The next iteration begins afresh when the one before could not find its conversation."""
    assert _outcome("claude_resume_missing").conversation == ""
    assert _outcome("claude_err529_r2").conversation


def test_a_limit_says_when_it_is_lifted() -> None:
    """An event about a limit that was reached gives the time at which the model may be asked again."""
    stream, resets = AgentStream(), int(time.time()) + 7200
    for status, moment in (("rejected", resets), ("allowed", resets + 99)):
        info = {"status": status, "resetsAt": moment, "rateLimitType": "five_hour"}
        list(stream.feed(json.dumps({"type": "rate_limit_event", "rate_limit_info": info})))
    list(stream.feed(json.dumps({"type": "result", "is_error": True, "api_error_status": 429, "result": "no more"})))
    outcome = stream.outcome(1, "")
    assert (outcome.ending, outcome.detail) == (Ending.UNAVAILABLE, "exit code 1: no more")
    assert datetime.fromisoformat(outcome.retry_at).timestamp() == resets


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("claude_err400", "exit code 1: API Error: 400 stub says 400"),
        ("claude_maxturns", "exit code 1: Reached maximum number of turns (3)"),
        ("claude_sessionid_reuse", "exit code 1: Error: Session ID 11111111-1111-4111-8111-111111111111 is already"),
        ("claude_sigkill_in_bash", "exit code 137: it ended without a result"),
        ("claude_tools_default", "tool calls were denied: Write, Bash"),
    ],
)
def test_the_detail_says_why(name: str, detail: str) -> None:
    """The detail has the exit code and the agent's own reason, else the last line of stderr, else the denials."""
    assert _outcome(name).detail.startswith(detail)


def test_a_stream_gives_its_last_words_and_its_model() -> None:
    """Output is the text of the last result; model, usage and cost are as reported."""
    outcome = _outcome("claude_subagent")
    assert (outcome.output, outcome.model) == ("(script exhausted)", "claude-sonnet-4-5")
    assert outcome.usage.total == 4894
    assert outcome.cost_usd == pytest.approx(0.0053175)


def test_a_killed_stream_still_has_last_words() -> None:
    """Without a result, the newest message is the output."""
    assert _outcome("claude_sigterm_in_bash").output == "Sleeping."


def test_a_killed_stream_is_paid_for() -> None:
    """What an agent used that could not say what it cost has the price of its model."""
    outcome = _outcome("claude_sigkill_in_bash")
    assert outcome.usage == Usage(input=100, output=1, cache_write=50)
    assert outcome.cost_usd == pytest.approx((100 * 3 + 1 * 15 + 50 * 3.75) / 10**6)
    assert _outcome("claude_sigterm_in_stream").cost_usd == 0


def test_an_end_without_a_result_is_an_error() -> None:
    """A stream-json agent that leaves with exit code 0 and no result has failed; a plain program has not."""
    assert AgentStream().outcome(0, "").detail == "it ended without a result"
    assert AgentStream().outcome(0, "").ending is Ending.ERROR
    assert AgentStream(plain=True).outcome(0, "").ending is Ending.FINISHED


def test_what_is_printed_instead_of_a_result_is_told() -> None:
    """The first line that says something is named, and where the rest is; it is not taken for a server's complaint."""
    stream = AgentStream()
    for line in ("╭────╮\n", "│ Do you   trust this folder? │\n", "rate limit\n"):
        list(stream.feed(line))
    outcome = stream.outcome(0, "")
    told = "it ended without a result, and printed `│ Do you trust this folder? │`; all of it: loopwright show RUN"
    assert (outcome.ending, outcome.detail.startswith(told)) == (Ending.ERROR, True)
    unknown = AgentStream()
    list(unknown.feed('{"type": "rate_limits", "words": "' + "x" * 5000 + '"}'))
    assert unknown.outcome(0, "").ending is Ending.ERROR
    assert '`{"type": "rate_limits", "words": "xxx' in unknown.outcome(0, "").detail
    assert "…`; all of it: loopwright show RUN --timeline" in unknown.outcome(0, "").detail
    assert unknown.outcome(1, "boom").detail == "exit code 1: boom"


@pytest.mark.parametrize(
    ("exit_code", "detail"),
    [
        (3, "exit code 3: boom"),
        (-9, "ended by SIGKILL: boom"),
        (-99, "ended by signal 99: boom"),
        (None, "no exit code: boom"),
    ],
)
def test_the_end_is_put_in_words(exit_code: int | None, detail: str) -> None:
    """Exit code, signal or neither stand before the last line of stderr."""
    assert AgentStream(plain=True).outcome(exit_code, "first\nboom\n").detail == detail


def test_plain_lines_are_messages_and_the_tail_is_the_output() -> None:
    """Each line that is not blank is a message; the output is the end of all of them, bounded."""
    stream = AgentStream(plain=True)
    events = [event for number in range(5000) for event in stream.feed(f"line {number}\n")]
    assert {event.kind for event in events} == {EventKind.MESSAGE}
    assert len(events) == 5000
    assert list(stream.feed(" \n")) == []
    output = stream.outcome(0, "").output
    assert output.endswith("line 4999")
    assert OUTPUT_LIMIT - 100 < len(output) <= OUTPUT_LIMIT


def test_a_line_longer_than_all_output_keeps_its_end() -> None:
    """Of one very long line the output is its end."""
    stream = AgentStream(plain=True)
    list(stream.feed("before\n"))
    list(stream.feed("x" * 50_000 + "end"))
    output = stream.outcome(0, "").output
    assert output.endswith("xend")
    assert len(output) == OUTPUT_LIMIT


def test_long_last_words_keep_their_end() -> None:
    """Of a result's long text the end is the output."""
    stream = AgentStream()
    list(stream.feed(json.dumps({"type": "result", "is_error": False, "result": "x" * 50_000 + "end"})))
    assert stream.outcome(0, "").output == "x" * (OUTPUT_LIMIT - 3) + "end"


def test_plain_text_and_stream_json_may_be_mixed() -> None:
    """Lines of the protocol are read as such between plain ones, and their result is the last word."""
    stream = AgentStream(plain=True)
    result = {"type": "result", "is_error": True, "result": "no luck", "total_cost_usd": 0.5}
    kinds = [e.kind for line in ("hello", json.dumps(result), '{"type": "else"}') for e in stream.feed(line)]
    assert kinds == [EventKind.MESSAGE, EventKind.USAGE, EventKind.RESULT, EventKind.MESSAGE]
    outcome = stream.outcome(0, "")
    assert (outcome.ending, outcome.output, outcome.detail, outcome.cost_usd) == (
        Ending.ERROR,
        "no luck",
        "no luck",
        0.5,
    )


def test_impossible_is_read_from_the_last_words() -> None:
    """An agent that says why the criteria can't be met is heard, without being an error."""
    stream = AgentStream(plain=True)
    for line in ("I looked.", "IMPOSSIBLE: the test contradicts itself"):
        list(stream.feed(line))
    outcome = stream.outcome(0, "")
    assert (outcome.ending, outcome.impossible) == (Ending.FINISHED, "the test contradicts itself")


def test_it_is_a_stream() -> None:
    """It has what the port asks for."""
    stream: Stream = AgentStream()
    assert stream.usage()[1] == 0.0
