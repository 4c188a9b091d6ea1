from __future__ import annotations

import dataclasses
import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from export.samples import FAILED, called, numbered, observed, returned, story
from loopwright import record_run
from loopwright.records.bundle import Bundle
from loopwright.records.identity import new_id
from loopwright.records.run import Step
from loopwright.wire import open_record
from world import PROGRAM, Loopwright, Repo, agent

SCRIPT = """
[[attempt]]
actions = [
  { say = "I look first." },
  { read = "answer" },
  { run = "sh test.sh" },
  { edit = "answer", old = "41", new = "40" },
]
says = "Done!"
cost_usd = 0.02
tokens = { input = 500, output = 30 }

[[attempt]]
actions = [ { write = "answer", content = "42\\n" } ]
says = "Now it is."
cost_usd = 0.01
tokens = { input = 100, output = 5 }
"""


@pytest.fixture
def result(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> dict[str, object]:
    script = tmp_path / "script.toml"
    script.write_text(SCRIPT)
    repo.write("loopwright.toml", f'[profiles.s]\nagent = "scripted"\nagent_options = {{ script = "{script}" }}\n')
    called = loopwright("run", "Fix the answer", "--test", "sh test.sh", "--profile", "s", "--json")
    assert called.code == 0
    return dict(called.json)


def test_json_is_the_whole_run(result: dict[str, object], repo: Repo, loopwright: Loopwright) -> None:
    """`show --json` gives the run with its steps, attempts, checks and events, each with its environment."""
    shown = loopwright("show", result["run_id"], "--json").json
    assert shown["run_id"] == result["run_id"]
    assert (shown["status"], shown["reason"], shown["task"]["goal"]) == ("done", "criteria_met", "Fix the answer")
    assert shown["task"]["criteria"] == [{"kind": "test", "command": "sh test.sh"}]
    assert [step["number"] for step in shown["steps"]] == [1]
    assert [(item["number"], item["ending"], item["exit_code"]) for item in shown["attempts"]] == [
        (1, "finished", 0),
        (2, "finished", 0),
    ]
    assert [item["cost_usd"] for item in shown["attempts"]] == [0.02, 0.01]
    assert [item["tokens"]["input"] for item in shown["attempts"]] == [500, 100]
    assert shown["attempts"][1]["commit"] == result["commit"]
    assert [(check["iteration"], check["verdict"]) for check in shown["checks"]] == [
        (0, "fail"),
        (1, "fail"),
        (2, "pass"),
    ]
    for record in (*shown["attempts"], *shown["checks"]):
        assert record["environment"]["agent"] == "scripted"
        assert record["environment"]["platform"].startswith("Linux")
        assert record["environment"]["profile"] == "s"
        assert len(record["environment"]["profile_hash"]) == 64
    assert [event["seq"] for event in shown["events"]] == list(range(1, len(shown["events"]) + 1))
    assert {"message", "tool_call", "tool_result", "verdict", "result", "note"} <= {e["kind"] for e in shown["events"]}
    assert result["cost_usd"] == 0.03
    assert result["tokens"] == {"input": 600, "output": 35, "cache_read": 0, "cache_write": 0}


@pytest.mark.parametrize("name", ["last", "the whole id", "its end", "its beginning"])
def test_a_run_has_several_names(result: dict[str, object], loopwright: Loopwright, name: str) -> None:
    """A run is `last`, its id, or enough of either end of it."""
    run_id = str(result["run_id"])
    named = {"the whole id": run_id, "its end": run_id[-8:], "its beginning": run_id[:13]}.get(name, name)
    assert loopwright("show", named, "--json").json["run_id"] == run_id


def test_for_people(result: dict[str, object], loopwright: Loopwright) -> None:
    """A person sees each iteration with its checks, what it cost, and the next command."""
    out = loopwright("show").out
    for words in ("done (criteria_met)", "Fix the answer", "preflight", "iteration 1", "iteration 2", "$0.0300"):
        assert words in out
    assert f"git merge {result['branch']}" in out


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("--timeline", ["I look first.", "sh test.sh", "verdict", "pass: test sh test.sh"]),
        ("--tools", ["Bash", "Read", "Edit"]),
        ("--commands", ["sh test.sh"]),
        ("--errors", ["Exit code 1"]),
    ],
)
def test_one_side_of_it(result: dict[str, object], loopwright: Loopwright, flag: str, words: list[str]) -> None:
    """Each view shows its side of the run, for people and as JSON."""
    out = loopwright("show", flag).out
    assert [word for word in words if word not in out] == []
    rows = loopwright("show", "last", flag, "--json").json
    assert isinstance(rows, list) and rows
    assert [word for word in words if word not in json.dumps(rows).replace('"', "").replace("\\n", " ")][1:] == []


