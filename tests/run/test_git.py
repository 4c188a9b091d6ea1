"""Our own git calls: what they find, what they refuse, and that they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from clones import files_at, files_in, git

from loopwright.errors import RepositoryError
from loopwright.run.git import Repository, call, clean_environment
from loopwright.run.tree import Tree
from world import MakeRepo, Repo, alive, wait_for


def test_a_repository_is_found_from_any_folder_of_it(project: Repo) -> None:
    """From a folder inside of it, and through a link, the same repository is found."""
    found = Repository.find(project.root)
    assert found == Repository(project.root, project.root / ".git", "sha1")
    assert Repository.find(project.root / "src") == found
    (project.root.parent / "link").symlink_to(project.root)
    assert Repository.find(project.root.parent / "link" / "src") == found


@pytest.mark.parametrize("kind", ["nothing", "a plain folder", "a bare repository", "a git folder"])
def test_what_is_no_repository_is_said_in_words(kind: str, project: Repo, tmp_path: Path) -> None:
    """Where there is no repository with files, the message says so and the hint what to do."""
    folder = {"nothing": tmp_path / "none", "a git folder": project.root / ".git"}.get(kind, tmp_path / "here")
    if kind == "a bare repository":
        git(tmp_path, "init", "-q", "--bare", str(folder))
    elif kind == "a plain folder":
        folder.mkdir()
    with pytest.raises(RepositoryError) as raised:
        Repository.find(folder)
    assert str(folder) in raised.value.message
    assert raised.value.hint


def test_a_revision_becomes_a_commit(project: Repo) -> None:
    """Branches, tags and short names are resolved; what is none, or looks like an option, is refused."""
    repository, head = Repository.find(project.root), project.git("rev-parse", "HEAD")
    project.git("tag", "-a", "v1", "-m", "one")
    assert {repository.commit(name) for name in ("HEAD", "main", "v1", head[:8], head)} == {head}
    for wrong in ("none", "--all", "HEAD^{tree}", "HEAD:README.md", ""):
        with pytest.raises(RepositoryError, match="there is no commit"):
            repository.commit(wrong)


def test_a_repository_without_commits_is_said_so(make_repo: MakeRepo) -> None:
    """There is nothing to start from, and the hint says how to make a start."""
    with pytest.raises(RepositoryError, match="no commits"):
        Repository.find(make_repo("new").root).commit("HEAD")


def test_paths_at_a_commit_are_taken_literally(project: Repo) -> None:
    """A path is there or not at a commit, whatever characters it has; uncommitted files are not."""
    names = (":x", "*", "a b", "ü", 'qu"o\\te', "tab\t", "new\nline")
    for name in names:
        project.write(name)
    commit = project.commit()
    project.write("later")
    repository = Repository.find(project.root)
    assert all(repository.has(commit, name) for name in (*names, "src", "src/", "src/app.py"))
    assert not any(repository.has(commit, name) for name in ("later", "s*", ":(glob)**", "src/none", "../project/src"))


def test_a_folder_of_ours_is_excluded_once(project: Repo) -> None:
    """The line is added once, after what is there, whatever its last line or its encoding is like."""
    exclude = project.root / ".git" / "info" / "exclude"
    exclude.write_bytes(b"latin-\xe9")
    for _ in range(2):
        Repository.find(project.root).exclude(".loopwright")
    assert exclude.read_bytes() == b"latin-\xe9\n/.loopwright/\n"
    exclude.unlink()
    exclude.parent.rmdir()
    Repository.find(project.root).exclude(".loopwright")
    project.write(".loopwright/store")
    assert project.git("status", "--porcelain") == ""


def test_a_failure_says_what_git_said(project: Repo) -> None:
    """The message has the command and git's own words."""
    with pytest.raises(RepositoryError, match=r"(?s)`git .*cat-file.*` failed: .*Not a valid object name"):
        Repository.find(project.root).git("cat-file", "-p", "nonsense")


def test_a_long_call_is_told_in_whole_words(project: Repo, tmp_path: Path) -> None:
    """An error names what git was to do, without the places that it was given, and cuts no word in two."""
    tree = Tree.make(tmp_path / ("g" * 150), tmp_path / ("f" * 150), Repository.find(project.root))
    names = [f"no-such-name-{number}" for number in range(50)]
    with pytest.raises(RepositoryError) as caught:
        tree.git("rev-parse", "--verify", *names)
    told = caught.value.message.split("`")[1]
    assert "rev-parse --verify no-such-name-0 no-such-name-1 " in told and told.endswith(" …")
    assert set(told.split()[told.split().index("--verify") + 1 : -1]) < set(names)


