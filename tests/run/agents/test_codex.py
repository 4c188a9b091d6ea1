"""The agent `codex`, over every recording of it and over whatever else may come."""

from __future__ import annotations

import itertools
import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.errors import AgentError
from loopwright.ports import Briefing, Outcome
from loopwright.records.budget import Usage
from loopwright.records.event import Event, EventKind
from loopwright.records.profile import Profile
from loopwright.records.run import Ending
from loopwright.run.agents.codex import Codex, CodexStream
from loopwright.run.codex_rollout import Rollout
from loopwright.text.prices import dollars
from recordings import cases, recorded, replay

LINES = [line for name in cases("codex") for line in recorded(name)]
NOWHERE = Rollout(Path("/nonexistent"))

ONE, TWO, TOOLS = Usage(60, 20, 40), Usage(130, 41, 80), Usage(760, 188, 320)
ENDINGS = {
    "codex_badjson": (Ending.UNAVAILABLE, Usage(), "stream disconnected before completion"),
    "codex_cutoff": (Ending.UNAVAILABLE, Usage(), "network error"),
    "codex_err400": (Ending.ERROR, Usage(), "exit code 1: stub says 400"),
    "codex_err401": (Ending.NO_ACCESS, Usage(), "401 Unauthorized"),
    "codex_err429": (Ending.UNAVAILABLE, Usage(), "429 Too Many Requests"),
    "codex_err500": (Ending.UNAVAILABLE, Usage(), "high demand"),
    "codex_failed": (Ending.UNAVAILABLE, Usage(), "stub response.failed"),
    "codex_flaky": (Ending.FINISHED, ONE, ""),
    "codex_hello": (Ending.FINISHED, ONE, ""),
    "codex_outside_ws2": (Ending.FINISHED, TWO, ""),
    "codex_outside_ws3": (Ending.FINISHED, TWO, ""),
    "codex_par": (Ending.FINISHED, TWO, ""),
    "codex_resume": (Ending.FINISHED, Usage(820, 208, 360), ""),
    "codex_resume_missing": (Ending.ERROR, Usage(), "no rollout found for thread id"),
    "codex_sigint": (Ending.ERROR, Usage(), "exit code 1"),
    "codex_sigterm": (Ending.ERROR, Usage(), "exit code 143: it ended without a result"),
    "codex_tools_bypass": (Ending.FINISHED, TOOLS, ""),
    "codex_tools_danger": (Ending.FINISHED, TOOLS, ""),
    "codex_tools_ro": (Ending.DENIED, TOOLS, "tool calls were denied: apply_patch"),
    "codex_tools_ws2": (Ending.FINISHED, TOOLS, ""),
}


def play(name: str, used: Usage = Usage(), model: str = "gpt-5.5") -> tuple[list[Event], Outcome]:
    """Read a recording to its end, as a run would."""
    return replay(CodexStream(NOWHERE, used, model), name)


def kinds(events: list[Event]) -> list[str]:
    return [str(event.kind) for event in events]


def test_every_recording_is_judged() -> None:
    """No recording is without an expectation, and none is expected that is not there."""
    assert set(ENDINGS) == set(cases("codex"))


@pytest.mark.parametrize("name", sorted(ENDINGS))
def test_a_recording_ends_as_it_did(name: str) -> None:
    """Ending, tokens and words of a recording are those that happened, and no line of it is unknown."""
    events, outcome = play(name)
    ending, usage, detail = ENDINGS[name]
    assert (outcome.ending, outcome.usage) == (ending, usage)
    assert detail in outcome.detail
    assert bool(outcome.detail) == bool(detail)
    assert EventKind.RAW not in kinds(events)
    assert outcome.cost_usd == dollars("gpt-5.5", usage)


def test_tools_become_calls_and_results() -> None:
    """A thought, words, patches and commands come in order, each result joined to its call, a failing one an error."""
    events, outcome = play("codex_tools_danger")
    assert kinds(events) == [
        *("system", "thinking", "message"),
        *("tool_call", "tool_result") * 4,
        *("message", "usage", "result"),
    ]
    calls = [event for event in events if event.kind is EventKind.TOOL_CALL]
    results = [event for event in events if event.kind is EventKind.TOOL_RESULT]
    assert [event.call_id for event in calls] == [event.call_id for event in results]
    assert [event.tool for event in results] == ["apply_patch", "shell", "apply_patch", "shell"]
    assert [event.data.get("kind") for event in results] == ["add", None, "update", None]
    assert results[0].path == "/workspace/codex_tools_danger/hello.txt"
    assert [event.exit_code for event in results] == [None, 0, None, 3]
    assert [event.is_error for event in results] == [False, False, False, True]
    assert (results[3].command, results[3].text) == ("echo to-stderr >&2; exit 3", "to-stderr\n")
    assert all(event.duration_s is not None for event in results)
    assert outcome.output == "Done: created and edited hello.txt."
    assert outcome.conversation == "01a1de03-e7ad-7ae2-82cb-3f3e222b6c5c"