def test_a_side_that_is_empty(repo: Repo, loopwright: Loopwright) -> None:
    """A view without rows says so."""
    loopwright("run", "x", "--file", "answer", "--agent-command", "true")
    called = loopwright("show", "--tools")
    assert (called.code, called.out) == (0, "")
    assert "there are no calls of tools in this run" in called.err
    assert loopwright("show", "--tools", "--json").json == []


def test_nothing_yet(repo: Repo, loopwright: Loopwright) -> None:
    """Where there is no run, there is nothing to show."""
    called = loopwright("show")
    assert called.code == 2
    assert "there is no run yet" in called.err


def test_how_much_is_seen(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """A timeline is cut to a line and says how to see all; a table is cut only for a narrow terminal."""
    words = "a long way to say " * 12
    result = {"type": "tool_result", "tool_use_id": "t", "is_error": True, "content": f"Exit code 1\n{words}end"}
    lines = (
        {
            "type": "assistant",
            "message": {
                "id": "m",
                "content": [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}}],
            },
        },
        {"type": "user", "message": {"content": [result]}},
        {"type": "assistant", "message": {"id": "n", "content": [{"type": "text", "text": f"{words}end"}]}},
    )
    said = "\n".join(map(json.dumps, lines))
    loopwright("run", "x", "--test", "sh test.sh", *agent(f"cat <<'END'\n{said}\nEND", "echo 42 > answer"))
    monkeypatch.setenv("COLUMNS", "80")
    cut = loopwright("show", "--timeline")
    assert max(map(len, cut.out.splitlines())) == 200 and f"{words}end" not in cut.out
    assert cut.err.startswith("hint: lines are cut; all of a step: loopwright show ") and "--step 1" in cut.err
    whole = loopwright("show", "--timeline", "--step", 1)
    assert whole.out.count(f"{words}end") == 2 and "hint" not in whole.err
    assert "tool_result Bash     Exit code 1 a long way" in whole.out  # and not the command again
    heading = loopwright("show", "--commands").out.splitlines()[0].split()
    assert "seq" in heading and not any("…" in name for name in heading)
    narrow = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    ours, theirs = pty.openpty()
    subprocess.run([*PROGRAM, "show", "--commands"], stdout=theirs, env=narrow, check=True)
    heading = os.read(ours, 65536).decode().splitlines()[0]
    assert "command" in heading and "seq" not in heading and "…" not in heading


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bundle:
    """Give a session in the user's own store, and be outside of any repository."""
    monkeypatch.chdir(tmp_path)
    bundle = observed()
    with open_record(tmp_path).store as store:
        store.recorded.bring(bundle)
    return bundle


def test_a_session_that_ran_elsewhere(session: Bundle, loopwright: Loopwright) -> None:
    """It is shown with what people said, its tools, its errors and its habits, and no command that can't be meant."""
    out = loopwright("show").out
    for words in ("observed", "Fix the login", "from claude_code", "session s-1", "1 rejection ·", "Bash 2 (2 failed)"):
        assert words in out
    for words in ("read 3 times: /p/login.py", "2 ×", "reads before the first edit: 2", "show", "--format html"):
        assert words in out
    assert "land" not in out and "resume" not in out
    shown = loopwright("show", "--json").json
    assert (shown["session"]["session_id"], shown["source"]) == ("s-1", "claude_code")


def test_like_errors_are_counted_together(session: Bundle, loopwright: Loopwright) -> None:
    """Errors of one fingerprint are one row with how often."""
    out = loopwright("show", "--errors").out
    assert "2 × feed0123feed0123" in out and "1 failed" in out and "2 errors of 1 kind" in out
    (group,) = loopwright("show", "--errors", "--json").json
    assert (group["count"], group["error_kind"], group["tool"]) == (2, "EXIT_ERROR", "Bash")


