"""Whatever is wrong with what somebody asked for: a code, a message with a hint, no traceback, nothing half made."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from world import Called, Loopwright, MakeRepo, Repo, agent

FIX = agent("echo 42 > answer")
TEST = ("--test", "sh test.sh")


def refused(called: Called, code: int, *words: str) -> bool:
    """Say whether a call was refused as it should be."""
    assert called.code == code, called.err
    assert called.out == ""
    assert "Traceback" not in called.err
    for word in words:
        assert word in called.err
    assert "hint: " in called.err or "Try 'loopwright" in called.err, called.err
    return True


@pytest.mark.parametrize("command", ["run x --file y", "queue", "gc", "init", "batch t.toml", "land", "verify"])
def test_not_a_repository(
    command: str, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command that needs a repository says so, says how to make one, and makes nothing."""
    monkeypatch.chdir(tmp_path)
    assert refused(loopwright(*command.split()), 1, "not in a git repository", "git init", "--repo")
    assert list(tmp_path.iterdir()) == []


def test_no_such_folder(repo: Repo, loopwright: Loopwright) -> None:
    """--repo with a folder that is not there is named."""
    assert refused(loopwright("run", "x", *TEST, "--repo", "nowhere"), 1, "`nowhere`")
    assert refused(loopwright("runs", "--repo", "nowhere"), 1, "`nowhere`")


def test_no_commits(make_repo: MakeRepo, loopwright: Loopwright) -> None:
    """A repository without a commit has nothing to start from."""
    empty = make_repo("empty")
    called = loopwright("run", "x", *TEST, *FIX, "--repo", empty.root)
    assert refused(called, 1, "has no commits", "git commit")
    assert loopwright("runs", "--repo", empty.root, "--json").json == []


def test_unknown_base(repo: Repo, loopwright: Loopwright) -> None:
    """A base that is not there is named, and no run is left."""
    assert refused(loopwright("run", "x", *TEST, *FIX, "--base", "nope"), 1, "no commit `nope`")
    assert repo.statuses() == []


@pytest.mark.parametrize("base", ["--all", "-n1", "HEAD:answer", "HEAD^{tree}", "a b", ""])
def test_a_base_that_is_no_commit(repo: Repo, loopwright: Loopwright, base: str) -> None:
    """A base that git could take for an option, or that is not a commit, is refused."""
    assert refused(loopwright("run", "x", *TEST, *FIX, f"--base={base}"), 1, "no commit")


def test_unknown_agent(repo: Repo, loopwright: Loopwright) -> None:
    """A wrong agent gets the nearest right one."""
    assert refused(
        loopwright("run", "x", *TEST, "--agent", "scriptd"), 2, "no agent `scriptd`", "did you mean `scripted`?"
    )
    assert refused(loopwright("run", "x", *TEST, "--agent", "zzz"), 2, "no agent `zzz`", "known: ", "command")


@pytest.mark.parametrize("name", ["../x", "command.py", "__init__", "os", ""])
def test_an_agent_is_a_name_and_not_a_path(repo: Repo, loopwright: Loopwright, name: str) -> None:
    """Only names of agents can be loaded, whatever else has such a name."""
    code = 2 if name else 1
    assert refused(loopwright("run", "x", *TEST, "--agent", name), code)


