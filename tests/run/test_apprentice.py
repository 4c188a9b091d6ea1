"""The apprentice: a script played by a real process that speaks stream-json."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from loopwright.records.event import Event, EventKind
from loopwright.text.stream_json import StreamJson


def _play(
    folder: Path, script: str, iteration: int = 1
) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
    path = folder / "script.toml"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "loopwright.run.apprentice", str(path)],
        cwd=folder,
        env={"LOOPWRIGHT_ITERATION": str(iteration)},
        capture_output=True,
        text=True,
        timeout=30,
    )
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def _results(lines: list[dict[str, Any]]) -> list[Event]:
    stream = StreamJson()
    events = [event for line in lines for event in stream.read(line) or pytest.fail(f"not understood: {line}")]
    return [event for event in events if event.kind is EventKind.TOOL_RESULT]


def test_all_actions_are_really_done(tmp_path: Path) -> None:
    """Files are written, edited and deleted, commands run, and each is told as a real agent's tool call."""
    (tmp_path / "old.txt").write_text("bye")
    script = """
    [[attempt]]
    actions = [
      { say = "Working." },
      { write = "deep/er/a.txt", content = "one\\ntwo\\n" },
      { read = "deep/er/a.txt" },
      { edit = "deep/er/a.txt", old = "two", new = "drei ✓" },
      { run = "cat deep/er/a.txt" },
      { delete = "old.txt" },
      { wait = 0.01 },
    ]
    says = "All done."
    """
    done, lines = _play(tmp_path, script)
    results = _results(lines)
    assert done.returncode == 0
    assert (tmp_path / "deep/er/a.txt").read_text("utf-8") == "one\ndrei ✓\n"
    assert not (tmp_path / "old.txt").exists()
    assert [event.tool for event in results] == ["Write", "Read", "Edit", "Bash", "Bash"]
    assert not any(event.is_error for event in results)
    assert results[0].path == str(tmp_path / "deep/er/a.txt")
    assert results[1].text == "1\tone\n2\ttwo"
    assert (results[3].exit_code, results[3].text) == (0, "one\ndrei ✓")
    assert lines[-1]["result"] == "All done."


def test_mistakes_are_errors_of_the_tool(tmp_path: Path) -> None:
    """What can't be done is a tool result with is_error, and the attempt goes on to its end."""
    (tmp_path / "a.txt").write_text("x x")
    script = """
    [[attempt]]
    actions = [
      { read = "none.txt" }, { edit = "none.txt", old = "a", new = "b" }, { edit = "a.txt", old = "y", new = "b" },
      { edit = "a.txt", old = "x", new = "b" }, { delete = "none.txt" }, { run = "echo no >&2; exit 7" },
      { write = "a.txt/b", content = "" }, { read = "." }, { run = "kill -9 $$" },
    ]
    """
    done, lines = _play(tmp_path, script)
    results = _results(lines)
    assert done.returncode == 0
    assert len(results) == 9
    assert all(event.is_error for event in results)
    assert [event.exit_code for event in results] == [None, None, None, None, 1, 7, None, None, 137]
    assert results[5].text == "Exit code 7\nno"
    assert (tmp_path / "a.txt").read_text() == "x x"


def test_the_stream_is_like_a_real_one(tmp_path: Path) -> None:
    """It starts with init, ends with one result that has usage, cost and duration, and ids do not repeat."""
    script = """
    [[attempt]]
    actions = [{ say = "Hi." }, { run = "true" }, { run = "true" }]
    cost_usd = 0.125
    tokens = { input = 900, output = 30 }
    """
    _, lines = _play(tmp_path, script, iteration=4)
    assert (lines[0]["type"], lines[0]["subtype"], lines[0]["cwd"]) == ("system", "init", str(tmp_path))
    assert [line["type"] for line in lines[1:]] == ["assistant", "assistant", "user", "assistant", "user", "result"]
    ids = [line["message"]["id"] for line in lines if line["type"] == "assistant"]
    assert len(set(ids)) == 3
    assert ids[0] == "msg_4_1"
    stream = StreamJson()
    for line in lines[:-1]:
        stream.read(line)
    assert 0 < stream.usage()[0].input <= 900
    stream.read(lines[-1])
    assert (stream.usage()[0].total, stream.usage()[1]) == (930, 0.125)
    assert lines[-1]["usage"] == {"input_tokens": 900, "output_tokens": 30}
    assert lines[-1]["total_cost_usd"] == 0.125
    assert lines[-1]["duration_ms"] >= 0
    assert lines[-1]["result"] == "Hi."


