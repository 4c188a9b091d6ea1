"""Trajectories of SWE-agent and mini-swe-agent."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.ingest.formats.swe_agent import SweAgent, Trajectory
from loopwright.records.event import Event, EventKind
from observing import totals
from strangers import ANY_JSON, FUZZ, mutated

BIG: dict[str, Any] = {
    "trajectory": [
        {
            "action": "ls -F\n",
            "observation": "a.py\n",
            "response": "Let me look.\n```\nls -F\n```",
            "thought": "Let me look.",
            "execution_time": 1.5,
            "state": {"working_dir": "/repo"},
            "query": [{"role": "system", "content": "You are a helper."}, {"role": "user", "content": "Fix the issue"}],
        },
        {"action": "submit", "observation": "", "response": "Done.", "execution_time": 0.5, "extra_info": {}},
    ],
    "history": [{"role": "system", "content": "You are a helper.", "message_type": "system_prompt"}],
    "info": {
        "model_stats": {"instance_cost": 0.5, "tokens_sent": 1000, "tokens_received": 50, "api_calls": 2},
        "exit_status": "submitted",
        "submission": "diff --git a b",
        "swe_agent_version": "1.1.0",
    },
    "replay_config": json.dumps({"agent": {"model": {"name": "claude-sonnet-4-5"}}}),
}
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 40}}
MINI: dict[str, Any] = {
    "info": {
        "model_stats": {"instance_cost": 0.1, "api_calls": 2},
        "mini_version": "2.1.0",
        "exit_status": "Submitted",
        "submission": "done",
        "config": {"model": {"model_name": "gpt-5"}},
    },
    "messages": [
        {"role": "system", "content": "You are a helper."},
        {"role": "user", "content": "Fix the issue"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "t1", "function": {"name": "bash", "arguments": '{"command": "false"}'}}],
            "extra": {
                "actions": [{"command": "false", "tool_call_id": "t1"}],
                "response": {"id": "r1", "model": "gpt-5", "usage": USAGE},
                "timestamp": 1790000000.5,
            },
        },
        {"role": "tool", "tool_call_id": "t1", "content": "<returncode>1</returncode>", "extra": {"returncode": 1}},
        {"role": "assistant", "content": "So:\n\n```bash\necho hi\n```", "extra": {"response": {"usage": USAGE}}},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\nhi</output>"},
        {"role": "exit", "content": "done", "extra": {"exit_status": "Submitted"}},
    ],
    "trajectory_format": "mini-swe-agent-1.1",
}


def read(tmp_path: Path, document: Any) -> tuple[Trajectory, list[Event]]:
    path = tmp_path / "owner__name-1.traj"
    path.write_text(json.dumps(document))
    os.utime(path, (1_790_000_100, 1_790_000_100))
    reading = SweAgent().read("", [path])
    return reading, list(reading.events())


def of(events: Sequence[Event], kind: EventKind) -> list[Event]:
    return [event for event in events if event.kind is kind]


def test_swe_agent(tmp_path: Path) -> None:
    """Actions are calls of a shell with what they gave; tokens are those of the whole; times end with the file's."""
    reading, events = read(tmp_path, BIG)
    assert [event.kind.value for event in events] == [
        *("system", "prompt", "message", "tool_call", "tool_result"),
        *("message", "tool_call", "tool_result", "usage", "result"),
    ]
    result = of(events, EventKind.TOOL_RESULT)[0]
    assert (result.command, result.text, result.duration_s) == ("ls -F", "a.py\n", 1.5)
    assert (events[0].at, events[-1].at) == ("2026-09-21T14:14:58.000Z", "2026-09-21T14:15:00.000Z")
    used = of(events, EventKind.USAGE)[0].data
    assert (used["model"], used["input"], used["output"]) == ("claude-sonnet-4-5", 1000, 50)
    about = reading.about
    assert (about.agent, about.agent_version, about.goal) == ("swe_agent", "1.1.0", "Fix the issue")
    assert about.attributes["exit_status"] == "submitted"


def test_mini_swe_agent(tmp_path: Path) -> None:
    """Commands are found as they were parsed or as they stand in the text; their output comes after them."""
    reading, events = read(tmp_path, MINI)
    assert [event.kind.value for event in events] == [
        *("system", "prompt", "message", "tool_call", "usage", "tool_result"),
        *("message", "tool_call", "usage", "tool_result", "result"),
    ]
    first, second = of(events, EventKind.TOOL_RESULT)
    assert (first.call_id, first.command, first.exit_code, first.is_error) == ("t1", "false", 1, True)
    assert (second.command, second.exit_code, second.is_error) == ("echo hi", 0, False)
    assert sum(event.data["input"] for event in of(events, EventKind.USAGE)) == 120
    assert (reading.about.agent, reading.about.model) == ("mini_swe_agent", "gpt-5")


