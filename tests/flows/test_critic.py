"""A critic at the gate, beside the criteria, and a judge among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from models.marks import script
from world import Loopwright, Repo, agent, prompts

RUBRIC = """
name = "notes"
version = 1
passes_at = 6
[[items]]
name = "criteria"
check = "criteria"
must = true
[[items]]
name = "a note"
pattern = '^A NOTES'
on = "files"
must = true
[[items]]
name = "tidy"
criterion = { test = "sh tidy.sh" }
"""
FIX = "echo 42 > answer"
RUN = ("run", "Fix the answer", "--test", "sh test.sh", "--task-type", "chore", "--json")


def rubric(repo: Repo) -> None:
    repo.write(".loopwright/rubrics/chore.toml", RUBRIC)
    repo.write("tidy.sh", "exit 3\n")
    repo.commit("tidy")


def critics_rejections(loopwright: Loopwright) -> int:
    found = loopwright("signals", "--type", "quality_rejection", "--json").json
    return [signal["category"] for signal in found].count("critic")


def test_a_gate_sends_the_work_back_with_its_reasons(repo: Repo, loopwright: Loopwright) -> None:
    """The second iteration reads what the critic misses, and brings it; the run is done by then."""
    rubric(repo)
    told = "grep -q 'A critic wants this changed' && echo x > NOTES"
    done = loopwright(*RUN, "--critic", "gate", *agent(FIX, told, "true")).json
    assert (done["status"], done["iterations"]) == ("done", 2)
    first, second = prompts(done)
    assert "critic" not in first
    assert "a note: not in the names of the changed files" in second
    assert repo.query("SELECT passed FROM evaluations ORDER BY created_at") == [(0,), (1,)]
    assert critics_rejections(loopwright) == 1


def test_a_gate_that_stays_shut_goes_to_a_human(repo: Repo, loopwright: Loopwright) -> None:
    """When the iterations are used up the run is escalated as rejected, and waits in the queue with the reasons."""
    rubric(repo)
    done = loopwright(*RUN, "--critic", "gate", "--max-iterations", 2, *agent(FIX, "date +%N > noise"))
    assert (done.code, done.json["status"], done.json["reason"]) == (5, "escalated", "rejected")
    assert "a note: not in the names" in done.json["detail"]
    assert done.json["iterations"] == 2
    assert [check["verdict"] for check in done.json["checks"] if not check["advisory"]] == ["pass"]
    assert "rejected" in loopwright("queue").out
    resumed = loopwright("resume", "last", "--max-iterations", 2, "--json")
    assert resumed.json["reason"] == "rejected"


def test_the_same_work_again_and_again_is_stalled(repo: Repo, loopwright: Loopwright) -> None:
    """An agent that does not heed the critic is stopped after three goes."""
    rubric(repo)
    done = loopwright(*RUN, "--critic", "gate", *agent(FIX)).json
    assert (done["status"], done["reason"], done["iterations"]) == ("escalated", "stalled", 3)
    assert "3 iterations in a row" in done["detail"]
    assert "the critic did not accept it: 3.33 of 10 by the rubric notes 1: a note: not in" in done["detail"]
    (note,) = repo.query("SELECT data FROM events WHERE kind = 'note' AND text = 'escalated: stalled'")
    assert "did not accept it" in note[0]
    shown = loopwright("show").out
    assert [line.strip()[:34] for line in shown.splitlines() if ", critic: " in line] == [
        f"iteration {number}, critic: fail, 3.33 of" for number in (1, 2, 3)
    ]
    assert len(repo.query("SELECT id FROM evaluations")) == 3
    assert len(repo.query("SELECT id FROM agent_runs")) == 1


EASY = 'name = "notes"\nversion = 1\n[[items]]\nname = "all"\ncheck = "criteria"\n'


def committed(repo: Repo) -> None:
    repo.write("loopwright.toml", '[rubrics]\nchore = "rubrics/strict.toml"\n')
    repo.write("rubrics/strict.toml", RUBRIC)
    repo.write("tidy.sh", "exit 3\n")
    repo.commit("a rubric")


@pytest.mark.parametrize(
    ("rewritten", "content"), [("rubrics/strict.toml", EASY), ("tidy.sh", "exit 0\n"), ("loopwright.toml", "\n")]
)
def test_what_a_gate_judges_by_is_protected(
    repo: Repo, loopwright: Loopwright, tmp_path: Path, rewritten: str, content: str
) -> None:
    """An agent that rewrites the rubric, or what its criteria run, is judged as if it had not, and is found out."""
    committed(repo)
    (tmp_path / "new").write_text(content)
    done = loopwright(*RUN, "--critic", "gate", *agent(f"{FIX}; cp {tmp_path}/new {rewritten}", "true", "true")).json
    assert (done["status"], done["reason"]) == ("escalated", "tainted")
    assert rewritten in done["detail"]
    assert repo.query("SELECT DISTINCT passed FROM evaluations") == [(0,)]
    assert repo.query("SELECT count(*) FROM signals WHERE type = 'tamper'") == [(1,)]


def test_a_rubric_is_as_it_was_when_the_run_began(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """What becomes of the file in the user's own checkout meanwhile makes no difference to the run."""
    committed(repo)
    (tmp_path / "new").write_text(EASY)
    rewrite = f"cp {tmp_path}/new {repo.root}/rubrics/strict.toml"
    done = loopwright(*RUN, "--sandbox", "off", "--critic", "gate", *agent(f"{FIX}; {rewrite}")).json
    assert (done["reason"], done["iterations"]) == ("stalled", 3)
    assert repo.query("SELECT DISTINCT passed FROM evaluations") == [(0,)]


