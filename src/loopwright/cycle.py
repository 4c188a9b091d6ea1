"""The stages in order: the only file that sees them all. Reads the store, calls a stage, writes what it gives."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import AgentError, BusyError, LoopwrightError, RepositoryError, UsageError
from loopwright.ports import Agent, RunStore, Watcher
from loopwright.records.check import Check
from loopwright.records.extension import Extension, extended
from loopwright.records.identity import new_id, short, timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import Acceptance, Comment, Reason, Result, Run, Status, Step
from loopwright.records.task import Task
from loopwright.run.bench import Bench
from loopwright.run.git import Repository, Tree
from loopwright.run.loop import Loop
from loopwright.run.revert import Reverter
from loopwright.run.verdicts import last_checks
from loopwright.run.workspace import Workspace, remove
from loopwright.settings import ChecksSettings, LimitsSettings
from loopwright.text.task_type import task_type

_BENCH_LIFE_S = 86_400
"""Nobody judges for longer."""


@dataclass(frozen=True)
class Freed:
    """What collecting came to."""

    clones: int = 0
    streams: int = 0
    size: int = 0
    kept: tuple[str, ...] = ()
    """What could not go, and why."""

    def __add__(self, other: Freed) -> Freed:
        parts = (self.clones + other.clones, self.streams + other.streams, self.size + other.size)
        return Freed(*parts, self.kept + other.kept)


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

    def run_task(self, task: Task, profile: Profile) -> Result:
        """Run a task to its end."""
        agent = self.make_agent(profile)
        run_id = new_id()
        base = self.repository.commit(task.base)
        task = dataclasses.replace(task, task_type=task.task_type or task_type(task.goal))
        run = Run(
            id=run_id,
            task=task,
            profile=profile,
            repository=str(self.repository.root),
            base=base,
            branch=f"loopwright/{run_id}",
            workspace=str(self.cache / "clones" / run_id),
            artifacts=str(self.home / "runs" / run_id),
            budget=task.budget,
            started_at=timestamp(),
        )
        step = Step(new_id(), run_id, 1, task.goal)
        workspace = self._workspace(run)
        with workspace.lock():
            self.store.add_run(run, step)
            return self._loop(run, step, agent, workspace)

    def resume(
        self, run_id: str, comment: str = "", extension: Extension = Extension(), accept: tuple[str, str] | None = None
    ) -> Result:
        """Take a run up where it was left: with a human's word, and with more to spend where it is used up.

        `accept` is who says, and why, that what taints the run is right as it is.
        """
        run = self.store.run(run_id)
        agent = self.make_agent(run.profile)
        workspace = self._workspace(run)
        with workspace.lock():
            run = self.store.run(run_id)
            if run.status is Status.DONE:
                raise UsageError(f"run `{short(run_id)}` is done already", f"take its work: git merge {run.branch}")
            if run.closed_at:
                raise UsageError(f"run `{short(run_id)}` was closed: {run.closed_reason}", "start a new run")
            if comment:
                self.store.add_comment(Comment(new_id(), run_id, timestamp(), comment))
            if accept:
                self._accept(run, *accept)
            budget = extended(run, extension, self.store.attempts(run_id))
            run = dataclasses.replace(run, status=Status.RUNNING, reason=None, detail="", ended_at=None, budget=budget)
            self.store.save_run(run)
            return self._loop(run, self.store.step(run_id), agent, workspace)

    def _accept(self, run: Run, by: str, reason: str) -> None:
        if run.reason is not Reason.TAINTED:
            raise UsageError(f"run `{short(run.id)}` is not tainted: there is nothing to accept", "leave it out")
        tampering = [item for check in last_checks(self.store.checks(run.id)) for item in check.proof.tampering]
        contents = {item.path: item.content for item in tampering}
        self.store.add_acceptance(Acceptance(new_id(), run.id, timestamp(), by, reason, contents))

    def verify(self, run_id: str) -> list[tuple[Check, Check]]:
        """Compute the proof of a run's end once more, from its commit: each check as recorded, and as it is now."""
        run, recorded = self.store.run(run_id), last_checks(self.store.checks(run_id))
        words = self.store.acceptances(run_id)
        bench = dataclasses.replace(self._bench, checks=_trusting(self.checks, words))
        commit = run.commit or run.base
        if not self.repository.git("cat-file", "-t", commit, check=False):
            raise RepositoryError(f"the commit `{commit}` of run `{short(run_id)}` is not in the repository any more")
        wanted = {check.criterion_hash for check in recorded}
        criteria = [criterion for criterion in run.task.criteria if criterion.hash in wanted]
        with bench.apart(run.base, run.task, self.repository.root, _contents(words)) as (judge, _):
            checks = bench.judged(judge, criteria, commit)
        found = {check.criterion_hash: check for check in checks}
        return [(check, found[check.criterion_hash]) for check in recorded if check.criterion_hash in found]

    def close(self, run_id: str, reason: str) -> Run:
        """Take a run out of the queue; its branch stays."""
        run = self.store.run(run_id)
        with self._workspace(run).lock():
            now = timestamp()
            run = dataclasses.replace(self.store.run(run_id), closed_at=now, closed_reason=reason)
            if run.status is Status.RUNNING:
                run = dataclasses.replace(run, status=Status.CANCELLED, reason=Reason.CRITERIA_UNMET, ended_at=now)
            self.store.save_run(run)
        return run

    def notice_died(self, runs: list[Run]) -> list[Run]:
        """Call those runs cancelled whose process is gone: nobody holds their lock."""
        return [self._died(run) if run.status is Status.RUNNING else run for run in runs]

    def remove_clone(self, run: Run) -> int:
        """Remove a run's clones where nobody is at work and no work is in them alone; give the bytes freed."""
        folder = Path(run.workspace)
        if not folder.is_dir():
            return 0
        workspace = self._workspace(run)
        with workspace.lock():
            self._keep_work(run, workspace)
            size = _size(folder)
            remove(folder)
        return size

    def collect(self, runs: list[Run], keep_s: float, dry_run: bool = False) -> Freed:
        """Remove the clones of ended runs and raw streams that are older than asked for. Branches stay."""
        limit, freed = timestamp(time.time() - keep_s), Freed()
        for run in self.notice_died(runs):
            if run.status is Status.RUNNING:
                continue
            try:
                size = _size(Path(run.workspace)) if dry_run else self.remove_clone(run)
                freed += Freed(clones=1 if size else 0, size=size)
            except (RepositoryError, BusyError) as error:
                freed += Freed(kept=(f"kept {run.workspace}: {error}",))
            if (run.ended_at or "") <= limit:
                for stream in (Path(run.artifacts) / "raw").glob("*.gz"):
                    freed += Freed(streams=1, size=stream.stat().st_size)
                    if not dry_run:
                        stream.unlink()
        return freed + self._collect_environments(time.time() - keep_s, dry_run)

    def _collect_environments(self, limit: float, dry_run: bool) -> Freed:
        """Remove what checks have left: environments and looks at bases that were not used since."""
        old = [file.parent for file in (self.cache / "setups").glob("*/*/ready") if file.stat().st_mtime < limit]
        old += [file for file in (self.home / "baselines").glob("*.json") if file.stat().st_mtime < limit]
        old += [
            folder
            for folder in (self.cache / "benches").glob("*")
            if folder.stat().st_mtime < min(limit, time.time() - _BENCH_LIFE_S)
        ]
        freed = Freed()
        for path in old:
            freed += Freed(size=_size(path) if path.is_dir() else path.stat().st_size)
            if not dry_run:
                remove(path)
        return freed

    def _died(self, run: Run) -> Run:
        workspace = self._workspace(run)
        try:
            with workspace.lock():
                run = self.store.run(run.id)
                if run.status is Status.RUNNING:
                    with suppress(RepositoryError, OSError):
                        run = dataclasses.replace(run, commit=self._bring_home(run, workspace))
                    words = f"its process ended without a word; go on with: loopwright resume {short(run.id)}"
                    run = self._cancelled(run, words)
        except BusyError:
            pass
        return run

    def _keep_work(self, run: Run, workspace: Workspace) -> None:
        """See to it that the user's repository has all that a clone holds."""
        commit = run.commit or run.base
        # A run that ended by itself has brought everything home, unless its branch could not be moved just then.
        if run.status is Status.CANCELLED or not self.repository.git("cat-file", "-t", commit, check=False):
            commit = self._bring_home(run, workspace) or commit
        if not self.repository.git("cat-file", "-t", commit, check=False):
            raise RepositoryError(
                f"the work of run `{short(run.id)}` is in its clone alone", f"git switch away from {run.branch}"
            )

    def _bring_home(self, run: Run, workspace: Workspace) -> str | None:
        """Bring what a clone holds to the branch, should it be all that is left of an attempt; give its commit."""
        return workspace.prepare(run.base) if workspace.files.is_dir() else run.commit

    def _cancelled(self, run: Run, detail: str, reason: Reason = Reason.CRITERIA_UNMET) -> Run:
        run = dataclasses.replace(run, status=Status.CANCELLED, reason=reason, detail=detail, ended_at=timestamp())
        self.store.save_run(run)
        return run

    def _loop(self, run: Run, step: Step, agent: Agent, workspace: Workspace) -> Result:
        try:
            words = self.store.acceptances(run.id)
            bench = dataclasses.replace(self._bench, checks=_trusting(self.checks, words))
            with closing(bench.room(workspace.folder, workspace.keeper.git_dir / "objects")) as room:
                tree = Tree(workspace.keeper.git_dir, workspace.files, workspace.folder / "exam.index")
                judge = bench.judge(run.id, run.base, run.task, tree, room, _contents(words))
                reverter = Reverter(run.task.revert_when, room, workspace)
                told = (self.store, self.watcher, self.cancel, self.limits)
                return Loop(run, step, agent, workspace, judge, reverter, *told).go()
        except BaseException as error:
            # Whatever went wrong, nobody is at work any more. What the clone holds is brought home later on.
            reason = Reason.AGENT_FAILED if isinstance(error, AgentError) else Reason.CRITERIA_UNMET
            with suppress(LoopwrightError):
                self._cancelled(self.store.run(run.id), str(error) or type(error).__name__, reason)
            raise

    @property
    def _bench(self) -> Bench:
        return Bench(self.repository, self.home, self.cache, self.checks, self.cancel, self.limits)

    def _workspace(self, run: Run) -> Workspace:
        return Workspace(self.repository, Path(run.workspace), run.id, run.branch, self.checks.bring)


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def _contents(words: Sequence[Acceptance]) -> dict[str, str]:
    return {path: content for word in words for path, content in word.contents.items()}


def _trusting(checks: ChecksSettings, words: Sequence[Acceptance]) -> ChecksSettings:
    """Leave the sabotage out where a human has accepted what came of it: no file was named then."""
    return dataclasses.replace(checks, sabotage=checks.sabotage and all(word.contents for word in words))
