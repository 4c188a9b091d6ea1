"""A finished run -> one commit on top of a branch that may have moved on since. The user's files are touched last."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.errors import RepositoryError, UsageError
from loopwright.process.tool import call
from loopwright.records.check import Check
from loopwright.records.identity import short
from loopwright.records.run import Run
from loopwright.run.git import Repository, clean_environment
from loopwright.run.verdicts import failed
from loopwright.text.globs import matches_any

_PUSH_LIMIT_S = 300.0
STEERING = (
    *(".claude/**", ".codex/**", ".gemini/**", ".cursor/**", ".opencode/**", ".mcp.json", "opencode.json*"),
    *(".envrc", ".vscode/**", ".idea/**", ".devcontainer/**", ".husky/**", ".githooks/**", "lefthook.y*ml"),
    *(".pre-commit-config.yaml", ".gitmodules", ".gitattributes", "loopwright.toml", "*.code-workspace"),
)
"""What a person's own tools read, and start programs for."""
WHO_YOU_ARE = 'git config user.name "…" && git config user.email "…"'
_OLDEST_MERGE = "git 2.38 or newer is needed to put work on a branch that has moved on"


@dataclass(frozen=True)
class Landing:
    """What came of it."""

    branch: str
    """Where the work was to go."""
    commit: str = ""
    """The work as one commit there; empty where it does not fit."""
    conflicts: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    """Of the commit, where the branch had moved on; none where it is what was checked before."""
    left_out: tuple[str, ...] = ()
    """Files of the run that were no part of its checks, and are none of the commit."""
    steering: tuple[str, ...] = ()
    """Files that start programs by themselves, and were not asked for: nothing was landed."""
    where: str = ""
    """The pull request, where one was asked for."""

    @property
    def landed(self) -> bool:
        return bool(self.commit) and not self.unmet and not self.steering

    @property
    def unmet(self) -> list[Check]:
        return failed(self.checks)


@dataclass(frozen=True)
class Put:
    """A run's work on top of a branch."""

    commit: str = ""
    conflicts: tuple[str, ...] = ()
    checked: bool = False
    """Whether it is the very tree that the run's end was judged by."""


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
        elsewhere = _checked_out(repository, name)
        if elsewhere:
            raise UsageError(f"`{name}` is checked out in `{elsewhere}`", f"land it there: --repo {elsewhere}")
        return Ground(repository, name, tip)

    def put(self, run: Run, left_out: Sequence[str] = ()) -> Put:
        """Make one commit of all that is on a run's branch, on top of this one, without what its checks left out.

        What a person has committed there since belongs to it, and has not been checked.
        """
        if is_anonymous(self.repository):
            raise RepositoryError("git does not know who you are, and `land` makes a commit", WHO_YOU_ARE)
        work = self._work(run)
        tree, conflicts = self._merged(run.base, self.repository.tree_without(work, left_out))
        if conflicts:
            return Put(conflicts=conflicts)
        if tree == self.repository.git("rev-parse", f"{self.tip}^{{tree}}"):
            raise UsageError(f"`{self.branch}` has the work of run `{short(run.id)}` already", "there is nothing to do")
        message = f"{run.task.goal.strip()}\n\nLoopwright-Run: {run.id}"
        commit = self.repository.git("commit-tree", tree, "-p", self.tip, "-m", message)
        return Put(commit, checked=self.tip == run.base and work == run.commit and not left_out)

    def steering(self, commit: str) -> list[str]:
        """Name what a commit changes that starts programs of the user's tools by itself."""
        changed = self.repository.git("diff-tree", "-r", "-z", "--name-only", "--no-renames", self.tip, commit)
        return [name for name in changed.split("\0") if name and matches_any(STEERING, name)]

    def _work(self, run: Run) -> str:
        git, done = self.repository, run.commit or run.base
        there = git.git("rev-parse", "--verify", "--quiet", f"refs/heads/{run.branch}^{{commit}}", check=False)
        work = there or done
        if not git.holds(done):
            raise RepositoryError(f"the commit `{done}` of run `{short(run.id)}` is not in the repository any more")
        if git.call("merge-base", "--is-ancestor", done, work, check=False).returncode:
            said = f"`{run.branch}` does not hold what run `{short(run.id)}` has done any more"
            raise UsageError(said, f"git merge {run.branch}, if that is what you want")
        return work

    def _merged(self, base: str, work: str) -> tuple[str, tuple[str, ...]]:
        """Merge trees, with the run's own base between them: what else its branch stood on is not the run's work."""
        git = self.repository
        if self.tip == base:
            return work, ()
        old = git.git("commit-tree", f"{base}^{{tree}}", "-m", "base")
        ours, theirs = (
            git.git("commit-tree", tree, "-p", old, "-m", "side") for tree in (f"{self.tip}^{{tree}}", work)
        )
        done = git.call("merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", ours, theirs, check=False)
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
        merge = ("merge", "--ff-only", "--no-overwrite-ignore", "--quiet", commit)
        if (done := self.repository.call(*merge, check=False)).returncode:
            hint = "mend what git says (commit or stash what you have changed there), and try again"
            said = textwrap.indent(done.stderr.decode(errors="replace").strip() or "git does not say why", "  ")
            raise RepositoryError(f"`{self.branch}` could not be moved:\n{said}", hint)

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


def is_anonymous(repository: Repository) -> bool:
    """Whether git would refuse to make a commit of the user's, since it does not know whose it would be."""
    return not all(repository.git("var", f"GIT_{role}_IDENT", check=False) for role in ("AUTHOR", "COMMITTER"))


def _checked_out(repository: Repository, branch: str) -> str:
    """Say in which other worktree a branch is checked out; empty where it is in none."""
    for entry in repository.git("worktree", "list", "--porcelain").split("\n\n"):
        lines = entry.splitlines()
        if f"branch refs/heads/{branch}" in lines and lines[0] != f"worktree {repository.root}":
            return lines[0].removeprefix("worktree ")
    return ""


def _said(stderr: bytes) -> str:
    return " ".join(stderr.decode(errors="replace").split())[:500] or "git does not say why"