@pytest.mark.parametrize("rewritten", ["rubrics/strict.toml", "rubrics/docs.toml", ".loopwright/rubrics/tests.toml"])
def test_rubrics_are_protected_in_every_run(repo: Repo, loopwright: Loopwright, rewritten: str) -> None:
    """Also where it only advises, and of other task types: what an agent made of a rubric would judge the next run."""
    committed(repo)
    repo.write("loopwright.toml", '[rubrics]\nchore = "rubrics/strict.toml"\ndocs = "rubrics/docs.toml"\n')
    repo.write(rewritten, RUBRIC)
    repo.git("add", "--force", rewritten)
    repo.commit("more rubrics")
    done = loopwright(*RUN, *agent(f"{FIX}; echo '# x' >> {rewritten}")).json
    assert (done["reason"], rewritten in done["detail"]) == ("tainted", True)


HIDING = (
    "echo '*.py -diff' > .gitattributes; echo 'eval(1)' > m.py",
    "printf '\\0eval(1)\\n' > m.py",
    "mkdir -p 'migrations/x b'; echo drop > 'migrations/x b/y.sql'",
    "mkdir -p junk; mv tidy.sh junk/old.txt",
)


@pytest.mark.parametrize("hiding", HIDING)
def test_nothing_hides_from_a_gate(repo: Repo, loopwright: Loopwright, hiding: str) -> None:
    """What the agent calls binary, what it moves away, and odd names are seen, at the gate and later."""
    items = [("no eval", r"eval\(", "diff"), ("no migrations", "^[AMD] migrations/", "files"), ("tidy", "^D ", "files")]
    body = "".join(
        f"[[items]]\nname = '{name}'\npattern = '{pattern}'\non = '{on}'\nabsent = true\nmust = true\n"
        for name, pattern, on in items
    )
    rubric(repo)
    repo.write(".loopwright/rubrics/chore.toml", f'name = "strict"\nversion = 1\n{body}')
    done = loopwright(*RUN, "--critic", "gate", "--max-iterations", 1, *agent(f"{FIX}; {hiding}")).json
    assert (done["status"], done["reason"]) == ("escalated", "rejected")
    first, again = repo.query("SELECT passed, reason FROM evaluations"), loopwright("critic", "--json").json
    assert first == [(0, again["reason"])]


ASKS = '[[items]]\nname = "so"\nquestion = "Is it?"\nanchors = { 0 = "no line says so", 10 = "a line says so" }\n'


