"""A task in, an agent at work, criteria evaluated, done or escalated: the whole line, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent, alive, prompts, wait_for

TEST = ("--test", "sh test.sh")


def by_iteration(*lines: str) -> list[str]:
    """Give an agent that does one line per iteration, and the last one again and again."""
    cases = [f"{number}) {line} ;;" for number, line in enumerate(lines, 1)]
    return [*agent("cat > /dev/null", "case $LOOPWRIGHT_ITERATION in", *cases, f"*) {lines[-1]} ;;", "esac")]


def test_fixed_at_the_second_go(repo: Repo, loopwright: Loopwright) -> None:
    """The second prompt says which criterion failed with the telling output, and what was tried before."""
    fixes = by_iteration("echo 40 > answer", "echo 42 > answer")
    called = loopwright("run", "Fix the answer", *TEST, *fixes, "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    first, second = prompts(called.json)
    assert "# Task\n\nFix the answer\n" in first and "# Task\n\nFix the answer\n" in second
    assert "- test sh test.sh\n" in first
    assert "# What does not hold yet" in first and "the answer is 41, not 42" in first
    assert "# What was tried before" not in first
    assert "# What did not hold after attempt 1\n\n## test sh test.sh" in second
    assert "AssertionError: the answer is 40, not 42" in second
    assert "the answer is 41" not in second
    assert "- Attempt 1: 1 file changed, 1 insertion(+), 1 deletion(-); unmet: test sh test.sh" in second


def test_the_telling_part_of_a_long_output(repo: Repo, loopwright: Loopwright) -> None:
    """Of a long output the prompt holds the failure and not all the rest."""
    repo.write("long.sh", "seq 1 3000; echo 'AssertionError: here it is'; seq 1 3000; exit 1\n")
    repo.commit()
    called = loopwright("run", "Fix it", "--test", "sh long.sh", *agent("true"), "--max-iterations", 1, "--json")
    prompt = prompts(called.json)[0]
    assert "AssertionError: here it is" in prompt
    assert len(prompt) < 12_000


def test_held_out_criteria_are_never_shown(repo: Repo, loopwright: Loopwright) -> None:
    """A held-out criterion is in no prompt, neither its command nor its output, and is checked once the rest holds."""
    repo.write("secret-check.sh", "echo SECRET-OUTPUT; grep -q polite notes\n")
    repo.commit()
    flags = (*TEST, "--held-out-test", "sh secret-check.sh")
    works = by_iteration("echo 40 > answer", "echo 42 > answer", "echo rude > notes", "echo polite > notes")
    called = loopwright("run", "Fix it", *flags, *works, "--json")
    assert (called.code, called.json["iterations"]) == (0, 4)
    told = prompts(called.json)
    assert len(told) == 4
    assert not [prompt for prompt in told if "secret" in prompt.lower()]
    assert all("and 1 more that is not shown" in prompt for prompt in told)
    assert ["a criterion that is not shown does not" in prompt for prompt in told] == [False, False, True, True]
    checks = loopwright("show", "--json").json["checks"]
    assert [(check["iteration"], check["held_out"], check["verdict"]) for check in checks] == [
        *((0, False, "fail"), (0, True, "fail")),
        (1, False, "fail"),
        *((2, False, "pass"), (2, True, "fail")),
        *((3, False, "pass"), (3, True, "fail")),
        *((4, False, "pass"), (4, True, "pass")),
    ]


def test_three_times_the_same_is_a_stall(repo: Repo, loopwright: Loopwright) -> None:
    """The same tree and the same failures end it after three iterations, and not before."""
    works = by_iteration("echo a > notes", "echo b > notes", "echo c > notes", "true")
    called = loopwright("run", "Fix it", *TEST, *works, "--json")
    assert (called.code, called.json["reason"], called.json["iterations"]) == (5, "stalled", 5)
    assert "3 iterations" in called.json["detail"]


def test_other_failures_are_no_stall(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """The same tree is no stall while the failures are not the same."""
    repo.write("turns.sh", f"[ $(( $(cat {tmp_path}/iteration) % 2 )) = 0 ]\n")
    repo.commit()
    notes = agent(f"echo $LOOPWRIGHT_ITERATION > {tmp_path}/iteration")
    flags = (*TEST, "--test", "sh turns.sh", "--max-iterations", 4)
    called = loopwright("run", "Fix it", *flags, *notes, "--json")
    assert (called.json["reason"], called.json["iterations"]) == ("criteria_unmet", 4)


def test_an_agent_that_commits_makes_progress(repo: Repo, loopwright: Loopwright) -> None:
    """Work that an agent commits itself is progress and is kept, with its own message."""
    commits = agent("date +%N > notes", 'git add -A && git commit -qm "by the agent $LOOPWRIGHT_ITERATION"')
    called = loopwright("run", "Fix it", *TEST, *commits, "--max-iterations", 4, "--json")
    assert (called.json["reason"], called.json["iterations"]) == ("criteria_unmet", 4)
    log = repo.git("log", "--format=%s", called.json["branch"]).splitlines()
    assert [line for line in log if line.startswith("by the agent")] == [f"by the agent {n}" for n in (4, 3, 2, 1)]


def test_a_silent_agent_is_ended(repo: Repo, loopwright: Loopwright) -> None:
    """An agent that says nothing for the idle time is ended, and what it did is kept."""
    silent = agent("echo half > notes", "sleep 60")
    called = loopwright("run", "Fix it", *TEST, *silent, "--idle-timeout", "1s", "--max-iterations", 1, "--json")
    assert called.code == 5
    assert called.json["duration_s"] < 30
    assert repo.show(called.json["branch"], "notes") == "half"
    assert loopwright("show", "--json").json["attempts"][0]["ending"] == "idle"


def test_an_agent_that_talks_is_not_idle(repo: Repo, loopwright: Loopwright) -> None:
    """Words keep an agent alive beyond the idle time."""
    talks = agent("for i in 1 2 3 4 5 6 7; do echo $i; sleep 0.3; done", "echo 42 > answer")
    assert loopwright("run", "Fix it", *TEST, *talks, "--idle-timeout", "1.5s").code == 0


def test_nothing_of_the_agent_lives_on(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """What an agent leaves running, daemons too, is gone when the run goes on."""
    pids = tmp_path / "pids"
    leaves = agent(
        f"sleep 300 & echo $! >> {pids}",
        f"setsid sh -c 'echo $$ >> {pids}; exec sleep 300' &",
        f"while [ $(wc -l < {pids}) -lt 2 ]; do sleep 0.01; done",
        "echo 42 > answer",
    )
    called = loopwright("run", "Fix it", *TEST, *leaves, "--json")
    assert called.code == 0
    left = [int(line) for line in pids.read_text().split()]
    assert len(left) == 2
    wait_for(lambda: not any(alive(pid) for pid in left), 5)


def test_an_exit_code_is_not_evidence(repo: Repo, loopwright: Loopwright) -> None:
    """An agent that leaves with 1 and did the work is done; one that says success and did nothing is not."""
    called = loopwright("run", "Fix it", *TEST, *agent("echo 42 > answer; exit 1"), "--json")
    assert (called.code, called.json["iterations"]) == (0, 1)
    success = json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "All tests pass."})
    called = loopwright("run", "Fix it", *TEST, *agent(f"echo '{success}'"), "--max-iterations", 1, "--json")
    assert (called.code, called.json["status"]) == (5, "escalated")


def test_a_breaking_edit_is_put_back(repo: Repo, loopwright: Loopwright) -> None:
    """`revert_when` puts back an edit that breaks the build and tells the agent; the history keeps what was undone."""
    repo.write("build.sh", "! grep -q broken src.txt || { echo 'error: src.txt is broken'; exit 1; }\n")
    repo.write("src.txt", "fine\n")
    repo.write("loopwright.toml", '[run]\nrevert_when = "sh build.sh"\n')
    repo.commit()
    works = by_iteration("echo broken > src.txt; echo new > other.txt", "cat src.txt > seen.txt; echo 42 > answer")
    called = loopwright("run", "Fix it", *TEST, *works, "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    branch = called.json["branch"]
    assert repo.show(branch, "seen.txt") == "fine"
    assert "other.txt" not in repo.files(branch)
    told = prompts(called.json)[1]
    assert "Your last change was undone, because `sh build.sh` failed with it" in told
    assert "error: src.txt is broken" in told
    assert "put back" in repo.git("log", "--format=%s", branch)
    assert "broken" in repo.git("log", "-p", "--format=", branch, "--", "src.txt")


def test_a_build_that_was_broken_before(repo: Repo, loopwright: Loopwright) -> None:
    """Nothing is put back to a base that is broken itself; once the build has passed, it is kept passing."""
    repo.write("build.sh", "grep -q fine src.txt\n")
    repo.write("src.txt", "broken\n")
    repo.write("loopwright.toml", '[run]\nrevert_when = "sh build.sh"\n')
    repo.commit()
    works = by_iteration("echo x > a", "echo fine > src.txt", "echo bad > src.txt", "echo 42 > answer")
    called = loopwright("run", "Fix it", *TEST, *works, "--json")
    assert (called.code, called.json["iterations"]) == (0, 4)
    assert repo.show(called.json["branch"], "src.txt") == "fine"
    assert repo.show(called.json["branch"], "a") == "x"


def test_budgets_hold_over_all_iterations(repo: Repo, loopwright: Loopwright) -> None:
    """Tokens of all iterations count together."""
    line = json.dumps({"type": "result", "is_error": False, "usage": {"input_tokens": 40, "output_tokens": 10}})
    spends = agent(f"echo '{line}'", "date +%N >> notes")
    called = loopwright("run", "Fix it", *TEST, *spends, "--max-tokens", 120, "--json")
    assert (called.code, called.json["iterations"]) == (7, 3)
    assert called.json["tokens"]["input"] == 120
    assert "150 tokens used of 120" in called.json["detail"]


def test_a_budget_goes_before_a_stall(repo: Repo, loopwright: Loopwright) -> None:
    """When the money is used up in the iteration that would be a stall, it is the money that ended it."""
    line = json.dumps({"type": "result", "is_error": False, "total_cost_usd": 1})
    called = loopwright("run", "Fix it", *TEST, *agent(f"echo '{line}'"), "--max-cost", 3, "--json")
    assert (called.code, called.json["reason"], called.json["iterations"]) == (7, "budget", 3)


def test_the_scripted_agent(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """The apprentice plays its script in a real clone; its tokens and its money are counted."""
    script = tmp_path / "script.toml"
    script.write_text(
        '[[attempt]]\nactions = [{ fail = "it lost its way" }]\ncost_usd = 0.5\n'
        '[[attempt]]\nactions = [{ write = "answer", content = "42\\n" }]\nsays = "Done."\ncost_usd = 0.25\n'
        "tokens = { input = 1200, output = 300 }\n"
    )
    repo.write("loopwright.toml", f'[profiles.s]\nagent = "scripted"\nagent_options = {{ script = "{script}" }}\n')
    called = loopwright("run", "Fix it", *TEST, "--profile", "s", "--json")
    assert (called.code, called.json["iterations"], called.json["cost_usd"]) == (0, 2, 0.75)
    assert called.json["tokens"] == {"input": 1200, "output": 300, "cache_read": 0, "cache_write": 0}
    assert "Attempt 1 (exit code 1: it lost its way): no file changed" in prompts(called.json)[1]


@pytest.mark.parametrize(
    "lines", [["rm -rf .git"], ["git checkout -q --orphan x && git rm -rqf ."], ["git init -q sub"]]
)
def test_whatever_the_agent_does_to_its_git(repo: Repo, loopwright: Loopwright, lines: list[str]) -> None:
    """An agent that breaks its own git loses no work and reaches nobody else's."""
    before = (repo.git("for-each-ref", "refs/heads/main"), repo.git("status", "--porcelain"))
    called = loopwright("run", "Fix it", "--grep", "answer:42", *agent(*lines, "echo 42 > answer"), "--json")
    assert called.code == 0
    assert repo.show(called.json["branch"], "answer") == "42"
    assert (repo.git("for-each-ref", "refs/heads/main"), repo.git("status", "--porcelain")) == before


