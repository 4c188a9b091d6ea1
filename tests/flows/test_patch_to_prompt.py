"""A weakness is found, its remedy tested, proven, released and told; what is rolled back is not proposed again."""

from __future__ import annotations

import json

from loopwright.wire import make_proving, open_project
from trials import BETTER, live_pairs
from world import Loopwright, Repo, agent

TARGET = "worker/bug_fix"
TEST = ("--test", "sh test.sh", "--max-iterations", 1, "--no-escalate", "--json")
WEAK = agent(
    "cat > ../prompt.txt",
    "if grep -qi 'run the project.s tests once more' ../prompt.txt; then echo 42 > answer; fi",
    "echo 'All done, the tests pass.'",
)
"""It claims what it has not seen, until it is told to look."""
SETTINGS = "[patches]\nruns = 3\n"


def run(loopwright: Loopwright, number: int) -> bool:
    return loopwright("run", f"Fix the answer {number}", *TEST, *WEAK).code == 0


def listed(loopwright: Loopwright) -> dict[str, str]:
    found = loopwright("patches", "list", "--all", "--json").json
    return {patch["author"]: patch["status"] for patch in found}


def prove(repo: Repo) -> None:
    """Let as many tasks be done as a promotion needs, of which those pass that were told the remedy."""
    project = open_project(repo.root)
    proving = make_proving(project)
    for pair in BETTER:
        if proving.experiments.all("running"):
            live_pairs(proving, [pair], "bug_fix")
    project.close()


def test_from_a_weakness_to_the_next_prompt(repo: Repo, loopwright: Loopwright) -> None:
    """Nothing changes before it is proven; then the next run is told, passes, and says by which entry."""
    repo.write("loopwright.toml", SETTINGS)
    assert [run(loopwright, number) for number in range(3)] == [False] * 3
    assert "false_done/verdict" in {one["key"] for one in loopwright("patterns", "--json").json["patterns"]}
    made = {patch["author"]: patch for patch in loopwright("patches", "make", "--json").json}
    patch = made["library run-before-done"]
    assert (patch["target"], json.loads(patch["after"]), len(patch["runs"])) == (TARGET, ["run-before-done@1"], 3)
    assert loopwright("patches", "make", "--json").json == []
    assert "+- Before your last message" in loopwright("patches", "show", patch["id"]).out
    assert not run(loopwright, 3)
    begun = loopwright("patches", "test", patch["id"], "--maximum", 60)
    assert "loopwright replay --experiment patch-" in begun.err
    arms = {run(loopwright, number) for number in range(4, 8)}
    assert arms == {True, False}
    prove(repo)
    assert listed(loopwright)["library run-before-done"] == "proven"
    assert loopwright("patches", "release", patch["id"]).code == 0
    assert run(loopwright, 9)
    shown = loopwright("show", "--json").json
    assert shown["prompt_version"] == f"{TARGET}@1 +run-before-done@1"
    entries = {row["name"]: row for row in loopwright("library", "list", "--json").json}
    assert entries["run-before-done"]["helpful"] == 1
    assert entries["run-before-done"]["told_to"] == {TARGET: "run-before-done@1"}
    assert loopwright("profiles", "rollback", TARGET, "--reason", "we shall see").code == 0
    assert not run(loopwright, 10)
    assert listed(loopwright)["library run-before-done"] == "rolled_back"
    assert loopwright("patches", "make", "--json").json == []


def test_replayed_on_finished_tasks(repo: Repo, loopwright: Loopwright) -> None:
    """A task that is done again is told the remedy in one arm alone."""
    repo.write("loopwright.toml", f"{SETTINGS}\n[run]\nmax_iterations = 1\nagent_command = {json.dumps(WEAK[1])}\n")
    for number in range(3):
        loopwright("run", f"Fix the answer {number}", *TEST)
    loopwright("run", "Fix the answer", *TEST, *agent("echo 42 > answer"))
    patch = next(one for one in loopwright("patches", "make", "--json").json if "before-done" in one["author"])
    loopwright("patches", "test", patch["id"], "--share", "0")
    name = f"patch-{patch['id'][-8:]}"
    done = loopwright("replay", "--experiment", name, "--yes", "--json")
    assert done.code == 0, done.err
    told = done.json["evidence"]
    assert (told["wins"], told["losses"]) == (told["pairs"], 0)
    assert told["pairs"] >= 1
