"""The loop: run the agent, look at what it left, judge it, and stop when all criteria hold or nothing more can be had.

Every iteration is written before it starts and after it has ended, so that a run can be taken up from the store alone.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from loopwright.ports import RunStore, Watcher
from loopwright.records.budget import Spent
from loopwright.records.check import Check, Verdict, last_checks
from loopwright.records.criterion import Criterion
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.run import LATER, Attempt, Ending, Reason, Result, Run, Status, Step
from loopwright.run.caps import Caps
from loopwright.run.crew import Crew, note
from loopwright.run.disk import Disk
from loopwright.run.ending import End, Endings, last_failure, tampered
from loopwright.run.finishing import Finishing
from loopwright.run.gate import Critique, Gate
from loopwright.run.hold import Stop
from loopwright.run.judge import Judge, Occasion
from loopwright.run.judging import Judging
from loopwright.run.recorder import Recorder
from loopwright.run.revert import Reverter
from loopwright.run.roles import wanted_changes
from loopwright.run.takeover import end_lost
from loopwright.run.telling import Telling
from loopwright.run.verdicts import all_hold, failed, forecast, verdict_event
from loopwright.run.waiting import Waiting
from loopwright.run.worker import Assignment, Turn, Worker
from loopwright.run.workspace import Workspace
from loopwright.settings import LimitsSettings

_RESERVE = 1.5
"""So many times what the checks took at the base is left for them when an agent uses up all of a run's time."""


