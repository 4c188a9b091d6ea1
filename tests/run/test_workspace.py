"""The clone that an agent works in: its files in the snapshot, and how a run is taken up again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import BRANCH, RUN, Clone, files_at, files_in, fingerprint, git

from loopwright.errors import RepositoryError
from loopwright.run.git import Repository
from loopwright.run.workspace import Workspace, remove
from world import Repo

MakeClone = Callable[[Path], Clone]
ODD_NAMES = (
    "-dash",
    "--force",
    ":colon",
    ":(exclude)x",
    " space ",
    "new\nline",
    "qu'o\"te",
    "*",
    "[a]",
    "ü漢",
    "\\",
    "HEAD",
)


def test_files_with_odd_names_are_taken(clone: Clone) -> None:
    """No name is an option, a pattern or a pathspec: what the agent calls its files is what the commit calls them."""
    for name in (*ODD_NAMES, os.fsdecode(b"\xff\xfe")):
        (clone.files / name).write_text("x")
        (clone.files / "folder" / name).mkdir(parents=True)
        (clone.files / "folder" / name / name).write_text("y")
    clone.snapshot()
    assert clone.taken() == files_in(clone.files)
    clone.room.enter(clone.commit)
    assert files_in(clone.room.root) == clone.taken()


def test_changes_of_kind_are_taken(clone: Clone) -> None:
    """Files become folders, folders links, links files; names change their case, and modes change."""
    (clone.files / "README.md").rename(clone.files / "Readme.md")
    shutil.rmtree(clone.files / "src")
    (clone.files / "src").symlink_to("/etc")
    (clone.files / "run.sh").chmod(0o644)
    (clone.files / "dangling").symlink_to("nowhere")
    clone.snapshot()
    assert clone.taken() == files_in(clone.files)

    (clone.files / "src").unlink()
    (clone.files / "src").write_text("a file")
    (clone.files / "dangling").unlink()
    (clone.files / "dangling" / "deep").mkdir(parents=True)
    (clone.files / "dangling" / "deep" / "x").touch()
    clone.snapshot()
    assert clone.taken() == files_in(clone.files)


def test_ignored_files_stay_out_and_stay_there(project: Repo, make_clone: MakeClone, own_home: Path) -> None:
    """The tree's patterns, the repository's own and the user's global ones hold; what they name outlives a put-back."""
    with (project.root / ".git" / "info" / "exclude").open("ab") as patterns:
        patterns.write(b"*.mine\nlatin-\xe9\n")
    (own_home / "ignore").write_text("*.global")
    project.git("config", "--global", "core.excludesFile", "~/ignore")
    clone = make_clone(project.root)
    clone.prepare()
    names = ["a.log", "b.mine", "c.global", os.fsdecode(b"latin-\xe9")]
    for name in names:
        (clone.files / name).write_text("ignored")
    taken = clone.snapshot()
    assert taken.changes == ""
    assert clone.git("status", "--porcelain") == ""
    (clone.files / "new").touch()
    clone.workspace.put_back(taken.commit)
    assert not (clone.files / "new").exists()
    assert all((clone.files / name).exists() for name in names)


def test_what_is_too_large_is_left_out_and_told(clone: Clone, project: Repo) -> None:
    """A file of gigabytes takes neither time nor memory: it is named and no part of the commit, nor of the diff."""
    for name in ("src/new *", "README.md", "ignored.bin"):
        with (clone.files / name).open("ab") as file:
            file.truncate(3_000_000_000)
    (clone.files / ".gitignore").write_text("ignored.bin\n")
    (clone.files / "small").write_text("x")
    base, began = clone.commit, time.monotonic()
    left_out = clone.snapshot().left_out
    diff = clone.workspace.diff(base, clone.commit)
    assert time.monotonic() - began < 10
    assert [line.split(" has ")[0] for line in left_out.splitlines()] == ["`src/new *`", "`README.md`"]
    assert b"small" in diff and b"README.md" not in diff and b"src/new" not in diff
    (clone.files / "src" / "new *").write_text("y")
    (clone.files / "README.md").write_text("z")
    assert clone.snapshot().left_out == ""
    assert project.show(BRANCH, "src/new *") + project.show(BRANCH, "README.md") == "yz"


def test_what_git_refuses_is_told(clone: Clone) -> None:
    """A file that can't be taken is named with git's reason, and does not keep the others out."""
    (clone.files / "git~1").write_text("a name that git never takes")
    (clone.files / "work").touch()
    taken = clone.snapshot()
    assert "git~1" in taken.left_out
    assert b"work" in clone.taken()


