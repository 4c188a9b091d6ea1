from __future__ import annotations

import os
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")
WORKS = agent("echo 42 > answer")


def done(repo: Repo, loopwright: Loopwright) -> str:
    called = loopwright("run", "Mend the answer", *TEST, *WORKS, "--json")
    assert called.code == 0, called.err
    return str(called.json["run_id"])


def test_on_a_branch_that_has_not_moved(repo: Repo, loopwright: Loopwright) -> None:
    """One commit with the goal and the run's id; the files follow; nothing is checked that was checked already."""
    before = repo.git("rev-parse", "HEAD")
    run_id = done(repo, loopwright)
    called = loopwright("land", "--json")
    assert (called.code, called.json["landed"]) == (0, True)
    assert repo.git("rev-parse", "HEAD^") == before
    assert repo.git("log", "-1", "--format=%B").strip() == f"Mend the answer\n\nLoopwright-Run: {run_id}"
    assert (repo.root / "answer").read_text().strip() == "42"
    assert "landed" in loopwright("runs", "--json").json[0]["closed"]
    again = loopwright("land")
    assert again.code == 2
    landed = repo.git("rev-parse", "HEAD")[:12]
    assert f"was landed already: main, {landed}\nhint: there is nothing to do" in again.err
    assert "done (landed)" in loopwright("runs").out


def test_on_a_branch_that_has_moved(repo: Repo, loopwright: Loopwright) -> None:
    """The work is put on top, and checked there before the branch is moved."""
    done(repo, loopwright)
    repo.write("other", "new")
    repo.commit()
    moved = repo.git("rev-parse", "HEAD")
    called = loopwright("land")
    assert called.code == 0, called.err
    assert "✓ test sh test.sh" in called.out
    assert "git branch -D loopwright/" in called.out
    assert repo.git("rev-parse", "HEAD^") == moved
    assert repo.show("HEAD", "other") == "new"
    assert repo.show("HEAD", "answer") == "42"


def test_where_it_does_not_fit(repo: Repo, loopwright: Loopwright) -> None:
    """Both changed the same lines: the files are named, and nothing is moved."""
    done(repo, loopwright)
    repo.write("answer", "43\n")
    repo.commit()
    before = repo.git("rev-parse", "HEAD")
    called = loopwright("land", "--json")
    assert (called.code, called.json["landed"], called.json["conflicts"]) == (5, False, ["answer"])
    assert repo.git("rev-parse", "HEAD") == before
    assert repo.git("status", "--porcelain", "--untracked-files=no") == ""
    out = loopwright("land").out
    assert "# and solve the conflict" in out and "--base main  # do it again from there" in out


def test_where_its_criteria_do_not_hold(repo: Repo, loopwright: Loopwright) -> None:
    """It fits, but does not work there: nothing is moved, and what failed is told."""
    done(repo, loopwright)
    repo.write("test.sh", "grep -qx 43 answer\n")
    repo.commit()
    before = repo.git("rev-parse", "HEAD")
    called = loopwright("land")
    assert called.code == 5
    assert "its criteria do not hold" in called.out
    assert repo.git("rev-parse", "HEAD") == before


def test_onto_another_branch(repo: Repo, loopwright: Loopwright) -> None:
    """A branch that is not checked out is moved, and the user's files are left as they are."""
    repo.git("branch", "stable")
    done(repo, loopwright)
    called = loopwright("land", "--onto", "stable")
    assert called.code == 0, called.err
    assert repo.show("stable", "answer") == "42"
    assert (repo.root / "answer").read_text().strip() != "42"


def test_what_is_not_committed_is_not_lost(repo: Repo, loopwright: Loopwright) -> None:
    """A change of the user's in the same file keeps the branch where it is, with a hint."""
    done(repo, loopwright)
    repo.write("answer", "mine\n")
    before = repo.git("rev-parse", "HEAD")
    called = loopwright("land")
    assert called.code == 1
    assert "could not be moved:\n  error: Your local changes" in called.err  # git's lines stay lines
    assert "(commit or stash" in called.err
    assert (repo.root / "answer").read_text() == "mine\n"
    assert repo.git("rev-parse", "HEAD") == before


@pytest.mark.parametrize(
    ("flags", "words"), [(("--onto", "nowhere"), "no branch `nowhere`"), ((), "only what is done")]
)
def test_what_can_not_be_landed(repo: Repo, loopwright: Loopwright, flags: tuple[str, ...], words: str) -> None:
    """An unknown branch and an unfinished run are refused."""
    works = WORKS if flags else agent("true")
    loopwright("run", "x", *TEST, *works, "--max-iterations", 1)
    called = loopwright("land", *flags)
    assert called.code == 2
    assert words in called.err


