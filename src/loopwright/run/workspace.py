"""Where the agent works: a clone of its own, from which everything is brought home after every attempt.

Two git folders look at the same files. The agent's own (`.git` among the files, see playground.py) has refs, stash,
config and hooks of its own. Ours (`keeper.git`, outside of the files) takes the snapshots, so that nothing the agent
does to its git can hide, lose or fake work.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from loopwright.errors import BusyError, RepositoryError
from loopwright.process.inherited import inherited
from loopwright.records.identity import short
from loopwright.run import lent_files
from loopwright.run.blind_spots import any_larger, clear_pipes, delete
from loopwright.run.dependencies import Dependencies, dependency_folders
from loopwright.run.git import LARGEST, Repository
from loopwright.run.playground import Playground
from loopwright.run.submodules import bring_submodules, changed_submodules
from loopwright.run.tree import TREES, Tree
from loopwright.run.whole_change import patch

_IMPORT_LIMIT_S = 120.0
ENDING_S = 15.0
"""More than any process that we start is given to end."""
_STAND_IN = "loopwright stands in here"


@dataclass(frozen=True)
class Snapshot:
    """What the workspace held at one moment, as a commit on the run's branch."""

    commit: str
    tree: str
    changes: str
    """What changed since the snapshot before, in words; empty where nothing did."""
    left_out: str
    """What is in the workspace and not in the commit, and why."""
    _fetched: Future[str]

    @property
    def not_home(self) -> str:
        """Why the branch in the user's repository could not be moved; the work is kept in the clone."""
        return self._fetched.result()