def test_files_without_permission(ordinary_user: Path) -> None:
    """A file that can't be read is told of; a folder that was closed is opened, and its files are taken."""
    root = ordinary_user / "project"
    root.mkdir()
    git(root, "init", "-q")
    (root / "a").write_text("a")
    git(root, "add", "-A")
    git(root, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "start")
    clone = Clone(root, ordinary_user / "clones")
    start = clone.prepare()
    (clone.files / "closed" / "inner").mkdir(parents=True)
    (clone.files / "closed" / "inner" / "b").touch()
    (clone.files / "secret").touch(mode=0)
    (clone.files / "closed").chmod(0)
    taken = clone.snapshot()
    assert "secret" in taken.left_out
    assert taken.not_home == ""
    assert clone.taken().keys() == {b"a", b"closed/inner/b"}
    (clone.files / "closed").chmod(0o555)
    clone.workspace.put_back(start)
    assert clone.taken().keys() - files_in(clone.files).keys() == {b"closed/inner/b"}
    (clone.files / "x" / "y").mkdir(parents=True)
    (clone.files / "x").chmod(0o500)
    remove(clone.folder)
    assert not clone.folder.exists()


def test_changes_are_told_in_words(clone: Clone) -> None:
    """A snapshot says what changed since the one before it, also where the agent committed it itself."""
    assert clone.snapshot().changes == ""
    (clone.files / "src" / "app.py").write_text("VALUE = 2\nMORE = 3\n")
    assert clone.snapshot().changes == "1 file changed, 2 insertions(+), 1 deletion(-)"
    (clone.files / "new").write_text("x\n")
    clone.git("add", "-A")
    clone.git("commit", "-qm", "by the agent")
    assert clone.snapshot().changes == "1 file changed, 1 insertion(+)"


def test_a_message_may_be_anything(clone: Clone, project: Repo) -> None:
    """The goal goes into the commit message as it is: long, with quotes, dashes and stray bytes."""
    (clone.files / "new").touch()
    message = "--amend\n\n" + "ü'\"`$(touch x) " * 20_000 + "\udcff"
    clone.snapshot(message)
    assert git(project.root, "log", "-1", "--format=%B", clone.home) == message.replace("\udcff", "?").strip()


def test_the_diff_can_be_applied(clone: Clone, project: Repo, tmp_path: Path) -> None:
    """The patch of a whole run makes the base into what the agent left, with binaries, modes, links and odd names."""
    base = clone.commit
    (clone.files / "data.bin").write_bytes(bytes(range(256)) * 40)
    (clone.files / "grün [1].txt").write_text("x\n")
    (clone.files / "link").symlink_to("README.md")
    (clone.files / "run.sh").chmod(0o644)
    (clone.files / "src" / "app.py").unlink()
    clone.snapshot()
    (tmp_path / "patch").write_bytes(clone.workspace.diff(base, clone.commit))
    git(tmp_path, "clone", "-q", str(project.root), "copy")
    git(tmp_path / "copy", "apply", "--index", str(tmp_path / "patch"))
    assert git(tmp_path / "copy", "write-tree") == git(project.root, "rev-parse", f"{clone.commit}^{{tree}}")


def test_what_was_left_is_taken_up(clone: Clone) -> None:
    """Work that nobody committed when we died is in a commit when the run goes on, also behind a stale lock."""
    start = clone.commit
    (clone.files / "half").write_text("half done\n")
    (clone.workspace.keeper.git_dir / "index.lock").touch()
    clone.open()
    assert clone.prepare() != start
    assert clone.home == clone.commit
    assert clone.taken()[b"half"] == ("file", b"half done\n")
    assert "work found in the clone" in git(clone.root, "log", "-1", "--format=%s", clone.commit)
    clone.open()
    assert clone.prepare() == clone.home


@pytest.mark.parametrize("leftovers", [False, True])
def test_a_branch_that_a_person_moved_is_followed(leftovers: bool, clone: Clone, project: Repo) -> None:
    """What a person commits on the branch is where the run goes on, and is never overwritten; our work is set aside."""
    (clone.files / "ours").touch()
    clone.snapshot()
    project.git("checkout", "-q", BRANCH)
    project.write("theirs", "by hand\n")
    moved = project.commit("by hand")
    project.git("checkout", "-q", "main")
    if leftovers:
        (clone.files / "left").write_text("left\n")
    clone.open()
    assert clone.prepare() == clone.home == moved
    assert files_in(clone.files) == files_at(project.root, moved)
    assert clone.git("status", "--porcelain") == ""
    aside = git(clone.workspace.keeper.git_dir, "for-each-ref", "--format=%(objectname)", "refs/set-aside")
    assert (b"left" in files_at(clone.workspace.keeper.git_dir, aside)) == leftovers

    (clone.files / "more").touch()
    clone.snapshot()
    assert git(project.root, "rev-parse", f"{clone.home}^") == moved


def test_a_branch_moved_while_we_work_is_not_overwritten(clone: Clone, project: Repo) -> None:
    """A snapshot does not force its way over a person's commit: it says so, and keeps the work in the clone."""
    project.git("branch", "-f", BRANCH, "main~1")
    project.git("update-ref", f"refs/heads/{BRANCH}", project.git("commit-tree", "main^{tree}", "-m", "theirs"))
    theirs = clone.home
    (clone.files / "ours").touch()
    taken = clone.snapshot()
    assert "could not be moved" in taken.not_home
    assert clone.home == theirs
    assert b"ours" in files_at(clone.workspace.keeper.git_dir, taken.commit)


