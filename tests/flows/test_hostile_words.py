"""An agent's words and files are data: they steer neither the terminal nor the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from world import Loopwright, Repo, agent, prompts

ESCAPES = r"printf 'fine.\\033]0;OWNED\\007\\r\\033[1A\\033[2Kdone (criteria_met)\\n'"


@pytest.mark.parametrize("words", [("queue",), ("show", "last", "--timeline"), ("show", "last"), ("runs",)])
def test_no_escape_sequence_reaches_the_terminal(words: tuple[str, ...], repo: Repo, loopwright: Loopwright) -> None:
    """Whatever an agent prints, what we print holds no control character but the end of a line."""
    called = loopwright("run", "Fix \x1b[2Kit", "--file", "n", *agent(ESCAPES), "--max-iterations", 1)
    shown = loopwright(*words)
    for text in (called.out, called.err, shown.out, shown.err):
        assert not [sign for sign in text if sign < " " and sign != "\n"]


def test_attributes_that_git_can_not_follow_lose_nothing(repo: Repo, loopwright: Loopwright) -> None:
    """A .gitattributes that git chokes on does not keep the work from being recorded, and it is said."""
    bad = "echo '* text working-tree-encoding=UTF-16' > .gitattributes"
    work = agent(bad, "echo 42 > answer")
    called = loopwright("run", "Fix it", "--test", "sh test.sh", *work, "--max-iterations", 1, "--json")
    assert called.code == 0  # it is judged without, for it would rewrite the tests
    assert "left out: .gitattributes" in called.err
    assert repo.show(called.json["branch"], "answer") == "42"
    assert "without .gitattributes" in called.err


def test_a_path_that_is_too_long_does_not_end_the_run(repo: Repo, loopwright: Loopwright) -> None:
    """Folders deeper than the system takes are left out, and the rest is judged."""
    deep = "import os\nfor _ in range(60):\n    os.mkdir('d' * 100); os.chdir('d' * 100)"
    called = loopwright("run", "Fix it", "--test", "sh test.sh", *agent(f'python3 -c "{deep}"', "echo 42 > answer"))
    assert called.code == 0


def test_what_is_left_out_is_said(repo: Repo, tmp_path: Path, loopwright: Loopwright) -> None:
    """An agent that changes files in a submodule is told that they were not kept, and so is the person."""
    inner = Repo(tmp_path / "inner")
    inner.root.mkdir()
    inner.git("init", "-q", "-b", "main")
    inner.git("config", "user.name", "Ada")
    inner.git("config", "user.email", "ada@example.com")
    inner.write("s.txt", "hello\n")
    inner.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "mod")
    repo.commit()
    change = agent("echo $LOOPWRIGHT_ITERATION >> mod/s.txt")
    called = loopwright("run", "Fix it", "--grep", "mod/s.txt:hi$", *change, "--max-iterations", 2, "--json")
    assert "submodule `mod`" in prompts(called.json)[1]
    assert "submodule `mod`" in called.err


def test_nothing_of_a_held_out_test_is_left_lying_about(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """What a held-out test wrote in the preflight is gone when the agent starts."""
    repo.write("check.sh", "echo SECRET > report.txt; exit 1\n")
    repo.commit()
    search = f"touch n; grep -r SECRET {cache} --include report.txt && echo FOUND"
    called = loopwright(
        "run", "Fix it", "--file", "n", "--held-out-test", "sh check.sh", *agent(search), "--max-iterations", 1
    )
    assert "FOUND" not in loopwright("show", "last", "--timeline").out
    assert called.code == 5


def test_no_filter_of_the_repository_is_run(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Counting what is uncommitted runs no program that a setting of the repository names."""
    repo.git("config", "filter.x.clean", f"sh -c 'touch {tmp_path}/ran; cat'")
    repo.write(".gitattributes", "* filter=x\n")
    repo.commit()
    (tmp_path / "ran").unlink(missing_ok=True)
    repo.write("answer", "40\n")
    (tmp_path / "ran").unlink(missing_ok=True)
    loopwright("doctor")
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"))
    assert not (tmp_path / "ran").exists()


def test_tests_in_a_submodule_or_an_environment_are_not_the_agents_own(repo: Repo, loopwright: Loopwright) -> None:
    """A program that lies in a dependency folder does not make a check self-graded."""
    program = repo.write(".venv/bin/check", "#!/bin/sh\nexec sh test.sh\n")
    program.chmod(0o755)
    repo.write(".gitignore", ".venv\n")
    repo.commit()
    called = loopwright("run", "Fix it", "--test", ".venv/bin/check", *agent("echo 42 > answer"), "--json")
    assert called.json["status"] == "done"
    assert not called.json["checks"][0]["self_graded"]
