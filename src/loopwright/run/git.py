"""Our own git calls: no hooks, no helpers, no settings that a repository brings."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from loopwright.errors import RepositoryError
from loopwright.process import tool
from loopwright.process.tool import Done

T = TypeVar("T")
TIME_LIMIT_S = 1800.0
_OLDEST = "2.31"
_SHOWN = 300
_COMMITS: set[tuple[Path, str]] = set()
"""What was found to be a commit of a repository, by its whole hash."""
_ANSWERS: dict[tuple[Path, str, str], Any] = {}
"""Such a commit and a question -> what was found."""
LARGEST = 100_000_000
"""What git would take minutes and gigabytes for, and no server takes, is no part of a commit."""

_QUIET = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.alternateRefsCommand=true"),
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "fetch.writeCommitGraph=false"),
    *("-c", "protocol.file.allow=always"),
    *("-c", "advice.addEmbeddedRepo=false"),
    *("-c", "advice.addIgnoredFile=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "checkout.workers=0"),
)

BLANK = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1"}

# The user's settings hold in the user's repository, but not at the other end of a fetch.
FETCH = (
    *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
    f"--upload-pack={' '.join(f'{name}={value}' for name, value in BLANK.items())} git upload-pack",
)


def clean_environment() -> dict[str, str]:
    """The host's environment without the variables that steer git."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return {**kept, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}