def test_composites(repo: Repo, loopwright: Loopwright) -> None:
    """A nested composite from a task file is evaluated whole, and its evidence says which members hold."""
    text = (
        'goal = "x"\n[[criteria]]\nall = [\n  { test = "sh test.sh" },\n'
        '  { any = [{ file = "a" }, { at_least = 2, of = [{ file = "b" }, { file = "c" }, { file = "d" }] }] },\n]\n'
    )
    repo.write("task.toml", text)
    works = by_iteration("echo 42 > answer; touch b", "touch c")
    called = loopwright("run", "--task", "task.toml", *works, "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert called.json["checks"][0]["kind"] == "composite"
    told = prompts(called.json)[1]
    assert "1 of 2 hold, needed: 2" in told and "fail: file c exists" in told and "pass: test sh test.sh" in told


def test_what_git_ignores_is_not_judged(repo: Repo, loopwright: Loopwright) -> None:
    """A file that git ignores never gets to where the checks look, and the feedback says so."""
    repo.write(".gitignore", "build/\n")
    repo.commit()
    makes = agent("mkdir -p build; touch build/x")
    called = loopwright("run", "x", "--file", "build/x", *makes, "--max-iterations", 2, "--json")
    assert called.code == 5
    assert "git ignores" in prompts(called.json)[1]


def test_work_that_could_not_come_home_is_said(repo: Repo, loopwright: Loopwright) -> None:
    """Where the user has the run's branch checked out, the result says that the branch stands elsewhere."""
    switch = f"git -C {repo.root} switch -q --detach && git -C {repo.root} switch -q $(git branch --show-current)"
    called = loopwright("run", "Fix it", *TEST, *agent(switch, "echo 42 > answer"), "--json")
    assert called.code == 0
    assert "could not be moved" in called.json["detail"]
    assert repo.git("rev-parse", called.json["branch"]) != called.json["commit"]


def test_an_attempt_that_goes_in_circles(repo: Repo, loopwright: Loopwright) -> None:
    """With end_error_loops it is ended early and the next prompt says so; signals are told and kept either way."""
    repo.write("loopwright.toml", "[run]\nend_error_loops = true\n")
    call = {"type": "tool_use", "id": "t$N", "name": "Bash", "input": {"command": "make"}}
    result = {"type": "tool_result", "tool_use_id": "t$N", "content": "No rule to make it", "is_error": True}
    lines = [
        json.dumps({"type": kind, "message": {"content": [block]}}).replace("$N", "'$N'")
        for kind, block in (("assistant", call), ("user", result))
    ]
    circles = "for N in $(seq 300); do " + "; ".join(f"echo '{line}'; sleep 0.02" for line in lines) + "; done"
    called = loopwright("run", "Fix it", *TEST, *by_iteration(circles, "echo 42 > answer"), "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert "◆ error_loop: Bash failed 3 times in a row" in called.err
    assert "# You went in circles" in prompts(called.json)[1]
    assert repo.query("select ending from attempts order by number")[0] == ("loop",)
    assert repo.query("select type, severity from signals where type = 'error_loop'") == [("error_loop", "high")]
    assert repo.query("select count(*) from measured") == [(1,)]
