"""What changed between two commits: nothing that the agent puts into its tree hides a part of it."""

from __future__ import annotations

import pytest
from clones import Clone, git

from loopwright.run.git import Repository
from loopwright.run.whole_change import judged_at_home, judged_change, patch
from world import Repo


@pytest.mark.parametrize("attributes", ["*.py -diff", "* binary", "*.py diff=none", "[attr]dark -diff\n*.py dark"])
def test_attributes_hide_nothing(clone: Clone, project: Repo, attributes: str) -> None:
    """Whatever the agent's .gitattributes calls its files, what it wrote is in the diff, here and at home."""
    base = clone.commit
    (clone.files / ".gitattributes").write_text(f"{attributes}\n")
    (clone.files / "src" / "new.py").write_text("eval(x)\n")
    clone.snapshot()
    keeper = clone.workspace.keeper
    assert b"+eval(x)\n" in patch(keeper, base, clone.commit)
    assert b"+eval(x)\n" in clone.workspace.diff(base, clone.commit)
    assert "+eval(x)\n" in judged_change(keeper, base, clone.commit)
    git(project.root, "config", "diff.noprefix", "true")
    git(project.root, "config", "diff.renames", "copies")
    found = judged_at_home(Repository.find(project.root), base, clone.commit)
    assert found == judged_change(keeper, base, clone.commit)


def test_what_is_judged_is_text(clone: Clone) -> None:
    """A byte that makes git call a file binary hides nothing of it, and a file that was moved is gone and new."""
    base = clone.commit
    (clone.files / "data.js").write_bytes(b"\0\neval(x)\n")
    (clone.files / "README.md").rename(clone.files / "notes.txt")
    clone.snapshot()
    found = judged_change(clone.workspace.keeper, base, clone.commit)
    assert "+eval(x)\n" in found and "Binary" not in found
    assert "rename from" not in found and "diff --git a/README.md b/README.md\ndeleted file mode" in found
    assert judged_change(clone.workspace.keeper, base, base) == ""
