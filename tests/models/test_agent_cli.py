"""A model behind an installed agent, here a script that prints what Claude Code prints; the real one is in e2e."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from loopwright.errors import ModelError, UnknownName
from loopwright.models.agent_cli import AgentCli
from loopwright.records.budget import Usage
from models.marks import QUESTION, Mark

DONE = {
    "is_error": False,
    "structured_output": {"value": 10, "reason": "right"},
    "total_cost_usd": 0.01,
    "usage": {"input_tokens": 7, "output_tokens": 3},
    "modelUsage": {"claude-haiku": {}},
}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the place of a `claude` on the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "claude"


def write(program: Path, *lines: str) -> None:
    program.write_text("\n".join(["#!/bin/sh", *lines]))
    program.chmod(0o755)


def test_the_answer_is_what_the_agent_gave(program: Path, tmp_path: Path) -> None:
    """It gets the question on stdin, works in a folder of its own without tools, and its cost is told."""
    write(
        program,
        f"cat > {tmp_path}/asked; pwd > {tmp_path}/where; printf '%s\n' \"$@\" > {tmp_path}/how",
        f"echo '{json.dumps(DONE)}'",
    )
    reply = AgentCli("claude_code/haiku", 10).ask(QUESTION)
    assert reply.answer == Mark(value=10, reason="right")
    assert (reply.usage, reply.cost_usd, reply.model) == (Usage(7, 3), 0.01, "claude-haiku")
    assert (tmp_path / "asked").read_text() == QUESTION.prompt
    assert not Path((tmp_path / "where").read_text().strip()).exists()
    how = (tmp_path / "how").read_text().splitlines()
    assert {"--no-session-persistence", "--json-schema", "--strict-mcp-config", "Be strict.", "haiku", "0.05"} <= set(
        how
    )
    assert how[how.index("--tools") + 1] == ""


def test_an_answer_in_words_is_read_as_well(program: Path) -> None:
    """Where the agent has no answer of the shape, JSON in its words counts."""
    write(program, 'echo \'{"is_error": false, "result": "{\\"value\\": 0, \\"reason\\": \\"x\\"}"}\'')
    assert AgentCli("claude_code", 10).ask(QUESTION).answer == Mark(value=0, reason="x")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["echo oh no >&2; exit 1"], "can't be asked: oh no"),
        (['echo \'{"is_error": true, "result": "not logged in"}\''], "can't be asked: not logged in"),
        (['echo \'{"is_error": false, "result": "fine"}\''], "answered twice with what does not fit"),
        (["exit 0"], "it said nothing"),
        (["sleep 30"], "gave no answer within 1 s"),
    ],
)
def test_what_is_no_answer_is_an_error(program: Path, lines: list[str], words: str) -> None:
    """An agent that fails, says nothing, is late or answers with something else is an error in words."""
    write(program, *lines)
    with pytest.raises(ModelError, match=words):
        AgentCli("claude_code", 1 if "sleep" in lines[0] else 10).ask(QUESTION)


def test_one_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An agent that can't answer is unknown; one that is not installed comes with the way to install it."""
    with pytest.raises(UnknownName, match="`telepathy`"):
        AgentCli("telepathy")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ModelError, match="not installed"):
        AgentCli("claude_code")
