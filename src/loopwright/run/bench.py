"""A judge outside of a run: the same exams, the same checkroom, in a folder that is gone afterwards."""

from __future__ import annotations

import functools
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import RepositoryError
from loopwright.ports import Model
from loopwright.process.limits import Limits
from loopwright.records.check import Check
from loopwright.records.criterion import Criterion
from loopwright.records.profile import Profile
from loopwright.records.task import Task
from loopwright.run.baseline import Baseline
from loopwright.run.blind_spots import delete
from loopwright.run.checkroom import Checkroom
from loopwright.run.dependencies import dependency_folders
from loopwright.run.exam import Examiner
from loopwright.run.git import Repository
from loopwright.run.judge import Judge, Occasion
from loopwright.run.place import Site
from loopwright.run.protected import are_tests, protection_of
from loopwright.run.surroundings import environment
from loopwright.run.tree import Tree
from loopwright.run.verdicts import failed
from loopwright.settings import ChecksSettings, LimitsSettings


@dataclass(frozen=True)
class Bench:
    """Where the parts of a judge are, and how they are put together."""

    repository: Repository
    home: Path
    cache: Path
    checks: ChecksSettings
    cancel: threading.Event
    limits: LimitsSettings = LimitsSettings()
    model: Model | None = None
    """Who answers criteria of the kind `judge`."""

    def judge(
        self, run_id: str, base: str, task: Task, tree: Tree, room: Checkroom, accepted: Mapping[str, str]
    ) -> Judge:
        """Put a judge together; `tree` reads the commits that are judged."""
        links = functools.partial(self.repository.links, base)
        protection = protection_of(task, functools.partial(self._has_tests, base), links)
        examiner = Examiner(tree, base, protection, accepted)
        return Judge(room, base, run_id, examiner, Baseline(self.home / "baselines", self.repository.root), self.checks)

    def room(self, folder: Path, objects: Path) -> Checkroom:
        """Make the room that it looks in."""
        return Checkroom(self.repository, folder, objects, self.cancel, self._site(), model=self.model)

    def check(self, task: Task, base: str, files: Path) -> list[Check]:
        """Judge what lies in a folder by the visible criteria, as a run would; nothing is written down."""
        criteria = [criterion for criterion in task.required if not criterion.held_out]
        with self.apart(base, task, files, {}) as (judge, tree):
            return self.judged(judge, criteria, _commit(tree, base, self.repository))

    def judged(self, judge: Judge, criteria: Sequence[Criterion], commit: str) -> list[Check]:
        """Judge a commit as at the end of a run, sabotage and all."""
        surroundings = environment(self.repository.root, self.repository.root, Profile(), "worker", "")
        judge.preflight(criteria, surroundings)
        checks = judge.judge(criteria, commit, Occasion(surroundings))
        return judge.prove(criteria, checks) if not failed(checks) else checks

    @contextmanager
    def apart(self, base: str, task: Task, files: Path, accepted: Mapping[str, str]) -> Iterator[tuple[Judge, Tree]]:
        """Set up a judge for one occasion, with a tree over `files` whose objects are nobody else's."""
        place = self.cache / "benches"
        place.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=place))
        try:
            tree = Tree.make(folder / "bench.git", files, self.repository)
            (tree.git_dir / "info").mkdir(exist_ok=True)
            (tree.git_dir / "info" / "exclude").write_bytes(self.repository.ignored_patterns())
            with closing(self.room(folder, tree.git_dir / "objects")) as room:
                apart = Tree(tree.git_dir, files, folder / "exam.index")
                yield self.judge("", base, task, apart, room, accepted), tree
        finally:
            delete(folder)

    def _site(self) -> Site:
        """Say where and how checks are run."""
        checks = self.checks
        kind = "auto" if checks.place == "setup" else checks.place
        folders = dependency_folders(self.repository.root, checks.bring)
        return Site(kind, folders, checks.reset, checks.setup, checks.slots, self.cache, Limits.of(self.limits))

    def _has_tests(self, base: str, folder: str) -> bool:
        return are_tests(folder, self.repository.files_below(base, folder))


def _commit(tree: Tree, base: str, repository: Repository) -> str:
    """Commit what lies in a folder, as it is, to a git folder of ours: whoever works there notices nothing."""
    if tree.files == repository.root:
        # Only what the user's own git calls changed: with filters of theirs (LFS), the bytes differ from the commit's.
        changed = repository.call(
            "-c", "diff.autoRefreshIndex=false", "diff", "--no-renames", "--name-only", "-z", "HEAD"
        ).stdout
        changed += repository.call("ls-files", "--others", "--exclude-standard", "-z").stdout
        tree.git("read-tree", repository.commit("HEAD"))
        given = ("--pathspec-from-file=-", "--pathspec-file-nul")
        done = tree.call("--literal-pathspecs", "add", "--all", *given, stdin=changed, check=False) if changed else None
    else:
        tree.git("read-tree", base)
        large = (f":(exclude,literal){name}" for name in tree.oversized())
        done = tree.call("add", "--all", "--ignore-errors", "--", ".", *large, check=False)
    if done is not None and done.returncode > 1:
        raise RepositoryError(f"`{tree.files}` could not be read: {done.stderr.decode(errors='replace').strip()}")
    return tree.git("commit-tree", tree.git("write-tree"), "-p", base, stdin=b"as it is\n")
