"""`loopwright critic`: a run scored now."""

from __future__ import annotations

from pathlib import Path

from models.marks import script
from world import Loopwright, Repo, agent

RUN = ("run", "Fix the answer", "--test", "sh test.sh", "--task-type", "bug_fix")


def test_a_run_is_scored_by_itself_and_again_the_same(repo: Repo, loopwright: Loopwright) -> None:
    """After a run there is an evaluation beside its criteria; to score it again gives the same one, in one row."""
    assert loopwright(*RUN, *agent("echo 42 > answer", "echo done")).code == 0
    shown = loopwright("show").out
    assert "critic: pass, 8.18 of 10 by bug_fix 1" in shown
    first, second = loopwright("critic", "--json").json, loopwright("critic", "last", "--json").json
    assert (first["score"], first["passed"], first["rubric"]) == (8.18, True, "bug_fix 1")
    assert {**first, "created_at": ""} == {**second, "created_at": ""}
    assert repo.query('SELECT score, passed, "by" FROM evaluations') == [(8.18, 1, "critic")]
    assert "a test comes with it" in loopwright("critic").out


def test_another_rubric(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A file, a ready one by its name, and the project's own of the task type are used; a loose one is named."""
    loopwright(*RUN, *agent("echo 42 > answer"))
    loose = repo.write("loose.toml", 'name = "x"\nversion = 1\n[[items]]\nname = "q"\nquestion = "Is it good?"\n')
    assert "nothing observable decides `q`" in loopwright("critic", "--rubric", loose).err
    loose.write_text(loose.read_text() + 'anchors = { 0 = "bad", 10 = "good" }\n')
    done = loopwright("critic", "--rubric", loose)
    assert "not decided" in done.out and "is loose: it has only questions" in done.err
    assert loopwright("critic", "--rubric", "docs", "--json").json["rubric"] == "docs 1"
    own = 'name = "own"\nversion = 4\n[[items]]\nname = "all"\ncheck = "criteria"\n'
    repo.write(".loopwright/rubrics/bug_fix.toml", own)
    assert loopwright("critic", "--json").json["rubric"] == "own 4"
    repo.write("strict.toml", own.replace("own", "strict"))
    repo.write("loopwright.toml", '[rubrics]\nbug_fix = "strict.toml"\n')
    assert loopwright("critic", "--json").json["rubric"] == "strict 4"
    assert loopwright("critic", "--rubric", "dosc").code == 2


def test_questions_are_for_the_model_of_the_settings(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """The model answers once; the same run is scored again without asking. A wrong setting is refused by name."""
    answer = {"q1": {"value": 10, "reason": "the cause"}, "q2": {"value": 5, "reason": "no file is named"}}
    name = script(tmp_path / "a.json", {"answer": answer, "cost_usd": 0.5}, {"error": "asked twice"})
    repo.write("loopwright.toml", f'[models]\ncritic = "{name}"\n')
    loopwright(*RUN, *agent("echo 42 > answer"))
    assert repo.query("SELECT cost_usd, model FROM evaluations") == [(0.5, name)]
    again = loopwright("critic", "--json").json
    assert (again["score"], again["cost_usd"]) == (8.21, 0.0)
    repo.write("loopwright.toml", '[models]\ncritic = "haiku"\n')
    assert "does not say how to ask it" in loopwright("critic").err
    repo.write("loopwright.toml", '[models]\ncritic = "apo:x"\n')
    assert "did you mean `api`?" in loopwright("critic").err


def test_it_can_be_left_out(repo: Repo, loopwright: Loopwright) -> None:
    """With --critic off nobody judges the run."""
    loopwright(*RUN, "--critic", "off", *agent("echo 42 > answer"))
    assert repo.query("SELECT count(*) FROM evaluations") == [(0,)]
