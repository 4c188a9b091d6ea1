"""Some sessions, and all that rules read of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from loopwright.records.finding import Finding
from loopwright.records.pattern import Case
from loopwright.records.signal import Precision, Signal


class Used(NamedTuple):
    """How one session used one tool."""

    run_id: str
    tool: str
    calls: int
    failed: int
    seconds: float


class Erred(NamedTuple):
    """Like errors of one session."""

    run_id: str
    fingerprint: str
    tool: str
    times: int
    message: str


class Offered(NamedTuple):
    """The tools that an agent says it has in a session."""

    run_id: str
    goal: str
    tools: Sequence[str]


class Command(NamedTuple):
    """What a session's shell was given."""

    run_id: str
    text: str


class Request(NamedTuple):
    """What a human said in a session."""

    run_id: str
    seq: int
    text: str


class Prompt(NamedTuple):
    """A text that agents are told at the begin of every session."""

    name: str
    """A version's name, such as `worker/bug_fix`, or a file's."""
    text: str
    runs: Sequence[str]
    """The sessions that are told it."""


class Brought(NamedTuple):
    """A file that the prompt of a run brought along."""

    run_id: str
    path: str
    tokens: int
    touched: bool
    """Whether a call names it, or it was changed."""


@dataclass(frozen=True)
class Window:
    """What is looked at. What is empty was not there to be read."""

    cases: Sequence[Case]
    """The oldest first."""
    signals: Sequence[Signal] = ()
    """Without good news."""
    precision: Sequence[Precision] = ()
    used: Sequence[Used] = ()
    errors: Sequence[Erred] = ()
    offered: Sequence[Offered] = ()
    commands: Sequence[Command] = ()
    requests: Sequence[Request] = ()
    prompts: Sequence[Prompt] = ()
    beside: Mapping[str, str] = field(default_factory=dict)
    """Files that agents read by themselves, such as AGENTS.md -> their text."""
    brought: Sequence[Brought] = ()
    known: Sequence[Finding] = ()
    """What was found before, and is not gone."""


@dataclass(frozen=True)
class Looked:
    """Something that a rule has looked for, whether it is there or not: so it can be said that it is gone."""

    finding: Finding
    stands: bool
    """Whether it is one: often enough, and more than chance."""
