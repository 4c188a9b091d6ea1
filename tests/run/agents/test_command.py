"""The agent `command`: any program, run for real."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from loopwright.errors import AgentError
from loopwright.ports import Briefing, Outcome
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.command import Command
from playing import play


def _briefing(folder: Path, model: str = "") -> Briefing:
    prompt = folder / "prompt.md"
    prompt.write_text("Make it pass.\nPlease.\n")
    return Briefing("Make it pass.\nPlease.\n", prompt, folder, iteration=2, profile=Profile(model=model))


def _work(folder: Path, options: Mapping[str, Any], model: str = "") -> tuple[list[Event], Outcome]:
    """Start it as a run would, and read it to its end."""
    return play(Command(options), _briefing(folder, model), {"PATH": os.environ["PATH"]})


def test_the_prompt_comes_on_stdin_and_as_a_file(tmp_path: Path) -> None:
    """A program can read the prompt from stdin or from the file that its environment names."""
    events, outcome = _work(tmp_path, {"command": 'cat - "$LOOPWRIGHT_PROMPT_FILE"', "shell": True})
    assert [event.text for event in events] == ["Make it pass.", "Please."] * 2
    assert {event.kind for event in events} == {EventKind.MESSAGE}
    assert outcome.output == "Make it pass.\nPlease.\nMake it pass.\nPlease."
    assert outcome.ending is Ending.FINISHED


def test_the_environment_tells_iteration_and_model(tmp_path: Path) -> None:
    """The iteration is always told, the model where one is set."""
    options = {"command": 'echo "$LOOPWRIGHT_ITERATION ${LOOPWRIGHT_MODEL-none}"', "shell": True}
    assert _work(tmp_path, options)[1].output == "2 none"
    assert _work(tmp_path, options, model="opus")[1].output == "2 opus"


def test_without_a_shell_nothing_is_expanded(tmp_path: Path) -> None:
    """Text is split into arguments and its words mean themselves."""
    assert _work(tmp_path, {"command": "echo 'a  b;' $HOME *"})[1].output == "a  b; $HOME *"


@pytest.mark.parametrize("command", ["bash fix.sh > log", "a && b", "a|b", "a; b"])
def test_what_only_a_shell_can_do_is_refused(command: str) -> None:
    """No shell reads the command: its signs would reach the program as words, which nobody means."""
    with pytest.raises(AgentError, match="no shell reads it") as caught:
        Command({"command": command})
    assert "script" in caught.value.hint
    Command({"command": command, "shell": True})


@pytest.mark.parametrize("shell", [False, True])
def test_a_list_is_taken_as_it_is(tmp_path: Path, shell: bool) -> None:
    """The words of a list reach the program unchanged, also through a shell."""
    argv = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", "$HOME", ""]
    assert _work(tmp_path, {"command": argv, "shell": shell})[1].output == "['a b', '$HOME', '']"


def test_a_program_of_the_workspace_is_found(tmp_path: Path) -> None:
    """A relative path names a file of the workspace; whether it is there can't be known before."""
    (tmp_path / "fix.sh").write_text("#!/bin/sh\necho fixed > done.txt\n")
    (tmp_path / "fix.sh").chmod(0o755)
    assert Command({"command": "./fix.sh"}).available().installed
    assert _work(tmp_path, {"command": "./fix.sh"})[1].ending is Ending.FINISHED
    assert (tmp_path / "done.txt").read_text() == "fixed\n"


def test_a_failing_program_says_why(tmp_path: Path) -> None:
    """A non-zero exit is an error, with the last line of stderr."""
    outcome = _work(tmp_path, {"command": "echo trying; echo a >&2; echo broken >&2; exit 3", "shell": True})[1]
    assert (outcome.ending, outcome.detail, outcome.output) == (Ending.ERROR, "exit code 3: broken", "trying")


def test_a_program_may_speak_stream_json(tmp_path: Path) -> None:
    """The recording of a real agent, printed by a program, gives its calls, tokens and cost."""
    recording = Path(__file__).parents[2] / "golden" / "claude" / "claude_tools_allowed.jsonl"
    events, outcome = _work(tmp_path, {"command": ["cat", str(recording)]})
    assert sum(event.kind is EventKind.TOOL_CALL for event in events) == 8
    assert outcome.usage.output == 188
    assert outcome.cost_usd == pytest.approx(0.01596)
    assert (outcome.model, outcome.output) == ("claude-sonnet-4-5", "Done: created and edited hello.txt.")


@pytest.mark.parametrize("options", [{}, {"command": ""}, {"command": " ", "shell": True}, {"command": []}])
def test_a_missing_command_is_refused(options: dict[str, Any]) -> None:
    """Without a command there is no agent, and the hint shows how to give one."""
    with pytest.raises(AgentError) as caught:
        Command(options)
    assert '--agent-command "bash fix.sh"' in caught.value.hint


@pytest.mark.parametrize("command", ["echo 'a", ["echo", 3], 3, [""]])
def test_a_malformed_command_is_refused(command: object) -> None:
    """An open quote or what is no text is refused when the agent is made, not when it is started."""
    with pytest.raises(AgentError):
        Command({"command": command})


@pytest.mark.parametrize(
    ("command", "installed"),
    [("sh -c true", True), ("/bin/sh", True), ("/no/such/program", False), ("no-such-program-anywhere x", False)],
)
def test_what_is_not_installed_is_reported(command: str, installed: bool) -> None:
    """A program that is not found is reported by name with what to do."""
    availability = Command({"command": command}).available()
    assert availability.installed is installed
    assert (command.split()[0] in availability.hint) is not installed


def test_it_is_never_picked_by_itself() -> None:
    """Nobody gets a program run as an agent without having named it."""
    assert Command.automatic is False
