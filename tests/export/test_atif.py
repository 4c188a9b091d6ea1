"""A trajectory has the published shape, and all that happened is in it once."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from loopwright.export.atif import trajectory
from loopwright.records.bundle import Bundle
from loopwright.records.event import EventKind

from .samples import called, event, hostile, observed, ours, returned

SCHEMA = json.loads(Path(__file__).with_name("atif.schema.json").read_text())
"""Of Harbor 0.25.0 (Apache-2.0): what its own models of a trajectory give, without their descriptions."""
OF_AGENTS = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")


def exported(bundle: Bundle) -> Any:
    """Write a trajectory, and see to all that the published models ask for."""
    made = json.loads(json.dumps(trajectory(bundle), default=str))
    jsonschema.validate(made, SCHEMA)
    for part in (made, *made.get("subagent_trajectories", ())):
        assert [step["step_id"] for step in part["steps"]] == list(range(1, len(part["steps"]) + 1))
        for step in part["steps"]:
            datetime.fromisoformat(step.get("timestamp", "2026-01-01"))
            assert step["source"] == "agent" or not any(name in step for name in OF_AGENTS)
            calls = {call["tool_call_id"] for call in step.get("tool_calls", ())}
            results = step.get("observation", {}).get("results", [])
            assert {item["source_call_id"] for item in results if "source_call_id" in item} <= calls
    ids = [part["trajectory_id"] for part in made.get("subagent_trajectories", ())]
    assert len(ids) == len(set(ids))
    return made


@pytest.mark.parametrize("bundle", [observed(), ours(), hostile(), observed([])], ids=["seen", "ours", "bad", "empty"])
def test_it_has_the_published_shape(bundle: Bundle) -> None:
    """Any run is a valid trajectory, with at least one step."""
    assert exported(bundle)["steps"]


def test_a_turn_of_the_model_is_a_step() -> None:
    """Thoughts, words, calls and their results stand together, with the tokens that they took."""
    steps = exported(observed())["steps"]
    assert (steps[0]["source"], steps[0]["message"]) == ("user", "Fix the login")
    turn = steps[1]
    assert (turn["reasoning_content"], turn["message"]) == ("Where is it?", "I look.")
    assert turn["tool_calls"][0]["function_name"] == "Read"
    assert turn["tool_calls"][0]["arguments"] == {"path": "/p/login.py"}
    assert turn["observation"]["results"][0]["content"] == "def login(): ..."
    assert turn["metrics"]["prompt_tokens"] == 314
    assert turn["metrics"]["cached_tokens"] == 300
    assert turn["model_name"] == "claude-opus-4-6"


def test_nothing_is_lost() -> None:
    """Every event is somewhere: a call as a call, a result as a result, all else as a step."""
    made, bundle = exported(observed()), observed()
    steps = [step for part in (made, *made["subagent_trajectories"]) for step in part["steps"]]
    calls = [call["tool_call_id"] for step in steps for call in step.get("tool_calls", ())]
    results = [item for step in steps for item in step.get("observation", {}).get("results", ())]
    kinds = [item.kind for item in bundle.events]
    assert len(calls) == kinds.count(EventKind.TOOL_CALL)
    assert len(results) == kinds.count(EventKind.TOOL_RESULT)
    told = [step["extra"]["kind"] for step in steps if "kind" in step.get("extra", {})]
    assert sorted(told) == ["prompt", "raw", "rejection", "retry"]
    assert sum(step["metrics"]["completion_tokens"] for step in steps if "metrics" in step) == 28
    assert made["final_metrics"]["total_completion_tokens"] == 28


def test_a_subagent_has_a_trajectory_of_its_own() -> None:
    """What a subagent did is embedded, and the call that started it names it."""
    made = exported(observed())
    assert [part["trajectory_id"] for part in made["subagent_trajectories"]] == ["c2"]
    assert [step["message"] for step in made["subagent_trajectories"][0]["steps"]] == ["I am the helper."]
    results = [item for step in made["steps"] for item in step.get("observation", {}).get("results", ())]
    named = [item["source_call_id"] for item in results if "subagent_trajectory_ref" in item]
    assert named == ["c2"]


def test_ids_that_are_used_again_and_calls_without_one() -> None:
    """A result belongs to the last call with its id, and a call without an id gets one."""
    twice = [called("Read", "c"), returned("Read", "c", "1"), called("Read", "c"), returned("Read", "c", "2")]
    made = exported(observed([*twice, event(EventKind.TOOL_CALL, tool="Bash", command="ls")]))
    agent = [step for step in made["steps"] if step["source"] == "agent"]
    contents = [item["content"] for step in agent for item in step.get("observation", {}).get("results", ())]
    assert contents == ["1", "2"]
    assert agent[-1]["tool_calls"][0]["arguments"] == {"command": "ls"}


def test_the_goal_is_the_first_word() -> None:
    """Where nobody's words are among the events, the task's goal is what was asked."""
    bundle = ours()
    assert exported(bundle)["steps"][0]["message"] == bundle.run.task.goal