def test_as_a_pull_request(repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is pushed to a branch of its own and `gh` is asked; the local branch stays where it is."""
    remote, asked = tmp_path / "remote.git", tmp_path / "asked"
    repo.git("init", "--quiet", "--bare", str(remote))
    repo.git("remote", "add", "origin", str(remote))
    before = repo.git("rev-parse", "HEAD")
    run_id = done(repo, loopwright)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {asked}\necho https://example.test/pull/7\n')
    (tools / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    called = loopwright("land", "--pull-request", "--json")
    assert (called.code, called.json["pull_request"]) == (0, "https://example.test/pull/7")
    words = asked.read_text().splitlines()
    assert words[:2] == ["pr", "create"]
    assert words[words.index("--title") + 1] == "Mend the answer"
    head = words[words.index("--head") + 1]
    assert repo.git(f"--git-dir={remote}", "show", f"{head}:answer") == "42"
    assert run_id in asked.read_text()
    assert repo.git("rev-parse", "HEAD") == before


def test_what_the_checks_left_out_stays_out(repo: Repo, loopwright: Loopwright) -> None:
    """A file that would steer the tests was no part of what was judged: it is named, and is no part of what lands."""
    sly = agent("echo 42 > answer", "echo '[run]' > loopwright.toml")
    ran = loopwright("run", "Mend it", *TEST, *sly, "--json")
    assert "left out: loopwright.toml" in ran.err
    called = loopwright("land")
    assert called.code == 0, called.err
    assert "left out: loopwright.toml" in called.out
    assert "loopwright.toml" not in repo.git("ls-tree", "--name-only", "HEAD")
    assert repo.show("HEAD", "answer") == "42"


def test_what_starts_programs_is_shown_first(repo: Repo, loopwright: Loopwright) -> None:
    """Hooks of an agent or of an editor are landed only by somebody who says so."""
    before = repo.git("rev-parse", "HEAD")
    loopwright("run", "Mend it", *TEST, *agent("echo 42 > answer", "mkdir .vscode", "echo {} > .vscode/tasks.json"))
    called = loopwright("land")
    assert called.code == 5
    assert ".vscode/tasks.json" in called.out
    assert repo.git("rev-parse", "HEAD") == before
    assert loopwright("land", "--with-settings").code == 0
    assert repo.show("HEAD", ".vscode/tasks.json") == "{}"


def test_an_ignored_file_of_the_users_is_not_overwritten(repo: Repo, loopwright: Loopwright) -> None:
    """What git ignores is in no commit, and would be gone for good."""
    repo.write(".gitignore", ".env\n")
    repo.commit()
    repo.write(".env", "mine\n")
    loopwright("run", "Mend it", *TEST, *agent("echo 42 > answer", "rm .gitignore", "echo theirs > .env"))
    called = loopwright("land")
    assert called.code == 1
    assert (repo.root / ".env").read_text() == "mine\n"


def test_a_branch_of_another_worktree_is_left_alone(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Moved from here, that worktree's files would seem to undo what has landed."""
    done(repo, loopwright)
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    called = loopwright("land", "--onto", "other")
    assert called.code == 2
    assert f"--repo {tmp_path / 'other'}" in called.err


def test_only_the_runs_own_change_is_landed(repo: Repo, loopwright: Loopwright) -> None:
    """What the branch stood on that the run began at stays there."""
    repo.git("checkout", "-q", "-b", "feature")
    repo.write("feature.txt", "unfinished")
    repo.commit()
    done(repo, loopwright)
    repo.git("checkout", "-q", "main")
    called = loopwright("land")
    assert called.code == 0, called.err
    assert repo.show("HEAD", "answer") == "42"
    assert "feature.txt" not in repo.git("ls-tree", "--name-only", "HEAD")


def test_what_a_person_added_on_the_runs_branch_comes_along(repo: Repo, loopwright: Loopwright) -> None:
    """It is part of the work, and is checked with it before it lands."""
    run_id = done(repo, loopwright)
    repo.git("checkout", "-q", f"loopwright/{run_id}")
    repo.write("human.txt", "mine")
    repo.commit()
    repo.git("checkout", "-q", "main")
    called = loopwright("land")
    assert called.code == 0, called.err
    assert "✓ test sh test.sh" in called.out
    assert repo.show("HEAD", "human.txt") == "mine"


def test_without_an_identity(repo: Repo, loopwright: Loopwright) -> None:
    """Where git does not know whose commit it would be, both settings that it needs are named, and `doctor` says so."""
    done(repo, loopwright)
    repo.git("config", "user.useConfigOnly", "true")
    assert "git identity" not in loopwright("doctor").out
    repo.git("config", "--unset", "user.email")
    called = loopwright("land")
    assert called.code == 1
    hint = 'git config user.name "…" && git config user.email "…"'
    assert called.err == f"error: git does not know who you are, and `land` makes a commit\nhint: {hint}\n"
    out = loopwright("doctor").out
    assert "· git identity" in out and hint in out


def test_which_run_could_be_landed(repo: Repo, loopwright: Loopwright) -> None:
    """Where there is none it is said how to begin one; where the last is not done, the last that is gets named."""
    called = loopwright("land")
    assert called.code == 2
    assert "there is no run yet\nhint: start one: loopwright run" in called.err
    name = done(repo, loopwright)[-8:]
    loopwright("run", "x", *TEST, *agent("true"), "--max-iterations", 1)
    assert f"hint: the last one that is done: loopwright land {name}" in loopwright("land").err
    assert loopwright("land", name).code == 0
    assert "hint: see: loopwright queue" in loopwright("land").err
