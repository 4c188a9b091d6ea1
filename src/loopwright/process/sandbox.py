"""A program -> the same program in a sandbox: what it sees of the disk, and the way out that it has.

Made by bubblewrap. The disk begins empty: what is not bound into it is not there. What is inside is not root, even
where we are: the launcher (launcher.py) becomes an ordinary user before it starts the program.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from loopwright.process import launcher, seccomp
from loopwright.process.tool import call

AGENT_USER = 64_646
"""Who the program is where we are root: nobody's number, and within what a container has."""
PROXY_PORT = 3128
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store")
_CODE, _SOCKET = "/run/loopwright/code", "/run/loopwright/proxy"
_LAUNCH = f"import sys; sys.path.append({_CODE!r}); import launcher; launcher.run_arguments()"
_ALONE = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_AS_ROOT = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
_LOW_PORTS = ("--cap-add", "CAP_NET_BIND_SERVICE")
"""For who has to listen where only root can: on a network that nobody else is on."""
_FIRST_FREE_PORT = 1024
# The word to end comes to all that runs: bubblewrap must not heed it, for everything would end with it at once.
_DEAF = ("/bin/sh", "-c", 'trap "" TERM INT HUP; filter=$1; shift; exec "$@" 9<"$filter"', "sandbox")
_TRIAL_S = 20.0

Kind = Literal["read", "write", "hide"]


@dataclass(frozen=True)
class Sandbox:
    """What one program has of the machine. Paths are the same inside and outside, but for /tmp and /dev/shm."""

    workspace: Path
    """Where it starts; it can write there."""
    own: Path
    """A folder for its home, its /tmp and its /dev/shm."""
    readable: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    """Not to be seen, wherever they lie; what is readable or writable below them is."""
    proxy: Path | None = None
    """The socket of the only way out; None: there is none."""
    loopback: tuple[str, ...] = ()
    """Hosts such as `127.0.0.1:8080` that are reached inside at their port; each at another."""

    @property
    def home(self) -> Path:
        return self.own / "home"

    def prepare(self) -> None:
        """Make the folders of its own, and give it what it may write to where we are somebody else."""
        for name in ("home", "tmp", "shm"):
            (self.own / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.own / "filter").write_bytes(seccomp.program(os.uname().machine))
        if os.geteuid() == 0:
            (self.own / "passwd").write_text(_passwd(self.home))
            for folder in (self.workspace, *(self.own / name for name in ("home", "tmp", "shm"))):
                give(folder, AGENT_USER)

    def environment(self) -> dict[str, str]:
        """Give the variables that tell a program where it is."""
        known = {"HOME": str(self.home), "TMPDIR": "/tmp", "PWD": str(self.workspace)}
        if os.geteuid() == 0:
            known |= {"USER": "agent", "LOGNAME": "agent"}
        if self.proxy is None:
            return known
        url, near = f"http://127.0.0.1:{self._port}", "localhost,127.0.0.1,::1"
        ways = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), url) | {"NO_PROXY": near}
        known |= {"NODE_USE_ENV_PROXY": "1"}  # Node heeds the others only then
        return known | ways | {name.lower(): value for name, value in ways.items()}

    def argv(self, program: Sequence[str]) -> list[str]:
        """Put the sandbox around a program's argv."""
        root = os.geteuid() == 0
        rights = _AS_ROOT if root else ("--unshare-user",)
        ways = [f"{self._port}=", *(f"{_port_of(host)}={host}" for host in self.loopback)]
        inside = [str(AGENT_USER if root else 0), str(self.workspace), _SOCKET, *(ways if self.proxy else ())]
        started = [_python(), "-I", "-S", "-c", _LAUNCH, *inside, "--", *program]
        low = _LOW_PORTS if any(_port_of(host) < _FIRST_FREE_PORT for host in self.loopback) else ()
        options = [*_ALONE, *rights, *low, "--die-with-parent", "--new-session", *self._disk()]
        return [
            *_DEAF,
            str(self.own / "filter"),
            _bubblewrap(),
            "--seccomp",
            "9",
            *options,
            "--chdir",
            "/",
            "--",
            *started,
        ]

    @property
    def _port(self) -> int:
        taken = set(map(_port_of, self.loopback))
        return next(port for port in range(PROXY_PORT, 65_536) if port not in taken)

    def _disk(self) -> Iterator[str]:
        yield from _system()
        yield from ("--proc", "/proc", "--dev", "/dev")
        yield from ("--bind", str(self.own / "tmp"), "/tmp", "--bind", str(self.own / "shm"), "/dev/shm")
        if os.geteuid() == 0:
            yield from ("--ro-bind", str(self.own / "passwd"), "/etc/passwd")
        places = self._places()
        for path, kind in places:
            words = {"read": _shown(path), "write": ("--bind", str(path)), "hide": ("--tmpfs",)}[kind]
            # Made by itself, the way there would be closed for others than us where the source is.
            yield from ("--dir", str(path.parent), *words, str(path))
        yield from ("--dir", "/run/loopwright", "--ro-bind", str(Path(launcher.__file__).parent), _CODE)
        if self.proxy:
            yield from ("--ro-bind", str(self.proxy), _SOCKET)
        for shut in ("/", "/dev", *(str(path) for path, kind in places if kind == "hide")):
            yield from ("--remount-ro", shut)

    def _places(self) -> list[tuple[Path, Kind]]:
        """Order what is shown and hidden so that what lies deeper comes later."""
        seen: dict[Path, Kind] = {path: "read" for path in (*_interpreter(), *self.readable) if path.exists()}
        shown = [*map(Path, _SYSTEM), *seen]
        hidden = [path for path in self.hidden if any(path.is_relative_to(place) for place in shown)]
        seen |= {path: "hide" for path in hidden if path.is_dir() and path not in shown}
        seen |= {self.workspace: "write", self.home: "write"}
        kept: dict[Path, Kind] = {Path(name): "read" for name in _SYSTEM}
        for path, kind in sorted(seen.items(), key=lambda item: len(item[0].parts)):
            around = next((kept[parent] for parent in path.parents if parent in kept), "hide")
            if (kind, around) != ("read", "read") and path not in kept:
                kept[path] = kind
        return [(path, kind) for path, kind in kept.items() if str(path) not in _SYSTEM]


