"""What a run gets of what is in use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.guard.redact import Masker
from loopwright.records.profile import Profile
from loopwright.registry import kinds
from loopwright.release.equipment import equipment, filled
from loopwright.release.profiles import profile_content
from loopwright.release.versions import Versions
from loopwright.store import open_store


@pytest.fixture
def versions(tmp_path: Path) -> Iterator[Versions]:
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        yield Versions(store.versions, Masker({}))


def test_a_run_is_told_what_is_in_use(versions: Versions) -> None:
    """Worker, planner and verifier get their prompts, without placeholders, and the run knows the versions."""
    profile = equipment(versions, "docs").told(Profile(planning="plan_then_execute", review="separate"))
    assert profile.system_prompt.startswith("You work alone")
    assert "You plan" in profile.planner_prompt
    assert "You review" in profile.verifier_prompt
    assert "{{" not in profile.system_prompt + profile.planner_prompt + profile.verifier_prompt
    names = {f"{kind} {role}/docs" for kind in ("prompt", "profile") for role in ("worker", "planner", "verifier")}
    assert profile.versions == dict.fromkeys(names, 1)
    assert profile.prompt_version == "worker/docs@1"


def test_who_takes_no_part_uses_no_version(versions: Versions) -> None:
    """A run without a planner or a reviewer does not claim their versions: what came of it says nothing of them."""
    assert set(equipment(versions, "docs").told(Profile()).versions) == {"profile worker/docs", "prompt worker/docs"}
    reviewed = equipment(versions, "docs").told(Profile(review="separate")).versions
    assert {"profile verifier/docs", "prompt verifier/docs"} < set(reviewed)
    assert not any("planner" in key for key in reviewed)


def test_a_role_in_use(versions: Versions) -> None:
    """What a planner's version sets stands below the worker's; what was in use at a moment can be had again."""
    version = versions.write("profile", "planner/docs", profile_content({"agent": "codex"}), "x")
    versions.put_in_use(version, "me", "x")
    found = equipment(versions, "docs")
    assert (found.parameters, found.versions["profile planner/docs"]) == ({"planner": {"agent": "codex"}}, 2)
    assert equipment(versions, "docs", {"profile planner/docs": 1}).parameters == {}


def test_own_words_come_first(versions: Versions) -> None:
    """A profile with a system prompt of its own is not told another, and does not claim its version."""
    profile = equipment(versions, "docs").told(Profile(system_prompt="Mine."))
    assert profile.system_prompt == "Mine."
    assert "prompt worker/docs" not in profile.versions
    assert "@" not in profile.prompt_version


def test_parameters_in_use(versions: Versions) -> None:
    """What the profile's version sets is there, and its number."""
    version = versions.write("profile", "worker/docs", profile_content({"model": "m"}), "x")
    versions.put_in_use(version, "me", "x")
    found = equipment(versions, "docs")
    assert (found.parameters, found.versions["profile worker/docs"]) == ({"model": "m"}, 2)


def test_playbooks_stand_where_they_belong() -> None:
    """The placeholder is filled, or gone."""
    assert filled("a {{PLAYBOOKS}} b", "x") == "a x b"
    assert filled("a\n\n{{PLAYBOOKS}}\n") == "a"