class Loop:
    """One run at work. `go` returns when it has ended, and everything is written by then."""

    def __init__(
        self,
        run: Run,
        step: Step,
        crew: Crew,
        workspace: Workspace,
        judge: Judge,
        reverter: Reverter,
        store: RunStore,
        watcher: Watcher,
        cancel: threading.Event,
        in_time: Stop,
        disk: Disk,
        limits: LimitsSettings,
        recorder: Recorder,
        critique: Critique | None = None,
        besides: Sequence[Criterion] = (),
    ) -> None:
        self.run, self._workspace, self._judge = run, workspace, judge
        self._reverter, self._store, self._watcher = reverter, store, watcher
        self._cancel, self._in_time = cancel, in_time
        self._disk, self._caps = dataclasses.replace(disk, tell=self._tell), Caps(store, limits)
        self._turn: Turn | None = None
        self._reserve_s, self._crew, self._recorder = 0.0, crew, recorder
        told = (self._recorder, cancel, self._disk, limits, self._caps)
        self._worker = Worker(crew, step, workspace, reverter, store, *told)
        self._attempts = list(store.attempts(run.id))
        self._checks = list(store.checks(run.id))
        self._judging = Judging(judge, run.task, self._disk, besides)
        self._gate = Gate(critique, run, store, self._recorder)
        self._finishing = Finishing(workspace, judge, store, self._recorder)
        lead = crew["worker"]
        self._endings, self._telling = Endings(), Telling(workspace, lead.agent.honours, lead.surrounding.confined)
        self._waiting = Waiting(limits.unavailable_s, cancel, self._tell)
        # What an attempt used is written while it runs: a run that died has used that, too.
        self._seconds_before = max(run.spent.seconds, sum(attempt.duration_s for attempt in self._attempts))
        self._started = time.monotonic()

    def go(self) -> Result:
        """Work until the run has ended."""
        self._watcher.started(self.run)
        self._watcher.phase(self.run, "making the clone")
        self._save(commit=self.run.commit or self.run.base)
        # The preflight looks at the base in a checkout of its own: it need not wait for the clone.
        with ThreadPoolExecutor(3) as beside:
            met = beside.submit(self._worker.meet)
            room = beside.submit(self._disk.through, self._judge.open_room)
            clone = beside.submit(self._disk.through, lambda: self._workspace.prepare(self.run.base))
            kept = Path(self.run.artifacts) / "dependencies.json"
            noted = beside.submit(self._judge.remember_dependencies, kept)
            surroundings = self._environment()
            room.result()
            end = self._preflight(surroundings)
        noted.result()
        if end is None and (trouble := met.result()):
            end = self._unmet(Reason.AGENT_FAILED, trouble)
        self._save(commit=clone.result())
        self._attempts = end_lost(self._attempts, self.run.commit, self._store)
        self._recorder.trouble("" if end else note(self._crew))
        if end is None and any(attempt.role == "worker" for attempt in self._attempts):
            end = self._look_again()
        if end is None:
            self._recorder.trouble(self._reverter.start(self.run.commit or self.run.base))
        while end is None:
            end = self._limit() or self._iterate()
        return self._finish(end)

    def _preflight(self, surroundings: Environment) -> End | None:
        """Look at the base before anything is spent; also once more, where nothing came of it the last time."""
        self._watcher.phase(self.run, "preflight: what holds already?")
        checks = self._judging.base(surroundings)
        takes = _RESERVE * sum(check.duration_s for check in checks)
        self._reserve_s = min(takes, self.run.budget.timeout_s / 4)
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
        if not self._in_time.is_set():
            self._watcher.phase(self.run, forecast(checks))
        return None

    def _look_again(self) -> End | None:
        """Judge what is there where that is not known: an attempt was cut short, or a person went on with the work."""
        last = [attempt for attempt in self._attempts if attempt.role == "worker"][-1]
        checks = [check for check in last_checks(self._checks) if check.attempt_id == last.id]
        known = failed(checks) or all_hold(checks, self.run.task)
        tainted = any(check.verdict is Verdict.TAINTED or check.proof.tampering for check in checks)
        # A human may have accepted what was tainted.
        if not known or tainted or last.commit != self.run.commit:
            checks = self._check(dataclasses.replace(last, commit=self.run.commit))
        return self._held(None) if all_hold(checks, self.run.task) else None

    def _limit(self) -> End | None:
        """Whether another iteration may begin."""
        if self._cancel.is_set():
            return End(Status.CANCELLED, Reason.CRITERIA_UNMET, "interrupted; the work so far is on the branch")
        budget, spent = self.run.budget, self._spent()
        if (used := budget.exhausted(spent)) or self._in_time.is_set():
            return self._unmet(Reason.BUDGET, used or "the time of the run is used up")
        if capped := self._caps.reached():  # no human has to decide: it goes on when there is money again
            return End(Status.CANCELLED, Reason.BUDGET, capped)
        if spent.iterations >= budget.max_iterations:
            why = f"iterations used up: {budget.max_iterations}{last_failure(self._attempts)}"
            rejected = self._gate.objection(self._checks)
            return self._unmet(Reason.REJECTED if rejected else Reason.CRITERIA_UNMET, why)
        return None

    def _iterate(self) -> End | None:
        if self._telling.wants_plan(self.run, self._attempts):
            self._watcher.phase(self.run, "planning")
            turn = self._go(self._telling.planner(self.run, self._attempts))
            self._recorder.trouble("" if turn.attempt.output.strip() else "there is no plan", turn.attempt.id)
            return self._come_back(turn) if turn.attempt.ending in LATER else None
        number = self._spent().iterations + 1
        self._watcher.phase(self.run, f"iteration {number} of {self.run.budget.max_iterations}")
        self._turn = turn = self._go(self._work())
        if turn.attempt.ending in LATER:
            return self._come_back(turn)
        reviewable = turn.attempt.ending is not Ending.CANCELLED and turn.attempt.files_changed
        if reviewable and self.run.profile.review == "separate":
            if end := self._review():
                return end
            turn = self._turn
        if turn.attempt.ending is Ending.CANCELLED:
            return None  # the limit says so next
        before = last_checks(self._checks)
        checks = self._check(turn.attempt)
        self._recorder.trouble(turn.not_home, turn.attempt.id)
        self._save(spent=self._spent())
        if self._in_time.is_set() and not all_hold(checks, self.run.task):
            return None  # a check that was cut short is no verdict
        return self._verdict(turn, checks, before)

    def _go(self, assignment: Assignment) -> Turn:
        """Let somebody have a go, and keep what came of it."""
        turn = self._worker.turn(self.run, assignment, self._spent() + Spent(seconds=self._reserve_s))
        self._attempts.append(turn.attempt)
        self._save(commit=turn.attempt.commit, spent=self._spent())
        if turn.attempt.ending not in LATER:
            self._waiting.answered()
        return turn

    def _review(self) -> End | None:
        """Let a second agent look at the work; where it wants changes, the worker has one more go before the checks."""
        self._watcher.phase(self.run, "review")
        review = self._go(self._telling.reviewer(self.run, self._attempts))
        while review.attempt.ending in LATER:
            if (end := self._come_back(review)) or self._cancel.is_set():
                return end
            review = self._go(self._telling.reviewer(self.run, self._attempts))
        words = review.attempt.output.strip()
        if review.attempt.ending is Ending.CANCELLED or self._limit():
            return None
        if review.attempt.ending is not Ending.FINISHED or not words:
            self._recorder.trouble("there was no review: the checks decide alone", review.attempt.id)
        elif wanted := wanted_changes(words):
            self._watcher.phase(self.run, "iteration goes on: the reviewer wants changes")
            again = self._go(self._work(wanted))
            self._turn = self._turn if again.attempt.ending in LATER else again
        return None

    def _check(self, attempt: Attempt) -> list[Check]:
        """Judge what an attempt left: the visible criteria, and the held-out ones once all those hold."""
        self._watcher.phase(self.run, f"checking iteration {attempt.number}")
        occasion = Occasion(self._environment(attempt.environment.model), attempt.number, attempt.id)
        checks = self._judging.commit(attempt.commit or self.run.base, occasion)
        self._record(checks, attempt.id)
        return checks

    def _verdict(self, turn: Turn, checks: Sequence[Check], before: Sequence[Check]) -> End | None:
        """Say whether the run has ended with this iteration, and how."""
        found = self._endings.after(turn.attempt, turn.outcome, checks, before)
        if found is None or found[0] is Reason.CRITERIA_MET:
            return None if found is None else self._held(turn.attempt)
        if found[0] in (Reason.STALLED, Reason.AGENT_FAILED) and self.run.budget.exhausted(self._spent()):
            return None  # the limit says so next
        return self._unmet(*found)

    def _held(self, attempt: Attempt | None) -> End | None:
        """All criteria hold: it is done, unless the critic stops it or sends it back."""
        stopped = self._gate.stops(self.run)
        if stopped and stopped[0] is Reason.REJECTED:
            stopped = self._endings.rejected(attempt) if attempt else None
            return self._unmet(*stopped) if stopped else None
        return self._unmet(*stopped) if stopped else End(Status.DONE, Reason.CRITERIA_MET)

    def _come_back(self, turn: Turn) -> End | None:
        """Wait for a model that can't be asked just now; no iteration is spent on that."""
        if turn.attempt.ending is Ending.NO_ACCESS:
            return self._unmet(Reason.NO_ACCESS, f"{turn.attempt.detail}; see: loopwright doctor")
        waited = self._waiting.total_s
        later = self._waiting.pause(turn.outcome.retry_at)
        self._in_time.delay(self._waiting.total_s - waited)
        return self._unmet(Reason.UNAVAILABLE, f"{turn.attempt.detail}; it can go on at {later}") if later else None

    def _unmet(self, reason: Reason, detail: str) -> End:
        if (changed := tampered(last_checks(self._checks))) and reason is not Reason.TAINTED:
            reason, detail = Reason.TAINTED, f"{detail}; protected files were changed: {changed}"
        status = Status.ESCALATED if self.run.task.escalate_on_failure else Status.FAILED
        return End(status, reason, detail)

    def _finish(self, end: End) -> Result:
        """Write what people look at, and then the end: a run that is called done has all of it."""
        self._save(spent=self._spent())  # refused where the run is not ours any more: then nothing of it is overwritten
        more = (self._gate.objection(self._checks), self._turn.not_home if self._turn else "")
        ended = self._finishing.ended(self.run, end, *more)
        result = self._disk.through(lambda: self._finishing.write(ended, self._attempts, self._checks))
        self._gate.close(ended)
        self._finishing.note(ended)
        self._save(**vars(ended))
        self._watcher.ended(self.run, result)
        return result

    def _tell(self, text: str) -> None:
        self._watcher.phase(self.run, text)
        self._recorder.add(Event(EventKind.NOTE, text))

    def _work(self, review: str = "") -> Assignment:
        note = self._turn.note if self._turn else ""
        comments = self._store.comments(self.run.id)
        told = (self._attempts, self._checks, comments, note, review, self._gate.feedback(self._checks))
        return self._telling.worker(self.run, *told)

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
        each = (Spent(int(attempt.counts), attempt.cost_usd, attempt.tokens) for attempt in self._attempts)
        ended = sum(each, Spent())
        seconds = self._seconds_before + time.monotonic() - self._started - self._waiting.total_s
        return dataclasses.replace(ended, seconds=round(seconds, 3))

    def _environment(self, model: str = "") -> Environment:
        return self._worker.environment(self.run, self._judge.place, model)

    def _save(self, **changes: object) -> None:
        self.run = dataclasses.replace(self.run, **changes)  # type: ignore[arg-type]
        self._store.save_run(self.run)