def test_an_end_that_is_none_is_an_error(tmp_path: Path) -> None:
    """A run that reached its limit, or crashed, says so."""
    _, events = read(tmp_path, {**BIG, "info": {"exit_status": "exit_cost"}})
    assert [event.text for event in events if event.is_error] == ["exit_cost"]


def test_runs_of_one_task_are_told_apart(tmp_path: Path) -> None:
    """The same file is the same session, also when it has grown; another go at the task is another."""
    names = []
    other = json.loads(json.dumps(BIG))
    other["trajectory"][0]["execution_time"] = 9.25
    grown = {**BIG, "trajectory": [*BIG["trajectory"], {"action": "ls"}]}
    for number, document in enumerate((BIG, BIG, grown, other)):
        path = tmp_path / str(number) / "task-1.traj"
        path.parent.mkdir()
        path.write_text(json.dumps(document))
        names += SweAgent().sessions(path)
    assert names[0] == names[1] == names[2] != names[3]
    assert names[0].startswith("task-1-")


def scanned(tmp_path: Path, documents: Sequence[Any]) -> tuple[int, int, int]:
    """Scan trajectories whose files share a time; give how many sessions, calls and tokens that are."""
    for number, document in enumerate(documents):
        path = tmp_path / "in" / f"task-{number}.traj.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document))
        os.utime(path, (1_790_000_100, 1_790_000_100))
    found = totals(SweAgent(), tmp_path / "in")
    return found.sessions, found.tool_calls, found.input_tokens


def untimed(number: int) -> Any:
    """Give a trajectory without times, with the ids of a model that counts its calls."""
    document = json.loads(json.dumps(MINI))
    document["messages"][1]["content"] = f"Fix issue {number}"
    del document["messages"][2]["extra"]["timestamp"]
    return document


def test_sessions_that_share_a_time_are_no_copies(tmp_path: Path) -> None:
    """Ids that only count what is in a file are there in every file: each call and each token of each counts."""
    big = [{**BIG, "replay_config": str(number)} for number in range(3)]
    assert scanned(tmp_path, [*big, *map(untimed, range(3))]) == (6, 12, 3 * 1000 + 3 * 120)


def test_results_are_joined_by_their_ids(tmp_path: Path) -> None:
    """Two calls of one message may return in another order; a result of neither of them is joined to none."""
    actions = [{"command": "false", "tool_call_id": "a"}, {"command": "true", "tool_call_id": "b"}]
    messages = [
        {"role": "assistant", "content": "", "extra": {"actions": actions, "timestamp": 1790000000}},
        *({"role": "tool", "tool_call_id": name, "content": name} for name in ("c", "b", "a")),
    ]
    _, events = read(tmp_path, {**MINI, "messages": messages})
    results = of(events, EventKind.TOOL_RESULT)
    assert [(event.call_id, event.command) for event in results] == [("c", None), ("b", "true"), ("a", "false")]


def test_a_message_without_a_time_has_that_of_the_next(tmp_path: Path) -> None:
    """The last ones have that of the one before, and only where no message has one it is the file's."""
    _, events = read(tmp_path, MINI)
    assert {event.at for event in events} == {"2026-09-21T14:13:20.500Z"}
    _, events = read(tmp_path, untimed(1))
    assert {event.at for event in events} == {"2026-09-21T14:15:00.000Z"}


def test_all_attempts_are_read(tmp_path: Path) -> None:
    """An agent that tries again has the steps of its best attempt at the top, and all of them below `attempts`."""
    second = {"trajectory": [{"action": "pwd", "observation": "/"}]}
    document = {**BIG, "attempts": [{"trajectory": BIG["trajectory"]}, second], "trajectory": second["trajectory"]}
    _, events = read(tmp_path, document)
    assert [event.command for event in of(events, EventKind.TOOL_CALL)] == ["ls -F", "submit", "pwd"]
    assert [event.data["input"] for event in of(events, EventKind.USAGE)] == [1000]


@pytest.mark.parametrize("document", [BIG, MINI])
def test_it_is_known_by_its_shape(document: Any) -> None:
    """What the file is called does not matter."""
    assert SweAgent().recognises(json.dumps(document, indent=2).encode())
    assert not SweAgent().recognises(b'{"messages": []}')
    assert not SweAgent().recognises(b'[{"trajectory": [], "action": 1, "observation": 2}]')


@FUZZ
@given(st.data())
def test_no_document_makes_it_fail(tmp_path: Path, data: st.DataObject) -> None:
    """Trajectories in which anything is of a wrong type are read to their end."""
    document = data.draw(mutated(BIG) | mutated(MINI) | ANY_JSON)
    read(tmp_path, document)
    assert all(isinstance(name, str) for name in SweAgent().sessions(tmp_path / "owner__name-1.traj"))
