"""Our own git calls: no hooks, no helpers, no settings that a repository brings."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from loopwright.errors import RepositoryError
from loopwright.process import tool
from loopwright.process.tool import Done

_TIME_LIMIT_S = 1800.0
_OLDEST = "2.31"
_SHOWN = 300
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

_BLANK = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1"}

_IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "Loopwright"), ("EMAIL", "loopwright@localhost"))
}

# The user's settings hold in the user's repository, but not at the other end of a fetch.
_FETCH = (
    *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
    f"--upload-pack={' '.join(f'{name}={value}' for name, value in _BLANK.items())} git upload-pack",
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
    limit_s: float = _TIME_LIMIT_S,
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
        found = self.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", check=False)
        if found:
            return found
        if not self.git("rev-parse", "--verify", "--quiet", "HEAD", check=False):
            raise RepositoryError(
                f"`{self.root}` has no commits: there is nothing to start from", 'git add -A && git commit -m "start"'
            )
        raise RepositoryError(f"there is no commit `{revision}` in `{self.root}`", "see: git log --oneline --all")

    def holds(self, commit: str) -> bool:
        """Whether a commit is there."""
        return bool(self.git("cat-file", "-t", commit, check=False))

    def has(self, commit: str, path: str) -> bool:
        """Whether a path is there at a commit."""
        parts = PurePosixPath(path).parts
        above = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        found = self.git("--literal-pathspecs", "ls-tree", "-z", commit, "--", *above, check=False).split("\0")
        # What is in a submodule is there when the link to it is.
        return any(line.endswith(f"\t{above[-1]}") or line.startswith("160000 ") for line in found)

    def links(self, commit: str) -> dict[str, str]:
        """List the links at a commit that stay in the tree, and where each leads."""
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
        done = self.call(*_FETCH, str(source), f"{ref}:{ref}", check=False)
        said = done.stderr.decode(errors="replace").strip()
        return (said or "git does not say why") if done.returncode else ""

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


TREES: dict[str, str] = {}
"""Commit -> the hash of its tree, as far as it was asked for or made by us."""


@dataclass(frozen=True)
class Tree:
    """A git folder of ours over a folder of files: nothing that lies among the files can steer it."""

    git_dir: Path
    files: Path
    index: Path | None = None
    """Another than the git folder's own, for trees that are put together and never checked out."""

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
        home = {"HOME": str(self.git_dir), "XDG_CONFIG_HOME": str(self.git_dir)}
        index = {"GIT_INDEX_FILE": str(self.index)} if self.index else {}
        return {**clean_environment(), **_BLANK, **_IDENTITY, **home, **index}

    def git(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> str:
        """Run git over the files and give what it printed."""
        return os.fsdecode(self.call(*arguments, stdin=stdin, check=check).stdout).strip()

    def call(self, *arguments: str, stdin: bytes = b"", check: bool = True, limit_s: float = _TIME_LIMIT_S) -> Done:
        # core.bare is off for this call alone: the work tree is named, and add needs one.
        places = (f"--git-dir={self.git_dir}", f"--work-tree={self.files}", "-C", str(self.files))
        arguments = (*places, "-c", "core.bare=false", *arguments)
        return call(arguments, environment=self.environment, stdin=stdin, check=check, limit_s=limit_s)

    def listed(self, *arguments: str) -> list[str]:
        """Run git with `-z` among the arguments and give the lines: names are taken as they are."""
        return os.fsdecode(self.call(*arguments).stdout).split("\0")[:-1]

    def tree_of(self, commit: str) -> str:
        """Give the hash of a commit's tree. It never changes, so it is asked for once."""
        if commit not in TREES:
            TREES[commit] = self.git("rev-parse", f"{commit}^{{tree}}")
        return TREES[commit]

    def check_out(self, commit: str) -> None:
        """Make the files those of a commit, whatever was done to the tracked ones."""
        self.git("read-tree", "--reset", "-u", commit)

    def entries(self) -> dict[str, str]:
        """Give what the index holds: the path of each file, and for links to submodules the commit as well."""
        split = (line.partition("\t") for line in self.listed("ls-files", "--stage", "-z"))
        return {path: meta[7:].partition(" ")[0] if meta.startswith("160000") else "" for meta, _, path in split}

    def oversized(self) -> dict[str, int]:
        """Give the files that are new or changed and too large for a commit, with their sizes."""
        named = self.listed("ls-files", "--others", "--modified", "--exclude-standard", "-z")
        sizes = {name: path.lstat().st_size for name in named if os.path.lexists(path := self.files / name)}
        return {name: size for name, size in sizes.items() if size > LARGEST}

    def fetch(self, source: Path, ref: str, limit_s: float) -> bool:
        """Take in a commit that is not ours, and only a sound one; say whether that was done."""
        done = self.call("-c", "fetch.fsckObjects=true", *_FETCH, str(source), ref, check=False, limit_s=limit_s)
        return not done.returncode


def borrow(git_dir: Path, repository: Repository, *more_objects: Path) -> None:
    """Let a git folder read the objects of the user's repository, and know where its history is cut."""
    (git_dir / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (git_dir / "objects" / "info" / "alternates").write_bytes(lenders(repository, *more_objects))
    shallow = repository.common / "shallow"
    if shallow.is_file():
        (git_dir / "shallow").write_bytes(shallow.read_bytes())


def lenders(repository: Repository, *more_objects: Path) -> bytes:
    """Name the folders of objects as git wants it."""
    return b"".join(_quoted(os.fsencode(path)) + b"\n" for path in (repository.common / "objects", *more_objects))


def _quoted(path: bytes) -> bytes:
    # A path that starts with a quote or a hash, or holds a newline, has to be written as a C string.
    if not path.startswith((b'"', b"#")) and b"\n" not in path:
        return path
    return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
