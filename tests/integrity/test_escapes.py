"""An agent that tries to get out of the sandbox, in a whole run, as root and as an ordinary user."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopback import Handler, on_loopback
from loopwright.process.sandbox import AGENT_USER, obstacle
from loopwright.registry import kinds
from loopwright.store import open_store
from world import Repo

NOBODY = 65_534
SECRET = "swordfish-of-the-user"
ESCAPES = Path(__file__).with_name("escapes.py")

pytestmark = pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")


class Hello(Handler):
    """A model's server, as far as it matters here."""

    def get(self) -> None:
        self.send(200, "text/plain", b"hello")


@dataclass(frozen=True)
class Tried:
    """What came of everything that the agent tried."""

    found: dict[str, str]
    place: Path
    denials: list[str]
    came: list[bytes]
    """What reached the host's ports that must not be reached."""
    user: int


@pytest.fixture(scope="module", params=["root", "ordinary"])
def attempt(request: pytest.FixtureRequest) -> Iterator[Tried]:
    """Run the agent that tries everything, as one user or the other."""
    place = Path(tempfile.mkdtemp(prefix="loopwright-escapes-", dir="/var/tmp"))  # /tmp is another inside
    place.chmod(0o755)
    try:
        yield tries(place, as_user(request.param))
    finally:
        shutil.rmtree(place)


def as_user(name: str) -> int:
    """Give the number of the user to be; skip where it can't be had."""
    if name == "ordinary" and os.geteuid() == 0:
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        if not shutil.which("setpriv") or subprocess.run([*user, sys.executable, "-c", "import loopwright"]).returncode:
            pytest.skip(
                "another user can't start this Python: becoming one takes root, setpriv and a readable checkout"
            )
        if subprocess.run([*user, "bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]).returncode:
            pytest.skip("an ordinary user can't use bubblewrap here: user namespaces are not allowed")
        return NOBODY
    if name == "root" and os.geteuid() != 0:
        pytest.skip("only root can be root")
    return os.geteuid()


def tries(place: Path, user: int) -> Tried:
    """Prepare a machine with secrets on it, and let the agent loose."""
    home, repo = place / "home", Repo(place / "home" / "project")
    repo.root.mkdir(parents=True)
    repo.git("init", "-q", "-b", "main")
    repo.write("README.md", "# A project\n")
    repo.git("config", "user.name", "Ada")
    repo.git("config", "user.email", "ada@example.com")
    repo.commit("start")
    repo.write("loopwright.toml", "")
    secrets = {
        ".env": repo.root / ".env",
        "store": repo.root / ".loopwright" / "store.sqlite",
        "ssh": home / ".ssh" / "id_ed25519",
        "another clone": home / ".cache" / "loopwright" / "clones" / "other" / "workspace" / "x",
        "state": place / "state" / "secret",
    }
    for path in secrets.values():
        if path.name != "store.sqlite":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SECRET)
    with ExitStack() as stack:
        allowed = int(stack.enter_context(on_loopback(Hello)).rpartition(":")[2])
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        tcp.setblocking(False)
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{place.name}")
        abstract.listen()
        abstract.setblocking(False)
        told = place / "told.json"
        told.write_text(
            json.dumps(
                {
                    "files": {name: str(path) for name, path in secrets.items()},
                    "folders": [str(path) for path in (repo.root, home, place, "/etc", "/usr", "/", "/dev")],
                    "pid": os.getpid(),
                    "secret": SECRET,
                    "tcp": tcp.getsockname()[1],
                    "udp": udp.getsockname()[1],
                    "open": allowed,
                    "abstract": place.name,
                }
            )
        )
        script = Path(shutil.copy(ESCAPES, place))
        repo.write("loopwright.toml", f'[run]\nhosts = ["127.0.0.1:{allowed}", "*.allowed.example"]\n')
        run(place, repo, user, f"{sys.executable} {script} {told}")
        came = [name for name, line in (("udp", udp), ("tcp", tcp), ("abstract", abstract)) if has_come(line)]
    branch = repo.git("for-each-ref", "--format=%(refname)", "refs/heads/loopwright").strip()
    found = json.loads(repo.git("show", f"{branch}:found.json"))
    return Tried(found, place, denials(repo.root), came, user)  # type: ignore[arg-type]


def run(place: Path, repo: Repo, user: int, command: str) -> None:
    """Let the agent work in a run that needs the sandbox."""
    argv = [sys.executable, "-c", "from loopwright.cli.main import main; main()", "run", "x", "--file", "found.json"]
    argv += ["--sandbox", "required"]
    argv += ["--agent-command", command, "--repo", str(repo.root), "--max-iterations", "1"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(place / "home"), "MY_TOKEN": SECRET, "PYTHONPATH": ""}
    if user != os.geteuid():
        subprocess.run(["chown", "-R", f"{user}:{user}", str(place)], check=True)
        argv = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *argv]
    done = subprocess.run(argv, env=environment, cwd=place, capture_output=True, text=True)
    if user != os.geteuid():
        subprocess.run(["chown", "-R", f"{os.geteuid()}:{os.getegid()}", str(place)], check=True)
    assert done.returncode == 0, done.stdout + done.stderr


