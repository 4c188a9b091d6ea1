"""What makes patches, put together from a project."""

from __future__ import annotations

from loopwright.mending import make_deploying, make_patching, plain_settings
from loopwright.wire import open_project
from world import Repo


def test_settings_reach_the_stage(repo: Repo) -> None:
    """What the file says of runs, profiles, the library and patches is what patches are made with."""
    lines = [
        "[run]",
        'model = "m"',
        "[profiles.lean]",
        'tools = "all"',
        "[library]",
        "tokens = 9",
        "[patches]",
        "runs = 7",
    ]
    repo.write("loopwright.toml", "\n".join(lines))
    project = open_project(repo.root)
    patching, deploying = make_patching(project), make_deploying(project)
    assert (patching.limits.runs, patching.library.tokens, deploying.library.tokens) == (7, 9, 9)
    found = plain_settings(project.settings)
    assert (found["run.model"], found["run.end_error_loops"], found["profiles.lean.tools"]) == ("m", False, "all")
    assert deploying.follow() == []
    project.close()
