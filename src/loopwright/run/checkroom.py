"""Where criteria are evaluated: a checkout of what the agent left, never the place where it worked."""

from __future__ import annotations

import dataclasses
import os
import random
import shlex
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.errors import RepositoryError, SetupError, TaskError
from loopwright.guard.redact import Masker
from loopwright.ports import Model
from loopwright.process.command import run_command
from loopwright.process.programs import leads_into
from loopwright.records.command import CommandResult
from loopwright.records.proof import Tampering
from loopwright.records.tally import Tally
from loopwright.run.accounting import Accounts, runner_of
from loopwright.run.blind_spots import delete, sweep
from loopwright.run.dependencies import binaries, project_path
from loopwright.run.git import Repository
from loopwright.run.manifest import Manifest
from loopwright.run.place import Place, Site
from loopwright.run.provenance import leads_to_checkout
from loopwright.run.runners.runner import Sabotage
from loopwright.run.setup import Setup
from loopwright.run.submodules import bring_submodules
from loopwright.run.tree import TREES, Tree
from loopwright.run.whole_change import AS_TEXT
from loopwright.text.excerpt import excerpt

_RESET_LIMIT_S = 600.0
_MOST_DIFF = 1_000_000

_STEERING = (
    *("PYTHON", "PYTEST_", "COV_CORE_", "COVERAGE_", "LD_", "DYLD_", "GIT_", "LOOPWRIGHT_", "NODE_", "npm_"),
    "BASH_FUNC_",
)
_STEERING_NAMES = {
    *("BASH_ENV", "ENV", "CDPATH", "SHELLOPTS", "BASHOPTS", "OLDPWD", "RUBYOPT", "RUBYLIB", "PERL5OPT", "PERL5LIB"),
    *("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "GOFLAGS"),
}


@dataclass
class Checkroom:
    """A folder that is made to hold one tree at a time, and looked at."""

    repository: Repository
    folder: Path
    objects: Path
    """Where the run's commits are."""
    cancel: threading.Event = field(default_factory=threading.Event)
    site: Site = Site()
    accounts: Accounts = field(default_factory=Accounts)
    tallies: dict[str, Tally | None] = field(default_factory=dict)
    """Command -> what its tests came to when it was last run."""
    masker: Masker = field(default_factory=lambda: Masker(os.environ))
    masked: Counter[str] = field(default_factory=Counter)
    """How many secrets were masked in what was seen here, by their kind."""
    model: Model | None = None
    base: str = ""
    """The tree that changes are told against."""
    _commit: str = ""
    _used: bool = False
    """A command has run since the room was made clean."""
    _entries: dict[str, str] = field(default_factory=dict)
    """What the commit holds; kept here, out of the commands' reach."""
    _place: Place | None = None
    distrusts_bytecode: bool = False
    """Python compiles everything anew, into a folder that is empty each time."""
    _manifest: Manifest | None = None
    _source: Path | None = None
    """Where the environment was made for the tree that is in the room; None: the user's own checkout has it."""

    @property
    def place(self) -> Place:
        """Where commands run; found out when the first one does."""
        if self._place is None:
            source = self._source or self.repository.root
            self._place = self.site.place(source, self.root, self.folder / "scratch")
        return self._place

    @property
    def root(self) -> Path:
        return self.folder / "checkroom" / (self.repository.root.name or "repository")

    @property
    def _tree(self) -> Tree:
        return Tree(self.folder / "checkroom.git", self.root)

    @property
    def place_name(self) -> str:
        return "setup" if self._source else self.place.name

    def enter(self, commit: str) -> str:
        """Make the room hold exactly what a commit (or a tree) holds, and give the hash of its tree."""
        if self.site.setup:
            self._set_up(commit)
        if not self._commit:
            self._make(commit)
        elif self._used or self._commit != commit:
            self._renew(commit)
        self._commit, self._used = commit, False
        return self._tree.tree_of(commit)

    def _set_up(self, commit: str) -> None:
        """Have an environment for the commit; where it is another than the last one's, the room is made anew."""
        if not self._tree.git_dir.exists():
            Tree.make(self._tree.git_dir, self.root, self.repository, self.objects)
        environment = check_environment(self.repository.root, self.root)
        cache = self.site.cache or self.folder
        setup = Setup(self.site.setup, self.repository, cache, self.cancel, self.site.limits)
        source = setup.folder(self._tree, commit, environment)
        if source != self._source:
            self.close()
            self._source = source

    def remember(self, kept: Path) -> None:
        """Note what is installed before anybody works, in a file for when the run is taken up again."""
        self._manifest = Manifest.take(self.repository.root, self.site.folders, kept)

    def changed_dependencies(self) -> tuple[list[Tampering], bool]:
        """Name what was changed in the dependencies since; say whether bytecode was."""
        return self._manifest.changed() if self._manifest and not self._source else ([], False)

    def tree_of(self, commit: str) -> str:
        """Give the hash of a commit's tree."""
        if commit not in TREES and not self._commit:
            self.enter(commit)
        return self._tree.tree_of(commit)

    def _renew(self, commit: str) -> None:
        try:
            # What is not tracked goes first: git would wait at a pipe where it looks for its own files.
            sweep(self.root, self._entries, self.place.names)
            self._fill(commit)
            self.place.restore()
        except (RepositoryError, OSError):  # a command can leave what git can't undo, a link in place of the room too
            self._make(commit)

    def _make(self, commit: str) -> None:
        self.close()
        Tree.make(self._tree.git_dir, self.root, self.repository, self.objects)
        self._fill(commit)
        self.place.bring()

    def _fill(self, commit: str) -> None:
        self._tree.check_out(commit)
        if commit != self._commit:
            had_submodules = any(self._entries.values())
            self._entries = self._tree.entries_of(commit)
            if had_submodules:  # git leaves the files of one that the commit no longer has
                sweep(self.root, self._entries, self.place.names)
        bring_submodules(self.repository, self._tree, self._entries)

    def close(self) -> None:
        """Leave nothing behind; it is made again when it is needed."""
        self._commit, self._used = "", False
        self._place = None
        delete(self._tree.git_dir)
        delete(self.folder / "checkroom")

    def path(self, relative: str) -> Path:
        self._refresh()
        place = self.root / relative
        if Path(relative).is_absolute() or ".." in Path(relative).parts or not self._holds(place):
            raise TaskError(f"`{relative}` leaves the repository", "criteria look at files inside of it")
        return place

    def _holds(self, place: Path) -> bool:
        try:
            # Not Path.resolve: what that does with links in a circle depends on the version of Python.
            return Path(os.path.realpath(place)).is_relative_to(os.path.realpath(self.root))
        except (OSError, ValueError):  # a name that no file can have
            return False

    def files(self, pattern: str) -> Sequence[Path]:
        if not any(sign in pattern for sign in "*?["):
            place = self.path(pattern)
            return [place] if place.is_file() else []
        self._refresh()
        listed = self._tree.listed("ls-files", "-z", "--", f":(glob){pattern}")
        return [place for place in map(self.path, listed) if place.is_file()]

    def changes(self) -> str:
        """Give what the tree changes of the base, as a diff."""
        if not self.base:
            return ""
        shown = self._tree.call("diff", *AS_TEXT, self.base, self._commit)
        return shown.stdout[:_MOST_DIFF].decode(errors="replace")

    def run(self, command: str, *, shell: bool, timeout_s: float) -> CommandResult:
        self._refresh()
        self._used = True
        done = self._run(command, shell, timeout_s)
        self.tallies[command] = self.accounts.compared(command, done.tally)
        return dataclasses.replace(done, shortfall=self.accounts.shortfall(command, done.tally))

    def sabotage(self, command: str, *, shell: bool, timeout_s: float) -> tuple[Sabotage, CommandResult] | None:
        """Run a command that has passed once more, with one of its tests made to fail; None where none can be."""
        tally = self.tallies.get(command)
        if tally is None or tally.named("failed") or tally.trouble:
            return None  # it is not what has passed: another member of its criterion has
        self._refresh()
        self._used = True
        runner, _ = runner_of(_argv(command, shell), self.root)
        sabotage = runner.sabotage(self.root, tally, random.SystemRandom())
        return (sabotage, self._run(command, shell, timeout_s)) if sabotage else None

    def _run(self, command: str, shell: bool, timeout_s: float) -> CommandResult:
        argv, report = _argv(command, shell), self.folder / "report"
        runner, owes = runner_of(argv, self.root)
        with self.site.slot(self.repository.root, self.cancel) as slot:
            environment = {**check_environment(self.repository.root, self.place.path), **self._about_us(slot)}
            if foreign := self._leads_away(argv, environment):
                return CommandResult(None, "", "", 0.0, foreign=foreign)
            self._reset(environment)
            if self.distrusts_bytecode:
                delete(self.folder / "bytecode")
                environment["PYTHONPYCACHEPREFIX"] = str(self.folder / "bytecode")
            delete(report)
            report.mkdir()
            equipped = runner.equip(argv, self.root, report)
            done = self._execute(equipped.argv, {**environment, **equipped.environment}, timeout_s)
            tally = runner.tally(self.root, report, self.place.path)
            delete(report)
        foreign = tally.foreign[0] if tally and tally.foreign else ""
        shown = runner.shown(done.output)
        return dataclasses.replace(done, output=shown, tally=tally, owes_report=owes, foreign=foreign)

    def _execute(self, argv: Sequence[str], environment: Mapping[str, str], timeout_s: float) -> CommandResult:
        mask = self.masker.stream()
        done = run_command(
            argv,
            cwd=self.root,
            env=environment,
            timeout_s=timeout_s,
            cancel=self.cancel,
            mount=self.place.mount,
            limits=self.site.limits,
            sieve=mask,
        )
        self.masked.update(mask.counts)
        return done

    def _leads_away(self, argv: Sequence[str], environment: Mapping[str, str]) -> str:
        if self.place.path == self.repository.root:
            return ""
        return leads_to_checkout(argv, environment, self.repository.root)

    def _reset(self, environment: Mapping[str, str]) -> None:
        """Run the command that the settings have for it; a check in a place that was not reset tells nothing."""
        if not self.site.reset:
            return
        done = self._execute(["/bin/sh", "-c", self.site.reset], environment, _RESET_LIMIT_S)
        if done.exit_code != 0 and not self.cancel.is_set():
            raise SetupError(f"[checks] reset failed: `{self.site.reset}`: {done.over_limit or excerpt(done.output)}")

    def _about_us(self, slot: int) -> dict[str, str]:
        """What a check may know of where it runs; the path of the user's checkout where that must not be imported."""
        own = self.place.path == self.repository.root
        foreign = {} if own else {"LOOPWRIGHT_FOREIGN": str(self.repository.root)}
        return {"LOOPWRIGHT_ROOT": str(self.place.path), "LOOPWRIGHT_SLOT": str(slot), **foreign}

    def _refresh(self) -> None:
        """Let nobody see what a command left behind: neither the next criterion nor the same command run again."""
        if self._used:
            self.enter(self._commit)


def _argv(command: str, shell: bool) -> list[str]:
    return ["/bin/sh", "-c", command] if shell else shlex.split(command)


def check_environment(repository: Path, place: Path) -> dict[str, str]:
    """The host's environment without what could steer a test run, and with the project's own programs first."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(_STEERING) and key not in _STEERING_NAMES
    }
    if binaries(place) or leads_into(repository, kept.get("VIRTUAL_ENV", os.sep)):
        kept.pop("VIRTUAL_ENV", None)
    return {
        **kept,
        "PATH": project_path(repository, place),
        "PWD": str(place),
        "PYTHONDONTWRITEBYTECODE": "1",
        # The room has no `.git`: a repository further up, such as one over the user's home, is not the project's.
        "GIT_CEILING_DIRECTORIES": str(place.parent),
    }
