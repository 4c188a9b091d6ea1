"""Where the agent works: a clone of its own, from which everything is brought home after every attempt.

Two git folders look at the same files. The agent's own (`.git` among the files) is a playground: it borrows the
user's objects and has refs, stash, config and hooks of its own, and no remote. Ours (`keeper.git`, outside of the
files) takes the snapshots, so that nothing the agent does to its git can hide, lose or fake work.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import BusyError, RepositoryError
from loopwright.records.identity import short
from loopwright.run.dependencies import bring_dependencies
from loopwright.run.git import Repository, Tree, borrow, call
from loopwright.run.submodules import bring_submodules

_NESTING_LIMIT = 20


@dataclass(frozen=True)
class Snapshot:
    """What the workspace held at one moment, as a commit on the run's branch."""

    commit: str
    tree: str
    changes: str
    """What changed since the snapshot before, in words; empty where nothing did."""
    left_out: str = ""
    """What git could not read, in its words."""
    not_home: str = ""
    """Why the branch in the user's repository could not be moved; the work is kept in the clone."""


@dataclass(frozen=True)
class Workspace:
    """A run's clone, and the branch that its work goes to."""

    repository: Repository
    folder: Path
    """All that belongs to the run lies below it."""
    run_id: str
    branch: str

    @property
    def files(self) -> Path:
        return self.folder / "workspace" / (self.repository.root.name or "repository")

    @property
    def keeper(self) -> Tree:
        return Tree(self.folder / "keeper.git", self.files)

    def prepare(self, base: str) -> str:
        """Make the clone where it is not there yet, and give the commit that it stands on."""
        home = self.repository.git("rev-parse", "--verify", "--quiet", f"refs/heads/{self.branch}", check=False)
        if (self.folder / "ready").exists():
            return self._take_up(home)
        start = home or base
        shutil.rmtree(self.keeper.git_dir, ignore_errors=True)
        shutil.rmtree(self.files.parent, ignore_errors=True)
        keeper = Tree.make(self.keeper.git_dir, self.files, self.repository)
        (keeper.git_dir / "info").mkdir(exist_ok=True)
        (keeper.git_dir / "info" / "exclude").write_text(self.repository.ignored_patterns())
        keeper.check_out(start)
        self._set_branch(start)
        bring_submodules(self.repository, start, self.files)
        self._make_playground(start)
        bring_dependencies(self.repository.root, self.files)
        (self.folder / "ready").touch()
        return start

    def _take_up(self, home: str) -> str:
        """Go on from the clone as it is, or from where a person has moved the branch to."""
        mine = self.keeper.git("rev-parse", "HEAD")
        if (
            not home
            or home == mine
            or not self.keeper.call("merge-base", "--is-ancestor", home, mine, check=False).returncode
        ):
            return self.snapshot(mine, f"loopwright {short(self.run_id)}: work found in the clone").commit
        self.keeper.git("update-ref", "HEAD", home)
        self.put_back(home)
        self._move_playground(home)
        return home

    def snapshot(self, parent: str, message: str) -> Snapshot:
        """Commit all that is in the workspace and bring it home to the user's repository."""
        self.files.mkdir(parents=True, exist_ok=True)
        keeper, left_out = self.keeper, self._add_all()
        tree = keeper.git("write-tree")
        parent_tree = keeper.git("rev-parse", f"{parent}^{{tree}}")
        parent = self._agents_head(parent)
        changed = tree != keeper.git("rev-parse", f"{parent}^{{tree}}")
        commit = keeper.git("commit-tree", tree, "-p", parent, "-m", message) if changed else parent
        not_home = self._fetch_home(commit)
        self._move_playground(commit)
        changes = keeper.git("diff-tree", "--shortstat", parent_tree, tree) if tree != parent_tree else ""
        return Snapshot(commit, tree, changes, left_out, not_home)

    def put_back(self, commit: str) -> None:
        """Make the files those of a commit again; what git ignores stays."""
        self.keeper.check_out(commit)
        self.keeper.git("clean", "-ffdq")

    def diff(self, base: str, commit: str) -> bytes:
        """The whole change as a patch that `git apply` takes."""
        return self.keeper.call("diff", "--binary", "--no-ext-diff", "--no-textconv", base, commit).stdout

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep everybody else out for as long as a run works here; let go by the kernel if we die."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                hint = "wait for it, or stop it with Ctrl-C where it runs"
                raise BusyError(
                    f"run `{short(self.run_id)}` is at work already (process {file.read()})", hint
                ) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    def _add_all(self) -> str:
        for _ in range(_NESTING_LIMIT):
            done = self.keeper.call("add", "--all", "--ignore-errors", "--", ".", check=False)
            said = done.stderr.decode(errors="replace")
            nested = "embedded git repository" in said or "does not have a commit checked out" in said
            if not (nested and self._open_nested()):
                return said.strip() if done.returncode else ""
        return f"repositories nested deeper than {_NESTING_LIMIT} levels"

    def _open_nested(self) -> bool:
        """Take the files of repositories that the agent made inside of its own: git would take only a link to them.

        Once one file of such a folder is in the index, git looks into it as into any other.
        """
        opened = False
        for folder in self._nested_folders():
            inner = next((path for path in _files_below(self.files / folder)), None)
            self.keeper.git("update-index", "--force-remove", "--", folder)
            if inner is not None:
                name = os.fsencode(inner.relative_to(self.files))
                self.keeper.git("update-index", "--add", "-z", "--stdin", stdin=name + b"\0")
                opened = True
            else:
                with (self.keeper.git_dir / "info" / "exclude").open("a") as file:
                    file.write(f"\n/{folder}/\n")
                opened = True
        return opened

    def _nested_folders(self) -> list[str]:
        others = self.keeper.git("ls-files", "--others", "--exclude-standard", "-z").split("\0")
        staged = _links(self.keeper.git("ls-files", "--stage", "-z"))
        return [name.rstrip("/") for name in others if name.endswith("/")] + sorted(
            staged - _links(self.keeper.git("ls-tree", "-r", "-z", "HEAD"))
        )

    def _agents_head(self, parent: str) -> str:
        """Keep the commits that the agent made itself, where they stand on what we had."""
        head_file = self.files / ".git" / "HEAD"
        if (self.files / ".git").is_symlink() or not head_file.is_file():
            return parent
        asked = [f"--git-dir={self.files / '.git'}", "rev-parse", "--verify", "--quiet", "HEAD^{commit}"]
        head = call(asked, environment=self.keeper.environment, check=False).stdout.decode().strip()
        if not head or head == parent:
            return parent
        fetched = self.keeper.call(
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", str(self.files / ".git"), head, check=False
        )
        known = self.keeper.call("merge-base", "--is-ancestor", parent, head, check=False)
        return head if not fetched.returncode and not known.returncode else parent

    def _set_branch(self, commit: str) -> None:
        self.repository.git("update-ref", f"refs/heads/{self.branch}", commit)
        self.keeper.git("update-ref", f"refs/heads/{self.branch}", commit)
        self.keeper.git("symbolic-ref", "HEAD", f"refs/heads/{self.branch}")

    def _fetch_home(self, commit: str) -> str:
        self.keeper.git("update-ref", f"refs/heads/{self.branch}", commit)
        ref = f"refs/heads/{self.branch}"
        options = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
        done = self.repository.call("fetch", *options, str(self.keeper.git_dir), f"{ref}:{ref}", check=False)
        said = done.stderr.decode(errors="replace").strip()
        return f"branch {self.branch} could not be moved to {commit}: {said}" if done.returncode else ""

    def _make_playground(self, start: str) -> None:
        git_dir = self.files / ".git"
        environment = self.keeper.environment
        names = ("--template=", f"--object-format={self.repository.object_format}", f"--initial-branch={self.branch}")
        call(["init", "--quiet", *names, str(self.files)], environment=environment)
        borrow(git_dir, self.repository, self.keeper.git_dir / "objects")
        for key, default in (("user.name", "Loopwright"), ("user.email", "loopwright@localhost")):
            value = self.repository.git("config", key, check=False) or default
            call([f"--git-dir={git_dir}", "config", key, value], environment=environment)
        (git_dir / "info").mkdir(exist_ok=True)
        shutil.copy(self.keeper.git_dir / "info" / "exclude", git_dir / "info" / "exclude")
        self._move_playground(start)

    def _move_playground(self, commit: str) -> None:
        """Let the agent's branch stand on our commit, so that it begins the next attempt with a clean status."""
        git_dir = self.files / ".git"
        if git_dir.is_symlink() or not git_dir.is_dir():
            return
        where = f"--git-dir={git_dir}"
        head = call([where, "symbolic-ref", "--quiet", "HEAD"], environment=self.keeper.environment, check=False)
        if head.stdout.decode().strip() != f"refs/heads/{self.branch}":
            return
        call(
            [where, "update-ref", f"refs/heads/{self.branch}", commit], environment=self.keeper.environment, check=False
        )
        fresh = git_dir / "index.loopwright"
        shutil.copy(self.keeper.git_dir / "index", fresh)
        fresh.replace(git_dir / "index")


def _links(entries: str) -> set[str]:
    """The paths of the entries that are links to other repositories."""
    return {line.split("\t", 1)[1] for line in entries.split("\0") if line.startswith("160000 ")}


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            if name != ".git":
                yield Path(parent) / name


def remove(folder: Path) -> None:
    """Remove a run's clones, also where folders were made read-only."""

    def retry(function: object, path: str, _: object) -> None:
        Path(path).parent.chmod(0o700)
        Path(path).chmod(0o700) if not Path(path).is_symlink() else None
        shutil.rmtree(path, ignore_errors=True) if Path(path).is_dir() else Path(path).unlink(missing_ok=True)

    shutil.rmtree(folder, onerror=retry)
    if folder.exists():
        raise RepositoryError(f"`{folder}` could not be removed", "remove it by hand")
