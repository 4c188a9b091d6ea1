"""Where checks happen: real mounts over the repository's own path, copies elsewhere, and turns."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import Clone, fingerprint

from loopwright.errors import SetupError
from loopwright.run.place import Relocated, SamePath, Site
from world import Repo, wait_for

MOUNTS = Path("/proc/self/mounts")


def allowed() -> bool:
    """Whether namespaces are to be had here, asked without any code of ours."""
    unshare = shutil.which("unshare")
    flags = ["-m"] if os.geteuid() == 0 else ["-r", "-m"]
    return unshare is not None and subprocess.run([unshare, *flags, "true"], capture_output=True).returncode == 0


mounting = pytest.mark.skipif(not allowed(), reason="no mount namespaces here: run as root, or allow user namespaces")


@pytest.fixture
def installed(project: Repo) -> Repo:
    """Give the project with an environment that git ignores, and a file of the user's that is in no commit."""
    project.write(".gitignore", ".venv/\n*.log\n")
    project.commit()
    project.write(".venv/bin/tool", "#!/bin/sh\necho from the environment\n").chmod(0o755)
    project.write(".venv/lib/data", "as installed\n")
    project.write("unfinished.txt", "the user's\n")
    return project


def there(clone: Clone, site: Site) -> Clone:
    """Give the clone with a room at a place."""
    clone.room.site = site
    return clone


@pytest.fixture
def same(installed: Repo, make_clone: Callable[[Path], Clone]) -> Clone:
    """Give a clone whose checks run at the repository's own path, with work in it that is the agent's."""
    clone = there(make_clone(installed.root), Site("same-path"))
    clone.prepare()
    (clone.files / "src" / "app.py").write_text("VALUE = 2\n")
    clone.room.enter(clone.snapshot().commit)
    return clone


@mounting
def test_the_tree_is_at_the_repositorys_path(same: Clone, installed: Repo) -> None:
    """A command finds the agent's files at the path of the user's checkout, and nothing of the user's."""
    said = same.shell(f"pwd; cat {installed.root}/src/app.py; ls -A {installed.root}; tool; echo $LOOPWRIGHT_ROOT")
    lines = said.splitlines()
    assert lines[:2] == [str(installed.root), "VALUE = 2"]
    assert lines[2:-2] == [".gitignore", ".venv", "README.md", "run.sh", "src"]
    assert lines[-2:] == ["from the environment", str(installed.root)]
    assert (installed.root / "src" / "app.py").read_text() == "VALUE = 1\n"
    assert same.room.place_name == "same-path"


@mounting
def test_what_is_done_to_the_environment_is_thrown_away(same: Clone, installed: Repo) -> None:
    """Writes to .venv are seen by the command that made them and by nobody after; the user's files stay as they are."""
    before = fingerprint(installed.root)
    changed = "echo changed > .venv/lib/data; rm .venv/bin/tool; echo x > .venv/new; cat .venv/lib/data; ls .venv"
    assert same.shell(changed).split() == ["changed", "bin", "lib", "new"]
    assert same.shell("cat .venv/lib/data; ls .venv .venv/bin").split() == [
        *("as", "installed", ".venv:", "bin", "lib", ".venv/bin:", "tool"),
    ]
    same.shell(f"echo forged > {installed.root}/src/app.py; rm -rf {installed.root}/* {installed.root}/.venv/* || true")
    assert fingerprint(installed.root) == before
    assert same.shell("cat src/app.py .venv/lib/data") == "VALUE = 2\nas installed\n"


@mounting
def test_nothing_is_left_of_a_mount(same: Clone) -> None:
    """After a command nothing is mounted, the scratch folder is empty, and what the tree holds was not changed."""
    before = MOUNTS.read_text()
    same.shell("echo x > .venv/new; echo y > new; grep -c overlay /proc/self/mounts")
    assert MOUNTS.read_text() == before
    assert list((same.folder / "scratch").iterdir()) == []
    assert list((same.room.root / ".venv").iterdir()) == []


@mounting
def test_an_environment_that_was_replaced(same: Clone) -> None:
    """A command that takes away the folder of the environment does not take it from the next one."""
    same.shell("rmdir .venv 2>/dev/null; mv .venv old 2>/dev/null; true")
    assert same.shell("cat .venv/lib/data") == "as installed\n"


@mounting
def test_an_environment_that_the_tree_has_itself(project: Repo, make_clone: Callable[[Path], Clone]) -> None:
    """Where the commit has a .venv of its own, that is the one that is there."""
    project.write(".venv/own", "own\n")
    project.commit()
    project.write(".venv/more", "of the user's checkout\n")
    clone = there(make_clone(project.root), Site("same-path"))
    clone.room.enter(clone.prepare())
    assert clone.shell("ls .venv") == "own\n"


