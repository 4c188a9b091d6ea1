"""Agents in a real sandbox: what they find of the user's machine, and what is left when they have gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from clones import Clone

from loopback import Handler, on_loopback
from loopwright import FileCriteria, Task
from loopwright.errors import AgentError, SettingError
from loopwright.ports import Briefing, Launch
from loopwright.process.programs import host_of
from loopwright.process.sandbox import obstacle
from loopwright.records.profile import Role
from loopwright.run.agent_run import agent_environment
from loopwright.run.confinement import Confinement, Unconfined, surrounding
from loopwright.run.git import Repository
from world import Repo

confining = pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")
CRITERIA = [FileCriteria("a")]


@pytest.fixture
def clone(repo: Repo, own_home: Path) -> Clone:
    """Give a run's clone in the cache of the test's own home."""
    clone = Clone(repo.root, own_home / "cache" / "loopwright" / "clones" / "run")
    clone.prepare()
    (clone.folder / "prompt.md").write_text("do it")
    return clone


def ran(clone: Clone, launch: Launch, role: Role = "worker", conversation: str = "") -> str:
    """Run an agent in the sandbox; give what it printed."""
    confinement = Confinement(clone.workspace.repository, clone.folder)
    environment = agent_environment(clone.root, clone.files)
    given = Briefing("do it", clone.folder / "prompt.md", clone.files, 1, conversation=conversation, role=role)
    with confinement.around(launch, given, environment, launch.environment) as (argv, env):
        done = subprocess.run(argv, env=env, cwd=clone.files, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert not (clone.folder / "sandbox" / "tmp").exists()
    return done.stdout


@confining
def test_variables(clone: Clone, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside are a few variables that any program needs, those that the agent asks for, and no others."""
    for name in ("AWS_SECRET_ACCESS_KEY", "MODEL_KEY", "MODEL_URL", "TZ"):
        monkeypatch.setenv(name, "mine")
    (own_home / "authority.pem").write_text("TRUST=us")
    monkeypatch.setenv("SSL_CERT_FILE", str(own_home / "authority.pem"))
    launch = Launch(["sh", "-c", 'env; cat "$SSL_CERT_FILE"'], environment={"OWN": "1"}, variables=("MODEL_*",))
    found = dict(line.split("=", 1) for line in ran(clone, launch).splitlines())
    assert found["MODEL_KEY"] == found["MODEL_URL"] == found["TZ"] == "mine"
    assert (found["OWN"], found["TRUST"]) == ("1", "us")
    assert found["HOME"] == str(clone.folder / "sandbox" / "home")
    assert found["https_proxy"] == found["HTTPS_PROXY"] == "http://127.0.0.1:3128"
    assert "AWS_SECRET_ACCESS_KEY" not in found


@confining
def test_logged_in(clone: Clone, own_home: Path) -> None:
    """A login file is found at home, a renewed one comes back, and nothing is left of it."""
    (own_home / ".agent").mkdir()
    (own_home / ".agent" / "auth.json").write_text('{"access_token": "old"}')
    (own_home / ".agent" / "history").write_text("private")
    renew = 'cat ~/.agent/*; echo \'{"access_token": "new"}\' > ~/.agent/auth.json; touch ~/.agent/mine'
    launch = Launch(["sh", "-c", renew], login=[".agent/auth.json"])
    assert ran(clone, launch) == '{"access_token": "old"}'
    assert json.loads((own_home / ".agent" / "auth.json").read_text()) == {"access_token": "new"}
    assert not (clone.folder / "sandbox" / "home" / ".agent" / "auth.json").exists()


@confining
def test_a_login_from_elsewhere(clone: Clone, tmp_path: Path) -> None:
    """A login that lies outside of the user's home is found in the agent's."""
    (tmp_path / "login.json").write_text("elsewhere")
    places = {".agent/auth.json": tmp_path / "login.json"}
    assert ran(clone, Launch(["sh", "-c", "cat ~/.agent/*"], login=[*places], login_places=places)) == "elsewhere"


@confining
def test_a_home_is_made_anew(clone: Clone) -> None:
    """What one attempt leaves at home, no other one finds, in whatever role."""
    ran(clone, Launch(["sh", "-c", "echo evil > ~/CLAUDE.md"]))
    roles: tuple[Role, ...] = ("planner", "worker", "reviewer", "worker")
    assert [ran(clone, Launch(["sh", "-c", "cd && ls && touch evil"]), role) for role in roles] == [""] * 4


