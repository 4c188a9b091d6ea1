"""The plug point of an agent: what it is given, how it is started, how its stream is read, how its end is judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from loopwright.records.budget import Usage
from loopwright.records.event import Event
from loopwright.records.profile import Profile, Role
from loopwright.records.run import Ending

GOAL_ALONE = "goal alone"
"""An agent that has no use for criteria and rules, since all it can do is answer."""


@dataclass(frozen=True)
class Briefing:
    """What an agent is given for one attempt."""

    prompt: str
    prompt_file: Path
    workspace: Path
    iteration: int
    profile: Profile = field(default_factory=Profile)
    conversation: str = ""
    """The one to go on with, as an outcome has named it; empty: a new one."""
    used: Usage = Usage()
    """What that conversation has used so far: some agents count it once more."""
    confined: bool = False
    """Whether our sandbox is around it, and none of its own is needed."""
    role: Role = "worker"


@dataclass(frozen=True)
class Launch:
    """How an agent's process is started, and what it needs of the machine."""

    argv: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    """On top of what every agent gets."""
    stdin: Path | None = None
    """Read from this file; nothing where it is None."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Written into the workspace before it starts, by path; none of our commits holds them."""
    hosts: Sequence[str] = ()
    """Whom it has to reach, such as `api.anthropic.com` or `127.0.0.1:8080`; more by setting."""
    variables: Sequence[str] = ()
    """Patterns of the variables that it needs of the user's own, in a sandbox, such as `ANTHROPIC_*`."""
    login: Sequence[str] = ()
    """Files below the user's home that it needs to be logged in, and its settings."""
    login_places: Mapping[str, Path] = field(default_factory=dict)
    """Where one of these lies instead, by its name."""


@dataclass(frozen=True)
class Outcome:
    """How an agent's process ended, as far as the agent itself can tell. Never evidence of work."""

    ending: Ending = Ending.FINISHED
    """FINISHED, ERROR, UNAVAILABLE, NO_ACCESS, DENIED, REFUSED or MAX_TURNS."""
    detail: str = ""
    output: str = ""
    """Its last words."""
    usage: Usage = Usage()
    cost_usd: float = 0.0
    model: str = ""
    version: str = ""
    """Of the agent, where its stream says it."""
    conversation: str = ""
    """What it calls the conversation, where it can go on with it."""
    over_limit: bool = False
    """Whether the conversation has become too long to go on with."""
    retry_at: str = ""
    """When it may come back, where it was told."""
    impossible: str = ""
    """Why it says that the criteria can't be met; empty where it does not say so."""


class Stream(Protocol):
    """An agent's output on its way to events; one for each attempt."""

    plain: bool
    """Whether lines that it does not know are words of the agent, and not lines that nothing understood."""

    def knows(self, line: bytes) -> bool:
        """Tell at a glance whether a line may be of the agent's protocol: of those that are not, few are fed."""
        ...

    def feed(self, line: str) -> Iterable[Event]:
        """Take one line of stdout, give what it tells. What it does not understand comes back as raw."""
        ...

    def usage(self) -> tuple[Usage, float]:
        """Give tokens and cost so far, for budgets that are kept while it runs."""
        ...

    def outcome(self, exit_code: int | None, stderr: str) -> Outcome:
        """Judge the end."""
        ...


@dataclass(frozen=True)
class Availability:
    """Whether an agent can be used here."""

    installed: bool
    hint: str = ""
    """What to do where it is not, or is not logged in."""
    logged_in: bool | None = None
    """As files and variables tell; None where they do not. False only where it is sure: no run is begun then."""


@dataclass(frozen=True)
class Account:
    """What an installed agent tells of itself when it is asked."""

    version: str = ""
    logged_in: bool | None = None
    """None where that can't be known without asking its maker."""
    detail: str = ""
    """How it is logged in, without any secret."""
    hint: str = ""
    """What to do: it is too old, or not logged in."""
    usable: bool = True
    """False where no attempt could come to anything."""


class Agent(Protocol):
    """A program that works on a task: how it is started, how its stream is read, how its end is judged."""

    automatic: bool
    """Whether it may be picked when nobody named one."""
    honours: frozenset[str]
    """What of a profile it has a way to be told, besides what the prompt says; GOAL_ALONE: that has no more."""
    needs: frozenset[str]
    """What of a profile it can't do without."""

    def available(self) -> Availability:
        """Look whether it is there; nothing is started."""
        ...

    def account(self) -> Account:
        """Ask it for its version, and look how it is logged in; it is started for that."""
        ...

    def launch(self, briefing: Briefing) -> Launch: ...

    def stream(self, briefing: Briefing) -> Stream: ...
