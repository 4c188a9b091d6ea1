"""Trajectories in the Agent Trajectory Interchange Format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loopwright.ingest.formats.atif import Atif, Trajectory
from loopwright.ingest.sniffing import HEAD
from loopwright.records.event import Event, EventKind
from observing import totals
from strangers import ANY_JSON, FUZZ, mutated


def step(number: int, source: str, message: str, **told: Any) -> dict[str, Any]:
    return {
        "step_id": number,
        "timestamp": f"2026-01-02T03:04:{number:02}Z",
        "source": source,
        "message": message,
        **told,
    }


def call(name: str, tool: str, **given: Any) -> dict[str, Any]:
    return {"tool_call_id": name, "function_name": tool, "arguments": given}


SUBAGENT = {
    "schema_version": "ATIF-v1.7",
    "trajectory_id": "sub",
    "agent": {"name": "helper", "version": "1", "model_name": "gpt-5-mini"},
    "steps": [
        step(1, "user", "Look around"),
        step(2, "agent", "", tool_calls=[call("s1", "read_file", path="a.py")], metrics={"prompt_tokens": 9}),
    ],
}
TRAJECTORY = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s-1",
    "agent": {
        "name": "claude-code",
        "version": "2.1",
        "model_name": "claude-sonnet-4-5",
        "extra": {"task_type": "tests"},
    },
    "steps": [
        step(1, "system", "You fix bugs."),
        step(2, "user", "Fix the login"),
        step(
            *(3, "agent", "Let me see."),
            reasoning_content="Where is it?",
            tool_calls=[call("c1", "bash", command="pytest -q"), call("c2", "task", prompt="Look around")],
            observation={
                "results": [
                    {"source_call_id": "c1", "content": "1 failed", "extra": {"exit_code": 1}},
                    {"source_call_id": "c2", "content": "ok", "subagent_trajectory_ref": [{"trajectory_id": "sub"}]},
                ]
            },
            metrics={"prompt_tokens": 100, "completion_tokens": 20, "cached_tokens": 60, "cost_usd": 0.01},
        ),
        step(4, "agent", "Done.", metrics={"prompt_tokens": 10, "completion_tokens": 1}, model_name="claude-haiku-4-5"),
    ],
    "subagent_trajectories": [SUBAGENT],
    "final_metrics": {"total_prompt_tokens": 110, "total_completion_tokens": 21},
    "extra": {"prompt_version": 3, "team": "shop"},
}


def read(tmp_path: Path, *documents: Any) -> tuple[Trajectory, list[Event]]:
    paths = []
    for number, document in enumerate(documents):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text(json.dumps(document))
    reading = Atif().read("", paths)
    return reading, list(reading.events())


def of(events: Sequence[Event], kind: EventKind) -> list[Event]:
    return [event for event in events if event.kind is kind]


def tokens(events: Sequence[Event]) -> list[int]:
    used = [event.data for event in of(events, EventKind.USAGE)]
    return [sum(one[name] for one in used) for name in ("input", "output", "cache_read")]


def test_a_trajectory(tmp_path: Path) -> None:
    """Steps become events, results are joined to calls, tokens count once, and what it says of itself is kept."""
    reading, events = read(tmp_path, TRAJECTORY)
    assert [event.kind.value for event in events if not event.parent_call_id] == [
        *("system", "prompt", "thinking", "message", "tool_call", "tool_call", "usage"),
        *("tool_result", "tool_result", "message", "usage"),
    ]
    result = of(events, EventKind.TOOL_RESULT)[0]
    assert (result.tool, result.command, result.exit_code, result.is_error) == ("bash", "pytest -q", 1, True)
    assert events[0].at == "2026-01-02T03:04:01.000Z"
    assert tokens(events) == [40 + 10 + 9, 21, 60]
    about = reading.about
    assert (about.agent, about.agent_version, about.goal) == ("claude_code", "2.1", "Fix the login")
    assert (about.prompt_version, about.task_type, about.attributes["team"]) == ("3", "tests", "shop")


def test_a_subagent_is_below_its_call(tmp_path: Path) -> None:
    """The steps of an embedded trajectory name the call that refers to it; what it is told is no human's word."""
    _, events = read(tmp_path, TRAJECTORY)
    below = [event for event in events if event.parent_call_id == "c2"]
    assert [event.kind.value for event in below] == ["system", "tool_call", "usage"]
    assert below[1].path == "a.py"


def test_totals_count_where_steps_say_nothing(tmp_path: Path) -> None:
    """Without metrics of its steps, a trajectory's own sums are its tokens."""
    bare = [{name: value for name, value in one.items() if name != "metrics"} for one in TRAJECTORY["steps"]]  # type: ignore[attr-defined]
    _, events = read(tmp_path, {**TRAJECTORY, "steps": bare, "subagent_trajectories": []})
    assert tokens(events) == [110, 21, 0]


def test_a_session_in_several_files(tmp_path: Path) -> None:
    """A file that is there twice, and steps that were copied for context, add nothing; what goes on elsewhere does."""
    copied = {**step(1, "user", "Fix the login"), "is_copied_context": True}
    more = {
        **TRAJECTORY,
        "steps": [copied, step(2, "agent", "More.")],
        "subagent_trajectories": [],
        "final_metrics": {},
    }
    _, events = read(tmp_path, TRAJECTORY, TRAJECTORY, more)
    assert len(of(events, EventKind.TOOL_CALL)) == 3
    assert [event.text for event in of(events, EventKind.MESSAGE)] == ["Let me see.", "Done.", "More."]
    assert tokens(events) == [59, 21, 60]


def test_it_is_known_by_its_version(tmp_path: Path) -> None:
    """The version of the schema tells it, wherever the file lies; its session is what it says."""
    path = tmp_path / "x"
    path.write_text(json.dumps(TRAJECTORY, indent=2))
    assert Atif().recognises(path.read_bytes()[:HEAD])
    assert not Atif().recognises(b'{"schema_version": "1"}')
    assert list(Atif().sessions(path)) == ["s-1"]


def test_subagents_of_one_name_are_no_copies(tmp_path: Path) -> None:
    """In each session there may be a subagent of that name, whose first step counts there."""
    for number in (1, 2):
        path = tmp_path / "in" / f"{number}.json"
        path.parent.mkdir(exist_ok=True)
        steps = [{**one, "tool_calls": []} for one in SUBAGENT["steps"]]
        main = {**TRAJECTORY, "session_id": str(number), "steps": [], "final_metrics": {}}
        below = [{**SUBAGENT, "trajectory_id": "explore-the-whole-repository", "steps": steps}]
        path.write_text(json.dumps({**main, "subagent_trajectories": below}))
    assert totals(Atif(), tmp_path / "in").input_tokens == 18


@FUZZ
@given(st.data())
def test_no_document_makes_it_fail(tmp_path: Path, data: st.DataObject) -> None:
    """Trajectories in which anything is of a wrong type are read to their end."""
    document = data.draw(mutated(TRAJECTORY) | ANY_JSON)
    path = tmp_path / "t.json"
    path.write_text(json.dumps(document))
    assert len(list(Atif().sessions(path))) == 1
    list(Atif().read("", [path]).events())
    path.write_bytes(path.read_bytes()[: data.draw(st.integers(0, 200))])
    list(Atif().read("", [path]).events())
