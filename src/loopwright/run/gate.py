"""A run and its critic: what it thinks of the work is written down and, where the task says so, decides on the end.

Criteria come first: where they do not hold, nobody asks the critic before the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from loopwright.errors import LoopwrightError
from loopwright.ports import Critic, RunStore
from loopwright.records.check import Check, last_checks
from loopwright.records.criterion import Criterion
from loopwright.records.evaluation import Evaluation
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Reason, Run, Status
from loopwright.records.task import Task
from loopwright.run.recorder import Recorder
from loopwright.run.verdicts import failed
from loopwright.run.workspace import Workspace

Critique = Callable[[Run], Evaluation]
"""Judges a run as it is now."""


class Gate:
    """The critic of one run."""

    def __init__(self, critique: Critique | None, run: Run, store: RunStore, recorder: Recorder) -> None:
        self._critique = None if run.task.critic == "off" else critique
        self.decides = self._critique is not None and run.task.critic == "gate"
        """Whether the work has to get past it."""
        self._store, self._recorder = store, recorder
        self._last: tuple[str, Evaluation] | None = None
        if self.decides and (before := [one for one in store.evaluations(run.id) if one.rubric]):
            self._last = "", before[-1]

    def stops(self, run: Run) -> tuple[Reason, str] | None:
        """Ask whether work whose criteria hold may pass; say why it may not."""
        if not self.decides:
            return None
        found = self._judge(run, decides=True)
        if found is None or found.passed is None:
            why = found.reason if found else "it could not be asked"
            return Reason.UNVERIFIABLE, f"all criteria hold, and the critic could not decide: {why}"
        return None if found.passed else (Reason.REJECTED, f"all criteria hold, but not the critic: {found.reason}")

    def feedback(self, checks: Sequence[Check]) -> str:
        """Say what the critic wants changed; nothing where it has no objection, or criteria come first."""
        if not self.decides or self._last is None or self._last[1].passed is not False:
            return ""
        if not checks or failed(last_checks(checks)):
            return ""
        found = self._last[1]
        return "\n".join(
            [f"{found.score} of 10 by the rubric {found.rubric}", *(f"- {one}" for one in found.objections)]
        )

    def close(self, ended: Run) -> None:
        """Have the critic's view of a run that has ended."""
        judged = self._last is not None and self._last[0] == ended.commit
        if ended.status is not Status.CANCELLED and ended.reason is not Reason.ALREADY_MET and not judged:
            self._judge(ended)

    def _judge(self, run: Run, *, decides: bool = False) -> Evaluation | None:
        if self._critique is None:
            return None
        self._recorder.flush()  # the critic reads the record
        try:
            found = self._critique(run)
        except (LoopwrightError, OSError, ValueError) as error:  # whatever a rubric holds, the run goes on
            self._recorder.trouble(f"the critic could not judge the work: {error}")
            return None
        self._last = run.commit or "", found
        self._store.add_evaluation(found)
        self._recorder.add(_event(found, decides))
        self._recorder.flush()
        return found


def _event(found: Evaluation, decides: bool) -> Event:
    verdict = {True: "pass", False: "fail", None: "unverifiable"}[found.passed]
    text = f"{verdict}: critic, {found.score} of 10 by the rubric {found.rubric}: {found.reason}"
    data = {"verdict": verdict, "critic": True, "score": found.score, "rubric": found.rubric}
    data |= {} if decides else {"advisory": True}
    return Event(EventKind.VERDICT, text, is_error=found.passed is False, data=data)


def critique_of(critic: Critic | None, task: Task, workspace: Workspace) -> tuple[Critique | None, Sequence[Criterion]]:
    """Give who has a view of a run, and what has to be looked at for that."""
    if critic is None or task.critic == "off":
        return None, ()

    def critique(run: Run) -> Evaluation:
        diff = workspace.diff(run.base, run.commit or run.base)
        return critic.critique(run, diff.decode(errors="replace"))

    return critique, besides(critic, task)


def besides(critic: Critic | None, task: Task) -> Sequence[Criterion]:
    """Name what a critic wants to have looked at."""
    return () if critic is None or task.critic == "off" else critic.criteria(task)
