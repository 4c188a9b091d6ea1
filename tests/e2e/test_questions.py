"""The real Claude Code as a model that answers questions: `agent_cli:claude_code`."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.anthropic import fails, in_turn, says, uses
from e2e.conftest import Claude
from loopwright.errors import ModelError
from loopwright.models.agent_cli import AgentCli
from models.marks import QUESTION, Mark


def test_it_answers_in_the_shape_asked_for(claude: Claude) -> None:
    """It has one tool, to answer with; our words alone are its system prompt, and what it cost is told."""
    claude.server.script = in_turn(uses("StructuredOutput", value=5, reason="so so"))
    reply = AgentCli("claude_code/claude-haiku-4-5", 60).ask(QUESTION)
    assert (reply.answer, reply.model) == (Mark(value=5, reason="so so"), "claude-haiku-4-5")
    assert reply.cost_usd and reply.usage.total
    asked = claude.server.requests[0]
    assert asked.tools == {"StructuredOutput"}
    assert "Be strict." in asked.system and "What is it worth?" in asked.text


def test_it_leaves_no_session(claude: Claude, own_home: Path) -> None:
    """A question is no session: a scan does not find it."""
    claude.server.script = in_turn(uses("StructuredOutput", value=5, reason="so so"))
    AgentCli("claude_code", 60).ask(QUESTION)
    assert list(own_home.rglob("*.jsonl")) == []


def test_no_answer_is_an_error(claude: Claude) -> None:
    """Words instead of the shape, and a server that refuses, are errors that say so."""
    claude.server.script = lambda _: says("no idea")
    with pytest.raises(ModelError, match="does not fit"):
        AgentCli("claude_code", 60).ask(QUESTION)
    claude.server.script = lambda _: fails(401, "authentication_error", "no such key")
    with pytest.raises(ModelError, match="401 no such key"):
        AgentCli("claude_code", 60).ask(QUESTION)
