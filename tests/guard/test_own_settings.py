"""Which settings are no patch's business."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright.guard.own_settings import setting_fault
from loopwright.settings import Settings

OPEN = {"run.model", "run.planner_model", "run.verifier_model", "run.end_error_loops"}


def test_all_are_closed_but_a_few() -> None:
    """Of every setting there is, only those are open that change no limit, judge, permission or autonomy."""
    settings = Settings()
    sections = (
        "run",
        "checks",
        "limits",
        "store",
        "models",
        "experiments",
        "registry",
        "library",
        "patches",
        "alerts",
        "failures",
    )
    names = [f"{one}.{spec.name}" for one in sections for spec in dataclasses.fields(getattr(settings, one))]
    assert {name for name in names if not setting_fault(name, "true")} == OPEN


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("profiles.x.tools", '"all"'),
        ("profiles.x.review", '"none"'),
        ("profiles.x.agent_options", "{}"),
        ("profiles.x.system_prompt", '"x"'),
        ("run.model\n[limits]", '"x"'),
        ("run.model", '"x"\n[limits]'),
        ("run", "{}"),
    ],
)
def test_no_way_around(setting: str, value: str) -> None:
    """What widens, and what would smuggle another line in, is refused."""
    assert setting_fault(setting, value)
