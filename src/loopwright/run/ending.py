"""An attempt and its checks -> whether the run ends with it, and why."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from loopwright.errors import RepositoryError
from loopwright.ports import Outcome
from loopwright.records.check import Check, Verdict
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Attempt, Ending, Reason, Run, Status
from loopwright.run.tree import Tree
from loopwright.run.verdicts import failed

STALL_LIMIT = 3
"""The same tree and the same failures this often: nothing moves any more."""
_OWN_REASON = {
    Ending.DENIED: Reason.DENIED,
    Ending.REFUSED: Reason.REFUSED,
    Ending.MAX_TURNS: Reason.MAX_TURNS,
}


@dataclass(frozen=True)
class End:
    """Why the loop stops."""

    status: Status
    reason: Reason
    detail: str = ""


def end_note(run: Run, keeper: Tree) -> Event:
    """Tell of the end of a run, and in git's words of all that was changed since the base."""
    changed = ""
    with suppress(RepositoryError):  # a note is no reason to fail at the end
        changed = keeper.changes(run.base, run.commit or run.base)
    return Event(EventKind.NOTE, f"{run.status}: {run.reason}", data={"detail": run.detail, "files_changed": changed})


class Endings:
    """One run's attempts, looked at one after the other."""

    def __init__(self) -> None:
        self._seen: list[tuple[str, frozenset[str], Ending | None]] = []

    def after(
        self, attempt: Attempt, outcome: Outcome, checks: Sequence[Check], before: Sequence[Check]
    ) -> tuple[Reason, str] | None:
        """Say why the run ends with this attempt; None where there is reason to go on. `before`: of the one before."""
        unmet = failed(checks)
        if not unmet:
            return Reason.CRITERIA_MET, ""
        tainted = [check for check in unmet if check.verdict is Verdict.TAINTED]
        if tainted and not _can_be_put_back(checks):
            return Reason.TAINTED, tainted[0].evidence  # a runner lied, or what is installed was changed
        if _can_be_put_back(checks) and _can_be_put_back(before):
            return Reason.TAINTED, f"protected files were changed, and stayed so: {tampered(checks)}"
        if all(check.verdict is Verdict.UNVERIFIABLE for check in unmet):
            return Reason.UNVERIFIABLE, f"{unmet[0].criterion}: {unmet[0].evidence}"
        if outcome.impossible:
            return Reason.IMPOSSIBLE, outcome.impossible
        failures = frozenset(check.criterion_hash for check in unmet)
        self._seen.append((attempt.tree or "", failures, attempt.ending))
        return self._stalled(attempt.detail)

    def rejected(self, attempt: Attempt) -> tuple[Reason, str] | None:
        """Say why the run ends with an attempt that a critic sends back; None where there is reason to go on."""
        self._seen.append((attempt.tree or "", frozenset({"critic"}), attempt.ending))
        return self._stalled(attempt.detail)

    def _stalled(self, detail: str) -> tuple[Reason, str] | None:
        recent = self._seen[-STALL_LIMIT:]
        if len(recent) < STALL_LIMIT or len({seen[:2] for seen in recent}) > 1:
            return None
        endings = {seen[2] for seen in recent}
        if Ending.FINISHED in endings:
            return Reason.STALLED, f"{STALL_LIMIT} iterations in a row left the same files and failures"
        own = _OWN_REASON.get(endings.pop() or Ending.ERROR) if len(endings) == 1 else None
        return own or Reason.AGENT_FAILED, f"the agent failed {STALL_LIMIT} times in a row: {detail}"


def last_failure(attempts: Sequence[Attempt]) -> str:
    """Say how the last attempt failed; empty where it did not."""
    last = attempts[-1] if attempts else None
    return f"; the last attempt failed: {last.detail}" if last and last.ending is Ending.ERROR else ""


def tampered(checks: Sequence[Check]) -> str:
    """Name the protected files that were changed; empty where none was."""
    return ", ".join(dict.fromkeys(item.path for check in checks for item in check.proof.tampering))


def _can_be_put_back(checks: Sequence[Check]) -> bool:
    """Whether protected files were changed in the workspace, where the agent can undo it."""
    return any(not item.installed for check in checks for item in check.proof.tampering)
