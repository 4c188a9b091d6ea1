"""The end of a run -> what people look at: the diff, the log, the result, and what was said of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.ports import RunStore
from loopwright.records.check import Check, last_checks
from loopwright.records.identity import timestamp
from loopwright.records.run import Attempt, Result, Run
from loopwright.run.artifacts import write_artifacts
from loopwright.run.ending import End, end_note
from loopwright.run.judge import Judge
from loopwright.run.recorder import Recorder
from loopwright.run.workspace import Workspace


@dataclass(frozen=True)
class Finishing:
    """Writes the end of one run down, but for the run's own row."""

    workspace: Workspace
    judge: Judge
    store: RunStore
    recorder: Recorder

    def ended(self, run: Run, end: End, *more: str) -> Run:
        """Give the run as it has ended; `more` is said besides."""
        words = [f"{word.by} ({word.reason})" for word in self.store.acceptances(run.id)]
        accepted = f"changes of protected files were accepted by {', '.join(words)}" if words else ""
        detail = "; ".join(filter(None, (end.detail, *more, accepted)))
        return dataclasses.replace(run, **{**vars(end), "detail": detail, "ended_at": timestamp()})

    def write(self, ended: Run, attempts: Sequence[Attempt], checks: Sequence[Check]) -> Result:
        """Write the files."""
        commit = ended.commit or ended.base
        tampering = (item for check in last_checks(checks) for item in check.proof.tampering)
        tampered = [item.path for item in tampering if not item.installed]
        diff, shown = self.workspace.diff(ended.base, commit), self.judge.show_tampering(commit, tampered)
        return write_artifacts(ended, attempts, checks, diff, shown)

    def note(self, ended: Run) -> None:
        """Tell of the end as of the last thing that happened."""
        self.recorder.add(end_note(ended, self.workspace.keeper))
        self.recorder.flush()