@pytest.mark.parametrize("must", ["true", "false"])
def test_a_gate_that_can_not_decide_says_why(repo: Repo, loopwright: Loopwright, tmp_path: Path, must: str) -> None:
    """With a model that fails a human is asked at once, and told the reason, whether or not the question must hold."""
    repo.write(".loopwright/rubrics/chore.toml", f"{EASY}{ASKS}must = {must}\n")
    repo.write("loopwright.toml", f'[models]\ncritic = "{script(tmp_path / "a.json", {"error": "it sleeps"})}"\n')
    done = loopwright(*RUN, "--critic", "gate", *agent(FIX)).json
    assert (done["reason"], done["iterations"], "it sleeps" in done["detail"]) == ("unverifiable", 1, True)
    assert "the critic could not decide: " in done["detail"] and "not decided: so (" in done["detail"]


def test_a_gate_with_questions_and_nobody_to_answer_is_refused(repo: Repo, loopwright: Loopwright) -> None:
    """Without a model nothing is spent; where it only advises, the checks count."""
    repo.write(".loopwright/rubrics/chore.toml", EASY + ASKS)
    done = loopwright(*RUN, "--critic", "gate", *agent(FIX))
    assert done.code == 2 and "no model answers them" in done.err and "[models] critic" in done.err
    assert repo.statuses() == []
    assert loopwright(*RUN, *agent(FIX)).json["status"] == "done"


def test_without_a_gate_criteria_decide_alone(repo: Repo, loopwright: Loopwright) -> None:
    """What the critic misses is told beside a run that is done; its own check ran, and decided nothing."""
    rubric(repo)
    done = loopwright(*RUN, *agent(FIX)).json
    assert (done["status"], done["iterations"]) == ("done", 1)
    assert [(check["kind"], check["verdict"], check["advisory"]) for check in done["checks"]] == [
        ("test", "pass", False),
        ("test", "fail", True),
    ]
    assert repo.query("SELECT passed, score FROM evaluations") == [(0, 3.33)]
    assert repo.query("SELECT checks_passed, checks_failed FROM run_summary") == [(1, 0)]
    assert loopwright("verify").code == 0
    assert critics_rejections(loopwright) == 0


def test_a_broken_rubric_ends_no_run(repo: Repo, loopwright: Loopwright) -> None:
    """A rubric that can't be read is refused before anything is spent."""
    repo.write(".loopwright/rubrics/chore.toml", "name = ")
    done = loopwright(*RUN, *agent(FIX))
    assert done.code == 2 and "can't be read" in done.err
    assert repo.statuses() == []


def judged(repo: Repo, tmp_path: Path, *answers: dict[str, Any], required: bool = True) -> Path:
    if answers:
        repo.write("loopwright.toml", f'[models]\njudge = "{script(tmp_path / "a.json", *answers)}"\n')
    task = f"""
goal = "Fix the answer"
max_iterations = 2
[[criteria]]
test = "sh test.sh"
[[criteria]]
judge = "Is the number written down?"
anchors = {{ 0 = "no number", 10 = "a number" }}
required = {str(required).lower()}
"""
    path = tmp_path / "task.toml"
    path.write_text(task)
    return path


def test_a_required_judge_decides(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Its answer is a verdict like others, with its reason in the next prompt."""
    no, yes = ({"answer": {"q1": {"value": value, "reason": "I see 42"}}} for value in (0, 10))
    task = judged(repo, tmp_path, {"when": "+42", **no}, {"when": "+42", **yes})
    done = loopwright("run", "--task", task, "--json", *agent(FIX, "date +%N > noise")).json
    assert (done["status"], done["iterations"]) == ("done", 2)
    assert "I see 42" in prompts(done)[1]


def test_an_advisory_judge_only_tells(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A bad answer and a model that can't be asked change nothing of the end; the agent is not told of it."""
    task = judged(repo, tmp_path, {"answer": {"q1": {"value": 0, "reason": "no"}}}, required=False)
    done = loopwright("run", "--task", task, "--json", *agent(FIX)).json
    assert (done["status"], done["checks"][1]["verdict"], done["checks"][1]["advisory"]) == ("done", "fail", True)
    assert "written down" not in prompts(done)[0]


def test_a_required_judge_that_can_not_be_asked_is_no_verdict(
    repo: Repo, loopwright: Loopwright, tmp_path: Path
) -> None:
    """Without a model nothing is spent on an agent: the run is unverifiable at once."""
    done = loopwright("run", "--task", judged(repo, tmp_path), "--json", *agent(FIX))
    assert (done.code, done.json["reason"], done.json["iterations"]) == (4, "unverifiable", 0)
    assert "[models] judge" in done.json["detail"]
