"""An agent and a briefing -> its events and its outcome: started as a run would, and read to its end."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from loopwright.ports import Agent, Briefing, Outcome
from loopwright.records.event import Event


def play(agent: Agent, briefing: Briefing, environment: Mapping[str, str]) -> tuple[list[Event], Outcome]:
    """Let an agent that reads its prompt from stdin have one go in its workspace, without a sandbox."""
    launch, stream = agent.launch(briefing), agent.stream(briefing)
    for name, content in launch.files.items():
        (briefing.workspace / name).parent.mkdir(exist_ok=True)
        (briefing.workspace / name).write_text(content)
    assert launch.stdin is not None
    env = {**environment, "PWD": str(briefing.workspace), **launch.environment}
    with launch.stdin.open() as stdin:
        done = subprocess.run(
            launch.argv, stdin=stdin, capture_output=True, text=True, cwd=briefing.workspace, env=env, timeout=120
        )
    events = [event for line in done.stdout.splitlines() for event in stream.feed(line)]
    return events, stream.outcome(done.returncode, done.stderr)


def stand_in(folder: Path, name: str, version: str) -> str:
    """Make a program that does nothing but tell its version."""
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{version}'\n")
    program.chmod(0o755)
    return str(program)
