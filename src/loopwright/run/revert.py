"""Edits that break the build are undone at once, and the agent is told."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from loopwright.records.identity import short
from loopwright.run.checkroom import Checkroom
from loopwright.run.workspace import Snapshot, Workspace
from loopwright.text.excerpt import excerpt

_TIME_LIMIT_S = 600.0


@dataclass
class Reverter:
    """Runs one command after every attempt. Where it fails, the files go back to where it last passed."""

    command: str
    room: Checkroom
    workspace: Workspace
    _good: str = ""
    """The last commit at which the command passed; empty until there is one."""

    def start(self, commit: str) -> str:
        """Learn whether there is anything to go back to; say so where there is not."""
        if not self.command:
            return ""
        if failure := self._failure(commit):
            return f"nothing is put back until `{self.command}` has passed once; now it fails: {failure}"
        self._good = commit
        return ""

    def settle(self, snapshot: Snapshot) -> tuple[Snapshot, str]:
        """Keep what an attempt left, or put it back; give what is there now, and what the agent has to know."""
        if not self.command or snapshot.commit == self._good:
            return snapshot, ""
        failure = self._failure(snapshot.commit)
        if self.room.cancel.is_set():
            return snapshot, ""  # the command was cut short: it tells nothing
        if not failure:
            self._good = snapshot.commit
        if not failure or not self._good:
            return snapshot, ""
        self.workspace.put_back(self._good)
        words = f"put back: `{self.command}` failed"
        message = f"loopwright {short(self.workspace.run_id)}: {words}"
        back = self.workspace.snapshot(snapshot.commit, message)
        note = f"Your last change was undone, because `{self.command}` failed with it:\n\n```\n{failure}\n```"
        return dataclasses.replace(back, changes=f"{snapshot.changes} ({words})"), note

    def _failure(self, commit: str) -> str:
        self.room.enter(commit)
        done = self.room.run(self.command, shell=False, timeout_s=_TIME_LIMIT_S)
        if done.exit_code == 0:
            return ""
        return "\n".join(filter(None, (done.over_limit, excerpt(done.output)))) or f"exit code {done.exit_code}"