def test_it_plays_the_attempt_of_the_iteration(tmp_path: Path) -> None:
    """Attempt N belongs to iteration N, and past the end the last is played again."""
    script = '[[attempt]]\nsays = "one"\n[[attempt]]\nsays = "two"\n'
    assert [_play(tmp_path, script, number)[1][-1]["result"] for number in (1, 2, 9)] == ["one", "two", "two"]


def test_it_is_deterministic(tmp_path: Path) -> None:
    """Two plays of one script differ in times only."""
    script = '[[attempt]]\nactions = [{ say = "a" }, { run = "echo b" }]\n'
    first, second = (
        [
            {key: line[key] for key in line if key not in {"timestamp", "duration_ms"}}
            for line in _play(tmp_path, script)[1]
        ]
        for _ in range(2)
    )
    assert first == second


def test_impossible_ends_the_attempt(tmp_path: Path) -> None:
    """It says why in its last words, without an error, and does nothing after that."""
    script = '[[attempt]]\nactions = [{ impossible = "2 is not 3" }, { write = "a", content = "" }]\n'
    done, lines = _play(tmp_path, script)
    assert done.returncode == 0
    assert (lines[-1]["is_error"], lines[-1]["result"]) == (False, "impossible, because 2 is not 3")
    assert not (tmp_path / "a").exists()


def test_failing_ends_the_attempt_with_an_error(tmp_path: Path) -> None:
    """It leaves with exit code 1 and a result that is an error."""
    done, lines = _play(tmp_path, '[[attempt]]\nactions = [{ say = "Hm." }, { fail = "overloaded" }, { say = "no" }]\n')
    assert done.returncode == 1
    assert (lines[-1]["is_error"], lines[-1]["errors"], lines[-1]["result"]) == (True, ["overloaded"], "Hm.")


def test_lines_are_flushed_as_they_come(tmp_path: Path) -> None:
    """Whoever reads along sees a line before the next action begins."""
    (tmp_path / "s.toml").write_text('[[attempt]]\nactions = [{ say = "now" }, { run = "cat" }, { wait = 20 }]\n')
    command = [sys.executable, "-P", "-m", "loopwright.run.apprentice", str(tmp_path / "s.toml")]
    started = time.monotonic()
    with subprocess.Popen(command, cwd=tmp_path, env={}, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        kinds = [json.loads(process.stdout.readline())["type"] for _ in range(4)]
        took = time.monotonic() - started
        process.kill()
    assert kinds == ["system", "assistant", "assistant", "user"]
    assert took < 15


@pytest.mark.parametrize(
    "script",
    [
        "",
        "not toml",
        "attempt = 3",
        '[[attempt]]\nactions = [{ dance = "wild" }]',
        '[[attempt]]\nactions = [{ read = "a", run = "b" }]',
        '[[attempt]]\nactions = [{ edit = "a" }]',
        '[[attempt]]\nactions = [{ wait = "long" }]',
        '[[attempt]]\nactions = ["say"]',
    ],
)
def test_a_broken_script_is_a_broken_set_up(tmp_path: Path, script: str) -> None:
    """A script that can't be played ends with exit code 2, no result, and one line that says why."""
    done, lines = _play(tmp_path, script)
    assert done.returncode == 2
    assert "result" not in [line["type"] for line in lines]
    assert done.stderr.startswith("the script can't be played: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    """A script that is not there is said to be missing, by name."""
    command = [sys.executable, "-P", "-m", "loopwright.run.apprentice", "gone.toml"]
    done = subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True)
    assert done.returncode == 2
    assert "gone.toml" in done.stderr
