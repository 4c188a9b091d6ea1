"""The checkroom: exactly what a commit holds, every time, and no way out of it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from clones import Clone, files_at, files_in, fingerprint, git

from loopwright.errors import RepositoryError, TaskError
from world import Repo


@pytest.mark.parametrize(
    "damage",
    [
        "echo changed > README.md; rm -r src; mkdir -p a/b; echo x > a/b/c",
        "echo x > ignored.log; mkdir build src/__pycache__; echo x > build/out; echo x > src/__pycache__/app.pyc",
        "touch -r README.md t; printf '# a PROJECT\\n' > README.md; touch -r t README.md",
        "chmod 644 run.sh; chmod 755 README.md; chmod 700 src; chmod 600 src/app.py",
        "git init -q; git add -A; mkdir -p src/.git; echo x > src/.git/x; echo x > .git/cheat",
        "mkdir inner; cd inner; git init -q; mkdir -p deeper/empty; mkdir refs",
        "mkfifo pipe .gitattributes src/.gitignore; rm README.md; mkfifo README.md",
        "rm -r src; ln -s /etc src; ln -s / root; rm README.md; ln -s /etc/passwd README.md",
        "rm README.md; mkdir README.md; echo x > README.md/x; rm -r src; echo file > src",
        "chmod 000 src; mkdir closed; echo x > closed/x; chmod 000 closed",
        "rm -rf ../project; mkdir ../project",
        "rm -rf ../project",
        "rm -rf ../project; ln -s $THEIRS/project ../project",
        "rm -rf ../../checkroom; ln -s $THEIRS ../../checkroom",
        "rm -rf ../../checkroom.git/*",
        "echo '* -text eol=crlf filter=x' > .gitattributes; echo '*' > .gitignore",
    ],
)
def test_every_entry_finds_what_the_commit_holds(
    damage: str, clone: Clone, project: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a command did to the room, the next look at it is at the commit's files, all of them and no other."""
    monkeypatch.setenv("THEIRS", str(project.root.parent))
    project.write("untracked", "a file of the user's\n")
    before = fingerprint(project.root)
    tree = clone.room.enter(clone.commit)
    for _ in range(2):
        clone.shell(damage)
        assert clone.room.enter(clone.commit) == tree
        assert files_in(clone.room.root) == files_at(project.root, clone.commit)
        assert {path.name for path in clone.room.root.rglob("*") if path.is_dir()} == {"src"}
        assert not [path for path in clone.room.root.rglob("*") if path.is_fifo()]
    assert fingerprint(project.root) == before


def test_commits_follow_each_other(clone: Clone, project: Repo) -> None:
    """The room goes back and forth between commits, with files that become folders and links, used or not."""
    start = clone.commit
    shutil.rmtree(clone.files / "src")
    (clone.files / "src").symlink_to("README.md")
    (clone.files / "README.md").unlink()
    (clone.files / "README.md").mkdir()
    (clone.files / "README.md" / "x").touch()
    clone.snapshot()
    for commit in (start, clone.commit, start, start, clone.commit):
        tree = clone.room.enter(commit)
        assert tree == project.git("rev-parse", f"{commit}^{{tree}}")
        assert files_in(clone.room.root) == files_at(project.root, commit)


def test_a_command_run_again_finds_the_commit(clone: Clone) -> None:
    """Neither a second command nor a look at a file sees what the command before it wrote."""
    clone.room.enter(clone.commit)
    clone.shell("echo forged > README.md; echo x > report.xml")
    assert clone.shell("cat README.md; ls") == "# A project\nREADME.md\nrun.sh\nsrc\n"
    clone.shell("echo forged > README.md; echo x > report.xml")
    assert clone.room.path("README.md").read_text() == "# A project\n"
    clone.shell("echo forged > README.md; echo x > report.xml")
    assert [path.name for path in clone.room.files("*.*")] == [".gitignore", "README.md", "run.sh"]