@dataclass(frozen=True)
class Obstacle:
    """Why no sandbox works here, and what to do about it."""

    words: str
    hint: str = (
        "allow bubblewrap user namespaces (on Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0), "
        "or run without, as in a container: --sandbox off"
    )


@functools.cache
def obstacle() -> Obstacle | None:
    """Start a sandbox; None where it works."""
    if not sys.platform.startswith("linux"):
        return Obstacle("there are no sandboxes but on Linux", "run without: --sandbox off")
    if not shutil.which("bwrap"):
        hint = "install bubblewrap (apt install bubblewrap, dnf install bubblewrap), or run without: --sandbox off"
        return Obstacle("bubblewrap is not installed", hint)
    try:
        seccomp.program(os.uname().machine)
    except KeyError:
        words = f"the system calls of `{os.uname().machine}` are not known"
        return Obstacle(words, "run without: --sandbox off")
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(Path(folder, "workspace"), Path(folder, "own"))
        sandbox.workspace.mkdir()
        sandbox.prepare()
        try:
            tried = call(sandbox.argv(["true"]), environment=os.environ, limit_s=_TRIAL_S)
        except (OSError, TimeoutError) as error:
            return Obstacle(f"bubblewrap can't be started: {error}")
    said = tried.stderr.decode(errors="replace").strip().splitlines() or ["bubblewrap does not say why"]
    return Obstacle(said[-1]) if tried.returncode else None


def give(folder: Path, user: int) -> None:
    """Make a folder and all that is in it somebody's, following no link."""
    for path in _below(folder):
        if path.stat(follow_symlinks=False).st_uid != user:
            os.chown(path, user, user, follow_symlinks=False)


def _below(folder: Path) -> Iterator[os.DirEntry[str] | Path]:
    yield folder
    left = [str(folder)]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)


def _port_of(host: str) -> int:
    return int(host.rpartition(":")[2])


def _system() -> Iterator[str]:
    for name in _SYSTEM:
        place = Path(name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), name)
        elif place.is_dir():
            yield from ("--ro-bind", name, name)


def _shown(path: Path) -> tuple[str, str]:
    """A program may look where the link leads that it was called by."""
    if path.is_symlink() and not path.is_dir():
        return "--symlink", str(path.readlink())
    return "--ro-bind", str(path)


def _interpreter() -> Iterable[Path]:
    return (path for path in (Path(sys.base_prefix), Path(_python()).parent) if not _is_of_system(path))


def _is_of_system(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in _SYSTEM)


def _python() -> str:
    return os.path.realpath(sys.executable)


def _bubblewrap() -> str:
    return shutil.which("bwrap") or "bwrap"


def _passwd(home: Path) -> str:
    return f"root:x:0:0:root:/root:/bin/sh\nagent:x:{AGENT_USER}:{AGENT_USER}:agent:{home}:/bin/sh\n"
