"""The first line of a rollout says what its thread is."""

from __future__ import annotations

from typing import Any

import pytest

from loopwright.ingest.codex_meta import describe, is_subagent, parent_of
from loopwright.ingest.ports import About

SPAWNED = {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}}


@pytest.mark.parametrize(
    ("meta", "parent", "is_sub"),
    [
        ({"source": "cli"}, None, False),
        (SPAWNED, "p", True),
        ({"parent_thread_id": "q", **SPAWNED}, "q", True),
        ({"source": {"subagent": "review"}}, None, True),
        ({"source": {"subagent": []}, "parent_thread_id": 7}, None, True),
        ({"source": ["subagent"]}, None, False),
    ],
)
def test_a_subagent_is_known(meta: dict[str, Any], parent: str | None, is_sub: bool) -> None:
    """It names who started it, or at least that it is one."""
    assert (parent_of(meta), is_subagent(meta)) == (parent, is_sub)


def test_what_is_not_said_is_empty() -> None:
    """Wrong types are passed over."""
    about = About()
    describe(about, {"cwd": 7, "git": [], "source": {"subagent": "x"}, "originator": "codex-tui"})
    assert (about.project, about.branch, about.commit, about.agent_version) == ("", "", "", "")
    assert about.attributes == {"originator": "codex-tui"}
