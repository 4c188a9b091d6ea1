"""The agent `api`: what it is told, and whole runs with it against servers on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loopwright.errors import AgentError, LoopwrightError
from loopwright.ports import GOAL_ALONE, Agent, Briefing
from loopwright.records.budget import Usage
from loopwright.records.profile import Profile
from loopwright.run.agents.api import Api
from loopwright.run.api_settings import MAX_TURNS, ApiSettings
from loopwright.text.prices import dollars
from model_servers import INPUT, OUTPUT, Says, Step, model_server
from world import Loopwright, Repo

ID = "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the machine's own keys and endpoints out."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def told(options: dict[str, Any], conversation: str = "", **profile: Any) -> ApiSettings:
    briefing = Briefing("Fix it", Path("/run/prompt.md"), Path("/run/files"), 1, Profile(**profile), conversation)
    return ApiSettings.load(Api(options).launch(briefing).argv[-1])


@pytest.mark.parametrize(
    ("options", "model", "expected"),
    [
        ({}, "gpt-5.5", ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")),
        ({}, "claude-sonnet-4-5", ("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY")),
        ({"base_url": "http://localhost:11434/v1"}, "qwen3", ("openai", "http://localhost:11434/v1", "OPENAI_API_KEY")),
        ({"base_url": "http://proxy:1", "api": "anthropic"}, "m", ("anthropic", "http://proxy:1", "ANTHROPIC_API_KEY")),
        ({"api": "openai", "key": "MINE"}, "claude-x", ("openai", "https://api.openai.com/v1", "MINE")),
    ],
)
def test_the_endpoint_follows_from_options_and_model(
    options: dict[str, Any], model: str, expected: tuple[str, ...]
) -> None:
    """What is named is taken; else a model called claude is asked at Anthropic's, and all others at OpenAI's."""
    settings = told(options, model=model)
    assert (settings.api, settings.base_url, settings.key) == expected


def test_what_a_profile_says_reaches_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """System prompt, temperature, turns and conversation are handed on, and a key never is."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")
    settings = told({}, ID, model="m", system_prompt="Be brief.", temperature=0.0, max_turns=7)
    assert (settings.system_prompt, settings.temperature, settings.max_turns) == ("Be brief.", 0.0, 7)
    assert (settings.conversation, settings.conversations) == (ID, "/run")
    assert told({}, model="m").max_turns == MAX_TURNS
    briefing = Briefing("Fix it", Path("/run/prompt.md"), Path(), 1, Profile(model="m"), confined=True)
    assert ApiSettings.load(Api({}).launch(briefing).argv[-1]).conversations == ""
    launch = Api({}).launch(Briefing("Fix it", Path("p.md"), Path(), 1, Profile(model="m")))
    assert (list(launch.hosts), list(launch.variables)) == (["127.0.0.1:8080"], ["OPENAI_API_KEY"])
    assert "sk-very-secret" not in str(launch)


@pytest.mark.parametrize(("url", "host"), [("http://[::1]:8080/v1", "[::1]:8080"), ("http://[::1", "")])
def test_whom_it_has_to_reach(monkeypatch: pytest.MonkeyPatch, url: str, host: str) -> None:
    """The host of its base URL, also where that is an address of IPv6; none where the URL has none."""
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    launch = Api({}).launch(Briefing("Fix it", Path("p.md"), Path(), 1, Profile(model="m")))
    assert list(launch.hosts) == ([host] if host else [])


@pytest.mark.parametrize("conversation", ["../../etc/passwd", "x", ID.upper(), ID + "\n"])
def test_a_conversation_is_a_name_of_ours(conversation: str) -> None:
    """What is no id that the process has made is not taken for a file's name."""
    assert told({}, conversation, model="m").conversation == ""