@confining
def test_a_conversation_is_kept(clone: Clone) -> None:
    """A worker that goes on finds what it had at home, also after others, of whom it finds nothing."""
    ran(clone, Launch(["sh", "-c", "touch ~/session"]))
    for role in ("reviewer", "planner"):
        assert ran(clone, Launch(["sh", "-c", "cd && ls && touch evil"]), role) == ""
    listed = Launch(["sh", "-c", "cd && ls"])
    assert [ran(clone, listed, conversation="c1") for _ in range(2)] == ["session\n"] * 2
    ran(clone, listed, "reviewer")
    assert ran(clone, listed) == ""


@confining
@pytest.mark.parametrize("conversation", ["", "c1"])
@pytest.mark.parametrize(
    "done",
    [
        "chmod 000 ~",
        "rm -rf ~/.agent; ln -s /x ~/.agent",
        "mkdir -p ~/.agent/auth.json/a; chmod 000 ~/.agent/auth.json ~/.agent",
        "mkdir ~/a; ln -s / ~/a/b; chmod 000 ~/a ~",
    ],
)
def test_a_home_that_was_spoilt(clone: Clone, own_home: Path, done: str, conversation: str) -> None:
    """Whatever an attempt does to its home, the next one has a home and its login."""
    (own_home / ".agent").mkdir()
    (own_home / ".agent" / "auth.json").write_text("{}")
    ran(clone, Launch(["sh", "-c", done]))
    launch = Launch(["sh", "-c", "touch ~/x && cat ~/.agent/auth.json"], login=[".agent/auth.json"])
    assert ran(clone, launch, conversation=conversation) == "{}"


ASK = """
import sys, urllib.request
for url in sys.argv[1:]:
    print(urllib.request.urlopen(url).read().decode())
with open("/proc/self/status") as status:
    print(next(int(line.split()[1], 16) for line in status if line.startswith("CapEff")) & ~(1 << 10))
"""


@confining
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can listen at port 80 outside")
def test_a_low_port_of_loopback(clone: Clone) -> None:
    """A model's server at a port below 1024 is reached, also where its URL has no port, and nobody is root for that."""
    with serving(80), serving() as url:
        other = url.rpartition(":")[2]
        hosts = ["localhost", f"127.0.0.1:{other}", f"localhost:{other}"]
        launch = Launch([sys.executable, "-c", ASK, "http://localhost/v1", url], hosts=hosts)
        assert ran(clone, launch) == f"80\n{other}\n0\n"


@confining
def test_loopback_of_ipv6(clone: Clone) -> None:
    """A model's server that listens at `::1` is reached by the host of its URL."""
    with serving(six=True) as url:
        printed = ran(clone, Launch([sys.executable, "-c", ASK, url], hosts=[host_of(url)]))
    assert printed.splitlines()[0] == url.rpartition(":")[2]


@contextmanager
def serving(port: int = 0, *, six: bool = False) -> Iterator[str]:
    """Answer every request with the port; give the URL."""

    class Answer(Handler):
        def get(self) -> None:
            self.send(200, "text/plain", str(self.server.server_port).encode())  # type: ignore[attr-defined]

    with on_loopback(Answer, port=port, six=six) as url:
        yield url


@confining
def test_programs_of_the_users(clone: Clone, own_home: Path) -> None:
    """A program that npm has put somewhere below the home can be started, and what lies beside it is not seen."""
    package = own_home / "apps" / "node_modules" / "agent"
    package.mkdir(parents=True)
    (package / "cli.sh").write_text('#!/bin/sh\n. "$(dirname "$(readlink -f "$0")")/lib.sh"\n')
    (package / "cli.sh").chmod(0o755)
    (package / "lib.sh").write_text(f"echo started; ls {own_home}/apps\n")
    (own_home / "apps" / "secret").write_text("x")
    (package.parent / ".bin").mkdir()
    (package.parent / ".bin" / "agent").symlink_to("../agent/cli.sh")
    (own_home / "bin").mkdir()
    (own_home / "bin" / "agent").symlink_to(package.parent / ".bin" / "agent")
    assert ran(clone, Launch([str(own_home / "bin" / "agent")])) == "started\nnode_modules\n"


@confining
def test_what_the_agent_planted_is_not_shown(clone: Clone, own_home: Path) -> None:
    """Nothing that an agent left in its workspace opens a door to the user's files at its next attempt."""
    (own_home / ".ssh").mkdir()
    (own_home / ".ssh" / "key").write_text("secret")
    for name in (".venv", "node_modules"):
        (clone.files / name).mkdir()
    (clone.files / ".venv" / "bin").symlink_to(own_home / ".ssh")
    (clone.files / ".venv" / "pyvenv.cfg").write_text(f"home = {own_home}/.ssh\n")
    (clone.files / "node_modules" / ".bin").mkdir()
    (clone.files / "node_modules" / ".bin" / "sh").symlink_to(own_home / ".ssh" / "key")
    (clone.files / "key").symlink_to(own_home / ".ssh" / "key")
    look = f"cat {own_home}/.ssh/key {clone.files}/key 2>&1; true"
    words = [str(clone.files / "key"), "/" + "a long prompt " * 1000]
    assert "secret" not in ran(clone, Launch(["/bin/sh", "-c", look, *words]))