def test_a_retry_is_not_the_end() -> None:
    """A lost connection that came back is a retry in the record, with its number, and no error."""
    events, outcome = play("codex_flaky")
    (again,) = [event for event in events if event.kind is EventKind.RETRY]
    assert (again.data["attempt"], again.data["max_retries"]) == (1, 1)
    assert "503 Service Unavailable" in again.data["error"]
    assert outcome.ending is Ending.FINISHED


def test_a_retry_that_is_slept_through_is_a_model_out_of_reach() -> None:
    """Who is ended while it waits for the server was kept from working by the server."""
    stream = CodexStream(NOWHERE)
    stream.feed(
        '{"type":"error","message":"Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)"}'
    )
    assert stream.outcome(-15, "").ending is Ending.UNAVAILABLE


def test_a_warning_is_no_failure() -> None:
    """An item that only warns is told, and the attempt has finished all the same."""
    events, outcome = play("codex_hello")
    assert [event.data.get("subtype") for event in events[:2]] == ["init", "warning"]
    assert outcome.ending is Ending.FINISHED


def test_a_conversation_is_counted_once() -> None:
    """What earlier attempts have used of a conversation is not counted again."""
    _, before = play("codex_tools_bypass")
    _, after = play("codex_resume", before.usage)
    assert before.conversation == after.conversation
    assert after.usage == ONE
    assert after.cost_usd == dollars("gpt-5.5", ONE)


def test_a_cost_that_is_not_known_is_said_once() -> None:
    """Without a price there is a note, once, and the usage has no cost."""
    events, outcome = play("codex_tools_ws2", model="nobody-knows")
    notes = [event.text for event in events if event.kind is EventKind.NOTE]
    assert len(notes) == 1
    assert "`nobody-knows`" in notes[0]
    (usage,) = [event for event in events if event.kind is EventKind.USAGE]
    assert usage.data["cost_usd"] is None
    assert (outcome.cost_usd, outcome.usage) == (0, TOOLS)


def test_the_rollout_tells_what_the_stream_does_not(tmp_path: Path) -> None:
    """Who is ended in the middle has a model, a version and tokens from the conversation's own file."""
    name = "01a1de04-8ba6-7931-a77f-f7898b723672"
    folder = tmp_path / "sessions" / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    usage = {"input_tokens": 150, "cached_input_tokens": 50, "output_tokens": 20}
    lines: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"cli_version": "0.166.0"}},
        {"type": "turn_context", "payload": {"model": "gpt-5.5"}},
        {"type": "token_usage_record", "payload": {"thread_token_usage": usage}},
    ]
    (folder / f"rollout-2026-11-15T07-03-28-{name}.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines)
    )
    stream = CodexStream(Rollout(tmp_path), Usage(30))
    for line in recorded("codex_sigterm"):
        list(stream.feed(line))
    assert stream.usage() == (Usage(70, 20, 50), pytest.approx(dollars("gpt-5.5", Usage(70, 20, 50))))
    outcome = stream.outcome(143, "")
    assert (outcome.model, outcome.version, outcome.usage) == ("gpt-5.5", "0.166.0", Usage(70, 20, 50))


@pytest.mark.parametrize(
    ("said", "ending", "over_limit"),
    [
        ("Incomplete response returned, reason: content_filter", Ending.REFUSED, False),
        ("Invalid prompt: we've limited access to this content for safety reasons.", Ending.REFUSED, False),
        ("This content was flagged for possible cybersecurity risk.", Ending.REFUSED, False),
        ("Codex ran out of room in the model's context window. Start a new thread.", Ending.ERROR, True),
        ("You've hit your usage limit. Upgrade to Pro, or try again in 3 hours 5 minutes.", Ending.UNAVAILABLE, False),
        ("Your access token could not be refreshed. Please log out and sign in again.", Ending.NO_ACCESS, False),
        ("Connection failed: error sending request", Ending.UNAVAILABLE, False),
        ("Quota exceeded. Check your plan and billing details.", Ending.NO_ACCESS, False),
    ],
)
def test_a_failed_turn_says_why(said: str, ending: Ending, over_limit: bool) -> None:
    """The words of a turn that failed become the ending that they mean."""
    stream = CodexStream(NOWHERE)
    (event,) = stream.feed(json.dumps({"type": "turn.failed", "error": {"message": said}}))
    outcome = stream.outcome(1, "")
    assert (event.kind, event.is_error) == (EventKind.RESULT, True)
    assert (outcome.ending, outcome.over_limit) == (ending, over_limit)
    assert bool(outcome.retry_at) == ("try again in" in said)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