def test_no_agent_at_all(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no agent named and none installed, it says how to get one."""
    monkeypatch.setenv("PATH", os.defpath)
    assert refused(loopwright("run", "x", *TEST), 1, "no agent is named", "--agent-command")
    assert repo.statuses() == []


def test_an_agent_command_that_is_not_installed(repo: Repo, loopwright: Loopwright) -> None:
    """A program that is nowhere on the PATH is refused before anything starts."""
    assert refused(
        loopwright("run", "x", *TEST, "--agent-command", "no-such-agent -p"), 1, "`no-such-agent` was not found"
    )
    assert repo.statuses() == []


def test_an_agent_command_that_is_not_in_the_workspace(repo: Repo, loopwright: Loopwright) -> None:
    """A relative program that turns out to be missing ends the run, which can be resumed and is not left running."""
    assert refused(loopwright("run", "x", *TEST, "--agent-command", "./not-there.sh"), 1, "not-there.sh")
    rows = loopwright("runs", "--json").json
    assert [(row["status"], row["reason"]) for row in rows] == [("cancelled", "agent_failed")]
    assert loopwright("show", "--json").json["attempts"][0]["ending"] is not None


@pytest.mark.parametrize("command", ["'unclosed", " ", "''"])
def test_an_agent_command_that_is_none(repo: Repo, loopwright: Loopwright, command: str) -> None:
    """A command that can't be split, or is empty, is refused."""
    assert refused(loopwright("run", "x", *TEST, "--agent-command", command), 1, "command")


def test_two_agents_at_once(repo: Repo, loopwright: Loopwright) -> None:
    """--agent-command with another agent than `command` can't be meant."""
    called = loopwright("run", "x", *TEST, "--agent", "scripted", *FIX)
    assert refused(called, 2, "--agent-command")


def test_a_script_that_is_not_there(repo: Repo, loopwright: Loopwright) -> None:
    """The agent `scripted` without a script, or with one that is missing, says which."""
    assert refused(loopwright("run", "x", *TEST, "--agent", "scripted"), 1, "script")
    repo.write("loopwright.toml", '[profiles.s]\nagent = "scripted"\nagent_options = { script = "gone.toml" }\n')
    assert refused(loopwright("run", "x", *TEST, "--profile", "s"), 1, "gone.toml")


def test_unknown_profile(repo: Repo, loopwright: Loopwright) -> None:
    """A profile that nobody wrote is refused: with the nearest one, or with how to write one."""
    assert refused(loopwright("run", "x", *TEST, *FIX, "--profile", "fast"), 2, "no profile `fast`", "[profiles.")
    repo.write("loopwright.toml", '[profiles.faster]\nmodel = "m"\n')
    assert refused(loopwright("run", "x", *TEST, *FIX, "--profile", "fast"), 2, "did you mean `faster`?")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rnu"], ["no command `rnu`", "Did you mean `run`?"]),
        (["frobnicate"], ["no command `frobnicate`", "--help"]),
        (["run", "x", "--tets", "y"], ["--tets", "--test"]),
        (["run", "x", "--max-iterations", "many"], ["--max-iterations"]),
        (["run", "x", "--max-iterations", "0"], ["--max-iterations"]),
        (["run", "x", "--max-cost", "0"], ["--max-cost"]),
        (["run", "x", "--max-cost", "-1"], ["--max-cost"]),
        (["run", "x", "--max-tokens", "0"], ["--max-tokens"]),
        (["run", "x", "--timeout", "soon"], ["--timeout", "1h30m"]),
        (["run", "x", "--idle-timeout", "-5s"], ["--idle-timeout"]),
        (["run", "x", "--task-type", "bug"], ["bug_fix"]),
        (["run", "x", "y"], ["y"]),
        (["resume"], ["no run is named", "--all"]),
        (["resume", "last", "--max-iterations", "0"], ["--max-iterations"]),
        (["resume", "last", "--timeout", "0"], ["--timeout"]),
        (["resume", "last", "--max-cost", "nan"], ["--max-cost"]),
        (["close", "last"], ["--reason"]),
        (["batch"], ["FILES"]),
        (["batch", "a.toml", "--parallel", "0"], ["--parallel"]),
        (["runs", "--limit", "0"], ["--limit"]),
        (["gc", "--keep", "x"], ["--keep"]),
    ],
)
def test_usage(repo: Repo, loopwright: Loopwright, arguments: list[str], words: list[str]) -> None:
    """A wrong word on the command line is exit code 2, with what would be right."""
    assert refused(loopwright(*arguments), 2, *words)
    assert not (repo.root / ".loopwright").exists()


def test_no_arguments_show_the_help(loopwright: Loopwright) -> None:
    """`loopwright` alone lists the commands."""
    called = loopwright()
    assert "Usage: loopwright" in called.out + called.err
    assert "resume" in called.out + called.err