@confining
def test_a_project_with_its_environment(clone: Clone, repo: Repo) -> None:
    """The copy of a virtual environment in the workspace works, and the user's own can't be seen."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(repo.root / ".venv")], check=True)
    fresh = Clone(repo.root, clone.folder.with_name("fresh"))
    fresh.prepare()
    (fresh.folder / "prompt.md").write_text("do it")
    code = f"import sys, os; print(sys.prefix, os.path.exists({str(repo.root / '.venv')!r}))"
    assert ran(fresh, Launch(["python", "-c", code])) == f"{fresh.files / '.venv'} False\n"


@confining
def test_borrowed_twice(clone: Clone, repo: Repo, tmp_path: Path) -> None:
    """The history is there also where the user's repository itself borrows its objects."""
    subprocess.run(["git", "clone", "-q", "--shared", str(repo.root), str(tmp_path / "borrowed")], check=True)
    borrowed = Clone(tmp_path / "borrowed", clone.folder.with_name("borrowed"))
    borrowed.prepare()
    (borrowed.folder / "prompt.md").write_text("do it")
    assert ran(borrowed, Launch(["git", "log", "--format=%s"])) == "start\n"


@confining
def test_a_program_that_is_not_there(clone: Clone) -> None:
    """An agent's program that is nowhere is an error, before anything is started."""
    with pytest.raises(AgentError, match="`no-such-agent`"):
        ran(clone, Launch(["no-such-agent"]))


def test_who_is_confined(repo: Repo, tmp_path: Path) -> None:
    """With `auto` all but the user's own programs are, where it works; `off` and `required` mean what they say."""
    repository = Repository.find(repo.root)

    def found(agent: str, sandbox: str) -> bool:
        task = Task("x", CRITERIA, sandbox=sandbox)  # type: ignore[arg-type]
        return surrounding(task, agent, repository, tmp_path, ()).confined

    works = not obstacle()
    assert not any(found(agent, "off") for agent in ("codex", "command", "scripted"))
    assert [found(agent, "auto") for agent in ("codex", "command", "scripted")] == [works, False, False]
    if works:
        assert all(found(agent, "required") for agent in ("codex", "command", "scripted"))


WITHOUT = """
import os, sys
from pathlib import Path
from loopwright import FileCriteria, Task
from loopwright.errors import SetupError
from loopwright.run.confinement import surrounding
print(surrounding(Task("x", [FileCriteria("a")]), "codex", None, Path("."), ()).note)
try:
    surrounding(Task("x", [FileCriteria("a")], sandbox="required"), "command", None, Path("."), ())
except SetupError as error:
    print(error)
"""


def test_without_bubblewrap(tmp_path: Path) -> None:
    """Where there is none, `auto` goes on and says so, and `required` does not."""
    environment = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", WITHOUT], env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "the agent is not confined: bubblewrap is not installed",
        "the agent can't be confined, and that is required: bubblewrap is not installed",
        "hint: install bubblewrap (apt install bubblewrap, dnf install bubblewrap), or run without: --sandbox off",
    ], done.stderr


def test_without_user_namespaces(tmp_path: Path) -> None:
    """Where bubblewrap is installed and may not do what it needs, nobody is told to install it."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    environment = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", WITHOUT], env=environment, capture_output=True, text=True)
    note, trouble, hint = done.stdout.splitlines()
    assert note == "the agent is not confined: bwrap: No permissions to create new namespace"
    assert trouble.endswith(": bwrap: No permissions to create new namespace")
    assert "user namespaces" in hint and "sysctl" in hint and "install" not in hint


@pytest.mark.parametrize("host", ["http://x", "*"])
def test_hosts_that_are_none(repo: Repo, tmp_path: Path, host: str) -> None:
    """A host that is none is refused before anything is started, also where there is no sandbox."""
    task = Task("x", CRITERIA, sandbox="off", hosts=[host])
    with pytest.raises(SettingError, match="can't be read"):
        surrounding(task, "command", Repository.find(repo.root), tmp_path, ())


def test_unconfined() -> None:
    """Without a sandbox an agent is started as it is, with all variables."""
    with Unconfined().around(Launch(["a"]), Briefing("", Path(), Path(), 1), {"X": "1"}, {"Y": "2"}) as around:
        assert around == (["a"], {"X": "1", "Y": "2"})
    assert Unconfined().denials() == Unconfined().troubles() == []
