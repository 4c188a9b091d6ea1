"""How an agent is started -> how it is started in a sandbox: what of the machine it needs, and nothing else."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from loopwright.errors import AgentError, SetupError
from loopwright.ports import Briefing, Launch
from loopwright.process.proxy import Proxy
from loopwright.process.sandbox import AGENT_USER, Sandbox, obstacle
from loopwright.records.host import Host, read_hosts
from loopwright.records.task import Task
from loopwright.run.blind_spots import delete
from loopwright.run.git import Repository
from loopwright.run.login import Login

OWN_PROGRAMS = ("command", "scripted")
"""Agents that are a program of the user's: confined only where it is required."""
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Variables that name whom to trust: a file or folder that has to be there."""
_VARIABLES = (
    *("PATH", "LANG", "LANGUAGE", "LC_*", "TERM", "COLORTERM", "NO_COLOR", "TZ", "SHELL", "USER", "LOGNAME"),
    *("GIT_CEILING_DIRECTORIES", *_CERTIFICATES),
)
_TOOLS = {
    ".pyenv": "PYENV_ROOT",
    ".nvm": "NVM_DIR",
    ".rustup": "RUSTUP_HOME",
    ".volta": "VOLTA_HOME",
    ".asdf": "ASDF_DIR",
    "go/pkg/mod": "GOMODCACHE",
}
"""Folders of the user's home with programs in them, and the variable that names each where the home is another."""
_MORE_TOOLS = (".local/lib", ".local/share/uv/python", ".local/share/pnpm", ".local/share/mise", ".local/share/claude")
_MOST_LINKS = 16
_LOOPBACK = re.compile(r"(127\.[\d.]+|localhost|\[::1\])(?::(\d+))?")


Around = tuple[list[str], dict[str, str]]
"""The argv and the environment to start."""


class Surrounding(Protocol):
    """What is around an agent."""

    confined: bool

    @property
    def note(self) -> str:
        """What is to be said of it at the start."""
        ...

    def around(
        self, launch: Launch, briefing: Briefing, environment: Mapping[str, str], own: Mapping[str, str]
    ) -> AbstractContextManager[Around]:
        """Give what to start: `environment` is all that it could have of the user's, `own` is what it gets anyway."""
        ...

    def denials(self) -> list[str]:
        """Say whom it tried to reach and was not let, as far as that was not said before."""
        ...

    def troubles(self) -> list[str]:
        """Say what went wrong around it, as far as that was not said before."""
        ...


@dataclass(frozen=True)
class Unconfined:
    """The agent has the user's rights."""

    note: str = ""
    confined = False

    @contextmanager
    def around(
        self, launch: Launch, briefing: Briefing, environment: Mapping[str, str], own: Mapping[str, str]
    ) -> Iterator[Around]:
        yield list(launch.argv), {**environment, **own}

    def denials(self) -> list[str]:
        return []

    def troubles(self) -> list[str]:
        return []


def is_wanted(task: Task, agent: str) -> bool:
    """Say whether an agent is to be confined, where that can be."""
    return task.sandbox == "required" or (task.sandbox == "auto" and agent not in OWN_PROGRAMS)


def surrounding(task: Task, agent: str, repository: Repository, folder: Path, hidden: tuple[Path, ...]) -> Surrounding:
    """Find what is to be around an agent; SetupError where it must be confined and can't."""
    read_hosts(task.hosts, Host.chosen)
    if not is_wanted(task, agent):
        return Unconfined()
    if not (trouble := obstacle()):
        return Confinement(repository, folder, tuple(task.hosts), hidden)
    if task.sandbox == "required":
        raise SetupError(f"the agent can't be confined, and that is required: {trouble.words}", trouble.hint)
    return Unconfined(f"the agent is not confined: {trouble.words}")