def test_a_git_that_never_ends_is_ended_with_its_children(tmp_path: Path) -> None:
    """After its time limit a call is an error, nothing of it is alive, and it leaves no lock."""
    git(tmp_path, "init", "-q")
    os.mkfifo(tmp_path / ".gitignore")
    tree = Tree(tmp_path / ".git", tmp_path)
    with pytest.raises(RepositoryError, match="longer than 1 s"):
        tree.call("-c", "alias.wait=!echo $$ > pid; git add -A; sleep 60", "wait", limit_s=1)
    assert wait_for(lambda: not alive(int((tmp_path / "pid").read_text())))
    assert wait_for(lambda: not (tmp_path / ".git" / "index.lock").exists())


def test_ctrl_c_does_not_end_a_git_at_work(tmp_path: Path) -> None:
    """The terminal's interrupt goes to us alone: a snapshot that is under way is finished."""
    script = (
        "import signal, sys; from loopwright.run.git import call, clean_environment\n"
        "signal.signal(signal.SIGINT, lambda *_: None)\n"
        "alias = 'alias.wait=!echo at work >&2; touch started; sleep 0.3; echo done'\n"
        "done = call(['-c', alias, 'wait'], environment=clean_environment())\n"
        "print(done.stdout.decode(), end='')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        while not (tmp_path / "started").exists():
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert out == "done\n"


def test_an_interrupted_call_ends_its_git(tmp_path: Path) -> None:
    """Where an exception comes in the middle of a call, its git is ended and not left behind."""
    timer = threading.Timer(0.8, signal.pthread_kill, [threading.get_ident(), signal.SIGUSR1])

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            call(["-c", f"alias.wait=!echo $$ > {tmp_path}/pid; sleep 60", "wait"], environment=clean_environment())
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert wait_for(lambda: not alive(int((tmp_path / "pid").read_text())))


def test_nothing_of_the_host_steers_a_tree(project: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the user's settings nor variables of git reach a tree of ours."""
    project.write("dos.txt", "a\r\nb\r\n")
    (project.root / "link").symlink_to("src")
    commit = project.commit()
    git(project.root, "config", "--global", "core.autocrlf", "true")
    for name, value in {"COUNT": "1", "KEY_0": "core.symlinks", "VALUE_0": "false"}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    tree = Tree.make(tmp_path / "tree.git", tmp_path / "tree", Repository.find(project.root))
    tree.check_out(commit)
    assert files_in(tmp_path / "tree") == files_at(project.root, commit)
    assert tree.git("config", "--list", "--show-scope").count("global") == 0


def test_entries_name_files_and_links_to_submodules(project: Repo) -> None:
    """Every path of the index is given as it is; a link to a submodule comes with its commit."""
    commit = project.git("rev-parse", "HEAD")
    project.write(" a\nb", "x")
    project.git("update-index", "--add", "--cacheinfo", f"160000,{commit},sub")
    project.git("add", "--", " a\nb")
    tree = Tree(project.root / ".git", project.root)
    assert tree.entries() == {
        " a\nb": "",
        ".gitignore": "",
        "README.md": "",
        "run.sh": "",
        "src/app.py": "",
        "sub": commit,
    }


def test_a_branch_that_is_there_is_kept(project: Repo) -> None:
    """It is made once; who asks again gets where it stands, wherever the new one was to begin."""
    repository, head = Repository.find(project.root), project.git("rev-parse", "HEAD")
    assert repository.tip("loopwright/x") == ""
    assert repository.branched("loopwright/x", head) == head
    project.write("more", "x")
    project.commit()
    later = project.git("rev-parse", "HEAD")
    assert repository.branched("loopwright/x", later) == repository.tip("loopwright/x") == head


def test_what_is_known_of_a_commit_is_not_said_of_a_branch(project: Repo) -> None:
    """A commit's paths are asked for once; a name that moves is asked each time."""
    repository, head = Repository.find(project.root), project.git("rev-parse", "HEAD")
    assert repository.commit(head) == repository.commit(head) == head
    assert (repository.has(head, "more"), repository.has("main", "more"), repository.links("main")) == (
        False,
        False,
        {},
    )
    project.write("more", "x")
    project.commit()
    assert (repository.has(head, "more"), repository.has("main", "more")) == (False, True)
    assert repository.commit("main") != head


def test_settings_of_a_section(project: Repo) -> None:
    """They come by their names, odd signs and all; those without a value are left out."""
    project.git("config", "user.name", 'A "B" \\ C')
    project.git("config", "user.email", "")
    found = Repository.find(project.root).settings_of("user")
    assert found["name"] == 'A "B" \\ C'
    assert "email" not in found or found["email"]
