"""Tokens and cost of Claude Code, each counted once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from claude_words import NAMES, RESULTLESS, play, tell

from loopwright.records.budget import Usage
from loopwright.records.event import EventKind
from loopwright.text.stream_json import StreamJson
from recordings import of_kind, recorded

# What the newest result says, where that is all; the others are explained at their tests.
USED = {
    "claude_asks": (Usage(210, 41, 1000, 100), 0.00192),
    "claude_badall": (Usage(), 0.0),
    "claude_badjson_r2": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_budget": (Usage(330, 63, 3000, 150), 0.0033975),
    "claude_c197r": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_c197r_othercwd": (Usage(), 0.0),
    "claude_c197r_resume": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_cutoff_r2": (Usage(200, 21, 0, 100), 0.00129),
    "claude_err400": (Usage(), 0.0),
    "claude_err401": (Usage(), 0.0),
    "claude_err403": (Usage(), 0.0),
    "claude_err404": (Usage(), 0.0),
    "claude_err429_r2": (Usage(), 0.0),
    "claude_err500_r2": (Usage(), 0.0),
    "claude_err529_defaultretries": (Usage(), 0.0),
    "claude_err529_r2": (Usage(), 0.0),
    "claude_flaky529": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_hello": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_jsonschema": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_maxtokens": (Usage(460, 86, 6000, 200), 0.00522),
    "claude_maxturns": (Usage(330, 63, 3000, 150), 0.0033975),
    "claude_midError_r2": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_partial": (Usage(210, 41, 1000, 100), 0.00192),
    "claude_refusal": (Usage(210, 41, 1000, 100), 0.00192),
    "claude_resume": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_after_sigkill": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_after_sigterm": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_fork": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_resume_missing": (Usage(), 0.0),
    "claude_resume_othercwd": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_sessionid_reuse": (Usage(), 0.0),
    "claude_sigint_in_bash": (Usage(100, 20, 0, 50), 0.0007875),
    "claude_sigkill_in_bash": (Usage(100, 1, 0, 50), 0.0),
    "claude_sigterm_in_bash": (Usage(100, 1, 0, 50), 0.0),
    "claude_sigterm_in_stream": (Usage(), 0.0),
    "claude_subagent": (Usage(540, 104, 4000, 250), 0.0053175),
    "claude_toolong": (Usage(), 0.0),
    "claude_tools_acceptEdits": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_allowed": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_bypass_root": (Usage(), 0.0),
    "claude_tools_bypass_sandboxenv": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_default": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_tools_dontAsk": (Usage(1080, 188, 28000, 400), 0.01596),
    "claude_truncjson": (Usage(210, 41, 1000, 100), 0.00192),
}


@pytest.mark.parametrize("name", NAMES)
def test_tokens_and_cost_are_counted_once(name: str) -> None:
    """Tokens and cost are those of the results, whatever the assistant lines repeat."""
    tokens, cost = USED[name]
    used = play(name)[0].usage()
    assert used[0] == tokens
    assert used[1] == pytest.approx(cost)


@pytest.mark.parametrize("name", NAMES)
def test_usage_events_add_up(name: str) -> None:
    """The usage events of a stream that has a result add up to its usage."""
    stream, events = play(name)
    usage = of_kind(events, EventKind.USAGE)
    assert len(usage) == len(of_kind(events, EventKind.RESULT))
    if name not in RESULTLESS:
        tokens, cost = stream.usage()
        assert sum(event.data["input"] for event in usage) == tokens.input
        assert sum(event.data["output"] for event in usage) == tokens.output
        assert sum(event.data["cost_usd"] for event in usage) == pytest.approx(cost)


def test_a_running_stream_counts_each_message_once() -> None:
    """Before the result, tokens are counted once for each message, although three lines repeat them."""
    stream = StreamJson()
    tell(stream, *recorded("claude_tools_allowed")[:5])
    assert stream.usage() == (Usage(100, 1, 0, 50), 0.0)


def test_partial_messages_correct_the_running_count() -> None:
    """Where partial messages are streamed, the end of a message gives its real output tokens."""
    stream = StreamJson()
    tell(stream, *recorded("claude_partial")[:-1])
    assert stream.usage() == (Usage(210, 41, 1000, 100), 0.0)


def _result(**fields: Any) -> str:
    return json.dumps({"type": "result", "subtype": "success", "is_error": False, "session_id": "a", **fields})


def test_older_results_are_cumulative_within_a_session() -> None:
    """Without model_usage_since_last_result, a later result of a session replaces the earlier one."""
    stream, models = StreamJson(), {"m": {"inputTokens": 10, "outputTokens": 5}}
    tell(stream, _result(total_cost_usd=0.5, usage={"input_tokens": 7}, modelUsage=models))
    models["m"]["inputTokens"] = 30
    tell(stream, _result(total_cost_usd=0.75, usage={"input_tokens": 9}, modelUsage=models))
    assert stream.usage() == (Usage(30, 5), 0.75)


def test_a_resumed_session_counts_what_is_new() -> None:
    """An empty model_usage_since_last_result means that nothing was used, whatever the session cost before."""
    stream = StreamJson()
    models = {"m": {"inputTokens": 10, "costUSD": 0.5}}
    tell(stream, _result(total_cost_usd=0.5, modelUsage=models, model_usage_since_last_result={}))
    assert stream.usage() == (Usage(), 0.0)


def test_sessions_of_one_stream_add_up() -> None:
    """A program that starts an agent twice has used what both say."""
    stream = StreamJson()
    tell(stream, _result(total_cost_usd=0.5, usage={"input_tokens": 7}))
    tell(stream, _result(total_cost_usd=0.25, usage={"input_tokens": 9}, session_id="b"))
    assert stream.usage() == (Usage(16), 0.75)