@pytest.mark.parametrize("goal", [[], [""], ["  \n "]])
def test_no_goal(repo: Repo, loopwright: Loopwright, goal: list[str]) -> None:
    """A task without a goal is refused, with an example."""
    assert refused(loopwright("run", *goal, *TEST, *FIX), 2, "goal", 'loopwright run "')
    assert repo.statuses() == []


def test_no_criterion(repo: Repo, loopwright: Loopwright) -> None:
    """ "Make it better" is refused: how would one know?"""
    assert refused(loopwright("run", "Make it better", *FIX), 2, "how would you know", "--test")
    assert repo.statuses() == []


def test_only_held_out_criteria(repo: Repo, loopwright: Loopwright) -> None:
    """An agent that is shown no criterion at all would not know what is asked."""
    assert refused(loopwright("run", "x", "--held-out-test", "sh test.sh", *FIX), 2, "held out")


@pytest.mark.parametrize(
    ("flags", "word"),
    [
        (["--file", ""], "``"),
        (["--file", "!"], "``"),
        (["--file", "a:size>100"], "size>100"),
        (["--file", "a:size>=x"], "size>=x"),
        (["--file", "a:sha256=abc"], "sha256"),
        (["--file", "!a:size=1"], "absent"),
        (["--file", "/etc/passwd"], "leaves the repository"),
        (["--file", "../x"], "leaves the repository"),
        (["--file", "a/../../x"], "leaves the repository"),
        (["--grep", "answer"], "FILE:PATTERN"),
        (["--grep", "answer:"], "FILE:PATTERN"),
        (["--grep", ":x"], "FILE:PATTERN"),
        (["--grep", "answer:("], "("),
        (["--grep", "../../etc/*:root"], "leaves the repository"),
        (["--not-grep", "answer:["], "["),
        (["--test", ""], "command"),
        (["--test", "sh 'x"], "quotation"),
        (["--held-out-test", " "], "command"),
    ],
)
def test_bad_criteria(repo: Repo, loopwright: Loopwright, flags: list[str], word: str) -> None:
    """A criterion that can't be meant is refused with the way to write it."""
    assert refused(loopwright("run", "x", *flags, *FIX), 2, word)
    assert repo.statuses() == []


def test_a_goal_that_is_no_text(repo: Repo, loopwright: Loopwright) -> None:
    """Bytes on the command line that are no text are refused before anything is done with them."""
    assert refused(loopwright("run", os.fsdecode(b"caf\xe9"), *TEST, *FIX), 2, "`caf?` is not text", "UTF-8")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[run\n", ["`loopwright.toml`", "line 1"]),
        ("[run]\nmax_iteration = 3\n", ["`loopwright.toml`", "did you mean `max_iterations`?"]),
        ('[run]\nmax_iterations = "3"\n', ["`loopwright.toml`", "max_iterations", "whole number"]),
        ("[run]\nmax_iterations = 0\n", ["`loopwright.toml`", "max_iterations"]),
        ('[run]\ntimeout = "soon"\n', ["`loopwright.toml`", "timeout"]),
        ('[run]\nsandbox = "maybe"\n', ["`loopwright.toml`", "sandbox", "required"]),
        ("[rnu]\n", ["`loopwright.toml`", "`[rnu]`", "run"]),
        ("run = 3\n", ["`loopwright.toml`", "run"]),
        ("store = []\n", ["`loopwright.toml`", "store"]),
        ("profiles = 3\n", ["`loopwright.toml`", "profiles"]),
        ("[profiles]\nfast = 3\n", ["`loopwright.toml`", "fast"]),
        ("[profiles.fast]\nmodle = 'x'\n", ["`loopwright.toml`", "did you mean `model`?"]),
        ('[run]\nrevert_when = "it\'s"\n', ["revert_when"]),
    ],
)
def test_malformed_settings(repo: Repo, loopwright: Loopwright, text: str, words: list[str]) -> None:
    """A mistake in the settings is named with its file, for every command that needs them."""
    repo.write("loopwright.toml", text)
    called = loopwright("run", "x", *TEST, *FIX)
    assert called.code == 2
    assert called.out == ""
    assert "Traceback" not in called.err
    assert [word for word in words if word not in called.err] == []
    (repo.root / "loopwright.toml").unlink()
    assert repo.statuses() == []