@dataclass(frozen=True)
class Workspace:
    """A run's clone, and the branch that its work goes to."""

    repository: Repository
    folder: Path
    """All that belongs to the run lies below it."""
    run_id: str
    branch: str
    bring: tuple[str, ...] = ()
    """More folders that git does not hold and the agent needs."""
    _homeward: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1), compare=False)
    """Work is brought home while it is judged."""

    @property
    def files(self) -> Path:
        return self.folder / "workspace" / (self.repository.root.name or "repository")

    @property
    def keeper(self) -> Tree:
        return Tree(self.folder / "keeper.git", self.files)

    @property
    def _playground(self) -> Playground:
        return Playground(self.repository, self.keeper, self.branch)

    @property
    def _ref(self) -> str:
        return f"refs/heads/{self.branch}"

    @property
    def _ready(self) -> Path:
        """A file that is there once the clone is whole; it names the dependency folders that were brought."""
        return self.folder / "ready"

    def prepare(self, base: str) -> str:
        """Make the clone where it is not there yet, and give the commit that it stands on."""
        if self._ready.exists() and self.keeper.git_dir.exists():
            return self._take_up(self.repository.tip(self.branch))
        start = self.repository.branched(self.branch, base)
        self._make(start)
        return start

    def _make(self, start: str) -> None:
        self._ready.unlink(missing_ok=True)
        delete(self.keeper.git_dir)
        keeper = Tree.make(self.keeper.git_dir, self.files, self.repository)
        (keeper.git_dir / "info").mkdir(exist_ok=True)
        (keeper.git_dir / "info" / "exclude").write_bytes(self.repository.ignored_patterns())
        keeper.begin(self._ref, start)
        self._fill(start)

    def _fill(self, commit: str) -> None:
        """Put everything in its place: the files, and what the agent needs and git does not hold."""
        delete(self.files)
        self._own_folder()
        self._check_out(commit)
        source = self.repository.root
        brought = Dependencies(source, self.files, dependency_folders(source, self.bring)).bring()
        with (self.keeper.git_dir / "info" / "exclude").open("a") as patterns:
            patterns.writelines(f"\n/{name}\n" for name in brought)
        self._playground.make(commit)
        self._ready.write_text("\n".join(brought))

    def _take_up(self, home: str) -> str:
        """Go on from the clone as it is, or from where a person has moved the branch to."""
        keeper = self.keeper
        for lock in ("index.lock", "HEAD.lock", f"{self._ref}.lock"):  # we died in the middle of a snapshot
            (keeper.git_dir / lock).unlink(missing_ok=True)
        is_there = self.files.is_dir()
        self._own_folder()
        mine = keeper.git("rev-parse", "HEAD")
        if not is_there:
            self._fill(mine)
        mine = self.snapshot(mine, f"loopwright {short(self.run_id)}: work found in the clone").commit
        self.wait()
        if not home or self._stands_on(mine, home):
            return mine
        keeper.git("update-ref", f"refs/set-aside/{mine}", mine)
        keeper.git("update-ref", self._ref, home)
        self.put_back(home)
        self._playground.move(home)
        return home

    def snapshot(self, parent: str, message: str) -> Snapshot:
        """Commit all that is in the workspace and bring it home to the user's repository."""
        self._own_folder()
        keeper, left_out = self.keeper, self._add_all()
        tree, below = keeper.git("write-tree"), self._agents_head(parent)
        before, at_head = keeper.tree_of(parent), keeper.tree_of(below)
        TREES[tree] = tree
        with ThreadPoolExecutor(1) as beside:
            changes = beside.submit(keeper.changes, before, tree)
            made = ("commit-tree", tree, "-p", below)
            commit = below if tree == at_head else keeper.git(*made, stdin=message.encode(errors="replace"))
            TREES[commit] = tree
            keeper.git("update-ref", self._ref, commit)
            fetched = self._homeward.submit(self._fetch, commit)
            self._playground.move(commit)
        return Snapshot(commit, tree, changes.result(), left_out, fetched)

    def wait(self) -> None:
        """Return when all is home."""
        self._homeward.submit(bool).result()

    def _fetch(self, commit: str) -> str:
        trouble = self.repository.fetch(self.keeper.git_dir, self._ref)
        return f"branch {self.branch} could not be moved to {commit}: {trouble}" if trouble else ""

    def put_back(self, commit: str) -> None:
        """Make the files those of a commit again; what git ignores stays."""
        self._own_folder()
        clear_pipes(self.files)
        self._check_out(commit)
        self.keeper.git("clean", "-ffdq", *(f"--exclude=/{name}" for name in self._brought()))

    def bring_home(self, base: str) -> str | None:
        """See to it that the user's repository has all that the clone holds; give its commit, None without a clone."""
        if not (self._ready.exists() and self.files.is_dir()):
            return None  # it was never whole: no agent has worked here
        commit = self.prepare(base)
        if not self.repository.holds(commit):
            said = f"the work of run `{short(self.run_id)}` is in its clone alone"
            raise RepositoryError(said, f"git switch away from {self.branch}")
        return commit

    def diff(self, base: str, commit: str) -> bytes:
        """The whole change as a patch that `git apply` takes."""
        return patch(self.keeper, base, commit)

    @contextmanager
    def occupied(self) -> Iterator[None]:
        """Be here alone: wait for what a holder that died had started, and keep those out who would take over from us.

        The lease says whose the run is; this lock is held by our children as well, and tells when all of them are gone.
        """
        if self.folder.is_symlink():
            self.folder.unlink()
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a+") as file:
            self._wait_for(file)
            with inherited(file):
                try:
                    yield
                finally:
                    self.wait()
                    fcntl.flock(file, fcntl.LOCK_UN)  # a child that is still ending must not keep it

    def _wait_for(self, file: IO[str]) -> None:
        deadline = time.monotonic() + ENDING_S
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() > deadline:
                    said = f"something that was started for run `{short(self.run_id)}` is still at work in its clone"
                    raise BusyError(said, f"see who has `{file.name}` open: fuser -v {file.name}") from None
            time.sleep(0.05)

    def _own_folder(self) -> None:
        """Have a folder for the files: a link in its place would lead us to somebody else's."""
        for folder in (self.folder, self.files.parent, self.files):
            if folder.is_symlink() or not folder.is_dir():
                delete(folder)
                folder.mkdir(parents=True)

    def _check_out(self, commit: str) -> None:
        self.keeper.check_out(commit)
        bring_submodules(self.repository, self.keeper, self.keeper.entries_of(commit))

    def _brought(self) -> list[str]:
        return self._ready.read_text().split() if self._ready.exists() else []

    def _add_all(self) -> str:
        """Take all files into our index; give what was left out."""
        lent = lent_files.give_back(self.files, self.folder / lent_files.NAME)
        (removed, nested), outside = clear_pipes(self.files), self._brought()
        shut = self._open(nested, outside) if nested else []
        large = self.keeper.oversized() if any_larger(self.files, LARGEST, outside) else {}
        paths = [".", *(f":(exclude,literal){name}" for name in (*outside, *shut, *large))]
        done, said = self._add(paths)
        troubles = [f"`{name}` was a pipe, at which git would wait for ever: it is gone" for name in removed]
        told = f"more than the {LARGEST:,} that a file of a commit may have"
        troubles += [f"`{name}` has {size:,} bytes, {told}" for name, size in large.items()]
        troubles += [f"`{name}` is ours, and was put back: what was done to it is not kept" for name in lent]
        if done > 1:
            # A .gitattributes can ask for what git can't do. Nothing is lost for that: the bytes are taken as they are.
            troubles.append(f"files were recorded as they are, without .gitattributes: {said}")
            attributes = self.keeper.git_dir / "info" / "attributes"
            attributes.write_text("* -text -eol -working-tree-encoding -filter -ident\n")
            try:
                done, said = self._add(paths)
            finally:
                attributes.unlink()
        if done > 1:
            raise RepositoryError(f"the workspace could not be read: {said}")
        changed = [*changed_submodules(self.repository, self.keeper), *shut]
        troubles += [f"the changes in the submodule `{name}`: commit them there" for name in dict.fromkeys(changed)]
        return "\n".join([*troubles, said] if done else troubles)

    def _add(self, paths: Sequence[str]) -> tuple[int, str]:
        done = self.keeper.call("add", "--all", "--ignore-errors", "--", *paths, check=False)
        return done.returncode, done.stderr.decode(errors="replace").strip()

    def _open(self, nested: Sequence[str], outside: Sequence[str]) -> list[str]:
        """Let git look into repositories that the agent made inside of its own: it would take only a link to them.

        It looks into every folder of which its index has a file: one that is not there, and that it drops at once.
        Gives the submodules that the agent made a repository of, which are to stay links.
        """
        links = [path for path, commit in self.keeper.entries().items() if commit]
        closed = tuple(f"{name}/" for name in (*links, *outside))
        blob = "1" * (64 if self.repository.object_format == "sha256" else 40)
        lines = [f"100644 {blob} 0\t{name}/{_STAND_IN}\0" for name in nested if not f"{name}/".startswith(closed)]
        self.keeper.git("update-index", "-z", "--index-info", stdin=os.fsencode("".join(lines)))
        return [name for name in links if name in nested]

    def _agents_head(self, parent: str) -> str:
        """Keep the commits that the agent made itself, where they stand on what we had."""
        head = self._playground.head()
        if not head or head == parent:
            return parent
        window = self.folder / "window.git"
        lenders = (self.keeper.git_dir / "objects", self._playground.git_dir / "objects")
        delete(window)
        try:
            tree = Tree.make(window, self.files, self.repository, *lenders)
            tree.call("update-ref", "refs/heads/agent", head, limit_s=_IMPORT_LIMIT_S)
            taken = self.keeper.fetch(window, "refs/heads/agent", _IMPORT_LIMIT_S)
        except RepositoryError:
            return parent
        return head if taken and self._stands_on(head, parent) else parent

    def _stands_on(self, commit: str, earlier: str) -> bool:
        return not self.keeper.call("merge-base", "--is-ancestor", earlier, commit, check=False).returncode


def remove(folder: Path) -> None:
    """Remove a run's clones, also where folders were made read-only."""
    try:
        delete(folder)
    except OSError as error:
        raise RepositoryError(f"`{folder}` could not be removed: {error}", "remove it by hand") from None