@mounting
@pytest.mark.parametrize("name", ["a:b,c", "with space", "ünï\nline", "back\\slash"])
def test_odd_paths(name: str, tmp_path: Path, installed: Repo) -> None:
    """A path with signs that mean something to mounts is a path like any other."""
    shutil.copytree(installed.root, tmp_path / name, symlinks=True)
    clone = there(Clone(tmp_path / name, tmp_path / f"cache {name}" / "run"), Site("same-path"))
    clone.room.enter(clone.prepare())
    assert clone.shell("pwd; cat .venv/lib/data") == f"{tmp_path / name}\nas installed\n"


def test_a_cache_inside_of_the_repository(installed: Repo) -> None:
    """Where the room would cover itself, checks run in a copy; one who insists is told why."""
    clone = there(Clone(installed.root, installed.root / ".cache" / "run"), Site("auto"))
    clone.room.enter(clone.prepare())
    assert isinstance(clone.room.place, Relocated)
    assert clone.shell("pwd; tool") == f"{clone.room.root}\nfrom the environment\n"
    insisting = Clone(installed.root, installed.root / ".cache" / "other")
    there(insisting, Site("same-path"))
    with pytest.raises(SetupError, match="is inside of the repository"):
        insisting.room.enter(insisting.prepare())


@mounting
def test_the_best_that_works(installed: Repo, tmp_path: Path) -> None:
    """`auto` takes the repository's own path where it can, and `relocate` never does."""
    folders = (installed.root, tmp_path / "cache" / "room", tmp_path / "cache" / "scratch")
    assert isinstance(Site("auto").place(*folders), SamePath)
    assert isinstance(Site("relocate").place(*folders), Relocated)


ORDINARY = """
import json, os, sys, threading
from pathlib import Path
from loopwright.run.checkroom import Checkroom
from loopwright.run.git import Repository
from loopwright.run.place import Site
root, folder = map(Path, sys.argv[1:])
repository = Repository.find(root)
room = Checkroom(repository, folder, repository.common / "objects", threading.Event(), Site("same-path"))
room.enter(repository.commit("HEAD"))
done = [room.run(f"sh -c '{line}'", shell=False, timeout_s=30) for line in
        ("id -u; pwd; echo x > .venv/lib/data; cat .venv/lib/data", "cat .venv/lib/data; touch README.md")]
print(json.dumps([os.getuid(), [[item.exit_code, item.output] for item in done]]))
"""


