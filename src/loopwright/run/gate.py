"""A run and its critic: what it thinks of the work is written down and, where the task says so, decides on the end.

Criteria come first: where they do not hold, nobody asks the critic before the end.
"""

from __future__ import annotations

import dataclasses
import os.path
from collections.abc import Callable, Sequence
from pathlib import Path

from loopwright.errors import LoopwrightError, SettingError
from loopwright.ports import Critic, RunStore
from loopwright.records.check import Check, last_checks
from loopwright.records.criterion import Criterion
from loopwright.records.evaluation import Evaluation, scored
from loopwright.records.event import Event, EventKind
from loopwright.records.rubric import Rubric
from loopwright.records.run import Reason, Run, Status
from loopwright.records.task import Task
from loopwright.run.recorder import Recorder
from loopwright.run.verdicts import failed
from loopwright.run.whole_change import judged_change
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
        self._trouble = ""
        """Why it could not judge."""
        if self.decides and (before := [one for one in store.evaluations(run.id) if one.rubric]):
            self._last = "", before[-1]

    def stops(self, run: Run) -> tuple[Reason, str] | None:
        """Ask whether work whose criteria hold may pass; say why it may not."""
        if not self.decides:
            return None
        found = self._judge(run, decides=True)
        if found is None or found.passed is None:
            why = found.reason if found else self._trouble
            return Reason.UNVERIFIABLE, f"all criteria hold, and the critic could not decide: {why}"
        return None if found.passed else (Reason.REJECTED, found.reason)

    def feedback(self, checks: Sequence[Check]) -> str:
        """Say what the critic wants changed; nothing where it has no objection, or criteria come first."""
        found = self._rejected(checks)
        return "\n".join([_score(found), *(f"- {one}" for one in found.objections)]) if found else ""

    def objection(self, checks: Sequence[Check]) -> str:
        """Say the same to people, at the end of a run."""
        found = self._rejected(checks)
        return f"all criteria hold, but the critic did not accept it: {_score(found)}: {found.reason}" if found else ""

    def _rejected(self, checks: Sequence[Check]) -> Evaluation | None:
        if not self.decides or self._last is None or self._last[1].passed is not False:
            return None
        return self._last[1] if checks and not failed(last_checks(checks)) else None

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
            self._trouble = getattr(error, "message", str(error))
            self._recorder.trouble(f"the critic could not judge the work: {error}")
            return None
        if self._last and self._last[1].rubric_hash != found.rubric_hash:
            self._recorder.trouble(f"the rubric {found.rubric} is not as it was when this run was judged before")
        self._last = run.commit or "", found
        self._store.add_evaluation(found)
        self._recorder.add(_event(found, decides))
        self._recorder.flush()
        return found


def _score(found: Evaluation) -> str:
    return f"{scored(found.score)} by the rubric {found.rubric}"


def _event(found: Evaluation, decides: bool) -> Event:
    verdict = {True: "pass", False: "fail", None: "unverifiable"}[found.passed]
    data = {"verdict": verdict, "critic": True, "score": found.score, "rubric": found.rubric}
    data |= {} if decides else {"advisory": True}
    return Event(EventKind.VERDICT, found.line, is_error=found.passed is False, data=data)


def rubric_of(critic: Critic | None, task: Task) -> Rubric | None:
    """Read by what the work is judged besides its criteria: once, before the agent can have a hand in it."""
    return None if critic is None or task.critic == "off" else critic.rubric_of(task.task_type)


def check_rubric(critic: Critic | None, task: Task) -> None:
    """Refuse, before anything is spent, a rubric that can't be read, or a gate that nobody could open."""
    rubric = rubric_of(critic, task)
    if critic and rubric and task.critic == "gate" and not critic.answers and any(one.question for one in rubric.items):
        hint = "set one: [models] critic; or use a rubric of checks alone, or --critic advise"
        raise SettingError(f"the rubric `{rubric.title}` is a gate with questions, and no model answers them", hint)


def critique_of(
    critic: Critic | None, rubric: Rubric | None, workspace: Workspace
) -> tuple[Critique | None, Sequence[Criterion]]:
    """Give who has a view of a run, and what has to be looked at for that."""
    if critic is None or rubric is None:
        return None, ()

    def critique(run: Run) -> Evaluation:
        return critic.critique(run, judged_change(workspace.keeper, run.base, run.commit or run.base), rubric)

    return critique, rubric.criteria


def guarded(task: Task, rubric: Rubric | None, critic: Critic | None, root: Path) -> Task:
    """Protect for a task also all rubrics of the project, and what the criteria of one that decides are decided by."""
    places = [Path(os.path.normpath(place)) for place in (critic.rubric_files if critic else ())]
    inside = [f"/{place.relative_to(root).as_posix()}" for place in places if place.is_relative_to(root)]
    own = [place if place.endswith(".toml") else f"{place}/**" for place in inside]
    criteria = rubric.criteria if rubric and task.critic == "gate" else []
    return dataclasses.replace(task, protect=[*task.protect, *own], criteria=[*task.criteria, *criteria])