@pytest.mark.parametrize("command", ["runs", "queue", "show", "close last --reason x", "resume last", "gc", "batch t"])
def test_malformed_settings_stop_every_command(repo: Repo, loopwright: Loopwright, command: str) -> None:
    """No command goes on with settings that it can't read."""
    repo.write("loopwright.toml", "[run\n")
    called = loopwright(*command.split())
    assert called.code == 2
    assert "`loopwright.toml`" in called.err


def test_a_broken_pyproject_is_the_projects_business(repo: Repo, loopwright: Loopwright) -> None:
    """A pyproject.toml that is not ours to read does not stop a run."""
    repo.write("pyproject.toml", "[tool\n")
    assert loopwright("run", "x", *TEST, *FIX).code == 0
    repo.write("pyproject.toml", "tool = 3\n")
    assert loopwright("run", "x", *TEST, *FIX).code == 0


NEEDS_STORE = [
    "run x --file answer --agent-command true",
    "resume last",
    "batch task.toml --agent-command true",
    "runs",
    "show",
    "queue",
    "close last --reason x",
    "gc",
]


def dump(store: Path) -> list[str]:
    with closing(sqlite3.connect(store)) as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize("command", [*NEEDS_STORE, "doctor"])
def test_a_store_from_a_newer_version(repo: Repo, loopwright: Loopwright, command: str) -> None:
    """A store that this version does not know is left alone by every command."""
    repo.write("task.toml", 'goal = "x"\ncriteria = [{ file = "answer" }]\n')
    assert loopwright("runs").code == 0
    store = repo.root / ".loopwright" / "store.sqlite"
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = dump(store)
    called = loopwright(*command.split())
    assert called.code == 1
    assert "Traceback" not in called.err
    assert "9999" in called.err + called.out
    assert "upgrade Loopwright" in called.err + called.out
    assert dump(store) == before


@pytest.mark.parametrize("command", NEEDS_STORE)
def test_a_store_that_is_none(repo: Repo, loopwright: Loopwright, command: str) -> None:
    """A file that is not a database is named and left as it is."""
    repo.write("task.toml", 'goal = "x"\ncriteria = [{ file = "answer" }]\n')
    store = repo.write(".loopwright/store.sqlite", "my shopping list " * 100)
    assert refused(loopwright(*command.split()), 1, str(store), "LOOPWRIGHT_STORE")
    assert store.read_text().startswith("my shopping list")


@pytest.mark.parametrize("command", [*NEEDS_STORE, "init"])
def test_a_home_that_cannot_be_made(repo: Repo, loopwright: Loopwright, command: str) -> None:
    """A home where nothing can be written is named, with how to choose another."""
    repo.write("task.toml", 'goal = "x"\ncriteria = [{ file = "answer" }]\n')
    called = loopwright(*command.split(), "--home", "answer/state")
    assert refused(called, 1, "answer/state", "--home")


def test_a_cache_that_cannot_be_made(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for clones where nothing can be written is an error with a hint, and leaves no run at work."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(repo.root / "answer"))
    called = loopwright("run", "x", *TEST, *FIX)
    assert called.code == 1
    assert "Traceback" not in called.err
    assert "hint: " in called.err
    assert "running" not in repo.statuses()


def test_artifacts_that_cannot_be_written(repo: Repo, loopwright: Loopwright) -> None:
    """A run that can't write its files is an error of the set-up; its work is on the branch and it can be resumed."""
    assert loopwright("runs").code == 0
    repo.write(".loopwright/runs", "a file where a folder should be")
    called = loopwright("run", "x", *TEST, *FIX)
    assert called.code == 1
    assert "Traceback" not in called.err
    assert "hint: " in called.err
    assert repo.statuses() == ["cancelled"]
    (repo.root / ".loopwright" / "runs").unlink()
    assert loopwright("resume", "last").code == 0