def test_the_report(session: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """The analysis is written below reports/ in the state's folder, or where it was asked for."""
    called = loopwright("show", "--save-report", "--json")
    path = Path(called.json["report"])
    assert path.parent.name == "reports" and path.read_text().startswith("# Run ")
    assert loopwright("show", "last", "--save-report", "--output", tmp_path / "r.md").code == 0
    assert (tmp_path / "r.md").read_text() == path.read_text()
    assert loopwright("show", "--output", tmp_path / "x").code == 2


def test_one_step_of_several(loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each view of a step has what belongs to its attempts, and a step that is not there is refused."""
    monkeypatch.chdir(tmp_path)
    first = observed()
    step = Step(new_id(), first.run.id, 2, "the second")
    attempt = dataclasses.replace(first.attempts[0], id=new_id(), step_id=step.id, number=2)
    more = [dataclasses.replace(event, seq=event.seq + 100) for event in numbered(story()[-2:], attempt.id)]
    attempts, events = [*first.attempts, attempt], [*first.events, *more]
    with open_record(tmp_path).store as store:
        store.recorded.bring(dataclasses.replace(first, steps=[*first.steps, step], attempts=attempts, events=events))
    counts = [len(loopwright("show", "--timeline", "--step", number, "--json").json) for number in (1, 2)]
    assert counts == [24, 2]
    assert loopwright("show", "--tools", "--step", 2, "--json").json == []
    assert loopwright("show", "--tools", "--step", 1, "--json").json[0]["tool"] == "Bash"
    assert loopwright("show", "--errors", "--step", 2, "--json").json == []
    assert len(loopwright("show", "--commands", "--step", 1, "--json").json) == 2
    assert [item["number"] for item in loopwright("show", "--step", 2, "--json").json["attempts"]] == [2]
    wrong = loopwright("show", "--step", 3)
    assert wrong.code == 2 and "there is no step `3`" in wrong.err


def test_a_run_that_another_program_judged(
    loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`show` and `compare` say whether it passed, its score and why, also as JSON and after an import."""
    monkeypatch.chdir(tmp_path)
    told = {"goal": "Fix it", "agent": "mine", "by": "nightly"}
    passed = record_run("bug_fix", passed=True, score=0.75, reason="all tests\npass \x1b[2J", **told)
    failed = record_run("bug_fix", passed=False, reason="two tests fail")
    (tmp_path / "run.json").write_text(loopwright("export", passed).out)
    assert loopwright("import", tmp_path / "run.json", "--force").code == 0
    shown = loopwright("show", passed).out
    assert "judged  passed · 0.75 of 10 · by nightly" in shown and "all tests\n" in shown and "\x1b" not in shown
    assert "judged  failed\n          two tests fail" in loopwright("show", failed).out
    (evaluation,) = loopwright("show", passed, "--json").json["evaluations"]
    assert (evaluation["passed"], evaluation["score"], evaluation["reason"][:9]) == (True, 0.75, "all tests")
    compared = loopwright("compare", passed, failed).out.splitlines()
    assert [line.split() for line in compared if line.startswith(("judged", "why"))] == [
        ["judged", "passed", "·", "0.75", "of", "10", "failed"],
        ["why", "all", "tests", "two", "tests", "fail"],
    ]
    sides = loopwright("compare", passed, failed, "--json").json["runs"]
    assert [side["evaluations"][0]["passed"] for side in sides] == [True, False]


def test_names_of_several_lines(loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newline or a control character in a tool's, a model's or a project's name breaks no line, in any view."""
    monkeypatch.chdir(tmp_path)
    bad = "Z1\nZ2\tZ3\x1b[2J\rZ4\u2028Z5"
    made = observed([called(bad, "c1", command="x"), returned(bad, "c1", "boom", command="x", **FAILED)])
    profile = dataclasses.replace(made.run.profile, agent=bad, model=bad)
    environment = dataclasses.replace(made.attempts[0].environment, model=bad)
    made = dataclasses.replace(
        made,
        run=dataclasses.replace(made.run, profile=profile, source=bad),
        attempts=[dataclasses.replace(made.attempts[0], environment=environment)],
        session=dataclasses.replace(made.session, project=bad, path=bad, prompts=1, interrupts=1, raw_lines=1),
    )
    with open_record(tmp_path).store as store:
        store.recorded.bring(made)
    told = [loopwright("show", *view).out for view in ([], ["--tools"], ["--timeline"], ["--errors"], ["--commands"])]
    told += [loopwright("compare", "last", "last").out, loopwright("runs").out]
    for out in told:
        assert not re.search("^ *Z[2-5]|[\x1b\r\t\u2028]", out, re.MULTILINE), out
    assert "1 prompt · 1 interrupt · 1 rejection" in told[0] and "1 line not understood" in told[0]
    assert told[3].endswith("1 error of 1 kind\n")
    assert "errors: 1 of 1 kind in both" in told[5]