def call(
    arguments: Sequence[str],
    *,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    check: bool = True,
    limit_s: float = TIME_LIMIT_S,
) -> Done:
    """Run git; raise with what it said where it fails."""
    told = " ".join(word for word in arguments if not word.startswith(("--git-dir=", "--work-tree=")))
    words = textwrap.shorten(told, _SHOWN, placeholder=" …")
    try:
        done = tool.call(["git", *_QUIET, *arguments], environment=environment, limit_s=limit_s, stdin=stdin)
    except FileNotFoundError:
        raise RepositoryError("git is not installed", f"install git {_OLDEST} or newer") from None
    except TimeoutError:
        raise RepositoryError(f"`git {words}` took longer than {limit_s:g} s and was ended") from None
    if check and done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise RepositoryError(f"`git {words}` failed: {said[:2000]}")
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
        if not folder.is_dir():
            raise RepositoryError(f"there is no folder `{folder}`", "name one with --repo")
        # One question for each path: a folder's name may hold any character, a newline too.
        root, common, object_format = (
            _ask(folder, question) for question in ("--show-toplevel", "--git-common-dir", "--show-object-format")
        )
        return Repository(Path(root), Path(common), object_format)

    def git(self, *arguments: str, check: bool = True) -> str:
        """Run git in the repository and give what it printed."""
        return self.call(*arguments, check=check).stdout.decode(errors="surrogateescape").strip()

    def call(self, *arguments: str, check: bool = True) -> Done:
        return call(["-C", str(self.root), *arguments], environment=clean_environment(), check=check)

    def commit(self, revision: str) -> str:
        """Resolve a revision to a commit."""
        if (self.root, revision) in _COMMITS:
            return revision
        found = self.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", check=False)
        if found:
            _COMMITS.add((self.root, found))
            return found
        if not self.git("rev-parse", "--verify", "--quiet", "HEAD", check=False):
            raise RepositoryError(
                f"`{self.root}` has no commits: there is nothing to start from", 'git add -A && git commit -m "start"'
            )
        raise RepositoryError(f"there is no commit `{revision}` in `{self.root}`", "see: git log --oneline --all")

    def _once(self, commit: str, question: str, find: Callable[[], T]) -> T:
        """Ask once of a commit, which never changes; the name of a branch may stand for another one by now."""
        if (self.root, commit) not in _COMMITS:
            return find()
        if (self.root, commit, question) not in _ANSWERS:
            _ANSWERS[self.root, commit, question] = find()
        found: T = _ANSWERS[self.root, commit, question]
        return found

    def holds(self, commit: str) -> bool:
        """Whether a commit is there."""
        return bool(self.git("cat-file", "-t", commit, check=False))

    def has(self, commit: str, path: str) -> bool:
        """Whether a path is there at a commit."""
        return self._once(commit, f"has {path}", lambda: self._has(commit, path))

    def _has(self, commit: str, path: str) -> bool:
        parts = PurePosixPath(path).parts
        above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        found = self.git("--literal-pathspecs", "ls-tree", "-z", commit, "--", *above, check=False).split("\0")
        # What is in a submodule is there when the link to it is.
        return any(line.endswith(f"\t{above[-1]}") or line.startswith("160000 ") for line in found)

    def links(self, commit: str) -> dict[str, str]:
        """List the links at a commit that stay in the tree, and where each leads."""
        return self._once(commit, "links", lambda: self._links(commit))

    def _links(self, commit: str) -> dict[str, str]:
        listed = self.git("ls-tree", "-rz", commit).split("\0")
        found = [line.partition("\t") for line in listed if line.startswith("120000")]
        goals = {path: self.git("cat-file", "blob", meta.split()[2]) for meta, _, path in found}
        inside = {path: os.path.normpath(os.path.join(os.path.dirname(path), goal)) for path, goal in goals.items()}  # noqa: PTH118, PTH120 - of the tree, not of a disk
        return {path: goal for path, goal in inside.items() if not goal.startswith(("/", ".."))}

    def files_below(self, commit: str, folder: str) -> list[str]:
        """List the files below a folder at a commit."""
        listed = self.git(
            "--literal-pathspecs", "ls-tree", "-rz", "--name-only", commit, "--", f"{folder}/", check=False
        )
        return listed.split("\0")[:-1]

    def fetch(self, source: Path, ref: str) -> str:
        """Fetch a branch, never by force; give why it could not be done, empty where it was."""
        done = self.call(*FETCH, str(source), f"{ref}:{ref}", check=False)
        said = done.stderr.decode(errors="replace").strip()
        return (said or "git does not say why") if done.returncode else ""

    def tip(self, branch: str) -> str:
        """Give where a branch stands; empty where there is none."""
        return self.git("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", check=False)

    def branched(self, name: str, commit: str) -> str:
        """Make a branch where there is none, and give where it stands."""
        try:
            self.new_branch(name, commit)
        except RepositoryError:
            if tip := self.tip(name):
                return tip
            raise
        return commit

    def new_branch(self, name: str, commit: str) -> None:
        """Make a branch that must not be there yet."""
        try:
            self.git("update-ref", f"refs/heads/{name}", commit, "")
        except RepositoryError as error:
            folder = name.partition("/")[0]
            if f"'refs/heads/{folder}' exists" not in error.message:
                raise
            hint = f"rename it: git branch -m {folder} another-name"
            raise RepositoryError(f"branch `{name}` can't be made: there is a branch `{folder}`", hint) from None

    def tree_without(self, commit: str, paths: Sequence[str]) -> str:
        """Give the tree of a commit without some files; it is written where nobody's own index is touched."""
        if not paths:
            return self.git("rev-parse", f"{commit}^{{tree}}")
        with tempfile.TemporaryDirectory() as folder:
            own = {**clean_environment(), "GIT_INDEX_FILE": f"{folder}/index"}
            for words in (("read-tree", commit), ("rm", "--cached", "-r", "-q", "--ignore-unmatch", "--", *paths)):
                call(["-C", str(self.root), "--literal-pathspecs", *words], environment=own)
            return call(["-C", str(self.root), "write-tree"], environment=own).stdout.decode().strip()

    def settings_of(self, section: str) -> dict[str, str]:
        """Give the user's settings of one section that have a value, by their names in small letters."""
        listed = self.git("config", "-z", "--get-regexp", rf"^{section}\.[a-z]*$", check=False).split("\0")
        found = (line.removeprefix(f"{section}.").partition("\n") for line in listed)
        return {name: value.strip() for name, _, value in found if value.strip()}

    def uncommitted(self, but: str) -> int:
        """Count the changes in the user's checkout that are in no commit, but for those of one file at its root."""
        named = self.git(
            "config", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$", check=False
        )
        off = [word for name in named.splitlines() for word in ("-c", f"{name}=")]
        status = ("status", "--porcelain", "--ignore-submodules=dirty", "--", ":/", f":(top,exclude){but}")
        return len(self.git(*off, *status, check=False).splitlines())

    def exclude(self, name: str) -> None:
        """Keep a folder of ours out of git, without touching a file of the user's."""
        path, line = self.common / "info" / "exclude", f"/{name}/".encode()
        text = path.read_bytes() if path.is_file() else b""
        if line not in text.splitlines():
            path.parent.mkdir(exist_ok=True)
            with path.open("ab") as file:
                file.write((b"" if not text or text.endswith(b"\n") else b"\n") + line + b"\n")

    def ignored_patterns(self) -> bytes:
        """The user's ignore patterns that are not in the tree: the repository's own and the global ones."""
        configured = self.git("config", "--path", "core.excludesFile", check=False)
        default = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "git" / "ignore"
        sources = [Path(configured) if configured else default, self.common / "info" / "exclude"]
        return b"\n".join(path.read_bytes() for path in sources if path.is_file())


def _ask(folder: Path, question: str) -> str:
    asked = ["-C", str(folder), "rev-parse", "--path-format=absolute", question]
    done = call(asked, environment=clean_environment(), check=False)
    if not done.returncode:
        return os.fsdecode(done.stdout.removesuffix(b"\n"))
    said = done.stderr.decode(errors="replace").strip()
    if "not a git repository" in said or "must be run in a work tree" in said:
        hint = "make it one: git init && git add -A && git commit -m start; or name another with --repo DIR"
        raise RepositoryError(f"`{folder}` is not in a git repository with a working tree", hint)
    raise RepositoryError(f"git can't read `{folder}`: {said}")


def init(repository: Repository, *arguments: str, environment: Mapping[str, str]) -> None:
    """Let git make a folder with the user's kind of objects."""
    call(
        ["init", "--quiet", "--template=", f"--object-format={repository.object_format}", *arguments],
        environment=environment,
    )
