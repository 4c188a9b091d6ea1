from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from world import PROGRAM, Loopwright, Repo, agent, environment, start, wait_for

TEST = ("--test", "sh test.sh")
CHECK = shlex.join([*PROGRAM, "check", "--json"])
UNITTEST = f"{sys.executable} -m unittest"


def test_files_that_are_in_no_commit_are_judged(repo: Repo, loopwright: Loopwright) -> None:
    """5 while the criterion does not hold, 0 when it does; nothing is committed, and git's state is as it was."""
    called = loopwright("check", *TEST)
    assert called.code == 5
    assert "✗ test sh test.sh" in called.out
    assert "the answer is 41, not 42" in called.out
    repo.write("answer", "42\n")
    repo.write("untracked", "x\n")
    repo.git("add", "README.md")
    before = (repo.git("status", "--porcelain"), repo.git("for-each-ref"), (repo.root / ".git/index").read_bytes())
    called = loopwright("check", *TEST, "--file", "untracked")
    assert (called.code, called.err) == (0, "")
    assert "✓ test sh test.sh" in called.out
    assert (repo.git("status", "--porcelain"), repo.git("for-each-ref")) == before[:2]
    assert repo.statuses() == []


def test_what_was_changed_is_tainted(repo: Repo, loopwright: Loopwright) -> None:
    """3 where it holds and a protected file was changed; the file is named."""
    repo.write("answer", "42\n")
    repo.write("test.sh", "exit 0\n")
    called = loopwright("check", *TEST)
    assert called.code == 3
    assert "⚠ test.sh was changed" in called.out


def test_what_cannot_be_told(repo: Repo, loopwright: Loopwright) -> None:
    """4 where a criterion can't be evaluated, also beside one that fails."""
    assert loopwright("check", "--test", "no-such-program-here").code == 4
    assert loopwright("check", *TEST, "--test", "no-such-program-here").code == 4


def test_what_steers_is_named(repo: Repo, loopwright: Loopwright) -> None:
    """A new file that would steer the runner is left out, which is said; the settings that `init` wrote are no news."""
    repo.write("answer", "42\n")
    repo.write("loopwright.toml", "[run]\nmax_iterations = 3\n")
    repo.write("conftest.py", "x")
    called = loopwright("check", *TEST)
    assert called.code == 0
    assert "left out: conftest.py" in called.out
    assert "loopwright.toml" not in called.out


def test_json(repo: Repo, loopwright: Loopwright) -> None:
    """One object with a verdict and the checks, without what only the store knows."""
    repo.write("answer", "42\n")
    called = loopwright("check", *TEST, "--not-grep", "answer:42", "--json")
    assert (called.code, called.json["schema"], called.json["verdict"]) == (5, 1, "fail")
    first, second = called.json["checks"]
    assert (first["verdict"], second["verdict"]) == ("pass", "fail")
    assert not {"id", "run_id", "attempt_id", "iteration"} & first.keys()
    assert {
        "criterion",
        "criterion_hash",
        "tree_hash",
        "evidence",
        "environment",
        "proof",
        "duration_s",
    } <= first.keys()
    assert first["proof"]["judged_tree"] == first["tree_hash"]


def test_a_name_that_is_no_text(repo: Repo) -> None:
    """A file whose name is no text is named in the JSON, as JSON has it, also where a terminal takes only text."""
    (repo.root / os.fsdecode(b"\xff.pth")).touch()
    strict = environment(PYTHONIOENCODING="utf-8:strict")
    process = start("check", "--file", "answer", "--json", cwd=repo.root, env=strict)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert json.loads(out)["checks"][0]["proof"]["left_out"] == ["\udcff.pth"]