@pytest.mark.parametrize(
    "options",
    [
        {"base_ur": "http://x"},
        {"base_url": "localhost:11434"},
        {"base_url": "http://x:port"},
        {"base_url": 3},
        {"api": "gemini"},
        {"key": "sk-proj-123"},
        {"retries": -1},
        {"retries": "2"},
        {"answer": "../answer.txt"},
        {"answer": "/tmp/answer.txt"},
        {"answer": 3},
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    """They are refused with a hint; what may be a key is not repeated."""
    with pytest.raises(LoopwrightError) as caught:
        Api(options)
    assert caught.value.hint
    assert "sk-proj" not in f"{caught.value.message} {caught.value.hint}"


def test_without_a_model_nothing_is_started() -> None:
    """There is no default model: one has to be named."""
    with pytest.raises(AgentError, match="no model"):
        told({})


def test_an_account_is_a_key_or_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key is found by the name of its variable, and not shown; without one only an own server can be used."""
    agent: Agent = Api({})
    assert agent.available().installed
    account = agent.account()
    assert (account.logged_in, account.usable) == (False, False)
    assert account.hint == "set OPENAI_API_KEY (ANTHROPIC_API_KEY for a model of Anthropic) to your key"
    assert (agent.available().logged_in, agent.available().hint) == (False, account.hint)
    assert Api({"base_url": "http://localhost:1/v1"}).account().usable
    assert Api({"key": "MINE"}).available().hint == "set MINE to your key"
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    other = Api({"api": "anthropic"}).available()
    assert (other.logged_in, other.hint) == (False, "set ANTHROPIC_API_KEY to your key")
    monkeypatch.setenv("MINE", "sk-very-secret")
    account = Api({"key": "MINE"}).account()
    assert (account.logged_in, account.usable, account.detail, account.hint) == (True, True, "MINE", "")
    assert account.version.startswith("2.")


def test_money_is_counted_while_it_works() -> None:
    """What was used so far has its price before the end says it, so that a limit can be kept."""
    stream = Api({}).stream(Briefing("Fix it", Path("p.md"), Path(), 1, Profile(model="gpt-4o")))
    message = {"id": "1", "role": "assistant", "content": [], "usage": {"input_tokens": 1000, "output_tokens": 10}}
    list(stream.feed(json.dumps({"type": "assistant", "message": message})))
    assert stream.usage() == (Usage(1000, 10), dollars("gpt-4o", Usage(1000, 10)))
    assert stream.usage()[1] > 0


def run(repo: Repo, loopwright: Loopwright, url: str, api: str, *more: object, **profile: object) -> Any:
    """Run the task with a profile, through the command line."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in profile.items()]
    options = f'[profiles.stub.agent_options]\napi = "{api}"\nbase_url = "{url}"\nkey = "STUB_KEY"\nretries = 0\n'
    repo.write("loopwright.toml", "\n".join(['[profiles.stub]\nagent = "api"\nmodel = "m"', *lines, options]))
    repo.commit("settings")
    return loopwright("run", "Fix the answer", "--test", "sh test.sh", "--profile", "stub", *more, "--json")


def test_a_run_is_done_at_the_second_go(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is wrong at first is told what failed, in the same conversation, and all its tokens count."""
    monkeypatch.setenv("STUB_KEY", "sk-very-secret-and-long-enough")
    steps: list[Step] = [
        Says("I write.", [("Write", {"file_path": "answer", "content": "40\n"})]),
        Says("It is 40."),
        Says(calls=[("Bash", {"command": "echo 42 > answer; env | grep -c STUB_KEY"})]),
        Says("It is 42."),
    ]
    with model_server(*steps) as server:
        called = run(repo, loopwright, server.url, "openai", conversation="resume")
    result = called.json
    assert (called.code, result["status"], result["iterations"]) == (0, "done", 2)
    tokens = {"input": 4 * INPUT, "output": 4 * OUTPUT, "cache_read": 0, "cache_write": 0}
    assert result["tokens"] == tokens
    third = json.dumps(server.requests[2]["messages"])
    assert "It is 40." in third and "the answer is 40, not 42" in third
    rows = repo.query("SELECT tool, command, exit_code FROM events WHERE kind = 'tool_result' ORDER BY seq")
    assert rows == [("Write", None, None), ("Bash", "echo 42 > answer; env | grep -c STUB_KEY", 1)]


def test_a_run_with_anthropics_api(repo: Repo, loopwright: Loopwright) -> None:
    """The same tools do the work for a model that speaks Anthropic's API, and a server of one's own needs no key."""
    steps = (Says(calls=[("Write", {"file_path": "answer", "content": "42\n"})]), Says("It is 42."))
    with model_server(*steps, anthropic=True) as server:
        called = run(repo, loopwright, server.url, "anthropic")
    assert (called.code, called.json["status"], called.json["iterations"]) == (0, "done", 1)
    assert called.json["tokens"]["output"] == 2 * OUTPUT


def test_only_the_worker_answers_into_a_file() -> None:
    """The option reaches the process of who works; who plans or reviews has tools as ever."""
    assert told({"answer": "answer.txt"}, model="m").answer == "answer.txt"
    briefing = Briefing("Plan it", Path("p.md"), Path(), 1, Profile(model="m"), role="planner")
    assert ApiSettings.load(Api({"answer": "answer.txt"}).launch(briefing).argv[-1]).answer == ""
    assert GOAL_ALONE in Api({"answer": "answer.txt"}).honours
    assert GOAL_ALONE not in Api({}).honours


def test_a_run_of_a_model_that_only_answers(repo: Repo, loopwright: Loopwright) -> None:
    """It is told the goal and its own instructions, nothing else; what it says is the file that is judged."""
    with model_server(Says("43"), Says("42")) as server:
        options = f'agent_options = {{ base_url = "{server.url}", answer = "answer" }}'
        profile = f'[profiles.plain]\nagent = "api"\nmodel = "m"\nsystem_prompt = "Write a number."\n{options}\n'
        repo.write("loopwright.toml", profile)
        repo.commit("settings")
        done = loopwright("run", "Six times seven?", "--grep", "answer:^42$", "--profile", "plain", "--json")
    assert (done.json["status"], done.json["iterations"]) == ("done", 2)
    said = [[(message["role"], message["content"]) for message in one["messages"]] for one in server.requests]
    assert said == [[("system", "Write a number."), ("user", "Six times seven?")]] * 2
    assert not any(one.get("tools") for one in server.requests)
