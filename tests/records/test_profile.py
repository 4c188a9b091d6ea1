"""What an agent is given."""

from __future__ import annotations

import dataclasses

from loopwright.records.profile import Profile, RoleProfile


def test_the_prompt_version_is_of_the_words_alone() -> None:
    """Another agent or model that is told the same has the same version; other words have another."""
    one = Profile(agent="codex", model="a", system_prompt="Be brief.")
    other = Profile(agent="claude_code", model="b", system_prompt="Be brief.")
    assert one.prompt_version == other.prompt_version
    assert len({one.prompt_version, Profile().prompt_version, Profile(review="self").prompt_version}) == 3


def test_who_takes_part() -> None:
    """A planner where there is a plan, a reviewer where somebody else reviews, and always a worker."""
    assert Profile(review="self").roles == ("worker",)
    assert Profile(planning="plan_then_execute", review="separate").roles == ("worker", "planner", "reviewer")


def test_a_part_is_the_workers_where_nothing_is_set() -> None:
    """Who plans has the worker's agent and settings, and neither its words nor its conversation."""
    worker = Profile("p", "api", "m", "Be kind.", 0.5, 9, "restricted", "resume", agent_options={"api": "openai"})
    plans = worker.part("planner")
    assert plans == dataclasses.replace(worker, name="p.planner", system_prompt="", conversation="fresh")
    assert worker.part("worker") is worker


def test_another_agent_has_of_the_worker_the_tools_alone() -> None:
    """A model, a temperature, turns and options of one agent are not another's; what is forbidden stays so."""
    worker = Profile("p", "api", "m", "", 0.5, 9, "restricted", agent_options={"api": "openai"})
    reviews = dataclasses.replace(worker, verifier=RoleProfile("codex", max_turns=3)).part("reviewer")
    assert (reviews.agent, reviews.model, reviews.temperature, reviews.max_turns) == ("codex", "", None, 3)
    assert (reviews.tools, reviews.agent_options) == ("restricted", {})
    free = dataclasses.replace(worker, verifier=RoleProfile("codex", tools="all")).part("reviewer")
    assert free.tools == "all"


def test_layers_of_a_role() -> None:
    """What is above counts; a model and options come from below only where they are of the same agent."""
    below = RoleProfile("codex", "gpt", max_turns=3, agent_options={"a": 1})
    assert RoleProfile(model="m").above(below) == dataclasses.replace(below, model="m")
    assert RoleProfile("codex").above(below) == below
    assert RoleProfile("api").above(below) == RoleProfile("api", max_turns=3)


def test_a_hash_is_as_before_where_no_role_is_set() -> None:
    """Runs from before roles had profiles have the same hash as the same ones now; a role that is set changes it."""
    before = "18804ee532e64ccd68f01388271b493f18f4abb5b68fa1e1bdcb9e9abc6b7576"
    assert Profile(agent="codex", model="m").hash == before
    assert Profile(agent="codex", model="m", planner=RoleProfile("api")).hash != before