def has_come(line: socket.socket) -> bool:
    try:
        if line.type == socket.SOCK_STREAM:
            line.accept()[0].close()
        else:
            line.recv(10)
    except BlockingIOError:
        return False
    return True


def denials(root: Path) -> list[str]:
    """Read from the store what was denied."""
    store = open_store(root / ".loopwright" / "store.sqlite", kinds)
    try:
        events = store.events(store.runs()[0].id)
        return [event.text for event in events if event.kind == "denial"]
    finally:
        store.close()


def test_nothing_of_the_users_is_read(attempt: Tried) -> None:
    """Store, .env, keys and other clones are not there, nor through a link that is swapped between check and use."""
    reads = {name: said for name, said in attempt.found.items() if name.startswith("read ")}
    assert len(reads) == 5
    assert set(reads.values()) == {"ENOENT"}
    swaps = {said for name, said in attempt.found.items() if name.startswith("swap ")}
    assert swaps <= {"mine", "ENOENT mine", "ENOENT"}
    assert SECRET not in json.dumps(attempt.found)


def test_nothing_is_written_outside(attempt: Tried) -> None:
    """Only the workspace, its own home, /tmp and /dev/shm can be written to; a link leads nowhere, hard or not."""
    writes = {name: said for name, said in attempt.found.items() if name.startswith("write ")}
    assert len(writes) == 12
    assert set(writes.values()) <= {"EROFS", "EACCES", "ENOENT"}
    assert not list(attempt.place.rglob("planted"))
    assert attempt.found["hard link"] == "EXDEV"
    assert attempt.found["hard link to a secret"] == "ENOENT"
    assert attempt.found["own places"] == "written written written written"


def test_the_kernel_is_out_of_reach(attempt: Tried) -> None:
    """No sysctl, no mount, no remount, no namespace, no key ring, no device, no way to become root."""
    assert {attempt.found[name] for name in ("/proc/sys", "core pattern")} <= {"EACCES", "EROFS", "EPERM"}
    refused = ("remount", "mount", "unmount", "user namespace", "user and mount namespace", "mount namespace")
    assert {name: attempt.found[name] for name in refused} == dict.fromkeys(refused, "EPERM")
    assert attempt.found["clone3"] == "ENOSYS"
    assert attempt.found["key ring"] == "EPERM"
    assert attempt.found["become root"] in ("EPERM", "EINVAL")
    assert attempt.found["devices"] == ""
    assert attempt.found["/sys"] == "False"
    assert attempt.found["sudo"] != "True"
    assert attempt.found["rights"] == "0 0 1"
    assert attempt.found["user"] == str(AGENT_USER if attempt.user == 0 else attempt.user)


def test_nobody_outside_is_seen_or_killed(attempt: Tried) -> None:
    """Neither we nor our shim can be seen or killed, and no variable of the user's is in any process that can."""
    assert attempt.found["kill"] == "ESRCH"
    assert attempt.found["processes"] == "False"
    assert attempt.found["environment"] == "False"


def test_no_way_out(attempt: Tried) -> None:
    """No UDP, no DNS, no port or socket of the host's, no metadata: nothing has reached anybody."""
    assert attempt.came == []
    assert attempt.found["udp"] in ("ECONNREFUSED", "TimeoutError")
    assert attempt.found["udp out"] == attempt.found["metadata"] == "ENETUNREACH"
    assert attempt.found["dns"] not in ("", "connected") and "AF_INET" not in attempt.found["dns"]
    assert attempt.found["tcp"] == attempt.found["abstract socket"] == "ECONNREFUSED"


def test_the_proxy_refuses_and_tells(attempt: Tried) -> None:
    """The proxy lets nobody through to a host that is not allowed, and each refusal is an event of the run."""
    by_proxy = {said for name, said in attempt.found.items() if name.endswith("by proxy")}
    assert by_proxy == {"HTTP/1.1 403 Forbidden"}
    text = "\n".join(attempt.denials)
    for wanted in ("evil.example:443: denied", "169.254.169.254:80", "8.8.8.8:443", "evil\\x00.allowed.example:443"):
        assert f"it tried to reach {wanted}" in text
    assert len(attempt.denials) == 5


def test_what_it_needs_works(attempt: Tried) -> None:
    """A base URL on loopback is reached at its port, and git works on the history of the user's repository."""
    assert attempt.found["base url"] == "hello"
    assert attempt.found["git"] == "0"
