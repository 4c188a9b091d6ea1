"""A deterministic agent for demos and tests: a script that is played by a real subprocess (run/apprentice.py)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loopwright.errors import AgentError
from loopwright.ports import Account, Availability, Briefing, Launch, Stream
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.agent_stream import AgentStream


class Scripted:
    """The agent `scripted`. Option: `script`, the path of a TOML file, relative to the current directory."""

    automatic = False
    honours = frozenset({"model"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("scripted", options, ("script",))
        script = options.get("script")
        if not isinstance(script, str | os.PathLike) or not str(script):
            raise AgentError("the agent `scripted` has no script", "set its option `script` to a TOML file")
        self._script = Path(script).absolute()

    def available(self) -> Availability:
        if self._script.is_file():
            return Availability(installed=True)
        return Availability(installed=False, hint=f"there is no script `{self._script}`")

    def account(self) -> Account:
        return Account()

    def launch(self, briefing: Briefing) -> Launch:
        # -P keeps the workspace, where it runs, from shadowing modules; -I would also leave out a user's own site.
        argv = [sys.executable, "-P", "-m", "loopwright.run.apprentice", str(self._script)]
        environment = {"LOOPWRIGHT_ITERATION": str(briefing.iteration)}
        if briefing.profile.model:
            environment["LOOPWRIGHT_MODEL"] = briefing.profile.model
        return Launch(argv=argv, environment=environment)

    def stream(self, briefing: Briefing) -> Stream:
        return AgentStream()
