"""Who takes part in a run."""

from __future__ import annotations

import pytest

from loopwright.choosing import make_agent
from loopwright.errors import AgentError
from loopwright.records.profile import Profile, RoleProfile
from loopwright.run.confinement import Unconfined
from loopwright.run.crew import make_crew, note

WORKER = Profile(agent="command", agent_options={"command": "sh"})


def unconfined(agent: str) -> Unconfined:
    return Unconfined(f"{agent} is not confined" if agent == "command" else "")


def test_only_who_takes_part_has_to_be_there() -> None:
    """A planner that nobody needs may be missing; one that is needed is refused before anything is spent."""
    missing = RoleProfile("scripted", agent_options={"script": "nowhere.toml"})
    assert set(make_crew(Profile(**{**vars(WORKER), "planner": missing}), make_agent, unconfined)) == {"worker"}
    plans = Profile(**{**vars(WORKER), "planner": missing, "planning": "plan_then_execute"})
    with pytest.raises(AgentError, match=r"`scripted` can't be started"):
        make_crew(plans, make_agent, unconfined)


def test_each_has_its_own_surroundings() -> None:
    """What is around each is found for its agent, and said once."""
    other = RoleProfile("acp", agent_options={"command": "sh"})
    both = {"planning": "plan_then_execute", "review": "separate", "planner": other}
    crew = make_crew(Profile(**{**vars(WORKER), **both}), make_agent, unconfined)
    assert [type(crew[role].agent).__name__ for role in ("worker", "planner", "reviewer")] == [
        *("Command", "Acp", "Command")
    ]
    assert note(crew) == "command is not confined"
    assert crew["worker"].meet() == ""