@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("setpriv"), reason="becoming another user takes root and setpriv"
)
def test_an_ordinary_user(tmp_path_factory: pytest.TempPathFactory, installed: Repo) -> None:
    """Who is not root gets the same through a namespace of users, as themselves and not as root."""
    base = Path("/tmp/loopwright-ordinary") / tmp_path_factory.getbasetemp().parent.name / str(os.getpid())
    shutil.rmtree(base, ignore_errors=True)
    base.mkdir(parents=True)
    try:
        shutil.copytree(installed.root, base / "project", symlinks=True)
        subprocess.run(["chown", "-R", "65534:65534", str(base)], check=True)
        user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        probe = subprocess.run([*user, "unshare", "-r", "-m", "true"], capture_output=True)
        if probe.returncode:
            pytest.skip("user namespaces are not allowed here: sysctl kernel.unprivileged_userns_clone=1")
        argv = [*user, sys.executable, "-c", ORDINARY, str(base / "project"), str(base / "cache")]
        environment = {**os.environ, "HOME": str(base), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(argv, capture_output=True, text=True, cwd=base, env=environment)
        if "Permission denied" in done.stderr and "python" in done.stderr:
            pytest.skip("this Python can't be started by another user")
        assert done.returncode == 0, done.stderr
        user_id, results = json.loads(done.stdout)
        assert user_id == 65534
        assert results == [[0, f"65534\n{base}/project\nx\n"], [0, "as installed\n"]]
        assert (base / "project" / ".venv" / "lib" / "data").read_text() == "as installed\n"
    finally:
        shutil.rmtree(base)


def test_turns(installed: Repo, tmp_path: Path) -> None:
    """With one slot two checks never run at the same time; each finds its number."""
    site, log = Site(slots=1, cache=tmp_path / "cache"), tmp_path / "log"
    rooms = [there(Clone(installed.root, tmp_path / f"clone{number}"), site) for number in range(2)]
    for room in rooms:
        room.room.enter(room.prepare())
    script = f"echo begin $LOOPWRIGHT_SLOT >> {log}; sleep 0.3; echo end $LOOPWRIGHT_SLOT >> {log}"
    threads = [threading.Thread(target=clone.shell, args=[script]) for clone in rooms]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.read_text().splitlines() == ["begin 1", "end 1"] * 2


def test_two_slots(tmp_path: Path) -> None:
    """With two slots two run at once, with numbers of their own, and a third one waits for either."""
    site, cancel = Site(slots=2, cache=tmp_path), threading.Event()
    with site.slot(tmp_path, cancel) as first:
        with site.slot(tmp_path, cancel) as second:
            assert (first, second) == (1, 2)
            got: list[int] = []

            def third() -> None:
                with site.slot(tmp_path, cancel) as number:
                    got.append(number)

            waiting = threading.Thread(target=third)
            waiting.start()
            time.sleep(0.2)
            assert got == []
        waiting.join(5)
        assert got == [2]
        with site.slot(tmp_path / "another repository", cancel) as other:
            assert other == 1


def test_cancelled_while_it_waits(tmp_path: Path) -> None:
    """One who waits for a turn stops waiting when the run is cancelled."""
    site, cancel = Site(slots=1, cache=tmp_path), threading.Event()
    with site.slot(tmp_path, threading.Event()):
        threading.Timer(0.2, cancel.set).start()
        started = time.monotonic()
        with site.slot(tmp_path, cancel) as number:
            assert number == 0
        assert time.monotonic() - started < 5


def test_an_error_in_a_turn_is_its_own(tmp_path: Path) -> None:
    """What goes wrong while a slot is held is not taken for a slot that is held, and the slot is free afterwards."""
    site = Site(slots=1, cache=tmp_path)
    with pytest.raises(BlockingIOError, match="mine"), site.slot(tmp_path, threading.Event()):
        raise BlockingIOError("mine")
    with site.slot(tmp_path, threading.Event()) as number:
        assert number == 1


def test_a_turn_of_another_process(tmp_path: Path) -> None:
    """A slot is held against other processes, and free again when its holder dies."""
    site = Site(slots=1, cache=tmp_path)
    code = (
        "import sys, threading, time\nfrom pathlib import Path\nfrom loopwright.run.place import Site\n"
        "place = Path(sys.argv[1])\n"
        "with Site(slots=1, cache=place).slot(place, threading.Event()):\n"
        "    (place / 'held').touch(); time.sleep(60)\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    wait_for((tmp_path / "held").exists)
    cancel = threading.Event()
    threading.Timer(0.2, cancel.set).start()
    with site.slot(tmp_path, cancel) as number:
        assert number == 0
    os.kill(holder.pid, signal.SIGSTOP)
    with site.slot(tmp_path, threading.Event()) as number:
        assert number == 1, "one that was stopped keeps nobody waiting"
        cancel = threading.Event()
        threading.Timer(0.2, cancel.set).start()
        with site.slot(tmp_path, cancel) as another:
            assert another == 0, "its turn was given away once"
    holder.kill()
    holder.wait()
    with site.slot(tmp_path, threading.Event()) as number:
        assert number == 1


@pytest.mark.parametrize("kind", ["relocate", pytest.param("same-path", marks=mounting)])
def test_a_reset_goes_before_each_check(
    kind: str, installed: Repo, make_clone: Callable[[Path], Clone], tmp_path: Path
) -> None:
    """The reset command runs before every command, at the same place, with the same number."""
    log = tmp_path / "log"
    reset = f"echo reset $LOOPWRIGHT_SLOT $PWD >> {log}; cat src/app.py >/dev/null"
    clone = there(make_clone(installed.root), Site(kind, reset=reset))
    clone.room.enter(clone.prepare())
    for word in ("one", "two"):
        clone.shell(f"echo {word} >> {log}")
    where = clone.room.place.path
    assert log.read_text().splitlines() == [f"reset 1 {where}", "one", f"reset 1 {where}", "two"]


def test_a_reset_that_fails(installed: Repo, make_clone: Callable[[Path], Clone], tmp_path: Path) -> None:
    """A check in a place that could not be reset tells nothing: it is not run, and its output is said."""
    clone = there(make_clone(installed.root), Site(reset="echo no database; exit 3"))
    clone.room.enter(clone.prepare())
    with pytest.raises(SetupError, match=r"(?s)reset failed: `echo no database; exit 3`.*no database"):
        clone.shell(f"touch {tmp_path}/ran")
    assert not (tmp_path / "ran").exists()
    clone.room.site = dataclasses.replace(clone.room.site, reset="")
    assert clone.shell("echo fine") == "fine\n"
