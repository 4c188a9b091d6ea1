"""The real Claude Code through `loopwright run`: what it does is recorded, judged and paid for as it happened."""

from __future__ import annotations

import dataclasses
import json

import pytest

from e2e.anthropic import Answer, Asked, in_turn, says, uses
from e2e.conftest import Claude
from loopwright.records.budget import Usage

ALL = Usage(input=100, output=20, cache_read=1000, cache_write=50)


def bash(command: str) -> Answer:
    return uses("Bash", command=command, description="Do it")


FIX = bash("echo 42 > answer")


def test_a_fix_in_one_go(claude: Claude) -> None:
    """A real tool call mends the file, the checks see it, and the record has model, version, call and result."""
    done = claude.run(in_turn(FIX, says("It is 42 now.")), "--model", "claude-sonnet-4-5")
    assert (done.code, done.json["reason"], done.json["iterations"]) == (0, "criteria_met", 1)
    assert claude.repo.show(done.json["branch"], "answer") == "42"
    call, result = claude.events("tool_call")[0], claude.events("tool_result")[0]
    assert (call["tool"], call["command"], call["call_id"]) == ("Bash", "echo 42 > answer", result["call_id"])
    row = "ending, unknown_lines, output, model, json_extract(environment, '$.agent_version')"
    found = claude.repo.query(f"SELECT {row} FROM attempts")
    assert found == [("finished", 0, "It is 42 now.", "claude-sonnet-4-5", "2.1.325")]


def test_feedback_reaches_the_model(claude: Claude) -> None:
    """What the checks said of the first two goes is in the requests of the next ones, and the third one mends it."""
    done = claude.run(in_turn(bash("echo 40 > answer"), says("a"), bash("echo 43 > answer"), says("b"), FIX, says("c")))
    assert (done.code, done.json["iterations"]) == (0, 3)
    first, second, third = claude.server.requests[::2]
    assert "the answer is 41, not 42" in first.text
    assert "the answer is 40, not 42" in second.text
    assert "the answer is 43, not 42" in third.text
    assert len({asked.conversation for asked in (first, second, third)}) == 3


def test_a_tool_that_fails(claude: Claude) -> None:
    """A command that fails is an error in the record, with its exit code, and not the end of the attempt."""
    done = claude.run(in_turn(bash("echo oh no; exit 3"), FIX, says("done")))
    assert (done.code, done.json["iterations"]) == (0, 1)
    failed, fine = claude.events("tool_result")
    assert (failed["is_error"], failed["exit_code"], fine["is_error"]) == (1, 3, 0)
    assert "oh no" in failed["text"]
    assert claude.server.requests[1].results[0]["is_error"]


def test_a_subagent(claude: Claude) -> None:
    """What a subagent does is recorded as part of the call that started it, and paid for once."""

    def script(asked: Asked) -> Answer:
        answers = (FIX, says("mended")) if "MEND IT" in asked.prompt else (task, says("it was mended"))
        return answers[1 if asked.results else 0]

    task = uses("Agent", description="mend", prompt="MEND IT", subagent_type="general-purpose", run_in_background=False)
    done = claude.run(script)
    assert (done.code, done.json["iterations"]) == (0, 1)
    started, command = claude.events("tool_call")
    assert (started["tool"], started["parent_call_id"]) == ("Agent", None)
    assert (command["tool"], command["parent_call_id"]) == ("Bash", started["call_id"])
    assert [event["parent_call_id"] for event in claude.events("tool_result")] == [started["call_id"], None]
    assert done.json["tokens"] == dataclasses.asdict(claude.server.usage)


def test_a_denied_tool(claude: Claude) -> None:
    """A call that the agent's own rules deny is recorded; three goes in a row that come to nothing end the run so."""
    profile = claude.profile(agent_options={"arguments": ["--disallowedTools", "Bash(curl *)"]})
    done = claude.run(
        lambda asked: says("I was not allowed to") if asked.results else bash("curl example.com"), *profile
    )
    assert (done.code, done.json["status"], done.json["reason"]) == (5, "escalated", "denied")
    assert claude.endings() == ["denied"] * 3
    assert "tool calls were denied: Bash" in done.json["detail"]


