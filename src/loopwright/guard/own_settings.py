"""A setting that a patch would change -> why it may not: guardrails, budgets, approvers and autonomy are nobody's."""

from __future__ import annotations

import re
from typing import Final

_OPEN: Final = re.compile(
    r"run\.(?:model|planner_model|verifier_model|end_error_loops)|"
    r"profiles\.[\w-]+\.(?:model|temperature|conversation|context|planning|review|tools)"
)
"""All that a patch may propose to set. What is not named here is refused: a list of what is closed would miss one."""
_WIDER: Final = {"tools": '"all"', "review": '"none"'}


def setting_fault(setting: str, value: str) -> str:
    """Say why a patch may not set a setting to a value, as TOML has it; nothing where a human may be asked."""
    if not _OPEN.fullmatch(setting):
        return f"`{setting}` is not for patches: limits, judges, permissions and autonomy are set by humans alone"
    if _WIDER.get(setting.rpartition(".")[2]) == value:
        return f"`{setting} = {value}` widens what an agent may do by itself"
    return "" if "\n" not in value and len(value) < 200 else f"the value of `{setting}` is no plain one"
