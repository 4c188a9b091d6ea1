"""Settings that would help."""

from __future__ import annotations

import pytest

from loopwright.patch.config import cheaper_model, config, toml_lines_of

from .samples import case, finding, ground

LOOPS = {"run.end_error_loops": False}


def test_loops_are_ended() -> None:
    """Who goes in circles is stopped by a setting, once it is not set already."""
    (patch,) = config(finding(), ground(settings=LOOPS))
    assert (patch.surface, patch.target, patch.before, patch.after) == (
        "config",
        "run.end_error_loops",
        "false",
        "true",
    )
    assert toml_lines_of(patch) == "[run]\nend_error_loops = true\n"
    assert list(config(finding(), ground(settings={"run.end_error_loops": True}))) == []
    assert list(config(finding("timeout in worker/docs"), ground(settings=LOOPS))) == []


@pytest.mark.parametrize(
    "setting",
    ["limits.cost_per_day", "experiments.autonomy", "run.sandbox", "run.max_cost", "checks.sabotage", "models.judge"],
)
def test_what_is_no_patchs_business(setting: str) -> None:
    """Guardrails, budgets, judges and autonomy are refused, and not weighed."""
    (patch,) = config(finding("dear", f"setting {setting}"), ground())
    assert (patch.status, "humans alone" in patch.why) == ("refused", True)


def test_a_cheaper_model() -> None:
    """Named is the cheapest one that passed no less often here, with figures; guesses are not made."""
    dear = [case(number, passed=number % 2 == 0, cost_usd=2.0) for number in range(20)]
    cheap = [case(number, model="small", passed=number % 2 == 0, cost_usd=0.5) for number in range(20)]
    bad = [case(number, model="tiny", passed=False, cost_usd=0.1) for number in range(20)]
    found = cheaper_model([*dear, *cheap, *bad], "big", 20)
    assert found is not None
    assert (found[0], "50% at $0.500" in found[1]) == ("small", True)
    assert cheaper_model([*dear, *cheap[:19], *bad], "big", 20) is None
    assert cheaper_model([], "big", 20) is None
    known = ground(cases=[*dear, *cheap], settings={"run.model": "big"})
    (patch,) = config(finding("dear_model", "setting run.model"), known)
    assert (patch.before, patch.after) == ('"big"', '"small"')
    (again,) = config(finding("dear_model/docs", "profile worker/docs", rule="dear_model"), known)
    assert again.hash == patch.hash


def test_tools_that_nobody_calls() -> None:
    """They are taken away; nothing is said where no rule knows a value."""
    (patch,) = config(finding("unused", "setting profiles.lean.tools"), ground())
    assert toml_lines_of(patch) == '[profiles.lean]\ntools = "restricted"\n'
    assert list(config(finding("x", "setting profiles.lean.context"), ground())) == []