def test_what_git_ignores_never_gets_in(clone: Clone) -> None:
    """Ignored files of the workspace are not in the room: a result or bytecode made beforehand is not there."""
    (clone.files / "result.log").write_text("42 passed")
    (clone.files / "build").mkdir()
    (clone.files / "build" / "out").touch()
    (clone.files / "work").touch()
    clone.room.enter(clone.snapshot().commit)
    assert sorted(path.name for path in clone.room.root.iterdir()) == [
        ".gitignore",
        "README.md",
        "run.sh",
        "src",
        "work",
    ]


def test_what_an_earlier_process_left_is_not_trusted(clone: Clone, project: Repo) -> None:
    """A room that was half made, or used, when a process died is made again by the next one."""
    clone.room.enter(clone.commit)
    clone.shell("echo forged > README.md")
    (clone.room.root / "src" / "app.py").unlink()
    shutil.rmtree(clone.folder / "checkroom.git" / "objects")
    clone.open()
    clone.room.enter(clone.commit)
    assert files_in(clone.room.root) == files_at(project.root, clone.commit)
    clone.room.close()
    assert sorted(path.name for path in clone.folder.iterdir()) == ["keeper.git", "ready", "workspace"]


def test_a_commit_that_is_not_there(clone: Clone) -> None:
    """A commit that nobody has is an error, and the room is usable afterwards."""
    with pytest.raises(RepositoryError):
        clone.room.enter("1" * 40)
    clone.room.enter(clone.commit)
    assert clone.room.path("README.md").is_file()


def test_no_path_leaves_the_room(clone: Clone) -> None:
    """Dots, absolute paths and links that lead outside are refused, also through a folder in the middle."""
    for name, goal in {"out": "/etc/passwd", "folder": "/etc", "up": "src/../../..", "circle": "circle"}.items():
        (clone.files / name).symlink_to(goal)
    clone.room.enter(clone.snapshot().commit)
    dots = ("..", "../../keeper.git/HEAD", "src/../../x", "src/../README.md")
    for path in (*dots, "/etc/passwd", "out", "folder", "folder/passwd", "up/x", "nul\0"):
        for look in (clone.room.path, clone.room.files):
            with pytest.raises(TaskError, match="leaves the repository"):
                look(path)
    assert clone.room.files("circle") == []


def test_an_absolute_path_into_the_room_is_refused(clone: Clone) -> None:
    """Criteria name files from the root of the repository: an absolute path is none, wherever it leads."""
    clone.room.enter(clone.commit)
    with pytest.raises(TaskError):
        clone.room.path(str(clone.room.root / "README.md"))


def test_paths_inside_are_given(clone: Clone) -> None:
    """Files, folders, links within the tree and names that are not there yet have a place."""
    (clone.files / "link").symlink_to("src/app.py")
    (clone.files / "shortcut").symlink_to("src")
    clone.room.enter(clone.snapshot().commit)
    for path in ("README.md", "src", "src/app.py", "link", "shortcut/app.py", "none/yet", ".", "./README.md"):
        assert clone.room.path(path) == clone.room.root / path


def test_globs_name_the_commits_files(clone: Clone) -> None:
    """A glob gives the files of the commit in order; links that lead nowhere or to a folder are no files."""
    for name in ("top.py", "src/deep/x.py", " odd\nname", "space name"):
        (clone.files / name).parent.mkdir(exist_ok=True)
        (clone.files / name).touch()
    for name, goal in {"link": "README.md", "lifeless": "nowhere", "list": "src"}.items():
        (clone.files / name).symlink_to(goal)
    clone.room.enter(clone.snapshot().commit)
    expected = {
        "*.py": ["top.py"],
        "**/*.py": ["src/app.py", "src/deep/x.py", "top.py"],
        "src/**": ["src/app.py", "src/deep/x.py"],
        "src/*.p?": ["src/app.py"],
        "[st]*": ["space name", "top.py"],
        "src/app.py": ["src/app.py"],
        "src": [],
        "none": [],
        "none*": [],
        " odd*": [" odd\nname"],
        "li*": ["link"],
    }
    root = clone.room.root
    found = {pattern: [str(path.relative_to(root)) for path in clone.room.files(pattern)] for pattern in expected}
    assert found == expected


