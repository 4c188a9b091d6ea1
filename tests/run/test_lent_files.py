from __future__ import annotations

from pathlib import Path

import pytest
from clones import Clone

from loopwright.errors import AgentError
from loopwright.run.lent_files import NAME, give_back, lend
from world import Repo

RULES = ".agent/rules/ours.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path / "workspace"


def test_there_and_gone(workspace: Path) -> None:
    """A file is there while the agent works; afterwards it is gone, or what was in its place is back."""
    (workspace / "AGENTS.md").write_text("theirs")
    note = workspace.parent / NAME
    lend({RULES: "ours", "AGENTS.md": "theirs and ours"}, workspace, note)
    assert (workspace / RULES).read_text() == "ours"
    assert (workspace / "AGENTS.md").read_text() == "theirs and ours"
    assert give_back(workspace, note) == []
    assert not (workspace / RULES).exists()
    assert (workspace / "AGENTS.md").read_text() == "theirs"
    assert give_back(workspace, note) == []


def test_changed_by_the_agent(workspace: Path) -> None:
    """What the agent did to such a file is not kept, and named."""
    note = workspace.parent / NAME
    lend({RULES: "ours", "b": "ours"}, workspace, note)
    (workspace / RULES).write_text("its own")
    (workspace / "b").unlink()
    assert give_back(workspace, note) == [RULES, "b"]
    assert not (workspace / RULES).exists()


@pytest.mark.parametrize("name", [RULES, ".agent", ".agent/rules"])
def test_links(workspace: Path, name: str) -> None:
    """Nothing is written or removed through a link, be it there before or put there by the agent."""
    outside = workspace.parent / "outside"
    (outside / "rules").mkdir(parents=True)
    (outside / "rules" / "ours.md").write_text("the user's")
    (outside / "ours.md").write_text("the user's")
    goal = {RULES: outside / "ours.md", ".agent": outside, ".agent/rules": outside}[name]
    (workspace / name).parent.mkdir(parents=True, exist_ok=True)
    (workspace / name).symlink_to(goal)
    note = workspace.parent / NAME
    with pytest.raises(AgentError, match=f"`{RULES}`"):
        lend({RULES: "ours"}, workspace, note)
    (workspace / name).unlink()
    lend({RULES: "ours"}, workspace, note)
    (workspace / name).rename(workspace / "aside")
    (workspace / name).symlink_to(goal)
    give_back(workspace, note)
    assert (outside / "rules" / "ours.md").read_text() == (outside / "ours.md").read_text() == "the user's"


def test_in_no_commit(repo: Repo, tmp_path: Path) -> None:
    """A snapshot never holds such a file, also where we died before it was given back."""
    clone = Clone(repo.root, tmp_path / "cache" / "run")
    start = clone.prepare()
    files = clone.workspace.files
    lend({RULES: "ours", "README.md": "ours"}, files, clone.workspace.folder / NAME)
    (files / "answer").write_text("42\n")
    snapshot = clone.workspace.snapshot(start, "x")
    assert snapshot.changes == "1 file changed, 1 insertion(+), 1 deletion(-)"
    assert snapshot.left_out == ""
    lend({"README.md": "ours"}, files, clone.workspace.folder / NAME)
    (files / "README.md").write_text("its own")
    told = clone.workspace.snapshot(snapshot.commit, "y")
    assert (told.changes, "`README.md`" in told.left_out) == ("", True)
