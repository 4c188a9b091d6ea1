"""A profile's parameters as a run's real behaviour."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopwright.process.sandbox import obstacle
from world import Loopwright, Repo, agent, prompts

TEST = ("--test", "sh test.sh")
WORKS = agent("cat > prompt.txt", "grep -q '# Your part' prompt.txt || echo 42 > answer", "rm prompt.txt")


def profile(repo: Repo, **told: str) -> None:
    lines = "\n".join(f'{name} = "{value}"' for name, value in told.items())
    repo.write("loopwright.toml", f"[profiles.p]\n{lines}\n")


def test_the_context_is_in_the_prompt(repo: Repo, loopwright: Loopwright) -> None:
    """Each strategy brings along what it says, of the files that have to do with the goal."""
    repo.write("src/login.py", "def check_password(user):\n    return user.hash\n")
    repo.write("src/mail.py", "def send_mail(address):\n    pass\n")
    repo.commit()
    found = {}
    for strategy in ("none", "full_files", "relevant_chunks", "summary_then_detail"):
        profile(repo, context=strategy)
        called = loopwright("run", "The password check is wrong", *TEST, *WORKS, "--profile", "p", "--json")
        found[strategy] = prompts(called.json)[0]
    assert "# From the repository" not in found["none"]
    assert "`src/login.py`:\n\n```\ndef check_password(user):" in found["full_files"]
    assert "`src/login.py`, from line 1:" in found["relevant_chunks"]
    assert "- `src/login.py`\n  - `def check_password(user)`" in found["summary_then_detail"]
    assert all("send_mail" not in prompt for prompt in found.values())


def test_a_plan_comes_first(repo: Repo, loopwright: Loopwright) -> None:
    """The planner's words are in the worker's prompt, what it changed is gone, and it is no iteration."""
    profile(repo, planning="plan_then_execute")
    plans = agent(
        "cat > ../prompt.txt",
        "if grep -q 'Plan this task' ../prompt.txt; then echo sly > sly; echo first the answer; exit; fi",
        "grep -q 'first the answer' ../prompt.txt && ! [ -e sly ] && echo 42 > answer",
    )
    called = loopwright("run", "Fix it", *TEST, *plans, "--profile", "p", "--max-iterations", 1, "--json")
    assert (called.code, called.json["iterations"]) == (0, 1)
    assert [attempt["role"] for attempt in loopwright("show", "--json").json["attempts"]] == ["planner", "worker"]


def test_a_reviewer_sees_the_change_before_the_checks_do(repo: Repo, loopwright: Loopwright) -> None:
    """What the reviewer wants reaches the worker, who has another go before anything is checked."""
    profile(repo, review="separate")
    reviewed = agent(
        "cat > ../prompt.txt",
        "if grep -q 'Somebody else worked' ../prompt.txt; then",
        "  grep -q '^+40' ../prompt.txt && { echo it is one short; echo changes wanted; exit; }",
        "  echo approved; exit",
        "fi",
        "echo 40 > answer",
        "if grep -q 'it is one short' ../prompt.txt; then echo 42 > answer; fi",
    )
    called = loopwright("run", "Fix it", *TEST, *reviewed, "--profile", "p", "--json")
    shown = loopwright("show", "--json").json
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert [attempt["role"] for attempt in shown["attempts"]] == ["worker", "reviewer", "worker"]
    assert {check["iteration"] for check in shown["checks"]} == {0, 3}


GOES_ON = """#!/bin/sh
[ "$1" = --version ] && echo 2.1.325 && exit
cat > /tmp/prompt
echo '{"type": "system", "subtype": "init", "session_id": "c1"}'
said="changes wanted"
if grep -q "Somebody else worked" /tmp/prompt; then
    [ -e ~/session ] && exit 9
    grep -q "^+42" /tmp/prompt && said=approved
elif [ -e ~/session ]; then
    echo 42 > answer
else
    touch ~/session; echo 40 > answer
fi
echo '{"type": "result", "subtype": "success", "is_error": false, "session_id": "c1", "result": "'"$said"'"}'
"""


@pytest.mark.skipif(obstacle() is not None, reason=f"the sandbox does not work here: {obstacle()}")
def test_a_reviewer_has_another_home(
    repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sandbox, a reviewer finds nothing of the worker's home, and the worker finds its conversation afterwards."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "claude").write_text(GOES_ON)
    (tmp_path / "bin" / "claude").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
    profile(repo, review="separate", conversation="resume")
    flags = ("--profile", "p", "--agent", "claude_code", "--sandbox", "required", "--max-iterations", 2, "--json")
    called = loopwright("run", "Fix it", *TEST, *flags)
    assert (called.code, called.json["iterations"]) == (0, 2), called.err


def test_a_self_review_is_asked_for(repo: Repo, loopwright: Loopwright) -> None:
    """The worker is told to read its own change."""
    profile(repo, review="self")
    called = loopwright("run", "Fix it", *TEST, *WORKS, "--profile", "p", "--json")
    assert "read your whole change once more" in prompts(called.json)[0]


def test_what_an_agent_can_not_be_told_is_refused(repo: Repo, loopwright: Loopwright) -> None:
    """A parameter without effect would make a comparison a lie: the run is refused before it begins."""
    repo.write("loopwright.toml", "[profiles.p]\ntemperature = 0.5\n")
    called = loopwright("run", "Fix it", *TEST, *WORKS, "--profile", "p")
    assert called.code == 1
    assert "`temperature`" in called.err
    assert repo.query("SELECT count(*) FROM runs") == [(0,)]


REVIEWER = "grep -q 'Somebody else worked' ../prompt.txt"
LIMITED = '{"type":"result","subtype":"success","is_error":true,"result":"API Error","api_error_status":429}'


def test_a_reviewer_that_can_not_be_asked_is_waited_for(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A limit that the reviewer met is no approval: it is asked again, and what it wants then counts."""
    profile(repo, review="separate")
    repo.write("loopwright.toml", (repo.root / "loopwright.toml").read_text() + '[limits]\nunavailable = "6s"\n')
    trace = tmp_path / "trace"
    reviewed = agent(
        "cat > ../prompt.txt",
        f"if {REVIEWER} && [ ! -e {trace} ]; then touch {trace}; echo '{LIMITED}'; exit 1; fi",
        f"if {REVIEWER}; then echo one short; echo changes wanted; exit; fi",
        "echo 40 > answer",
        "if grep -q 'one short' ../prompt.txt; then echo 42 > answer; fi",
    )
    called = loopwright("run", "Fix it", *TEST, *reviewed, "--profile", "p", "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    endings = [(attempt["role"], attempt["ending"]) for attempt in loopwright("show", "--json").json["attempts"]]
    assert endings[1:3] == [("reviewer", "unavailable"), ("reviewer", "finished")]
    assert "▸ review" in called.err


def test_no_review_is_no_approval(repo: Repo, loopwright: Loopwright) -> None:
    """A reviewer that says nothing has not approved: the run says that there was no review."""
    profile(repo, review="separate")
    silent = agent("cat > ../prompt.txt", f"if {REVIEWER}; then exit; fi", "echo 42 > answer")
    called = loopwright("run", "Fix it", *TEST, *silent, "--profile", "p")
    assert called.code == 0
    assert "there was no review: the checks decide alone" in called.err
