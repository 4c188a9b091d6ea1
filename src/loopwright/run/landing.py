"""A finished run -> one commit on top of a branch that may have moved on since. The user's files are touched last."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field

from loopwright.errors import RepositoryError, UsageError
from loopwright.process.tool import call
from loopwright.records.check import Check
from loopwright.records.identity import short
from loopwright.records.run import Run
from loopwright.run.git import Repository, clean_environment

_PUSH_LIMIT_S = 300.0
_OLDEST_MERGE = "git 2.38 or newer is needed to put work on a branch that has moved on"


@dataclass(frozen=True)
class Landing:
    """What came of it."""

    branch: str
    """Where the work was to go."""
    commit: str = ""
    """The work as one commit there; empty where it does not fit."""
    conflicts: tuple[str, ...] = ()
    checks: tuple[Check, ...] = field(default=())
    """Of the commit, where the branch had moved on; none where it is what was checked before."""
    where: str = ""
    """The pull request, where one was asked for."""

    @property
    def landed(self) -> bool:
        return bool(self.commit) and not self.unmet

    @property
    def unmet(self) -> list[Check]:
        return [check for check in self.checks if check.verdict != "pass"]


@dataclass(frozen=True)
class Ground:
    """The branch that a run's work is put on."""

    repository: Repository
    branch: str
    tip: str

    @staticmethod
    def find(repository: Repository, branch: str = "") -> Ground:
        """Find a branch; the one that is checked out where none is named."""
        name = branch or repository.git("symbolic-ref", "--quiet", "--short", "HEAD", check=False)
        if not name:
            raise UsageError("no branch is checked out", "name one: --onto main")
        if name.startswith("loopwright/"):
            raise UsageError(f"`{name}` is a run's own branch", "name another: --onto main")
        tip = repository.git("rev-parse", "--verify", "--quiet", f"refs/heads/{name}^{{commit}}", check=False)
        if not tip:
            raise UsageError(f"there is no branch `{name}`", "see: git branch")
        return Ground(repository, name, tip)

    def put(self, run: Run) -> tuple[str, tuple[str, ...]]:
        """Make one commit of all that a run did, on top of the branch; give it, or the files that do not fit."""
        work = run.commit or run.base
        if not self.repository.git("cat-file", "-t", work, check=False):
            raise RepositoryError(f"the commit `{work}` of run `{short(run.id)}` is not in the repository any more")
        tree, conflicts = self._merged(run.base, work)
        if conflicts:
            return "", conflicts
        if tree == self.repository.git("rev-parse", f"{self.tip}^{{tree}}"):
            raise UsageError(f"`{self.branch}` has the work of run `{short(run.id)}` already", "there is nothing to do")
        message = f"{run.task.goal.strip()}\n\nLoopwright-Run: {run.id}"
        try:
            return self.repository.git("commit-tree", tree, "-p", self.tip, "-m", message), ()
        except RepositoryError as error:
            raise RepositoryError(error.message, 'tell git who you are: git config user.name "…"') from None

    def _merged(self, base: str, work: str) -> tuple[str, tuple[str, ...]]:
        git = self.repository
        if self.tip == base:
            return git.git("rev-parse", f"{work}^{{tree}}"), ()
        done = git.call("merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", self.tip, work, check=False)
        first, *others = done.stdout.decode(errors="surrogateescape").split("\0")
        if done.returncode == 0:
            return first, ()
        if done.returncode == 1 and first:
            return "", tuple(dict.fromkeys(name for name in others if name))
        raise RepositoryError(f"the work could not be put on `{self.branch}`: {_said(done.stderr)}", _OLDEST_MERGE)

    def take(self, commit: str) -> None:
        """Move the branch; where it is checked out the files follow, and nothing that is not committed is lost."""
        here = self.repository.git("symbolic-ref", "--quiet", "--short", "HEAD", check=False)
        if here != self.branch:
            self.repository.git("update-ref", f"refs/heads/{self.branch}", commit, self.tip)
            return
        done = self.repository.call("merge", "--ff-only", "--quiet", commit, check=False)
        if done.returncode:
            hint = "commit or stash what you have changed there, and try again"
            raise RepositoryError(f"`{self.branch}` could not be moved: {_said(done.stderr)}", hint)

    def request(self, run: Run, commit: str, remote: str) -> str:
        """Push the commit to a branch of its own and open a pull request; give its address."""
        program = shutil.which("gh")
        if program is None:
            raise UsageError("`gh` is not installed, and opens pull requests", f"or: git push {remote} {commit}:…")
        name = f"loopwright/{short(run.id)}"
        done = self.repository.call("push", "--quiet", remote, f"{commit}:refs/heads/{name}", check=False)
        if done.returncode:
            raise RepositoryError(
                f"`{name}` could not be pushed to `{remote}`: {_said(done.stderr)}", "see: git remote -v"
            )
        title = run.task.goal.strip().partition("\n")[0][:120]
        body = f"{run.task.goal.strip()}\n\nDone by Loopwright, run {run.id}; all criteria hold."
        argv = [program, "pr", "create", "--base", self.branch, "--head", name, "--title", title, "--body", body]
        made = call(argv, environment=clean_environment(), limit_s=_PUSH_LIMIT_S, folder=self.repository.root)
        if made.returncode:
            raise RepositoryError(f"`gh` could not open a pull request: {_said(made.stderr)}", "see: gh auth status")
        address = re.search(r"https?://\S+", made.stdout.decode(errors="replace"))
        return address.group() if address else name


def _said(stderr: bytes) -> str:
    return " ".join(stderr.decode(errors="replace").split())[:500] or "git does not say why"