KINDS = [
    *("agent_message", "reasoning", "command_execution", "file_change", "mcp_tool_call", "todo_list", "error"),
    *("web_search", "collab_tool_call", "new"),
]
ITEMS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(KINDS) | VALUES,
        **dict.fromkeys(("id", "text", "command", "changes", "items", "status", "exit_code", "result"), VALUES),
        "aggregated_output": VALUES,
    },
)
STRANGE = st.fixed_dictionaries(
    {"type": st.sampled_from([json.loads(line)["type"] for line in LINES] + ["item.updated", "x"]) | VALUES},
    optional={"item": ITEMS | VALUES, "usage": VALUES, "message": VALUES, "error": VALUES, "thread_id": VALUES},
)


@settings(deadline=None)  # the first price that is asked for loads the list
@given(
    st.lists(STRANGE.map(json.dumps) | st.text() | st.sampled_from(LINES), max_size=8), st.none() | st.integers(-9, 9)
)
def test_no_line_breaks_it(lines: list[str], exit_code: int | None) -> None:
    """Whatever comes, there are events that a store can hold, and an outcome."""
    stream = CodexStream(NOWHERE, Usage(5), "gpt-5.5")
    events = [event for line in lines for event in stream.feed(line)]
    assert all(isinstance(event.kind, EventKind) and "\x00" not in event.text for event in events)
    json.dumps([event.data for event in events])
    outcome = stream.outcome(exit_code, "\n".join(lines))
    assert outcome.ending is Ending.FINISHED or outcome.detail
    assert min(vars(outcome.usage).values()) >= 0


# How it is started.


def settings_of(argv: list[str]) -> dict[str, Any]:
    """Read what was given with -c back, as Codex does."""
    given = [word for before, word in itertools.pairwise(argv) if before == "-c"]
    return {word.partition("=")[0]: tomllib.loads(f"value = {word.partition('=')[2]}")["value"] for word in given}


def brief(folder: Path, **profile: Any) -> Briefing:
    prompt = folder / "prompt.md"
    prompt.write_text("Fix it")
    return Briefing("Fix it", prompt, folder / "files", 1, Profile(**profile))


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("nobody")
def test_without_our_sandbox_its_own_is_on(tmp_path: Path) -> None:
    """Not confined, it may write in its workspace only; nothing in it is trusted, and nobody is asked."""
    launch = Codex({}).launch(brief(tmp_path))
    settings = settings_of(list(launch.argv))
    assert settings["sandbox_mode"] == "workspace-write"
    assert settings["sandbox_workspace_write.exclude_slash_tmp"] is True
    assert settings["sandbox_workspace_write.exclude_tmpdir_env_var"] is True
    assert settings["approval_policy"] == "never"
    assert settings["projects"] == {str(tmp_path / "files"): {"trust_level": "untrusted"}}
    assert (launch.argv[-1], launch.stdin) == ("-", tmp_path / "prompt.md")
    assert launch.hosts == ("api.openai.com", "chatgpt.com", "auth.openai.com")
    assert list(launch.login) == [".codex/auth.json", ".codex/config.toml"]


@pytest.mark.usefixtures("nobody")
def test_in_our_sandbox_its_own_is_off(tmp_path: Path) -> None:
    """Confined, it has no sandbox of its own, and still trusts nothing of the repository."""
    files = tmp_path / "files"
    briefing = Briefing("Fix it", tmp_path / "prompt.md", files, 1, confined=True)
    settings = settings_of(list(Codex({}).launch(briefing).argv))
    assert settings["sandbox_mode"] == "danger-full-access"
    assert settings["projects"] == {str(files): {"trust_level": "untrusted"}}