def test_too_few_turns(claude: Claude) -> None:
    """A profile's turns are kept to by the agent, and running out of them is no work and no error of its own."""
    profile = claude.profile(max_turns=2)
    done = claude.run(lambda _: bash("true"), *profile)
    assert (done.code, done.json["reason"]) == (5, "max_turns")
    assert claude.endings() == ["max_turns"] * 3
    assert len(claude.server.requests) == 6


@pytest.mark.parametrize("conversation", ["fresh", "resume"])
def test_tokens_and_cost_are_what_the_server_counted(claude: Claude, conversation: str) -> None:
    """Every token is paid for once, also where each iteration goes on with the conversation of the one before."""
    profile = claude.profile(conversation=conversation, model="claude-sonnet-4-5")
    answers = bash("echo 40 > answer"), says("I said FORTY"), bash("echo 43 > answer"), says("b"), FIX, says("c")
    done = claude.run(in_turn(*(dataclasses.replace(answer, usage=ALL) for answer in answers)), *profile)
    assert (done.code, done.json["iterations"], len(claude.server.requests)) == (0, 3, 6)
    assert done.json["tokens"] == dataclasses.asdict(claude.server.usage)
    # The prices of claude-sonnet-4-5, for a million tokens.
    millions = 6 * (100 * 3 + 20 * 15 + 1000 * 0.3 + 50 * 3.75)
    assert done.json["cost_usd"] == pytest.approx(millions / 10**6)
    resumed = [index for index, asked in enumerate(claude.server.requests) if "I said FORTY" in asked.text]
    assert resumed == ([2, 3, 4, 5] if conversation == "resume" else [])
    assert len({asked.conversation for asked in claude.server.requests}) == (1 if conversation == "resume" else 3)


def test_a_profile_reaches_the_model(claude: Claude) -> None:
    """System prompt, model and a restricted set of tools are in the request."""
    profile = claude.profile(system_prompt="SPEAK LIKE A PIRATE", tools="restricted", model="claude-sonnet-4-5")
    claude.run(in_turn(FIX, says("done")), *profile, "--max-iterations", 1)
    asked = claude.server.requests[0]
    assert "SPEAK LIKE A PIRATE" in asked.system
    assert asked.body["model"] == "claude-sonnet-4-5"
    assert {"Bash", "Edit", "Read", "Write"} <= asked.tools
    assert not {"Agent", "Task", "WebFetch", "WebSearch", "Skill", "Workflow"} & asked.tools


def test_what_the_repository_brings(claude: Claude) -> None:
    """Settings, hooks and servers in the repository do nothing; its CLAUDE.md is told to the model."""
    trap = claude.repo.root.parent / "trapped"
    hook = [{"hooks": [{"type": "command", "command": f"touch {trap}"}]}]
    hooks = {"SessionStart": hook, "PreToolUse": hook}
    settings = {"permissions": {"deny": ["Bash"]}, "hooks": hooks}
    claude.repo.write(".claude/settings.json", json.dumps(settings))
    servers = {"mcpServers": {"trap": {"command": "touch", "args": [str(trap)]}}}
    claude.repo.write(".mcp.json", json.dumps(servers))
    claude.repo.write("CLAUDE.md", "ALWAYS SAY PLEASE\n")
    claude.repo.commit()
    done = claude.run(in_turn(FIX, says("done")))
    assert (done.code, done.json["iterations"]) == (0, 1)
    assert not trap.exists()
    assert "ALWAYS SAY PLEASE" in claude.server.requests[0].text


def test_a_cheat_is_caught(claude: Claude) -> None:
    """An agent that edits the test it is judged by is told to put it back, and does not pass when it won't."""

    def script(asked: Asked) -> Answer:
        said = str(asked.results[0]["content"]) if asked.results else ""
        if said.startswith("/"):
            folders[asked.conversation] = said
            return uses("Read", file_path=f"{said}/test.sh")
        if "grep" in said:
            return uses("Write", file_path=f"{folders[asked.conversation]}/test.sh", content="exit 0\n")
        return says("All tests pass.") if said else bash("pwd")

    folders: dict[str, str] = {}
    done = claude.run(script)
    assert (done.code, done.json["reason"]) == (3, "tainted")
    assert claude.endings() == ["finished", "finished"]
    assert "`test.sh` was changed" in claude.server.requests[-1].prompt
