"""The first line of a Codex rollout -> what it says of its thread."""

from __future__ import annotations

from loopwright.ingest.ports import About
from loopwright.text.bounded import Line, field, mapping
from loopwright.text.tool_calls import identity

_ATTRIBUTES = ("originator", "source", "model_provider", "forked_from_id")


def is_subagent(meta: Line) -> bool:
    """Say whether a thread was started by another agent."""
    return parent_of(meta) is not None or "subagent" in mapping(meta.get("source"))


def parent_of(meta: Line) -> str | None:
    """Give the thread that started a subagent's."""
    spawned = mapping(mapping(mapping(meta.get("source")).get("subagent")).get("thread_spawn"))
    return identity(meta.get("parent_thread_id")) or identity(spawned.get("parent_thread_id"))


def describe(about: About, told: Line) -> None:
    """Note what it says of the session as a whole."""
    git = mapping(told.get("git"))
    about.project = field(told.get("cwd")) or about.project
    about.agent_version = field(told.get("cli_version"), 100)
    about.branch, about.commit = field(git.get("branch"), 500), field(git.get("commit_hash"), 100)
    attributes = {name: field(told.get(name), 200) for name in _ATTRIBUTES}
    about.attributes |= {name: value for name, value in attributes.items() if value}
