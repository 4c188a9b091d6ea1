"""Settings, what is in use -> who works on a run, and what they are told and set to."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from loopwright.errors import AgentError, UnknownName
from loopwright.ports import Agent
from loopwright.records.experiment import PROMPTS
from loopwright.records.profile import Profile, RoleProfile
from loopwright.registry import AGENTS, load, names
from loopwright.release.equipment import TAKES_PART
from loopwright.release.profiles import with_parameters
from loopwright.settings import Settings

_FIRST = ("claude_code", "codex", "cursor", "gemini", "opencode")
"""In this order they are picked; then all others by name."""
_DOUBT = {True: 0, None: 1, False: 2}
"""Whether one is logged in, from yes over who knows to no."""
_TOLD = ("temperature", "max_turns", "tools", "conversation")
"""What of a profile an agent itself has to be told; all else is said in the prompt."""


def choose_profile(
    settings: Settings,
    name: str = "",
    agent: str = "",
    agent_options: Mapping[str, Any] | None = None,
    model: str = "",
    in_use: Mapping[str, Any] | None = None,
    roles: Mapping[str, RoleProfile] | None = None,
) -> Profile:
    """Put a profile together: the named one, over it what was given, below it what is in use, then `[run]`."""
    if name and name not in settings.profiles:
        raise UnknownName("profile", name, settings.profiles, "" if settings.profiles else "write one: [profiles.NAME]")
    profile, defaults, given = settings.profiles.get(name, Profile()), settings.run, agent_options or {}
    if agent or given.get("command"):  # a model of one agent is not known to another
        in_use = {key: value for key, value in (in_use or {}).items() if key not in ("agent", "model")}
    profile = with_parameters(profile, in_use or {})
    chosen = agent or ("command" if given.get("command") else "") or profile.agent or defaults.agent
    # What one agent understands, another one would refuse.
    own = profile.agent_options if profile.agent in ("", chosen) else {}
    options = {**own, **given}
    if not chosen:
        chosen = "command" if options.get("command") or defaults.agent_command else first_installed()
    if chosen == "command" and defaults.agent_command:
        options.setdefault("command", defaults.agent_command)
    model = model or profile.model or defaults.model
    profile = dataclasses.replace(profile, agent=chosen, agent_options=options, model=model)
    return _with_roles(profile, settings, roles or {})


def _with_roles(profile: Profile, settings: Settings, given: Mapping[str, RoleProfile]) -> Profile:
    """Say who plans and who reviews: what was given, over the profile, over `[run]`."""
    run = settings.run

    def chosen(name: str, written: RoleProfile, below: RoleProfile) -> RoleProfile:
        role = given.get(name, RoleProfile()).above(written).above(below)
        if role.agent != "command" or role.agent_options or profile.agent == "command" or not run.agent_command:
            return role
        return dataclasses.replace(role, agent_options={"command": run.agent_command})

    planner = chosen("planner", profile.planner, RoleProfile(run.planner, run.planner_model))
    verifier = chosen("verifier", profile.verifier, RoleProfile(run.verifier, run.verifier_model))
    return dataclasses.replace(profile, planner=planner, verifier=verifier)


def fixed_by(given: Mapping[str, Any]) -> set[str]:
    """Name the parameters that a run's flags fix: who is named brings a model along, and no whole profile is left."""
    agent, model = bool(given["agent"]), bool(given["model"])
    fixed = {"agent": agent, "model": agent or model, "profile": agent or model or bool(given.get("roles"))}
    return {name for name, is_fixed in fixed.items() if is_fixed}


def not_told(agent: str) -> set[str]:
    """Name the parameters that an agent has no way to be told."""
    return set(_TOLD).difference(load(AGENTS, agent).honours)


def idle(profile: Profile) -> set[str]:
    """Name the prompts that nobody is told: of who takes no part."""
    return {name for name, role in PROMPTS.items() if TAKES_PART[role] not in profile.roles}


def make_agent(profile: Profile) -> Agent:
    """Make an agent that can be started, or say what is missing."""
    agent: Agent = load(AGENTS, profile.agent)(profile.agent_options)
    availability = agent.available()
    if not availability.installed:
        trouble = "is not installed" if agent.automatic else "can't be started"
        raise AgentError(f"the agent `{profile.agent}` {trouble}", availability.hint)
    if "model" in agent.needs and not profile.model:
        hint = "--model NAME, such as --model gpt-5.5, or `model` in the profile"
        raise AgentError(f"a model has to be named for the agent `{profile.agent}`", hint)
    if availability.logged_in is False:
        raise AgentError(f"the agent `{profile.agent}` is not logged in", availability.hint)
    for name in _TOLD:
        if getattr(profile, name) != getattr(Profile(), name) and name not in agent.honours:
            words = f"the profile `{profile.name}` sets `{name}`, and the agent `{profile.agent}` has no way to be told"
            raise AgentError(words, f"leave `{name}` out, or take another agent")
    return agent


def first_installed() -> str:
    """Name the agent to pick: installed, if possible logged in, and the first in the order."""
    automatic = {name: kind for name in names(AGENTS) if (kind := load(AGENTS, name)).automatic}
    found = {name: kind({}).available() for name, kind in automatic.items()}
    installed = [name for name, looked in found.items() if looked.installed]
    if installed:
        return min(installed, key=lambda name: (_DOUBT[found[name].logged_in], [*_FIRST, name].index(name), name))
    raise AgentError(
        "no agent is named, and none is installed that could be picked",
        "install Claude Code, Codex, Cursor, Gemini or OpenCode (`loopwright doctor` says how), "
        "take a model's API (--agent api --model NAME), "
        'or a program of yours that reads the prompt from stdin (--agent-command "bash fix.sh")',
    )