def test_a_branch_that_is_checked_out_is_left_alone(clone: Clone, project: Repo) -> None:
    """While the user has the branch checked out the work is kept in the clone, and comes home as soon as it can."""
    project.git("checkout", "-q", BRANCH)
    before = fingerprint(project.root)
    start = clone.home
    (clone.files / "one").touch()
    taken = clone.snapshot()
    assert BRANCH in taken.not_home
    assert clone.home == start
    assert b"one" in files_at(clone.workspace.keeper.git_dir, taken.commit)
    clone.room.enter(taken.commit)
    assert (clone.room.root / "one").exists()
    assert fingerprint(project.root) == before

    clone.open()
    assert clone.prepare() == taken.commit
    project.git("checkout", "-q", "main")
    assert clone.snapshot().not_home == ""
    assert clone.home == taken.commit


def test_a_branch_that_was_deleted_comes_back(clone: Clone, project: Repo) -> None:
    """The clone has all of the history: a branch that the user deleted is made again."""
    (clone.files / "one").touch()
    clone.snapshot()
    project.git("branch", "-D", BRANCH)
    clone.open()
    assert clone.prepare() == clone.home


@pytest.mark.parametrize("lost", [".", "keeper.git", "workspace", "ready"])
def test_a_clone_that_was_removed_is_made_again(lost: str, clone: Clone, project: Repo) -> None:
    """Whatever part of the clone is gone, the run goes on from its branch with all that was brought home."""
    (clone.files / "one").touch()
    clone.snapshot()
    last = clone.commit
    gone = clone.folder / lost
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    clone.open()
    assert clone.prepare("main") == last
    assert files_in(clone.files) == files_at(project.root, last)
    assert clone.git("status", "--porcelain") == ""
    (clone.files / "two").touch()
    assert clone.snapshot().not_home == ""
    assert clone.home == clone.commit


def test_a_clone_that_was_half_made_is_made_again(clone: Clone, project: Repo) -> None:
    """A clone without its mark is not trusted: we died while it was made."""
    (clone.folder / "ready").unlink()
    (clone.files / "README.md").unlink()
    (clone.workspace.keeper.git_dir / "HEAD").write_text("cut off")
    clone.open()
    assert clone.prepare() == clone.home
    assert files_in(clone.files) == files_at(project.root, "main")


def test_what_a_dead_holder_started_is_waited_for(clone: Clone) -> None:
    """The clone is free when its holder is gone, and all that it had started: also what outlives a kill."""
    script = (
        "import sys, time; from pathlib import Path\n"
        "from loopwright.process.child import Child\n"
        "from loopwright.run.git import Repository; from loopwright.run.workspace import Workspace\n"
        "with Workspace(Repository(Path('.'), Path('.'), 'sha1'), Path(sys.argv[1]), 'x', 'x').occupied():\n"
        "    deaf = ['sh', '-c', 'trap \"\" TERM; while true; do sleep 0.1; done']\n"
        "    with Child(deaf, cwd=Path('/'), env={'PATH': '/usr/bin:/bin'}, grace_s=0.7):\n"
        "        print('held', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(clone.folder)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        time.sleep(0.3)
        holder.kill()
        began = time.monotonic()
        with clone.workspace.occupied():
            assert 0.3 < time.monotonic() - began < 5


def test_a_clone_that_cant_be_read_is_an_error(clone: Clone) -> None:
    """Where our own git fails, the run hears of it; a stale index is never taken for what the agent left."""
    (clone.files / "work").touch()
    (clone.workspace.keeper.git_dir / "index.lock").touch()
    with pytest.raises(RepositoryError, match=r"index\.lock"):
        clone.snapshot()


def test_a_repository_at_the_root_has_a_name() -> None:
    """A repository whose folder has no name gets one in the clone."""
    workspace = Workspace(Repository(Path("/"), Path("/.git"), "sha1"), Path("/tmp/x"), RUN, BRANCH)
    assert workspace.files == Path("/tmp/x/workspace/repository")


def test_work_that_can_not_go_home_is_not_called_home(clone: Clone, project: Repo) -> None:
    """Who is on the run's branch himself keeps it from moving: then the clone holds the only copy, and that is said."""
    project.git("switch", "-q", BRANCH)
    (clone.files / "work").write_text("mine")
    with pytest.raises(RepositoryError, match="in its clone alone") as caught:
        clone.workspace.bring_home(clone.home)
    assert f"git switch away from {BRANCH}" in caught.value.hint
    project.git("switch", "-q", "main")
    commit = clone.workspace.bring_home(clone.home)
    assert commit and project.git("show", f"{commit}:work") == "mine"
