"""Criteria + a commit -> checks. The room is the checkroom's, the looking is the criteria's own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from loopwright.records.check import Check, Verdict
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.run.checkroom import Checkroom
from loopwright.run.dependencies import FOLDERS
from loopwright.run.look import look

_BROUGHT = tuple(f"{name}/" for name in FOLDERS)
"""What git does not hold and every clone gets."""


class Judge:
    """Evaluates criteria at a commit and writes down what was seen."""

    def __init__(self, room: Checkroom, base: str, run_id: str) -> None:
        self._room, self._base, self._run_id = room, base, run_id
        self._self_graded: dict[str, bool] = {}

    @property
    def place(self) -> Path:
        """Where the criteria look."""
        return self._room.root

    def judge(
        self,
        criteria: Sequence[Criterion],
        commit: str,
        environment: Environment,
        iteration: int = 0,
        attempt_id: str | None = None,
    ) -> list[Check]:
        """Evaluate criteria one after the other; stops between two of them when the run is cancelled."""
        checks: list[Check] = []
        for criterion in criteria:
            if self._room.cancel.is_set():
                break
            started = time.monotonic()
            tree = self._room.enter(commit)
            seen = look(criterion, self._room)
            if self._room.cancel.is_set():
                break
            check = Check(
                id=new_id(),
                run_id=self._run_id,
                attempt_id=attempt_id,
                iteration=iteration,
                criterion=criterion.describe(),
                kind=criterion.kind,
                verdict=seen.verdict,
                held_out=criterion.held_out,
                self_graded=self._is_self_graded(criterion),
                flaky=seen.flaky,
                accounting=seen.accounting,
                evidence=seen.text,
                criterion_hash=criterion.hash,
                tree_hash=tree,
                command=seen.command,
                exit_code=seen.exit_code,
                output_hash=seen.output_hash,
                duration_s=round(time.monotonic() - started, 3),
                environment=environment,
            )
            checks.append(check)
        if any(criterion.held_out for criterion in criteria):
            self._room.close()  # what its command left behind is not for the agent to find
        return checks

    def _is_self_graded(self, criterion: Criterion) -> bool:
        known = self._self_graded.get(criterion.hash)
        if known is None:
            repository = self._room.repository
            own = [name for name in criterion.own_files() if not name.startswith(_BROUGHT)]
            known = any(not repository.has(self._base, name) for name in own)
            self._self_graded[criterion.hash] = known
        return known


def failed(checks: Sequence[Check]) -> list[Check]:
    """Those that do not hold."""
    return [check for check in checks if check.verdict is not Verdict.PASS]


def last_checks(checks: Sequence[Check]) -> list[Check]:
    """Those of the last iteration that was judged; where it was judged again, the newest for each criterion."""
    newest = {
        check.criterion_hash: check
        for check in checks
        if (check.iteration, check.tree_hash) == (checks[-1].iteration, checks[-1].tree_hash)
    }
    return list(newest.values())


def verdict_event(check: Check) -> Event:
    """Tell of a check as of one thing that happened."""
    data = {"verdict": check.verdict, "criterion_hash": check.criterion_hash, "held_out": check.held_out}
    failing = check.verdict is not Verdict.PASS
    text = f"{check.verdict}: {check.criterion}"
    return Event(EventKind.VERDICT, text, is_error=failing, duration_s=check.duration_s, data=data)
