"""The loop: run the agent, look at what it left, judge it, and stop when all criteria hold or nothing more can be had.

Every iteration is written before it starts and after it has ended, so that a run can be taken up from the store alone.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from loopwright.ports import Agent, Outcome, RunStore, Watcher
from loopwright.records.budget import Spent
from loopwright.records.check import Check, Verdict
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.records.run import Attempt, Ending, Reason, Result, Run, Status, Step
from loopwright.run.artifacts import write_artifacts
from loopwright.run.caps import Caps
from loopwright.run.disk import Disk
from loopwright.run.judge import Judge, Occasion
from loopwright.run.prompt import Story, write_prompt
from loopwright.run.recorder import Recorder
from loopwright.run.revert import Reverter
from loopwright.run.verdicts import all_hold, failed, forecast, last_checks, verdict_event
from loopwright.run.worker import Turn, Worker
from loopwright.run.workspace import Workspace
from loopwright.settings import LimitsSettings

STALL_LIMIT = 3
"""The same tree and the same failures this often: nothing moves any more."""


@dataclass(frozen=True)
class End:
    """Why the loop stops."""

    status: Status
    reason: Reason
    detail: str = ""


class Loop:
    """One run at work. `go` returns when it has ended, and everything is written by then."""

    def __init__(
        self,
        run: Run,
        step: Step,
        agent: Agent,
        workspace: Workspace,
        judge: Judge,
        reverter: Reverter,
        store: RunStore,
        watcher: Watcher,
        cancel: threading.Event,
        disk: Disk,
        limits: LimitsSettings,
    ) -> None:
        self.run, self._workspace, self._judge = run, workspace, judge
        self._reverter, self._store, self._watcher, self._cancel = reverter, store, watcher, cancel
        self._disk = dataclasses.replace(disk, tell=self._tell)
        self._caps = Caps(store, limits)
        self._turn: Turn | None = None
        self._recorder = Recorder(store, run, watcher)
        told = (self._recorder, cancel, self._disk, limits, self._caps)
        self._worker = Worker(agent, step, workspace, reverter, store, *told)
        self._attempts = list(store.attempts(run.id))
        self._checks = list(store.checks(run.id))
        self._seen: list[tuple[str, frozenset[str]]] = []
        # What an attempt used is written while it runs: a run that died has used that, too.
        self._seconds_before = max(run.spent.seconds, sum(attempt.duration_s for attempt in self._attempts))
        self._started = time.monotonic()

    def go(self) -> Result:
        """Work until the run has ended."""
        self._watcher.started(self.run)
        self._watcher.phase(self.run, "making the clone")
        self._save(commit=self.run.commit or self.run.base)
        # The preflight looks at the base in a checkout of its own: it need not wait for the clone.
        with ThreadPoolExecutor(2) as beside:
            room = beside.submit(self._disk.through, self._judge.open_room)
            clone = beside.submit(self._disk.through, lambda: self._workspace.prepare(self.run.base))
            kept = Path(self.run.artifacts) / "dependencies.json"
            noted = beside.submit(self._judge.remember_dependencies, kept)
            surroundings = self._environment()
            room.result()
            end = self._preflight(surroundings)
        noted.result()
        self._save(commit=clone.result())
        self._recover()
        if self._attempts:
            end = self._look_again()
        if end is None:
            self._recorder.trouble(self._reverter.start(self.run.commit or self.run.base))
        while end is None:
            end = self._limit() or self._iterate()
        return self._finish(end)

    def _recover(self) -> None:
        """End the attempt that was under way when we died; what it wrote is in the commit that the clone stands on."""
        for index, attempt in enumerate(self._attempts):
            if attempt.ending is None:
                words = "Loopwright ended while it ran"
                lost = dataclasses.replace(
                    attempt, process="", ended_at=timestamp(), ending=Ending.LOST, detail=words, commit=self.run.commit
                )
                self._store.save_attempt(lost)
                self._attempts[index] = lost

    def _preflight(self, surroundings: Environment) -> End | None:
        """Look at the base before anything is spent; also once more, where nothing came of it the last time."""
        self._watcher.phase(self.run, "preflight: what holds already?")
        checks = self._judged(lambda: self._judge.preflight(self.run.task.criteria, surroundings))
        if self._attempts:
            return None  # a run that is taken up: what is judged is held against the base all the same
        self._checks = []
        self._record(checks)
        unverifiable = [check for check in checks if check.verdict is Verdict.UNVERIFIABLE]
        if unverifiable:
            first = unverifiable[0]
            return self._unmet(Reason.UNVERIFIABLE, f"{first.criterion}: {first.evidence}")
        if all_hold(checks, self.run.task):
            return End(Status.DONE, Reason.ALREADY_MET, "every criterion holds at the base: no agent was started")
        if not self._judge.stop.is_set():
            self._watcher.phase(self.run, forecast(checks))
        return None

    def _look_again(self) -> End | None:
        """Judge what is there where that is not known: an attempt was cut short, or a person went on with the work."""
        last = self._attempts[-1]
        checks = [check for check in last_checks(self._checks) if check.attempt_id == last.id]
        known = failed(checks) or len(checks) == len(self.run.task.criteria)
        tainted = any(check.verdict is Verdict.TAINTED or check.proof.tampering for check in checks)
        # A human may have accepted what was tainted.
        if not known or tainted or last.commit != self.run.commit:
            checks = self._check(dataclasses.replace(last, commit=self.run.commit))
        return End(Status.DONE, Reason.CRITERIA_MET) if all_hold(checks, self.run.task) else None

    def _limit(self) -> End | None:
        """Whether another iteration may begin."""
        if self._cancel.is_set():
            return End(Status.CANCELLED, Reason.CRITERIA_UNMET, "interrupted; the work so far is on the branch")
        budget, spent = self.run.budget, self._spent()
        used = budget.exhausted(spent)
        if used or self._judge.stop.is_set():
            return self._unmet(Reason.BUDGET, used or "the time of the run is used up")
        if capped := self._caps.reached():  # no human has to decide: it goes on when there is money again
            return End(Status.CANCELLED, Reason.BUDGET, capped)
        if len(self._attempts) >= budget.max_iterations:
            return self._unmet(Reason.CRITERIA_UNMET, f"iterations used up: {budget.max_iterations}")
        return None

    def _iterate(self) -> End | None:
        number = len(self._attempts) + 1
        self._watcher.phase(self.run, f"iteration {number} of {self.run.budget.max_iterations}")
        self._turn = turn = self._worker.turn(self.run, number, self._prompt(number), self._spent())
        self._attempts.append(turn.attempt)
        self._save(commit=turn.attempt.commit, spent=self._spent())
        if turn.attempt.ending is Ending.CANCELLED:
            return None
        checks = self._check(turn.attempt)
        self._recorder.trouble(turn.not_home, turn.attempt.id)
        self._save(spent=self._spent())
        if self._judge.stop.is_set() and not all_hold(checks, self.run.task):
            return None  # a check that was cut short is no verdict
        return self._verdict(turn.attempt, turn.outcome, checks)

    def _check(self, attempt: Attempt) -> list[Check]:
        """Judge what an attempt left: the visible criteria, and the held-out ones once all those hold."""
        self._watcher.phase(self.run, f"checking iteration {attempt.number}")
        checks = self._judged(lambda: self._judge_all(attempt))
        self._record(checks, attempt.id)
        return checks

    def _judged(self, judge: Callable[[], list[Check]]) -> list[Check]:
        """Judge, and once more where something failed for want of room on the disk: that is nobody's fault."""
        while True:
            checks = self._disk.through(judge)
            if not failed(checks) or not self._disk.short() or self._judge.stop.is_set():
                return checks

    def _judge_all(self, attempt: Attempt) -> list[Check]:
        task = self.run.task
        visible = [criterion for criterion in task.criteria if not criterion.held_out]
        hidden = [criterion for criterion in task.criteria if criterion.held_out]
        commit = attempt.commit or self.run.base
        occasion = Occasion(self._environment(attempt.environment.model), attempt.number, attempt.id)
        checks = self._judge.judge(visible, commit, occasion)
        if hidden and len(checks) == len(visible) and not failed(checks):
            checks += self._judge.judge(hidden, commit, occasion)
        if all_hold(checks, self.run.task):
            checks = self._judge.prove(task.criteria, checks)
            if self._judge.stop.is_set():
                return []  # a proof that was cut short is none: it is given when the run is taken up
        return checks

    def _verdict(self, attempt: Attempt, outcome: Outcome, checks: Sequence[Check]) -> End | None:
        """Say whether the run has ended with this iteration, and how."""
        unmet = failed(checks)
        if not unmet:
            return End(Status.DONE, Reason.CRITERIA_MET)
        tainted = [check for check in unmet if check.verdict is Verdict.TAINTED]
        if tainted and not _can_be_put_back(checks):
            return self._unmet(Reason.TAINTED, tainted[0].evidence)  # a runner lied, or what is installed was changed
        before = last_checks([check for check in self._checks if check.iteration == attempt.number - 1])
        if _can_be_put_back(checks) and _can_be_put_back(before):
            return self._unmet(Reason.TAINTED, f"protected files were changed, and stayed so: {_tampered(checks)}")
        if all(check.verdict is Verdict.UNVERIFIABLE for check in unmet):
            return self._unmet(Reason.UNVERIFIABLE, f"{unmet[0].criterion}: {unmet[0].evidence}")
        if outcome.impossible:
            return self._unmet(Reason.IMPOSSIBLE, outcome.impossible)
        if self.run.budget.exhausted(self._spent()):
            return None  # the limit says so next
        self._seen.append((attempt.tree or "", frozenset(check.criterion_hash for check in unmet)))
        recent = self._seen[-STALL_LIMIT:]
        if len(recent) < STALL_LIMIT or len(set(recent)) > 1:
            return None
        if all(past.ending is not Ending.FINISHED for past in self._attempts[-STALL_LIMIT:]):
            return self._unmet(Reason.AGENT_FAILED, f"the agent failed {STALL_LIMIT} times in a row: {attempt.detail}")
        return self._unmet(Reason.STALLED, f"{STALL_LIMIT} iterations in a row left the same files and failures")

    def _unmet(self, reason: Reason, detail: str) -> End:
        if (changed := _tampered(last_checks(self._checks))) and reason is not Reason.TAINTED:
            reason, detail = Reason.TAINTED, f"{detail}; protected files were changed: {changed}"
        status = Status.ESCALATED if self.run.task.escalate_on_failure else Status.FAILED
        return End(status, reason, detail)

    def _finish(self, end: End) -> Result:
        """Write what people look at, and then the end: a run that is called done has all of it."""
        self._save(spent=self._spent())  # refused where the run is not ours any more: then nothing of it is overwritten
        detail = "; ".join(filter(None, (end.detail, self._accepted(), self._turn.not_home if self._turn else "")))
        ending = {**vars(end), "detail": detail, "ended_at": timestamp()}
        ended = dataclasses.replace(self.run, spent=self._spent(), **ending)
        tampering = (item for check in last_checks(self._checks) for item in check.proof.tampering)
        tampered = [item.path for item in tampering if not item.installed]
        result = self._disk.through(lambda: self._write_artifacts(ended, tampered))
        self._recorder.add(Event(EventKind.NOTE, f"{end.status}: {end.reason}", data={"detail": end.detail}))
        self._recorder.flush()
        self._save(**ending, spent=ended.spent)
        self._watcher.ended(self.run, result)
        return result

    def _write_artifacts(self, ended: Run, tampered: Sequence[str]) -> Result:
        commit = ended.commit or ended.base
        diff, shown = self._workspace.diff(ended.base, commit), self._judge.show_tampering(commit, tampered)
        return write_artifacts(ended, self._attempts, self._checks, diff, shown)

    def _accepted(self) -> str:
        words = [f"{word.by} ({word.reason})" for word in self._store.acceptances(self.run.id)]
        return f"changes of protected files were accepted by {', '.join(words)}" if words else ""

    def _tell(self, text: str) -> None:
        self._watcher.phase(self.run, text)
        self._recorder.add(Event(EventKind.NOTE, text))

    def _prompt(self, number: int) -> str:
        note = self._turn.note if self._turn else ""
        story = Story(self._attempts, self._checks, self._store.comments(self.run.id), note)
        return write_prompt(self.run.task, self.run.profile, story)

    def _record(self, checks: Sequence[Check], attempt_id: str | None = None) -> None:
        self._checks += checks
        self._store.add_checks(checks)
        for check in checks:
            self._recorder.add(verdict_event(check), attempt_id)
        self._recorder.masked([self._judge.masked], "the checks", attempt_id)
        self._judge.masked.clear()
        self._recorder.flush()
        self._watcher.checked(self.run, checks)

    def _spent(self) -> Spent:
        """What the run has used: attempts that have ended, and the time at work in this and earlier goes."""
        ended = sum((Spent(1, attempt.cost_usd, attempt.tokens) for attempt in self._attempts), Spent())
        seconds = self._seconds_before + time.monotonic() - self._started
        return dataclasses.replace(ended, seconds=round(seconds, 3))

    def _environment(self, model: str = "") -> Environment:
        return self._worker.environment(self.run, self._judge.place, model)

    def _save(self, **changes: object) -> None:
        self.run = dataclasses.replace(self.run, **changes)  # type: ignore[arg-type]
        self._store.save_run(self.run)


def _can_be_put_back(checks: Sequence[Check]) -> bool:
    """Whether protected files were changed in the workspace, where the agent can undo it."""
    return any(not item.installed for check in checks for item in check.proof.tampering)


def _tampered(checks: Sequence[Check]) -> str:
    """Name the protected files that were changed; empty where none was."""
    return ", ".join(dict.fromkeys(item.path for check in checks for item in check.proof.tampering))
