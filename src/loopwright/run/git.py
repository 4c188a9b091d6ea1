"""Our own git calls: no hooks, no helpers, no settings that a repository brings."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import RepositoryError

_TIME_LIMIT_S = 1800.0

_QUIET = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "advice.addEmbeddedRepo=false"),
    *("-c", "core.quotePath=false"),
)

_IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "Loopwright"), ("EMAIL", "loopwright@localhost"))
}


def clean_environment() -> dict[str, str]:
    """The host's environment without the variables that steer git."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


def call(
    arguments: Sequence[str], *, environment: Mapping[str, str], stdin: bytes = b"", check: bool = True
) -> subprocess.CompletedProcess[bytes]:
    """Run git; raise with what it said where it fails."""
    try:
        done = subprocess.run(
            ["git", *_QUIET, *arguments], input=stdin, capture_output=True, env=environment, timeout=_TIME_LIMIT_S
        )
    except FileNotFoundError:
        raise RepositoryError("git is not installed", "install git 2.30 or newer") from None
    if check and done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        words = " ".join(word for word in arguments if not word.startswith("--git-dir="))
        raise RepositoryError(f"`git {words[:200]}` failed: {said[:2000]}")
    return done


@dataclass(frozen=True)
class Repository:
    """The user's repository. We read it, and write the run's branch and nothing else."""

    root: Path
    common: Path
    """Where its objects and refs are; shared by linked worktrees."""
    object_format: str

    @staticmethod
    def find(folder: Path) -> Repository:
        """Find the repository that a folder belongs to."""
        asked = ("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir", "--show-object-format")
        if not folder.is_dir():
            raise RepositoryError(f"there is no folder `{folder}`", "name one with --repo")
        done = call(["-C", str(folder), *asked], environment=clean_environment(), check=False)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip()
            if "not a git repository" in said or "must be run in a work tree" in said:
                hint = "make it one: git init && git add -A && git commit -m start; or name another with --repo DIR"
                raise RepositoryError(f"`{folder}` is not in a git repository with a working tree", hint)
            raise RepositoryError(f"git can't read `{folder}`: {said}")
        root, common, object_format = done.stdout.decode(errors="surrogateescape").splitlines()[:3]
        return Repository(Path(root), Path(common), object_format)

    def git(self, *arguments: str, check: bool = True) -> str:
        """Run git in the repository and give what it printed."""
        return self.call(*arguments, check=check).stdout.decode(errors="surrogateescape").strip()

    def call(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[bytes]:
        return call(["-C", str(self.root), *arguments], environment=clean_environment(), check=check)

    def commit(self, revision: str) -> str:
        """Resolve a revision to a commit."""
        found = self.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", check=False)
        if found:
            return found
        if not self.git("rev-parse", "--verify", "--quiet", "HEAD", check=False):
            raise RepositoryError(
                f"`{self.root}` has no commits: there is nothing to start from", 'git add -A && git commit -m "start"'
            )
        raise RepositoryError(f"there is no commit `{revision}` in `{self.root}`", "see: git log --oneline --all")

    def has(self, commit: str, path: str) -> bool:
        """Whether a path is there at a commit."""
        return bool(self.git("ls-tree", commit, "--", path.rstrip("/"), check=False))

    def uncommitted(self) -> int:
        """Count the changes in the user's checkout that are in no commit."""
        return len(self.git("status", "--porcelain", "--ignore-submodules=dirty", check=False).splitlines())

    def exclude(self, name: str) -> None:
        """Keep a folder of ours out of git, without touching a file of the user's."""
        path = self.common / "info" / "exclude"
        text = path.read_text() if path.is_file() else ""
        if f"/{name}/" not in text.splitlines():
            path.parent.mkdir(exist_ok=True)
            with path.open("a") as file:
                file.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}/{name}/\n")

    def ignored_patterns(self) -> str:
        """The user's ignore patterns that are not in the tree: the repository's own and the global ones."""
        configured = self.git("config", "--path", "core.excludesFile", check=False)
        default = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "git" / "ignore"
        sources = [self.common / "info" / "exclude", Path(configured) if configured else default]
        return "\n".join(path.read_text(errors="replace") for path in sources if path.is_file())


@dataclass(frozen=True)
class Tree:
    """A git folder of ours over a folder of files: nothing that lies among the files can steer it."""

    git_dir: Path
    files: Path

    @staticmethod
    def make(git_dir: Path, files: Path, repository: Repository, *more_objects: Path) -> Tree:
        """Make an empty one that borrows the objects of the user's repository (and of others)."""
        tree = Tree(git_dir, files)
        call(
            ["init", "--quiet", "--bare", "--template=", f"--object-format={repository.object_format}", str(git_dir)],
            environment=tree.environment,
        )
        borrow(git_dir, repository, *more_objects)
        files.mkdir(parents=True, exist_ok=True)
        return tree

    @property
    def environment(self) -> dict[str, str]:
        blank = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1"}
        home = {"HOME": str(self.git_dir), "XDG_CONFIG_HOME": str(self.git_dir)}
        return {**clean_environment(), **blank, **home, **_IDENTITY}

    def git(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> str:
        """Run git over the files and give what it printed."""
        return self.call(*arguments, stdin=stdin, check=check).stdout.decode(errors="surrogateescape").strip()

    def call(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> subprocess.CompletedProcess[bytes]:
        # core.bare is off for this call alone: the work tree is named, and add needs one.
        places = [
            f"--git-dir={self.git_dir}",
            f"--work-tree={self.files}",
            "-c",
            "core.bare=false",
            "-C",
            str(self.files),
        ]
        return call([*places, *arguments], environment=self.environment, stdin=stdin, check=check)

    def check_out(self, commit: str) -> None:
        """Make the files those of a commit, whatever was done to the tracked ones."""
        self.git("read-tree", "--reset", "-u", commit)


def borrow(git_dir: Path, repository: Repository, *more_objects: Path) -> None:
    """Let a git folder read the objects of the user's repository, and know where its history is cut."""
    objects = [repository.common / "objects", *more_objects]
    lines = "".join(f"{_quoted(path)}\n" for path in objects)
    (git_dir / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (git_dir / "objects" / "info" / "alternates").write_text(lines, errors="surrogateescape")
    shallow = repository.common / "shallow"
    if shallow.is_file():
        (git_dir / "shallow").write_bytes(shallow.read_bytes())


def _quoted(path: Path) -> str:
    # A path that starts with a quote, or holds a newline, has to be written as a C string.
    text = str(path)
    return text if not text.startswith(('"', "#")) and "\n" not in text else '"' + text.replace('"', '\\"') + '"'
