"""The program behind the agent `api`, asked in this process: what it sends, what it prints, how it ends."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from loopwright.ports import Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Ending
from loopwright.run.agent_stream import AgentStream
from loopwright.run.api_agent import ApiAgent
from loopwright.run.api_settings import ApiSettings
from loopwright.text.prices import dollars
from model_servers import INPUT, OUTPUT, Fails, Garbage, ModelServer, Says, Step, model_server

Play = Callable[..., tuple[Outcome, list[Event], ModelServer]]


@pytest.fixture
def play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Give a function that lets the agent work against a script, and reads what it printed."""
    workspace = tmp_path / "work"
    workspace.mkdir()
    (workspace / "a.txt").write_text("one\n")

    def play(*steps: Step, anthropic: bool = False, prompt: str = "Fix it", **changes: Any) -> Any:
        with model_server(*steps, anthropic=anthropic) as server:
            api = "anthropic" if anthropic else "openai"
            settings = ApiSettings("a-model", api, server.url, "STUB_KEY", str(tmp_path), retries=0)
            environment = {"PATH": os.environ["PATH"], "STUB_KEY": "sk-stub"}
            agent = ApiAgent(replace(settings, **changes), environment, workspace)
            code = asyncio.run(agent.work(prompt))
        stream = AgentStream()
        events = [event for line in capsys.readouterr().out.splitlines() for event in stream.feed(line)]
        return stream.outcome(code, ""), events, server

    return play


def kinds(events: list[Event]) -> list[str]:
    return [event.kind.value for event in events]


@pytest.mark.parametrize("anthropic", [False, True])
def test_it_works_until_the_model_has_nothing_more_to_do(play: Play, tmp_path: Path, anthropic: bool) -> None:
    """Tools are run, their results go back to the model, and each token is counted once."""
    outcome, events, server = play(
        Says("I look.", [("Read", {"file_path": "a.txt"}), ("Bash", {"command": "echo $STUB_KEY; exit 3"})]),
        Says(calls=[("Edit", {"file_path": "a.txt", "old_string": "one", "new_string": "two"})]),
        Says("It is two now.", cached=40),
        anthropic=anthropic,
        system_prompt="Be brief.",
        temperature=0.5,
    )
    assert (tmp_path / "work" / "a.txt").read_text() == "two\n"
    assert (outcome.ending, outcome.output) == (Ending.FINISHED, "It is two now.")
    assert outcome.usage == Usage(3 * INPUT - 40, 3 * OUTPUT, cache_read=40)
    assert outcome.version.startswith("pydantic-ai 2.")
    words = ["system", "message", "tool_call", "tool_call", "tool_result", "tool_result"]
    assert kinds(events) == [*words, "tool_call", "tool_result", "message", "system", "usage", "result"]
    command = events[5]
    assert (command.command, command.exit_code, command.text) == ("echo $STUB_KEY; exit 3", 3, "Exit code 3")
    assert [event.path for event in events if event.tool == "Edit"] == ["a.txt", "a.txt"]
    last = json.dumps(server.requests[-1])
    assert "1\\tone" in last and "Be brief." in last and '"temperature": 0.5' in last
    assert server.headers[0]["authorization"] == "Bearer sk-stub"
    assert server.headers[0].get("x-api-key") == ("sk-stub" if anthropic else None)