@dataclass
class Confinement:
    """The sandbox of one run; its home is kept from one attempt to the next where a conversation goes on."""

    repository: Repository
    folder: Path
    """The run's: what the agent may have of it is named below."""
    hosts: tuple[str, ...] = ()
    """Whom it may reach besides those that it needs."""
    hidden: tuple[Path, ...] = ()
    note: str = ""
    confined = True
    _proxy: Proxy | None = field(default=None, init=False)
    _troubles: list[str] = field(default_factory=list, init=False)

    @contextmanager
    def around(
        self, launch: Launch, briefing: Briefing, environment: Mapping[str, str], own: Mapping[str, str]
    ) -> Iterator[Around]:
        hosts, workspace = (*launch.hosts, *self.hosts), briefing.workspace
        with Proxy(hosts) as self._proxy:
            hidden = (Path.home(), self.repository.root, *self.hidden)
            readable = tuple(self._readable(launch, workspace, environment["PATH"]))
            sandbox = Sandbox(workspace, self.folder / "sandbox", readable, hidden, self._proxy.socket, _near(hosts))
            login = Login(launch.login, Path.home(), sandbox.home, launch.login_places)
            with _prepared(sandbox, briefing):
                try:
                    login.lend(AGENT_USER if os.geteuid() == 0 else None)
                    kept = _variables(environment, launch.variables)
                    yield sandbox.argv(launch.argv), {**kept, **own, **sandbox.environment()}
                finally:
                    self._troubles += login.take_back()

    def denials(self) -> list[str]:
        return self._proxy.denials() if self._proxy else []

    def troubles(self) -> list[str]:
        said, self._troubles = self._troubles, []
        return said

    def _readable(self, launch: Launch, workspace: Path, path: str) -> Iterator[Path]:
        """Name what it has to see besides its workspace. Nothing that an agent can have written has a say in it."""
        yield from _objects(self.repository.common / "objects")
        yield from (self.folder / "keeper.git" / "objects", self.folder / "prompt.md")
        yield from (Path(__file__).parents[1], Path(sys.prefix))
        folders = [name for name in path.split(os.pathsep) if not self._is_mine(Path(name))]
        # What lies in the run's folder may be a link of the agent's, to anywhere.
        named = [Path(word) for word in launch.argv[1:] if _is_file(word) and not self._is_mine(Path(word))]
        tools = [
            *map(Path, folders),
            *(Path.home() / name for name in (*_TOOLS, *_MORE_TOOLS)),
            *(Path(os.environ[name]) for name in _CERTIFICATES if os.environ.get(name, "").startswith("/")),
            *(place for name in (".venv", "venv") for place in _interpreter_of(self.repository.root / name)),
            *_program(launch.argv[0], os.pathsep.join(folders)),
            *(_installed(place) for word in named for place in _links(word)),
        ]
        private = (workspace, Path.home(), self.repository.root, self.folder, *self.hidden)
        places = {form for place in private for form in (place, place.resolve())}
        yield from (tool for tool in dict.fromkeys(tools) if not (self._is_mine(tool) or _is_around(tool, places)))

    def _is_mine(self, path: Path) -> bool:
        return Path(os.path.normpath(path)).is_relative_to(self.folder)


@contextmanager
def _prepared(sandbox: Sandbox, briefing: Briefing) -> Iterator[None]:
    """Have the folders of a sandbox ready; what is left in /tmp and /dev/shm is gone afterwards."""
    passing = [sandbox.own / name for name in ("tmp", "shm")]
    try:
        for folder in passing:
            delete(folder)
        _settle_home(sandbox.home, sandbox.own / "workers_home", briefing)
        sandbox.prepare()
        yield
    finally:
        for folder in passing:
            delete(folder)


def _settle_home(home: Path, aside: Path, briefing: Briefing) -> None:
    """Leave nothing of an earlier attempt, which could be orders. Only a worker that goes on finds its home again."""
    if briefing.role != "worker":
        if home.exists() and not aside.exists():
            home.rename(aside)
        delete(home)
        return
    if aside.exists():
        delete(home)
        aside.rename(home)
    if briefing.conversation and home.exists():
        home.chmod(0o700)
    else:
        delete(home)


def _near(hosts: Iterable[str]) -> tuple[str, ...]:
    """Name the hosts on loopback, one for each port; without a port, the usual ones are meant."""
    found: dict[str, str] = {}
    for match in filter(None, map(_LOOPBACK.fullmatch, hosts)):
        for port in (match[2],) if match[2] else ("80", "443"):
            found.setdefault(port, f"{match[1]}:{port}")
    return tuple(found.values())


def _variables(environment: Mapping[str, str], more: Sequence[str]) -> dict[str, str]:
    """Give what an agent gets of the user's variables, and where the tools are that look for themselves at home."""
    patterns = (*_VARIABLES, *more)
    kept = {name for name in environment if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)}
    tools = {name: Path.home() / place for place, name in _TOOLS.items()}
    found = {name: str(place) for name, place in tools.items() if place.is_dir()}
    return found | {name: environment[name] for name in kept}


def _is_file(word: str) -> bool:
    return word.startswith("/") and os.path.isfile(word)  # noqa: PTH113 - a prompt may be no path at all


def _is_around(path: Path, places: Iterable[Path]) -> bool:
    forms = (path, path.resolve())
    return any(place.is_relative_to(form) for place in places for form in forms)


def _objects(folder: Path, seen: Sequence[Path] = ()) -> Iterator[Path]:
    """Name a folder of git objects, and those that it borrows from."""
    yield folder
    alternates = folder / "info" / "alternates"
    if folder in seen or not alternates.is_file():
        return
    for line in alternates.read_bytes().splitlines():
        if line and not line.startswith((b"#", b'"')):
            yield from _objects(Path(os.path.normpath(folder / os.fsdecode(line))), (*seen, folder))


def _interpreter_of(environment: Path) -> Iterator[Path]:
    """Name where the interpreter of a virtual environment is from: the user's own, which no agent has written to."""
    python = environment / "bin" / "python"
    if python.exists():
        yield python.resolve().parent.parent


def _program(name: str, path: str) -> Iterable[Path]:
    """Name the folders that a program needs: where each link on the way to it leads."""
    found = shutil.which(name, path=path)
    if found is None and os.sep not in name:
        raise AgentError(f"the agent's program `{name}` is not there", "install it, or write its full path")
    return map(_installed, _links(Path(found or name))) if os.path.isabs(found or name) else ()  # noqa: PTH117 - text


def _links(path: Path) -> Iterator[Path]:
    """Name a file, and where each link on the way to it leads."""
    for _ in range(_MOST_LINKS):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))


def _installed(program: Path) -> Path:
    """Name the folder that a program was installed into: with all packages, where it is one of npm's."""
    parts = program.parts
    return Path(*parts[: parts.index("node_modules") + 1]) if "node_modules" in parts else program