@pytest.mark.usefixtures("nobody")
@given(prompt=st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_system_prompt_arrives_whole(tmp_path_factory: pytest.TempPathFactory, prompt: str) -> None:
    """A system prompt is one value of TOML, whatever signs are in it."""
    argv = Codex({}).launch(brief(tmp_path_factory.getbasetemp(), system_prompt=prompt)).argv
    assert settings_of(list(argv))["developer_instructions"] == prompt


@pytest.mark.usefixtures("nobody")
def test_a_profile_is_told(tmp_path: Path, own_home: Path) -> None:
    """Model, restricted tools and options become arguments; servers of tools of the user's own are off by name."""
    (own_home / ".codex").mkdir()
    (own_home / ".codex" / "config.toml").write_text('[mcp_servers."my server"]\ncommand = "x"\n')
    agent = Codex({"config": {"model_reasoning_effort": "high"}})
    argv = list(agent.launch(brief(tmp_path, model="gpt-5.5", tools="restricted")).argv)
    settings = settings_of(argv)
    assert argv[argv.index("--model") + 1] == "gpt-5.5"
    assert settings["web_search"] == "disabled"
    assert settings["features.multi_agent"] is False
    assert settings["mcp_servers"] == {"my server": {"enabled": False}}
    assert settings["model_reasoning_effort"] == "high"


@pytest.mark.usefixtures("nobody")
def test_a_conversation_is_gone_on_with(tmp_path: Path) -> None:
    """Resuming names the conversation before the prompt."""
    briefing = Briefing("Fix it", tmp_path / "prompt.md", tmp_path, 2, conversation="01a1")
    argv = list(Codex({}).launch(briefing).argv)
    assert argv[1:3] == ["exec", "resume"]
    assert argv[-2:] == ["01a1", "-"]


@pytest.mark.usefixtures("nobody")
def test_a_base_url_replaces_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server is the provider and the only host; the key reaches it by a variable and is in no argument."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    launch = Codex({}).launch(brief(tmp_path))
    settings = settings_of(list(launch.argv))
    provider = settings[f"model_providers.{settings['model_provider']}"]
    assert (provider["base_url"], provider["env_key"]) == ("http://127.0.0.1:8080/v1", "CODEX_API_KEY")
    assert launch.environment == {"CODEX_API_KEY": "sk-very-secret"}
    assert "sk-very-secret" not in " ".join(launch.argv)
    assert launch.hosts == ("127.0.0.1:8080",)


def test_options_that_are_no_table_are_refused() -> None:
    """A wrong option is named, with what would be right."""
    with pytest.raises(AgentError) as caught:
        Codex({"config": {"a": [1]}})
    assert "config" in caught.value.message
    assert caught.value.hint


# Who it is.


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give a function that puts a program called codex on the PATH."""

    def put(script: str) -> None:
        program = tmp_path / "bin" / "codex"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{Path(shutil.which('sh') or '').parent}")

    return put


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(
    ("script", "version", "usable", "hint"),
    [
        ("echo codex-cli 0.166.0", "0.166.0", False, "codex login"),
        ("echo codex-cli 0.119.3", "0.119.3", False, "too old"),
        ("echo hello", "", False, "install"),
        ("exit 1", "", False, "install"),
    ],
)
def test_an_account_says_what_is_missing(install: Any, script: str, version: str, usable: bool, hint: str) -> None:
    """What keeps every attempt from working is said before one is made."""
    install(script)
    account = Codex({}).account()
    assert (account.version, account.usable) == (version, usable)
    assert hint in account.hint
    assert Codex({}).available().installed


@pytest.mark.usefixtures("nobody")
def test_a_server_of_ones_own_may_need_no_login(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a login it surely has none, but for another server than the maker's."""
    install("true")
    found = Codex({}).available()
    assert (found.logged_in, "codex login" in found.hint) == (False, True)
    assert Codex({"config": {"model_provider": "ollama"}}).available().logged_in is None
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert Codex({}).available().logged_in is None


@pytest.mark.usefixtures("nobody")
def test_an_account_shows_no_secret(install: Any, own_home: Path) -> None:
    """A login is seen by the file that it left, and nothing of it is told."""
    install("echo codex-cli 0.166.0")
    (own_home / ".codex").mkdir()
    (own_home / ".codex" / "auth.json").write_text('{"OPENAI_API_KEY": "sk-very-secret"}')
    account = Codex({}).account()
    assert (account.logged_in, account.usable, account.hint) == (True, True, "")
    assert "secret" not in str(account)


def test_it_is_missing_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the program there is a hint how to get it, and nobody can use it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "npm install" in Codex({}).available().hint
    assert not Codex({}).account().usable
