"""How Claude Code is found, asked and started; what it does then is in tests/e2e."""

from __future__ import annotations

import dataclasses
import fnmatch
import os
from pathlib import Path

import pytest

from loopwright.errors import AgentError
from loopwright.ports import Briefing, Launch
from loopwright.records.profile import Profile
from loopwright.run.agents.claude_code import OLDEST, ClaudeCode
from world import Loopwright, Repo

NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN")
SWITCHES = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")


@pytest.fixture(autouse=True)
def nobody_logged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the machine's own login out of every test."""
    for name in (*NAMES, *SWITCHES, "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_MAX_RETRIES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a program `claude` that says its version, alone on the PATH."""
    made = tmp_path / "bin" / "claude"
    made.parent.mkdir()
    _says(made, "2.1.325 (Claude Code)")
    monkeypatch.setenv("PATH", str(made.parent))
    return made


def _says(program: Path, words: str, exit_code: int = 0) -> None:
    program.write_text(f"#!/bin/sh\necho '{words}'\nexit {exit_code}\n")
    program.chmod(0o755)


PLAIN = Profile()
PATH = os.environ["PATH"]


def _launch(profile: Profile = PLAIN, *, confined: bool = False, conversation: str = "") -> Launch:
    briefing = Briefing("Fix it", Path("/run/prompt.md"), Path("/run/files"), 1, profile, conversation)
    return ClaudeCode({}).launch(dataclasses.replace(briefing, confined=confined))


def _flag(launch: Launch, name: str) -> str | None:
    return launch.argv[launch.argv.index(name) + 1] if name in launch.argv else None


def test_it_is_looked_for(program: Path) -> None:
    """It is installed where `claude` is on the PATH; else the hint says how to get it."""
    assert ClaudeCode({}).available().installed
    program.unlink()
    missing = ClaudeCode({}).available()
    assert not missing.installed
    assert "npm install" in missing.hint


def test_its_version_is_asked(program: Path) -> None:
    """The version is what it says itself."""
    account = ClaudeCode({}).account()
    assert (account.version, account.usable) == ("2.1.325", True)


@pytest.mark.parametrize(
    ("words", "exit_code", "hint"),
    [
        ("2.1.196 (Claude Code)", 0, "Claude Code 2.1.196 is too old, 2.1.197 is needed: npm install"),
        ("1.0.99 (Claude Code)", 0, "Claude Code 1.0.99 is too old"),
        ("Welcome! Do you accept the terms?", 0, "said `Welcome! Do you accept the terms?` and no version"),
        ("2.1.325 (Claude Code)", 1, "and no version"),
    ],
)
def test_one_that_can_not_be_used_says_why(program: Path, words: str, exit_code: int, hint: str) -> None:
    """Too old, or something else instead of a version: no attempt could work, and the hint has what to do."""
    _says(program, words, exit_code)
    account = ClaudeCode({}).account()
    assert not account.usable
    assert hint in account.hint


def test_one_that_is_gone_says_why(program: Path) -> None:
    """A program that went away since it was looked for can't be used."""
    program.unlink()
    account = ClaudeCode({}).account()
    assert not account.usable
    assert "did not work" in account.hint


def test_the_oldest_is_good_enough(program: Path) -> None:
    """The oldest version that is supported is supported."""
    _says(program, OLDEST)
    assert ClaudeCode({}).account().usable


@pytest.mark.parametrize("name", [*NAMES[:2], NAMES[3], *SWITCHES])
def test_a_variable_is_a_login(program: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A key, a token or a cloud in the environment is a login, named and never shown."""
    monkeypatch.setenv(name, "sk-secret")
    account = ClaudeCode({}).account()
    assert (account.logged_in, account.detail) == (True, f"by {name}")


@pytest.mark.parametrize(
    ("file", "content", "logged_in"),
    [
        (".credentials.json", '{"claudeAiOauth": {"accessToken": "sk-secret"}}', True),
        ("settings.json", '{"apiKeyHelper": "cat sk-secret"}', None),
        ("settings.json", '{"env": {"ANTHROPIC_API_KEY": "sk-secret"}}', True),
        ("settings.json", '{"env": null}', False),
        ("settings.json", "no JSON", False),
        ("settings.json", "[]", False),
    ],
)
def test_a_file_is_a_login(program: Path, own_home: Path, file: str, content: str, logged_in: bool | None) -> None:
    """Credentials or keys in its folder are a login, a helper may be one, and no secret is shown."""
    (own_home / ".claude").mkdir()
    (own_home / ".claude" / file).write_text(content)
    account = ClaudeCode({}).account()
    assert account.logged_in is logged_in
    assert "sk-secret" not in str(account)


def test_its_folder_may_be_elsewhere(program: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The folder that CLAUDE_CONFIG_DIR names is looked at instead of the one at home."""
    (tmp_path / ".credentials.json").touch()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert ClaudeCode({}).account().logged_in
    launch = _launch()
    assert launch.login_places[".claude/.credentials.json"] == tmp_path / ".credentials.json"
    assert not any(fnmatch.fnmatchcase("CLAUDE_CONFIG_DIR", pattern) for pattern in launch.variables)


def test_a_helper_is_told_of(program: Path, own_home: Path) -> None:
    """A program that gives the key is not seen in the sandbox: the account says so, and what to do."""
    (own_home / ".claude").mkdir()
    (own_home / ".claude" / "settings.json").write_text('{"apiKeyHelper": "~/bin/key.sh"}')
    (own_home / ".claude" / ".credentials.json").write_text("{}")
    account = ClaudeCode({}).account()
    assert (account.usable, account.logged_in) == (True, None)
    assert "apiKeyHelper" in account.detail
    assert "in the sandbox that does not work: set ANTHROPIC_API_KEY" in account.hint


def test_a_key_of_the_console_may_be_a_login(program: Path, own_home: Path) -> None:
    """A key that it keeps beside its folder is not seen in the sandbox: it is not sure that it works."""
    (own_home / ".claude.json").write_text('{"primaryApiKey": "sk-secret"}')
    account = ClaudeCode({}).account()
    assert account.logged_in is None
    assert "in the sandbox that does not work" in account.hint and "sk-secret" not in str(account)


def test_no_login_is_told(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing speaks for a login, the hint says how to get one; a server of one's own may need none."""
    for told in (ClaudeCode({}).account(), ClaudeCode({}).available()):
        assert told.logged_in is False
        assert "/login" in told.hint
    assert ClaudeCode({"arguments": ["--settings", "mine.json"]}).available().logged_in is None
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    assert ClaudeCode({}).available().logged_in is None


def test_the_prompt_comes_on_stdin(program: Path) -> None:
    """A prompt may be longer than an argument can be."""
    launch = _launch()
    assert launch.stdin == Path("/run/prompt.md")
    assert not any("Fix it" in word for word in launch.argv)
    assert launch.argv[:5] == [str(program), "-p", "--output-format", "stream-json", "--verbose"]


def test_what_the_repository_brings_is_left_out() -> None:
    """Settings, hooks and servers of the repository are not read, whatever the sandbox; its CLAUDE.md is."""
    for launch in (_launch(), _launch(confined=True)):
        assert _flag(launch, "--setting-sources") == "user"
        assert "--strict-mcp-config" in launch.argv
        assert _flag(launch, "--add-dir") == "/run/files"
        assert launch.environment["CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"] == "1"


def test_without_a_sandbox_it_keeps_its_own_permissions() -> None:
    """Edits outside of the workspace are not accepted; commands are, since nobody is there to ask."""
    launch = _launch()
    assert _flag(launch, "--permission-mode") == "acceptEdits"
    allowed = (_flag(launch, "--allowedTools") or "").split(",")
    assert "Bash" in allowed
    assert not {"Edit", "Write", "Read"} & set(allowed)
    assert "IS_SANDBOX" not in launch.environment


def test_in_a_sandbox_it_asks_nobody() -> None:
    """Our sandbox is around it: its own permissions would only be in the way."""
    launch = _launch(confined=True)
    assert _flag(launch, "--permission-mode") == "bypassPermissions"
    assert launch.environment["IS_SANDBOX"] == "1"


def test_restricted_tools() -> None:
    """Restricted is read, search, edit and run, and nothing else; without that, all of its tools are there."""
    assert _flag(_launch(), "--tools") is None
    launch = _launch(Profile(tools="restricted"))
    assert _flag(launch, "--tools") == "Bash,Edit,Glob,Grep,Read,Write"
    assert _flag(launch, "--allowedTools") == "Bash"


def test_it_never_leaves_the_workspace_nor_comes_back_later() -> None:
    """What is done in a worktree or later would be lost, so the tools for that are not there."""
    never = _flag(_launch(), "--disallowedTools") or ""
    assert {"EnterWorktree", "CronCreate", "ScheduleWakeup"} <= set(never.split(","))


def test_a_profile_reaches_it() -> None:
    """Model, system prompt and turns have flags of their own, and nothing is passed that was not set."""
    profile = Profile(model="opus", system_prompt="Be brief.\nBe kind.", max_turns=7)
    launch = _launch(profile, conversation="c0ffee")
    flags = ("--model", "--append-system-prompt", "--max-turns", "--resume")
    assert [_flag(launch, name) for name in flags] == ["opus", "Be brief.\nBe kind.", "7", "c0ffee"]
    assert not set(flags) & set(_launch().argv)


def test_more_arguments_come_last() -> None:
    """A user's own flags win over ours; what is no list of words is refused."""
    briefing = Briefing("Fix it", Path("prompt.md"), Path(), 1)
    assert ClaudeCode({"arguments": ["--effort", "high"]}).launch(briefing).argv[-2:] == ["--effort", "high"]
    for wrong in ("--effort high", [1]):
        with pytest.raises(AgentError, match="is no list of arguments"):
            ClaudeCode({"arguments": wrong})


def test_its_retries_are_few_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop waits itself, visibly; a number that the user has set stays."""
    assert _launch().environment["CLAUDE_CODE_MAX_RETRIES"] == "3"
    monkeypatch.setenv("CLAUDE_CODE_MAX_RETRIES", "8")
    assert _launch().environment["CLAUDE_CODE_MAX_RETRIES"] == "8"


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("", ("api.anthropic.com", "platform.claude.com")),
        ("http://127.0.0.1:8080", ("127.0.0.1:8080",)),
        ("https://user:secret@gateway.example.com/anthropic", ("gateway.example.com",)),
        ("http://[::1", ("api.anthropic.com", "platform.claude.com")),
    ],
)
def test_whom_it_has_to_reach(monkeypatch: pytest.MonkeyPatch, url: str, hosts: tuple[str, ...]) -> None:
    """Its maker's hosts, or the one that the environment names instead."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    assert _launch().hosts == hosts


def test_what_it_needs_in_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own variables and login, and a cloud's variables only where that cloud is used."""
    launch = _launch()
    assert ".claude/.credentials.json" in launch.login
    assert "ANTHROPIC_*" in launch.variables
    assert "AWS_*" not in launch.variables
    monkeypatch.setenv("CLAUDE_CODE_USE_BEDROCK", "1")
    assert "AWS_*" in _launch().variables


def test_one_that_prints_a_dialog_ends_in_the_queue(
    repo: Repo, loopwright: Loopwright, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that speaks another language than it should is no work: its lines are kept and counted."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
    monkeypatch.setenv("PATH", f"{program.parent}:{PATH}")
    asks = "cat > /dev/null; echo 'Do you trust this folder?'; echo '> 1. Yes'; exit 1"
    program.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo 2.1.325 && exit\n{asks}\n')
    done = loopwright("run", "Fix it", "--test", "sh test.sh", "--agent", "claude_code", "--sandbox", "off", "--json")
    assert (done.code, done.json["status"], done.json["reason"]) == (5, "escalated", "agent_failed")
    assert "exit code 1: it ended without a result, and printed `Do you trust this folder?`" in done.json["detail"]
    assert repo.query("SELECT unknown_lines FROM attempts") == [(2,)] * 3
    assert repo.query("SELECT text FROM events WHERE kind = 'raw' LIMIT 1") == [("Do you trust this folder?",)]


def test_one_that_is_too_old_is_not_started(
    repo: Repo, loopwright: Loopwright, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends before an attempt, for a person, who is told which version is needed."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "dummy")
    monkeypatch.setenv("PATH", f"{program.parent}:{PATH}")
    _says(program, "2.0.14 (Claude Code)")
    done = loopwright("run", "Fix it", "--test", "sh test.sh", "--agent", "claude_code", "--sandbox", "off", "--json")
    assert (done.code, done.json["reason"], done.json["iterations"]) == (5, "agent_failed", 0)
    assert "Claude Code 2.0.14 is too old, 2.1.197 is needed" in done.json["detail"]