@pytest.mark.parametrize("anthropic", [False, True])
@pytest.mark.parametrize(
    ("step", "ending", "words"),
    [
        (Fails(401, "invalid key"), Ending.NO_ACCESS, "API Error: 401 invalid key"),
        (Fails(403, "not yours"), Ending.NO_ACCESS, "API Error: 403 not yours"),
        (Fails(400, "no such thing"), Ending.ERROR, "API Error: 400 no such thing"),
        (Fails(404, "no such model"), Ending.ERROR, "no such model"),
        (Fails(429, "slow down"), Ending.UNAVAILABLE, "API Error: 429 slow down"),
        (Fails(500), Ending.UNAVAILABLE, "API Error: 500"),
        (Fails(529, "Overloaded", "overloaded_error"), Ending.UNAVAILABLE, "API Error: 529 Overloaded"),
        (Garbage(), Ending.ERROR, "not understood"),
        (Garbage(b"{}"), Ending.ERROR, ""),
        (Says("I won't.", stop="refusal"), Ending.REFUSED, ""),
        (Says("half a sen", stop="length"), Ending.ERROR, "the answer was cut"),
        (Says(), Ending.ERROR, "answered with nothing"),
    ],
)
def test_each_end_has_its_name(play: Play, step: Step, ending: Ending, words: str, anthropic: bool) -> None:
    """What the server or the model says instead of an answer becomes the ending that it means."""
    outcome, events, _ = play(step, anthropic=anthropic)
    assert outcome.ending is ending
    assert words in outcome.detail and outcome.detail
    assert events[-1].kind is EventKind.RESULT