def test_globs_do_not_reach_outside(clone: Clone) -> None:
    """Neither dots in a glob nor a link in the tree give a file from outside: a link that would is refused by name."""
    clone.room.enter(clone.commit)
    for pattern in ("../*", "../../**", "/etc/*"):
        with pytest.raises((TaskError, RepositoryError)):
            clone.room.files(pattern)
    (clone.files / "folder").symlink_to("/etc")
    clone.room.enter(clone.snapshot().commit)
    assert clone.room.files("folder/*") == []
    (clone.files / "secret").symlink_to("/etc/passwd")
    clone.room.enter(clone.snapshot().commit)
    with pytest.raises(TaskError, match="secret"):
        clone.room.files("s*")


def test_the_environment_is_scrubbed(clone: Clone, project: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable that steers a runner, a linker, a shell or git reaches a command; the others do."""
    steering = (
        *("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME_X", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "COVERAGE_PROCESS_START"),
        *("LD_PRELOAD_X", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "NODE_PATH", "npm_config_prefix"),
        *("BASH_ENV", "ENV", "BASH_FUNC_ls%%", "CDPATH", "GIT_DIR", "GIT_WORK_TREE", "LOOPWRIGHT_HOME", "OLDPWD"),
        *("RUBYOPT", "PERL5OPT", "JAVA_TOOL_OPTIONS", "GOFLAGS"),
    )
    for name in steering:
        monkeypatch.setenv(name, "steer")
    monkeypatch.setenv("LD_PRELOAD", "")
    monkeypatch.setenv("VIRTUAL_ENV", str(project.root / "env"))
    monkeypatch.setenv("PWD", str(project.root))
    monkeypatch.setenv("DATABASE_URL", "kept")
    monkeypatch.setenv("PATH", os.pathsep.join([str(project.root), "bin", os.environ["PATH"], "."]))
    clone.room.enter(clone.commit)
    lines = clone.room.run("env", shell=False, timeout_s=10).output.splitlines()
    seen = dict(line.split("=", 1) for line in lines)
    assert "steer" not in seen.values()
    assert {name for name in steering if name in seen} == {"PYTHONPATH", "PYTEST_ADDOPTS"}  # ours, for the report
    assert str(project.root) not in seen["PYTHONPATH"]
    assert not {"LD_PRELOAD", "VIRTUAL_ENV"} & seen.keys()
    assert seen["DATABASE_URL"] == "kept"
    assert seen["PWD"] == str(clone.room.root)
    assert not any(str(project.root) == entry or not entry.startswith("/") for entry in seen["PATH"].split(":"))


def test_git_in_the_room_finds_no_other_repository(clone: Clone, tmp_path: Path) -> None:
    """A command that calls git is not led to a repository that happens to lie above the cache."""
    git(tmp_path, "init", "-q")
    clone.room.enter(clone.commit)
    assert "not a git repository" in clone.room.run("git status", shell=False, timeout_s=10).output


def test_a_command_is_words_and_not_a_script(clone: Clone) -> None:
    """Without a shell nothing is expanded; with one it is; what is missing or too slow is said."""
    clone.room.enter(clone.commit)
    assert clone.room.run("echo $HOME; 'a b' | cat", shell=False, timeout_s=10).output == "$HOME; a b | cat\n"
    told = {"shell": True}
    assert clone.room.run("echo one | tr o 0 && pwd -P", timeout_s=10, **told).output == f"0ne\n{clone.room.root}\n"
    assert clone.room.run("no-such-program", shell=False, timeout_s=10).missing
    slow = clone.room.run("sleep 30", shell=False, timeout_s=0.2)
    assert (slow.timed_out, slow.exit_code) == (True, None)