def test_junit(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A JUnit file has a case for each criterion, and can be had together with JSON."""
    called = loopwright("check", *TEST, "--file", "answer", "--junit", tmp_path / "checks.xml", "--json")
    suite = ElementTree.parse(tmp_path / "checks.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    assert [case.get("name") for case in suite] == [check["criterion"] for check in called.json["checks"]]
    assert loopwright("check", *TEST, "--junit", tmp_path / "no" / "folder.xml").code == 1


def test_a_base(repo: Repo, loopwright: Loopwright) -> None:
    """The work is held against the base that is named: a test that was committed since is tampering."""
    repo.write("answer", "42\n")
    repo.write("test.sh", "exit 0\n")
    repo.commit()
    assert loopwright("check", *TEST).code == 0
    assert loopwright("check", *TEST, "--base", "HEAD~1").code == 3
    called = loopwright("check", *TEST, "--base", "nowhere")
    assert (called.code, "there is no commit `nowhere`" in called.err) == (1, True)


def test_a_task_file(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Criteria, base and protection come from the file; what is held out is not looked at; flags add to it."""
    task = tmp_path / "task.toml"
    task.write_text(
        'goal = "x"\nprotect = ["README.md"]\ncriteria = [{ file = "answer" }, { test = "false", held_out = true }]\n'
    )
    called = loopwright("check", "--task", task, "--json")
    assert (called.code, len(called.json["checks"])) == (0, 1)
    assert loopwright("check", "--task", task, *TEST).code == 5
    repo.write("README.md", "changed")
    assert loopwright("check", "--task", task).code == 3
    assert loopwright("check", "--task", task, "--allow", "README.md").code == 0


@pytest.mark.parametrize("flags", [("--file", "answer"), ("--task", "task.toml")])
def test_protection_from_flags_and_settings(flags: tuple[str, str], repo: Repo, loopwright: Loopwright) -> None:
    """What the settings and the flags protect and allow counts as in a run, with a task file and without."""
    repo.write("task.toml", 'goal = "x"\ncriteria = [{ file = "answer" }]\n')
    repo.commit()
    repo.write("README.md", "changed")
    repo.write("test.sh", "changed")
    assert loopwright("check", *flags).code == 0
    assert loopwright("check", *flags, "--protect", "*.md").code == 3
    repo.write("loopwright.toml", '[run]\nprotect = ["*.md", "*.sh"]\nallow = ["test.sh"]\n')
    called = loopwright("check", *flags)
    assert called.code == 3
    assert "README.md was changed" in called.out
    assert "test.sh" not in called.out
    assert loopwright("check", *flags, "--allow", "README.md").code == 0


def test_without_a_criterion(repo: Repo, loopwright: Loopwright) -> None:
    """2, and it is said how one is named."""
    called = loopwright("check")
    assert called.code == 2
    assert "there is no criterion" in called.err and "--test" in called.err


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"task": {}, "repository": "/", "base": "x"}', None])
def test_a_note_that_cannot_be_read(
    text: str | None, repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What LOOPWRIGHT_CHECK names must be a note of ours."""
    if text is not None:
        (tmp_path / "check.json").write_text(text)
    monkeypatch.setenv("LOOPWRIGHT_CHECK", str(tmp_path / "check.json"))
    called = loopwright("check")
    assert called.code == 2
    assert "LOOPWRIGHT_CHECK" in called.err


def test_an_agent_in_its_workspace(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """An agent that asks is told what the host would say, of what it has not committed; nothing held out is near."""
    works = agent(
        f"cp $LOOPWRIGHT_CHECK {tmp_path}/note.json",
        f"{CHECK} > {tmp_path}/before.json; echo $? > {tmp_path}/codes",
        "echo 42 > answer",
        f"{CHECK} > {tmp_path}/after.json; echo $? >> {tmp_path}/codes",
        f"echo exit 0 > test.sh; {CHECK} > {tmp_path}/cheat.json; echo $? >> {tmp_path}/codes",
        "git checkout -q test.sh",
    )
    flags = (*TEST, "--held-out-test", "grep -q 42 answer", "--protect", "*.md", "--allow", "notes")
    called = loopwright("run", "Fix it", *flags, *works, "--json")
    assert called.code == 0, called.json
    assert (tmp_path / "codes").read_text().split() == ["5", "0", "3"]
    before, after = (json.loads((tmp_path / name).read_text()) for name in ("before.json", "after.json"))
    assert [check["criterion"] for check in before["checks"]] == ["test sh test.sh"]
    assert (before["verdict"], after["verdict"]) == ("fail", "pass")
    note = (tmp_path / "note.json").read_text()
    assert "grep -q 42" not in note
    assert (json.loads(note)["task"]["protect"], json.loads(note)["task"]["allow"]) == (["*.md"], ["notes"])


def test_tests_are_counted_and_put_to_the_proof(repo: Repo, loopwright: Loopwright) -> None:
    """A check is as strict as a run: a runner that lies is found out."""
    case = "import unittest\nimport code_\nclass A(unittest.TestCase):\n    def test_a(self): pass\n"
    repo.write("test_a.py", case)
    repo.write("code_.py", "")
    repo.commit()
    called = loopwright("check", "--test", UNITTEST, "--json")
    assert (called.code, called.json["checks"][0]["proof"]["tests"]["passed"]) == (0, 1)
    assert "was seen to" in called.json["checks"][0]["proof"]["sabotage"]
    repo.write("code_.py", "import atexit, os\natexit.register(os._exit, 0)\n")
    called = loopwright("check", "--test", UNITTEST)
    assert called.code == 3
    assert "was made to fail" in called.out


def test_nothing_is_left_behind(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """The folder in which was judged is gone afterwards."""
    loopwright("check", *TEST)
    assert list((cache / "benches").iterdir()) == []


def test_interrupted(repo: Repo, tmp_path: Path, cache: Path) -> None:
    """130 where it was cut short, whatever had passed by then, and nothing is left behind."""
    trace = tmp_path / "trace"
    process = start("check", "--file", "answer", "--test", f"sh -c 'touch {trace}; sleep 60'", cwd=repo.root)
    wait_for(trace.exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "interrupted" in err and "Traceback" not in err
    assert list((cache / "benches").iterdir()) == []


@pytest.mark.parametrize(
    ("limit", "command", "evidence"),
    [
        (
            'memory = "50MB"',
            "python3 -c 'x = [1] * 10**7; [sum(x) for _ in x]'",
            "used more than 50 MB of memory",
        ),
        ("processes = 20", "for i in $(seq 100); do sleep 20 & done; wait", "had more than 20 processes at a time"),
        ('file_size = "1MB"', "head -c 2000000 /dev/zero > big", "wrote more than 1 MB to a file"),
    ],
    ids=["memory", "processes", "file size"],
)
def test_a_check_that_uses_too_much(
    repo: Repo, loopwright: Loopwright, limit: str, command: str, evidence: str
) -> None:
    """A check that is over a limit of the settings is ended; it has failed, and the evidence says of what."""
    repo.write("loopwright.toml", f"[limits]\n{limit}\n")
    repo.write("greedy.sh", f"{command}\n")
    called = loopwright("check", "--test", "sh greedy.sh", "--json")
    assert called.code == 5
    [check] = called.json["checks"]
    assert check["verdict"] == "fail"
    assert check["evidence"].startswith(f"it {evidence} and was ended")
