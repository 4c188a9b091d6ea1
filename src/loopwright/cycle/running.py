"""Runs from start to end: begun, taken up, closed, landed, cleared away."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopwright.errors import BusyError, RepositoryError, UsageError
from loopwright.ports import Agent, Critic, Model, RunStore, Watcher
from loopwright.records.check import Check, last_checks
from loopwright.records.criterion import Criterion
from loopwright.records.extension import Extension, extended
from loopwright.records.identity import new_id, short, timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import LANDED, Acceptance, Comment, Reason, Result, Run, Status, Step, contents
from loopwright.records.task import Task
from loopwright.run.bench import Bench
from loopwright.run.collecting import Collector, Freed, has_leftovers
from loopwright.run.confinement import surrounding
from loopwright.run.crew import Crew, make_crew
from loopwright.run.disk import Disk
from loopwright.run.gate import check_rubric, critique_of, guarded, rubric_of
from loopwright.run.git import Repository
from loopwright.run.hold import SILENCE_S, Stop, holder_name, is_abandoned, queue_name
from loopwright.run.holder import Held, Holder, cancelled
from loopwright.run.landing import Ground, Landing
from loopwright.run.looking import Looking, MakeWatch
from loopwright.run.loop import Loop
from loopwright.run.recorder import Recorder
from loopwright.run.revert import Reverter
from loopwright.run.tree import Tree
from loopwright.settings import ChecksSettings, LimitsSettings
from loopwright.text.task_type import task_type

_AT_WORK: dict[str, Any] = {"status": Status.RUNNING, "reason": None, "detail": "", "ended_at": None}


@dataclass(frozen=True)
class Cycle:
    """One repository with its store."""

    repository: Repository
    home: Path
    cache: Path
    store: RunStore
    make_agent: Callable[[Profile], Agent]
    watcher: Watcher
    cancel: threading.Event
    checks: ChecksSettings = ChecksSettings()
    limits: LimitsSettings = LimitsSettings()
    silence_s: float = SILENCE_S
    """When a holder that may be alive loses its run."""
    make_watch: MakeWatch | None = None
    """What looks for signals while a run works."""
    end_error_loops: bool = False
    """Whether an attempt that goes in circles is ended."""
    measure: Callable[[str], object] = lambda run_id: None
    """What looks at a run once it has ended."""
    critic: Critic | None = None
    model: Model | None = None
    """Who answers criteria of the kind `judge`."""

    def run_task(self, task: Task, profile: Profile) -> Result:
        """Run a task to its end."""
        run, step = self._new(task, profile, Status.RUNNING)
        crew = self._crew(run)  # who can't be had, or not in a sandbox that is required, costs nothing
        self._looking(run)  # nor does a setting that is wrong
        lease = self.store.add_run(run, step, holder_name())
        with self._holder.keeping(lease) as held:
            return self._loop(held, run, crew)

    def queue_task(self, task: Task, profile: Profile) -> Run:
        """Write a task down, to be run by `resume`: by us later on, or by whoever comes first."""
        run, step = self._new(task, profile, Status.QUEUED)
        self.store.add_run(run, step, queue_name())
        return run

    def resume(
        self, run_id: str, comment: str = "", extension: Extension = Extension(), accept: tuple[str, str] | None = None
    ) -> Result:
        """Take a run up where it was left: with a human's word, and with more to spend where it is used up.

        `accept` is who says, and why, that what taints the run is right as it is.
        """
        run = self._ours(run_id)
        if not self._is_here(run):
            raise UsageError(f"run `{short(run_id)}` is of `{run.repository}`", "name that repository with --repo")
        crew = self._crew(run)
        self._looking(run)
        with self._holder.taken(run_id) as held:
            store, run = held.store, held.store.run(run_id)
            if run.status is Status.DONE:
                raise UsageError(f"run `{short(run_id)}` is done already", f"take its work: git merge {run.branch}")
            if run.closed_at:
                raise UsageError(f"run `{short(run_id)}` was closed: {run.closed_reason}", "start a new run")
            if comment:
                store.add_comment(Comment(new_id(), run_id, timestamp(), comment))
            if accept:
                self._accept(store, run, *accept)
            budget = extended(run, extension, store.attempts(run_id))
            began = timestamp() if run.status is Status.QUEUED else run.started_at
            run = dataclasses.replace(run, started_at=began, budget=budget, **_AT_WORK)
            store.save_run(run)
            return self._loop(held, run, crew)

    def _new(self, task: Task, profile: Profile, status: Status) -> tuple[Run, Step]:
        run_id = new_id()
        task = dataclasses.replace(task, task_type=task.task_type or task_type(task.goal))
        check_rubric(self.critic, task)
        run = Run(
            id=run_id,
            task=task,
            profile=profile,
            repository=str(self.repository.root),
            base=self.repository.commit(task.base),
            branch=f"loopwright/{run_id}",
            workspace=str(self.cache / "clones" / run_id),
            artifacts=str(self.home / "runs" / run_id),
            budget=task.budget,
            started_at=timestamp(),
            status=status,
            prompt_version=profile.prompt_version,
        )
        return run, Step(new_id(), run_id, 1, task.goal)

    def _accept(self, store: RunStore, run: Run, by: str, reason: str) -> None:
        if run.reason is not Reason.TAINTED:
            raise UsageError(f"run `{short(run.id)}` is not tainted: there is nothing to accept", "leave it out")
        tampering = [item for check in last_checks(store.checks(run.id)) for item in check.proof.tampering]
        contents = {item.path: item.content for item in tampering}
        store.add_acceptance(Acceptance(new_id(), run.id, timestamp(), by, reason, contents))

    def verify(self, run_id: str) -> list[tuple[Check, Check]]:
        """Compute the proof of a run's end once more, from its commit: each check as recorded, and as it is now."""
        run, recorded = self._ours(run_id), last_checks(self.store.checks(run_id))
        commit = run.commit or run.base
        if not self.repository.holds(commit):
            raise RepositoryError(f"the commit `{commit}` of run `{short(run_id)}` is not in the repository any more")
        wanted = {check.criterion_hash for check in recorded}
        criteria = [criterion for criterion in run.task.required if criterion.hash in wanted]
        found = {check.criterion_hash: check for check in self._checked(run, run.base, commit, criteria)}
        return [(check, found[check.criterion_hash]) for check in recorded if check.criterion_hash in found]

    def land(self, run_id: str, onto: str = "", remote: str = "", *, settings: bool = False) -> Landing:
        """Put a finished run's work on a branch, checked again where it is not what was checked; or ask for a pull.

        With `settings`, also what starts programs of the user's tools by itself.
        """
        run = self._ours(run_id)
        if run.status is not Status.DONE:
            raise UsageError(f"run `{short(run_id)}` is {run.status}: only what is done is landed", self._done_hint())
        if run.landed:
            raise UsageError(f"run `{short(run_id)}` was landed already: {run.landed}", "there is nothing to do")
        if run.closed_at:
            raise UsageError(f"run `{short(run_id)}` is closed: {run.closed_reason}", f"git merge {run.branch}")
        ground, checks = Ground.find(self.repository, onto), last_checks(self.store.checks(run_id))
        left_out = tuple(dict.fromkeys(path for check in checks for path in check.proof.left_out))
        put = ground.put(run, left_out)
        landing = Landing(ground.branch, put.commit, put.conflicts, left_out=left_out)
        if put.commit and not settings:
            landing = dataclasses.replace(landing, steering=tuple(ground.steering(put.commit)))
        if landing.landed and not put.checked:
            checks = self._checked(run, ground.tip, put.commit, run.task.required)
            landing = dataclasses.replace(landing, checks=tuple(checks))
        if not landing.landed or self.cancel.is_set():
            return dataclasses.replace(landing, commit="" if self.cancel.is_set() else put.commit)
        if remote:
            landing = dataclasses.replace(landing, where=ground.request(run, put.commit, remote))
        else:
            ground.take(put.commit)
        self.close(run_id, f"{LANDED}{landing.where or f'{ground.branch}, {put.commit[:12]}'}")
        return landing

    def _done_hint(self) -> str:
        done = [run for run in self._here(Status.DONE) if not run.closed_at and run.reason is not Reason.ALREADY_MET]
        return f"the last one that is done: loopwright land {short(done[0].id)}" if done else "see: loopwright queue"

    def _checked(self, run: Run, base: str, commit: str, criteria: Sequence[Criterion]) -> list[Check]:
        """Judge a commit by criteria of a run, against a base of its own."""
        words = self.store.acceptances(run.id)
        bench = dataclasses.replace(self._bench, checks=_trusting(self.checks, words))
        with bench.apart(base, run.task, self.repository.root, contents(words)) as (judge, _):
            return bench.judged(judge, criteria, commit)

    def close(self, run_id: str, reason: str) -> Run:
        """Take a run out of the queue; its branch stays."""
        self._ours(run_id)
        with self._holder.taken(run_id) as held:
            now, run = timestamp(), held.store.run(run_id)
            if run.closed_at:
                raise UsageError(f"run `{short(run_id)}` was closed already: {run.closed_reason}", "leave it as it is")
            run = dataclasses.replace(run, closed_at=now, closed_reason=reason)
            if run.status in (Status.RUNNING, Status.QUEUED):
                run = dataclasses.replace(run, status=Status.CANCELLED, reason=Reason.CRITERIA_UNMET, ended_at=now)
            held.store.save_run(run)
        return run

    def notice_died(self, runs: list[Run]) -> list[Run]:
        """Call those runs cancelled whose process is gone."""
        return [self._died(run) if run.status is Status.RUNNING and self._is_here(run) else run for run in runs]

    def left_behind(self) -> tuple[list[Run], list[Run]]:
        """Give the runs whose process died at work, called cancelled from now on, and those that it never began."""
        died = [run for run in self.notice_died(self._here(Status.RUNNING)) if run.status is not Status.RUNNING]
        queued = [run for run in self._here(Status.QUEUED) if is_abandoned(self.store.lease(run.id))]
        return died, queued

    def interrupted(self, since_s: float) -> tuple[list[Run], int]:
        """Give the runs that can go on without a human's word, the oldest first, and how many ended too long ago."""
        _, queued = self.left_behind()
        cut_short = [run for run in self._here(Status.CANCELLED) if not run.closed_at]
        since = timestamp(max(0.0, time.time() - since_s))
        recent = [run for run in cut_short if (run.ended_at or "") >= since]
        return sorted([*recent, *queued], key=lambda run: run.id), len(cut_short) - len(recent)

    def _here(self, status: Status) -> list[Run]:
        return [run for run in self.store.runs(status=status) if self._is_here(run)]

    def _is_here(self, run: Run) -> bool:
        """Whether a run is ours and of this repository: one store may be for many."""
        return run.repository == str(self.repository.root) and not run.source

    def _ours(self, run_id: str) -> Run:
        """Give a run that Loopwright ran; one that was brought in has no branch, no folder and no lease."""
        run = self.store.run(run_id)
        if run.source:
            words = f"run `{short(run_id)}` ran elsewhere and was brought in (`{run.source}`): it can only be looked at"
            raise UsageError(words, f"loopwright show {short(run_id)}")
        return run

    def collect(self, before: float, dry_run: bool = False) -> Freed:
        """Remove what runs that have ended, and checks, left before a moment in seconds. Branches stay."""
        found = [trace for trace in self.store.traces() if has_leftovers(trace, timestamp(before))]
        runs = self.notice_died([self.store.run(trace.run_id) for trace in found])
        ended = [run for run in runs if run.status is not Status.RUNNING and self._is_here(run)]
        return Collector(self._holder, self.home, self.cache, before, dry_run).collect(ended)

    def _died(self, run: Run) -> Run:
        with suppress(BusyError), self._holder.taken(run.id, wait=False) as held:
            run = held.store.run(run.id)
            if run.status is Status.RUNNING:
                with suppress(RepositoryError, OSError):
                    run = dataclasses.replace(run, commit=held.workspace.bring_home(run.base) or run.commit)
                words = f"its process ended without a word; go on with: loopwright resume {short(run.id)}"
                run = cancelled(held.store, run, words)
        return run

    def _loop(self, held: Held, run: Run, crew: Crew) -> Result:
        store, workspace, words = held.store, held.workspace, held.store.acceptances(run.id)
        in_time = Stop(held.stop, run.budget.timeout_s - run.spent.seconds)
        bench = dataclasses.replace(self._bench, checks=_trusting(self.checks, words), cancel=in_time)
        rubric, keeper = rubric_of(self.critic, run.task), workspace.keeper.git_dir
        with closing(bench.room(workspace.folder, keeper / "objects")) as room:
            tree = Tree(keeper, workspace.files, workspace.folder / "exam.index")
            task = guarded(run.task, rubric, self.critic, self.repository.root)
            judge = bench.judge(run.id, run.base, task, tree, room, contents(words))
            disk = Disk((self.home, self.cache), self.limits.free_disk, held.stop)
            reverter, step = Reverter(run.task.revert_when, room, workspace), store.step(run.id)
            recorder = Recorder(store, run, self.watcher, self._looking(run))
            told = (store, self.watcher, held.stop, in_time, disk, self.limits, recorder)
            critic = critique_of(self.critic, rubric, workspace)
            result = Loop(run, step, crew, workspace, judge, reverter, *told, *critic).go()
        self._measure(run)
        return result

    def _looking(self, run: Run) -> Looking:
        return Looking(self.make_watch(run.id) if self.make_watch else None, self.end_error_loops)

    def _measure(self, run: Run) -> None:
        """Look for signals in the whole of a run; what goes wrong there does not change how it ended."""
        try:
            self.measure(run.id)
        except Exception as error:  # a detector may be anybody's
            self.watcher.phase(run, f"there is no measure of this run: {error!r}")

    def _crew(self, run: Run) -> Crew:
        place = (self.repository, Path(run.workspace), (self.home, self.cache))
        return make_crew(run.profile, self.make_agent, lambda agent: surrounding(run.task, agent, *place))

    @property
    def _holder(self) -> Holder:
        return Holder(self.store, self.repository, self.checks.bring, self.cancel, self.silence_s)

    @property
    def _bench(self) -> Bench:
        return Bench(self.repository, self.home, self.cache, self.checks, self.cancel, self.limits, self.model)


def _trusting(checks: ChecksSettings, words: Sequence[Acceptance]) -> ChecksSettings:
    """Leave the sabotage out where a human has accepted what came of it: no file was named then."""
    return dataclasses.replace(checks, sabotage=checks.sabotage and all(word.contents for word in words))
