"""The Python API, as a program uses it."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import loopwright
from loopwright import AllOf, AnyOf, AtLeast, FileCriteria, Result, Task, TestCriteria, resume, run
from loopwright.errors import AgentError, LoopwrightError, TaskError
from loopwright.ports import Watcher
from loopwright.watching import Nobody
from world import Repo

SPEC = """
from loopwright import Task, TestCriteria, FileCriteria, GrepCriteria, AllOf, AnyOf, AtLeast, run

for _ in range(2):
    result = run(Task(
        goal="Add authentication to the API",
        criteria=[
            TestCriteria("sh tests/test_auth.sh"),
            FileCriteria("src/auth.py", exists=True),
            GrepCriteria("src/main.py", pattern="require_auth"),
        ],
        max_iterations=12,
        escalate_on_failure=True,
    ))
    print(result.status, result.reason, result.iterations)
import loopwright.run.loop
from loopwright.run.loop import Loop
assert callable(run) and callable(loopwright.run) and Loop
"""


def test_the_example_of_the_specification(repo: Repo) -> None:
    """The example of the specification runs as it is written, twice in one process, with the agent of the settings."""
    repo.write("tests/test_auth.sh", "test -f src/auth.py\n")
    repo.write("src/main.py", "")
    repo.commit()
    fix = "sh -c 'touch src/auth.py; echo require_auth > src/main.py'"
    repo.write("loopwright.toml", f'[run]\nagent_command = "{fix}"\n')
    done = subprocess.run([sys.executable, "-c", SPEC], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "done criteria_met 1\n" * 2


def test_an_agent_command(repo: Repo) -> None:
    """`run(task, agent="command", …)` gives a Result with the fields of the JSON."""
    repo.write("fix.sh", "echo 42 > answer\n")
    repo.commit()
    task = Task("Fix it", [AllOf(TestCriteria("sh test.sh"), AnyOf(FileCriteria("answer"), FileCriteria("other")))])
    result = run(task, agent="command", agent_options={"command": "bash fix.sh"})
    assert isinstance(result, Result)
    assert (result.status, result.reason, result.iterations, result.exit_code) == ("done", "criteria_met", 1, 0)
    printed = json.loads(Path(result.artifacts.result).read_text())
    assert json.loads(json.dumps(result.to_dict())) == printed
    assert {spec.name for spec in dataclasses.fields(result)} == set(printed)
    assert result.checks[0].verdict == "pass"
    assert result.tokens.total == 0
    assert repo.git("rev-parse", result.branch) == result.commit


def test_a_command_alone_is_enough(repo: Repo) -> None:
    """An agent's command without its name means the agent `command`, whatever the settings say."""
    repo.write("loopwright.toml", '[run]\nagent = "scripted"\n')
    result = run(Task("x", [FileCriteria("new")]), agent_options={"command": "touch new"})
    assert result.status == "done"


def test_unmet_is_a_value(repo: Repo) -> None:
    """Nothing is raised for a criterion that does not hold; the run can be resumed from Python."""
    task = Task("x", [AtLeast(2, FileCriteria("a"), FileCriteria("b"))], max_iterations=1)
    result = run(task, agent="command", agent_options={"command": ["sh", "-c", "touch a$LOOPWRIGHT_ITERATION a"]})
    assert (result.status, result.exit_code) == ("escalated", 5)
    again = resume(result.run_id, comment="make b")
    assert (again.run_id, again.iterations) == (result.run_id, 2)
    assert "make b" in (Path(again.artifacts.dir) / "prompts" / "002.md").read_text()


def test_a_broken_set_up_is_raised(repo: Repo, tmp_path: Path) -> None:
    """What can't be started is raised, with a hint."""
    task = Task("x", [FileCriteria("new")])
    with pytest.raises(AgentError, match="hint: "):
        run(task, agent="command", agent_options={"command": "no-such-program"})
    with pytest.raises(LoopwrightError):
        run(task, repo=tmp_path / "nowhere")
    with pytest.raises(TaskError, match="how would you know"):
        Task("make it better")
    with pytest.raises(TaskError, match="not a criterion"):
        Task("x", ["pytest"])  # type: ignore[list-item]


def test_from_a_thread(repo: Repo) -> None:
    """A run can be started from a thread, where signals can't be handled."""
    results: list[Result] = []
    task = Task("x", [FileCriteria("new")])
    options = {"command": "touch new"}
    threads = [threading.Thread(target=lambda: results.append(run(task, agent_options=options))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.status for result in results] == ["done", "done"]
    assert len({result.run_id for result in results}) == 2


def test_a_watcher_sees_it_all(repo: Repo) -> None:
    """A program can look on: start, phases, events, checks, end."""
    seen: list[str] = []

    class Notes(Nobody):
        def started(self, run: object) -> None:
            seen.append("started")

        def phase(self, run: object, text: str) -> None:
            seen.append(text)

        def checked(self, run: object, checks: object) -> None:
            seen.append("checked")

        def ended(self, run: object, result: object) -> None:
            seen.append("ended")

    watcher: Watcher = Notes()  # type: ignore[assignment]
    run(Task("x", [FileCriteria("new")]), agent_options={"command": "touch new"}, watcher=watcher)
    assert seen.pop(4).startswith("forecast: 1 of 1 criteria to meet; checking takes about 0.")
    assert seen == [
        *("started", "making the clone", "preflight: what holds already?", "checked"),
        *("iteration 1 of 12", "checking iteration 1", "checked", "ended"),
    ]


def test_a_home_and_a_repository_elsewhere(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The repository and the home can be named, and nothing is made where the program runs."""
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    home = str(tmp_path / "state")
    result = run(Task("x", [FileCriteria("new")]), repo=repo.root, home=home, agent_options={"command": "touch new"})
    assert result.artifacts.dir == f"{home}/runs/{result.run_id}"
    assert set(tmp_path.iterdir()) - before == {tmp_path / "state"}


def test_the_package_names_what_it_has() -> None:
    """All that the package promises can be imported from it, and nothing else."""
    assert [name for name in loopwright.__all__ if not hasattr(loopwright, name)] == []
    with pytest.raises(AttributeError, match="no attribute `nothing`"):
        loopwright.nothing  # noqa: B018
    assert Nobody().phase(None, "x") is None  # type: ignore[arg-type]
