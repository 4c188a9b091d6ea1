"""The user's own Codex: its folder, its settings, its login."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from loopwright.ports import Briefing
from loopwright.run import codex_setup


@pytest.fixture(autouse=True)
def folder(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of a Codex without settings and login."""
    for name in ("OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME", "MY_KEY"):
        monkeypatch.delenv(name, raising=False)
    made = own_home / ".codex"
    made.mkdir()
    return made


OWN = """
model_provider = "mine"
[model_providers.mine]
base_url = "https://me@models.example:8443/v1"
env_key = "MY_KEY"
"""


def test_a_provider_of_the_user_s_own(folder: Path) -> None:
    """Its host and its key's variable are what a sandbox has to let through; whether it is logged in nobody knows."""
    (folder / "config.toml").write_text(OWN)
    assert codex_setup.hosts("") == ("models.example:8443",)
    assert list(codex_setup.own_variables()) == ["MY_KEY"]
    assert codex_setup.login()[0] is None


def test_a_base_url_comes_before_it(folder: Path) -> None:
    """A base URL of the environment is the only host, also where the settings name another."""
    (folder / "config.toml").write_text(OWN)
    assert codex_setup.hosts("http://127.0.0.1:9/v1") == ("127.0.0.1:9",)


@pytest.mark.parametrize("content", ["[", "\x00", 'model_providers = 3\nmodel_provider = ["x"]', "mcp_servers = 1"])
def test_settings_that_can_t_be_read_are_none(folder: Path, content: str) -> None:
    """Broken settings are Codex's to complain of; here they count as none."""
    (folder / "config.toml").write_text(content)
    assert codex_setup.hosts("") == codex_setup.HOSTS
    assert list(codex_setup.own_variables()) == []


def test_a_key_is_handed_on_where_codex_would_not_look(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_API_KEY becomes the key that Codex reads, unless there is a login or a key of its own."""
    assert codex_setup.login() == (False, "")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert codex_setup.handed_key() == {"CODEX_API_KEY": "sk-1"}
    assert codex_setup.login() == (True, "OPENAI_API_KEY is set")
    (folder / "auth.json").write_text("{}")
    assert codex_setup.handed_key() == {}


def test_its_folder_can_be_elsewhere(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CODEX_HOME is followed: its files are named below the user's home, or not at all."""
    assert codex_setup.login_files() == [".codex/auth.json", ".codex/config.toml"]
    monkeypatch.setenv("CODEX_HOME", str(own_home / "else"))
    assert codex_setup.login_files() == ["else/auth.json", "else/config.toml"]
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    assert codex_setup.login_files() == []


def test_in_a_sandbox_its_folder_is_beside_the_workspace(
    tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Confined, conversations lie in the sandbox's home; Codex is told where that is not the usual place."""
    free = Briefing("", tmp_path / "prompt.md", tmp_path / "files", 1)
    confined = replace(free, confined=True)
    assert codex_setup.home_in(free) == own_home / ".codex"
    assert codex_setup.home_in(confined) == tmp_path / "sandbox" / "home" / ".codex"
    assert codex_setup.moved(confined) == {}
    (own_home / "else").mkdir()
    (own_home / "else" / "auth.json").write_text("{}")
    monkeypatch.setenv("CODEX_HOME", str(own_home / "else"))
    assert codex_setup.moved(confined) == {"CODEX_HOME": str(tmp_path / "sandbox" / "home" / "else")}
    assert codex_setup.moved(free) == {}
