"""Role and task type -> the prompt to begin with."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from loopwright.records.task import TASK_TYPES
from loopwright.records.version import ROLES


def prompt_names() -> list[str]:
    """Name the prompts that ship: one for each role and task type."""
    return [f"{role}/{task_type}" for role in ROLES for task_type in TASK_TYPES]


def profile_names() -> list[str]:
    """Name the profiles: one for each role that an agent has, and task type; who the critic is, is a setting."""
    return [name for name in prompt_names() if not name.startswith("critic/")]


def prompt_template(name: str) -> str:
    """Give the first version of a prompt."""
    role, _, task_type = name.partition("/")
    read = _read(role)
    return str(read["frame"]).replace("{{KIND}}", str(read["kinds"][task_type]).strip()).strip() + "\n"


@cache
def _read(role: str) -> dict[str, Any]:
    folder = files("loopwright.release") / "prompts"
    return tomllib.loads((folder / f"{role}.toml").read_text(encoding="utf-8"))
