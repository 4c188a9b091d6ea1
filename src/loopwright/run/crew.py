"""Who takes part in a run: for each role an agent, and what is around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from loopwright.ports import Agent
from loopwright.records.profile import Profile, Role
from loopwright.run.confinement import Surrounding


@dataclass
class Member:
    """One who takes part."""

    agent: Agent
    surrounding: Surrounding
    version: str = ""
    """The agent's own, once it was met or has said so."""

    def meet(self) -> str:
        """Ask the agent who it is; say why it can't be used, where it can't."""
        account = self.agent.account()
        self.version = account.version
        return "" if account.usable else account.hint


Crew = Mapping[Role, Member]


def make_crew(profile: Profile, make_agent: Callable[[Profile], Agent], surround: Callable[[str], Surrounding]) -> Crew:
    """Get all together who take part by a profile; whoever can't be had is said before anything is spent."""
    parts = {role: profile.part(role) for role in profile.roles}
    return {role: Member(make_agent(own), surround(own.agent)) for role, own in parts.items()}


def note(crew: Crew) -> str:
    """Give what is to be said at the start of what is around them."""
    return "; ".join(dict.fromkeys(member.surrounding.note for member in crew.values() if member.surrounding.note))
