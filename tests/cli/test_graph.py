"""`loopwright graph`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from world import Loopwright, Repo, agent


def test_from_a_failure_to_what_is_in_use(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A run, a failure's id and a node's name are found; each format is written; the way back finds the failure."""
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 'exit 0' > test.sh"), "--max-iterations", "2")
    failure = loopwright("classify", "last", "--json").json["runs"][0]["failures"][0]
    for name in ("last", failure["id"][:8], f"failure {failure['id']}"):
        shown = loopwright("graph", name)
        assert "caused_by (90%) → cause anti_pattern/tamper in worker/bug_fix" in shown.out
        assert "applied_to → prompt worker/bug_fix" in shown.out
    assert "applied_to" not in loopwright("graph", "last", "--depth", "2").out
    back = loopwright("graph", "prompt worker/bug_fix", "--back")
    assert f"← caused_by (90%) failure {failure['id']}" in back.out
    assert loopwright("graph", "--format", "mermaid").out.startswith("flowchart LR\n")
    assert loopwright("graph", "--format", "cypher").out.startswith("MERGE (n:Failure")
    loopwright("graph", "--format", "graphml", "--output", tmp_path)
    (file,) = tmp_path.glob("*.graphml")
    assert ElementTree.parse(file).getroot().tag.endswith("graphml")
    data = loopwright("graph", "--json").json
    assert (data["starts"], data["is_cut"]) == ([f"failure {failure['id']}"], False)


def test_nothing_and_nobody(repo: Repo, loopwright: Loopwright) -> None:
    """A run in which nothing failed has no graph; a name that nothing has is refused."""
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"))
    none = loopwright("graph", "last")
    assert (none.code, none.out) == (0, "")
    assert "nothing has failed" in none.err
    wrong = loopwright("graph", "nobody-knows")
    assert wrong.code == 2
    assert "loopwright classify RUN" in wrong.err