@pytest.mark.parametrize(
    ("anthropic", "step"),
    [
        (True, Fails(400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error")),
        (False, Fails(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded")),
    ],
)
def test_a_conversation_that_is_too_long_is_over_its_limit(play: Play, anthropic: bool, step: Step) -> None:
    """It is told apart from other errors, so that the next attempt begins a new one."""
    outcome, _, _ = play(step, anthropic=anthropic)
    assert (outcome.ending, outcome.over_limit) == (Ending.ERROR, True)


def test_a_server_that_is_not_there_is_unavailable(play: Play) -> None:
    """Nobody listens: the model can't be asked now, and it is said where, without what is secret in the address."""
    outcome, _, _ = play(base_url="http://me:secret@127.0.0.1:1/v1")
    assert outcome.ending is Ending.UNAVAILABLE
    assert outcome.detail.endswith("Connection error: nobody answers at 127.0.0.1:1")


def test_the_time_to_come_back_is_handed_on(play: Play) -> None:
    """A server that says when it can be asked again is not asked before, and the run knows when."""
    outcome, _, server = play(Fails(429, "slow down", headers={"retry-after": "3600"}), retries=2)
    assert outcome.ending is Ending.UNAVAILABLE and outcome.retry_at
    assert len(server.requests) == 1


def test_passing_trouble_is_tried_again(play: Play) -> None:
    """A server that is out of order for a moment is asked again, and that is told."""
    outcome, events, server = play(Fails(503), Says("Fine."), retries=1)
    assert (outcome.ending, len(server.requests)) == (Ending.FINISHED, 2)
    assert kinds(events) == ["system", "retry", "message", "system", "usage", "result"]
    assert outcome.usage == Usage(INPUT, OUTPUT)


def test_tokens_have_their_price(play: Play) -> None:
    """A model that the list has costs what it says; of another it is told that the cost is not known."""
    known, events, _ = play(model="gpt-4o")
    assert known.cost_usd == dollars("gpt-4o", Usage(INPUT, OUTPUT)) != 0
    assert kinds(events) == ["system", "message", "usage", "result"]
    unknown, events, _ = play()
    assert unknown.cost_usd == 0
    assert "cost unknown" in events[2].text


def test_turns_are_limited(play: Play) -> None:
    """A model that goes on and on is ended after so many requests, and what it used counts."""
    look = Says(calls=[("Read", {"file_path": "a.txt"})])
    outcome, _, server = play(look, look, look, max_turns=2)
    assert (outcome.ending, len(server.requests)) == (Ending.MAX_TURNS, 2)
    assert outcome.usage == Usage(2 * INPUT, 2 * OUTPUT)
    assert "maximum number of turns (2)" in outcome.detail


def test_a_path_outside_is_a_denial(play: Play) -> None:
    """A tool that reaches out of the repository is denied, and the end says so."""
    outcome, events, _ = play(Says(calls=[("Read", {"file_path": "/etc/passwd"})]), Says("Pity."))
    assert (outcome.ending, outcome.detail) == (Ending.DENIED, "tool calls were denied: Read")
    assert "denial" in kinds(events)


def test_calls_that_make_no_sense_are_answered(play: Play) -> None:
    """A tool that is not there and arguments that are no JSON go back to the model as errors."""
    outcome, events, server = play(Says(calls=[("Fly", {}), ("Read", "{no json")]), Says("Sorry."))
    assert outcome.ending is Ending.FINISHED
    assert [event.is_error for event in events if event.kind is EventKind.TOOL_RESULT] == [True, True]
    assert "there is no tool `Fly`" in json.dumps(server.requests[-1])


@pytest.mark.parametrize("anthropic", [False, True])
def test_a_conversation_is_gone_on_with(play: Play, anthropic: bool) -> None:
    """The next attempt sends all that was said before, also after an end in the middle, and counts only its own."""
    look = Says(calls=[("Read", {"file_path": "a.txt"})])
    first, _, _ = play(look, max_turns=1, anthropic=anthropic)
    assert first.conversation
    outcome, _, server = play(prompt="Go on", conversation=first.conversation, anthropic=anthropic)
    sent = json.dumps(server.requests[0]["messages"])
    assert "Fix it" in sent and "1\\tone" in sent and "Go on" in sent
    assert (outcome.conversation, outcome.usage) == (first.conversation, Usage(INPUT, OUTPUT))


def test_in_a_sandbox_a_conversation_is_kept_at_home(play: Play, own_home: Path) -> None:
    """Where no folder is named, the home is it, which is the run's own there."""
    first, _, _ = play(conversations="")
    assert [path.name for path in own_home.glob("*.json")] == [f"conversation-{first.conversation}.json"]
    second, _, _ = play(conversations="", conversation=first.conversation)
    assert second.conversation == first.conversation


@pytest.mark.parametrize("content", [None, "{", '[{"kind": "else"}]'])
def test_a_conversation_that_is_lost_begins_anew(play: Play, tmp_path: Path, content: str | None) -> None:
    """Without its file, or with one that can't be read, a new conversation is begun, and that is told."""
    name = "0" * 32
    if content is not None:
        (tmp_path / f"conversation-{name}.json").write_text(content)
    outcome, events, _ = play(conversation=name)
    assert outcome.ending is Ending.FINISHED
    assert outcome.conversation not in ("", name)
    assert events[1].data["subtype"] == "conversation_lost"


def test_an_answer_becomes_a_file(play: Play, tmp_path: Path) -> None:
    """A model that only answers is given no tools and no words of ours, and none that it calls all the same is run."""
    calls = [("Write", {"file_path": "a.txt", "content": "two"})]
    outcome, _, server = play(Says("positive", calls), answer="said/answer.txt", system_prompt="One word.")
    assert outcome.ending is Ending.FINISHED
    assert (tmp_path / "work" / "said" / "answer.txt").read_text() == "positive"
    assert (tmp_path / "work" / "a.txt").read_text() == "one\n"
    assert len(server.requests) == 1 and not server.requests[0].get("tools")
    assert [one["content"] for one in server.requests[0]["messages"]] == ["One word.", "Fix it"]


def test_an_answer_that_cannot_be_written(play: Play, tmp_path: Path) -> None:
    """It is said why, and nothing outside is written; of no answer there is no file."""
    (tmp_path / "work" / "out").symlink_to(tmp_path)
    outcome, _, _ = play(Says("positive"), answer="out/answer.txt")
    assert (outcome.ending, "outside of the repository" in outcome.detail) == (Ending.ERROR, True)
    assert play(Says(" "), answer="answer.txt")[0].ending is Ending.ERROR
    assert not (tmp_path / "answer.txt").exists() and not (tmp_path / "work" / "answer.txt").exists()
