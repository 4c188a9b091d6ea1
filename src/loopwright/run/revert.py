"""Edits that break the build are undone at once, and the agent is told."""

from __future__ import annotations

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

    def start(self, commit: str) -> None:
        """Learn whether there is anything to go back to."""
        if self.command and not self._failure(commit):
            self._good = commit

    def settle(self, snapshot: Snapshot) -> tuple[Snapshot, str]:
        """Keep what an attempt left, or put it back; give what is there now, and what the agent has to know."""
        if not self.command or not self._good:
            return snapshot, ""
        failure = self._failure(snapshot.commit)
        if not failure:
            self._good = snapshot.commit
            return snapshot, ""
        self.workspace.put_back(self._good)
        words = f"put back: `{self.command}` failed"
        message = f"loopwright {short(self.workspace.run_id)}: {words}"
        back = self.workspace.snapshot(snapshot.commit, message)
        note = f"Your last change was undone, because `{self.command}` failed with it:\n\n```\n{failure}\n```"
        return Snapshot(back.commit, back.tree, f"{snapshot.changes} ({words})", back.left_out, back.not_home), note

    def _failure(self, commit: str) -> str:
        self.room.enter(commit)
        done = self.room.run(self.command, shell=False, timeout_s=_TIME_LIMIT_S)
        if done.exit_code == 0:
            return ""
        return excerpt(done.output) or f"exit code {done.exit_code}"
