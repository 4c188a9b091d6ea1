"""The user's own Codex: where its folder is, how it is set up and logged in. No secret is shown."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from loopwright.ports import Briefing
from loopwright.process.programs import host_of
from loopwright.text.bounded import field, mapping

HOSTS = ("api.openai.com", "chatgpt.com", "auth.openai.com")
_MANAGED = Path("/etc/codex")
KEYS = ("CODEX_API_KEY", "OPENAI_API_KEY")


def codex_home() -> Path:
    """Give the folder of the user's own Codex."""
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")


def home_in(briefing: Briefing) -> Path:
    """Give Codex's folder for one attempt: in our sandbox it lies in a home that is kept beside the workspace."""
    own = codex_home()
    if not briefing.confined:
        return own
    name = own.relative_to(Path.home()) if own.is_relative_to(Path.home()) else Path(".codex")
    return briefing.prompt_file.parent / "sandbox" / "home" / name


def moved(briefing: Briefing) -> dict[str, str]:
    """Name Codex's folder where the user has another than the usual, and it is not where it was."""
    known = any((Path.home() / name).is_file() for name in login_files())
    there = briefing.confined and os.environ.get("CODEX_HOME") and known
    return {"CODEX_HOME": str(home_in(briefing))} if there else {}


def user_config() -> Mapping[str, Any]:
    """Read its settings; empty where there are none."""
    try:
        return tomllib.loads((codex_home() / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _user_provider() -> Mapping[str, Any]:
    config = user_config()
    return mapping(mapping(config.get("model_providers")).get(field(config.get("model_provider")) or "openai"))


def login() -> tuple[bool | None, str]:
    """Look how it is logged in; no secret is read out."""
    if set_keys := [name for name in KEYS if os.environ.get(name)]:
        return True, f"{set_keys[0]} is set"
    if (codex_home() / "auth.json").is_file():
        return True, f"{codex_home() / 'auth.json'}"
    config = user_config()
    if config.get("model_provider") or config.get("cli_auth_credentials_store") in ("keyring", "auto"):
        return None, "as its settings have it"
    # A server of one's own may ask for no key; an administrator may have set one for all.
    unsure = os.environ.get("OPENAI_BASE_URL") or _MANAGED.exists()
    return None if unsure else False, ""


def handed_key() -> dict[str, str]:
    """Hand on a key that Codex would not look at by itself."""
    key = os.environ.get("OPENAI_API_KEY")
    asked = os.environ.get("CODEX_API_KEY") or (codex_home() / "auth.json").is_file()
    return {"CODEX_API_KEY": key} if key and not asked else {}


def hosts(base_url: str) -> tuple[str, ...]:
    """Say whom it has to reach."""
    own = host_of(base_url or field(_user_provider().get("base_url")))
    return (own,) if own else HOSTS


def own_variables() -> Iterator[str]:
    """Name the variables that a provider of the user's own needs."""
    if key := field(_user_provider().get("env_key")):
        yield key


def login_files() -> list[str]:
    """Name the files that it is logged in by, below the user's home."""
    home = codex_home()
    if not home.is_relative_to(Path.home()):
        return []
    return [str((home / name).relative_to(Path.home())) for name in ("auth.json", "config.toml")]
