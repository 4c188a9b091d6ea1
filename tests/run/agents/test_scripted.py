"""The agent `scripted`, started as a run starts it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from loopwright.errors import AgentError
from loopwright.ports import Agent, Briefing
from loopwright.records.event import EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.scripted import Scripted

SCRIPT = """
[[attempt]]
actions = [{ write = "a.txt", content = "one" }]
cost_usd = 0.25
tokens = { input = 1000, output = 50 }
says = "first"

[[attempt]]
actions = [{ edit = "a.txt", old = "one", new = "two" }]
says = "second"
"""


def _briefing(folder: Path, iteration: int = 1) -> Briefing:
    return Briefing("prompt", folder / "prompt.md", folder, iteration)


def test_it_works_with_an_empty_environment(tmp_path: Path) -> None:
    """It plays the iteration's attempt with nothing but its own environment, in a workspace that shadows modules."""
    script, workspace = tmp_path / "script.toml", tmp_path / "work"
    script.write_text(SCRIPT)
    workspace.mkdir()
    for name in ("json.py", "tomllib.py", "loopwright.py"):
        (workspace / name).write_text("raise SystemExit('shadowed')")
    agent: Agent = Scripted({"script": str(script)})
    assert agent.available().installed
    for iteration, words in ((1, "first"), (2, "second"), (3, "second")):
        briefing = _briefing(workspace, iteration)
        launch, stream = agent.launch(briefing), agent.stream(briefing)
        done = subprocess.run(launch.argv, env=dict(launch.environment), cwd=workspace, capture_output=True, text=True)
        events = [event for line in done.stdout.splitlines() for event in stream.feed(line)]
        outcome = stream.outcome(done.returncode, done.stderr)
        assert (outcome.ending, outcome.output) == (Ending.FINISHED, words)
        assert EventKind.RAW not in {event.kind for event in events}
        assert (outcome.usage.total, outcome.cost_usd) == ((1050, 0.25) if iteration == 1 else (0, 0.0))
    assert (workspace / "a.txt").read_text() == "two"


def test_the_script_is_relative_to_where_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is resolved when the agent is made, not in the workspace."""
    (tmp_path / "s.toml").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    agent = Scripted({"script": "s.toml"})
    monkeypatch.chdir("/")
    assert agent.available().installed
    assert agent.launch(_briefing(tmp_path)).argv[-1] == str(tmp_path / "s.toml")


def test_a_missing_script_is_reported(tmp_path: Path) -> None:
    """A script that is not there makes the agent unavailable, and the hint names it."""
    availability = Scripted({"script": tmp_path / "none.toml"}).available()
    assert not availability.installed
    assert "none.toml" in availability.hint


@pytest.mark.parametrize("options", [{}, {"script": ""}, {"script": 3}])
def test_no_script_is_refused(options: dict[str, object]) -> None:
    """Without a script there is no agent."""
    with pytest.raises(AgentError):
        Scripted(options)


def test_the_model_is_reported_as_given(tmp_path: Path) -> None:
    """A model that is asked for is handed on, so that runs can be told apart by it."""
    briefing = Briefing("prompt", tmp_path / "p", tmp_path, 1, Profile(model="toy"))
    assert Scripted({"script": "x.toml"}).launch(briefing).environment["LOOPWRIGHT_MODEL"] == "toy"


def test_it_is_never_picked_by_itself() -> None:
    """A toy is only used where somebody named it."""
    assert Scripted.automatic is False
