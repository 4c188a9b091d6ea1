from __future__ import annotations

from pathlib import Path

import pytest

from loopwright import AllOf, AnyOf, AtLeast, FileCriteria, GrepCriteria, Task, TestCriteria
from loopwright.errors import TaskError
from loopwright.registry import kinds
from loopwright.run.taskfile import read_task


def read(folder: Path, name: str, text: str, **more: object) -> Task:
    path = folder / name
    path.write_text(text)
    return read_task(path, kinds, **more)  # type: ignore[arg-type]


TOML = """
goal = "Add authentication to the API"
task_type = "feature"
base = "main"
max_iterations = 5
max_cost = 2
max_tokens = 100_000
timeout = "1h30m"
idle_timeout = 90
escalate_on_failure = false
revert_when = "npx tsc --noEmit"
protect = ["tests/**"]
allow = ["tests/new/**"]

[[criteria]]
test = "pytest tests/test_auth.py"
timeout = "5m"

[[criteria]]
kind = "file"
path = "src/auth.py"

[[criteria]]
any = [
  { grep = "src/main.py", pattern = "require_auth" },
  { all = [{ file = "a" }, { at_least = 1, of = [{ file = "b" }, { file = "c", exists = false }] }] },
]

[[criteria]]
test = "pytest tests/hidden.py"
held_out = true
"""

YAML = """
goal: Add authentication to the API
task_type: feature
base: main
max_iterations: 5
max_cost: 2
max_tokens: 100000
timeout: 1h30m
idle_timeout: 90
escalate_on_failure: false
revert_when: npx tsc --noEmit
protect: [tests/**]
allow:
  - tests/new/**
criteria:
  - test: pytest tests/test_auth.py
    timeout: 5m
  - kind: file
    path: src/auth.py
  - any:
      - {grep: src/main.py, pattern: require_auth}
      - all:
          - file: a
          - at_least: 1
            of: [{file: b}, {file: c, exists: false}]
  - test: pytest tests/hidden.py
    held_out: true
"""

TASK = Task(
    "Add authentication to the API",
    [
        TestCriteria("pytest tests/test_auth.py", timeout_s=300.0),
        FileCriteria("src/auth.py"),
        AnyOf(
            GrepCriteria("src/main.py", "require_auth"),
            AllOf(FileCriteria("a"), AtLeast(1, FileCriteria("b"), FileCriteria("c", exists=False))),
        ),
        TestCriteria("pytest tests/hidden.py", held_out=True),
    ],
    task_type="feature",
    base="main",
    max_iterations=5,
    max_cost=2.0,
    max_tokens=100_000,
    timeout_s=5400.0,
    idle_timeout_s=90.0,
    escalate_on_failure=False,
    revert_when="npx tsc --noEmit",
    protect=("tests/**",),
    allow=("tests/new/**",),
)


@pytest.mark.parametrize(
    ("name", "text"), [("task.toml", TOML), ("task.yaml", YAML), ("task.yml", YAML), ("TASK.YAML", YAML)]
)
def test_a_whole_task(tmp_path: Path, name: str, text: str) -> None:
    """The same task comes out of TOML, YAML and Python, with every field and both forms of criteria."""
    assert read(tmp_path, name, text) == TASK


def test_only_what_is_needed(tmp_path: Path) -> None:
    """A goal and a criterion are enough; the rest has its defaults."""
    task = read(tmp_path, "t.toml", 'goal = "x"\ncriteria = [{ file = "a" }]\n')
    assert task == Task("x", [FileCriteria("a")])


def test_defaults_file_and_flags(tmp_path: Path) -> None:
    """What the file says wins over the defaults, and what was asked for wins over the file."""
    text = 'goal = "x"\nmax_iterations = 2\ntimeout = "1m"\ncriteria = [{ file = "a" }]\n'
    defaults = {"max_iterations": 1, "timeout_s": 5.0, "idle_timeout_s": 6.0, "protect": ("p",)}
    task = read(tmp_path, "t.toml", text, defaults=defaults, over={"max_iterations": 3, "goal": "y"})
    assert (task.max_iterations, task.timeout_s, task.idle_timeout_s) == (3, 60.0, 6.0)
    assert (task.protect, task.goal) == (("p",), "y")


@pytest.mark.parametrize("key", ["timeout", "timeout_s"])
def test_a_time_may_be_written_either_way(tmp_path: Path, key: str) -> None:
    """`timeout` and `timeout_s` are the same field, and both win over the default."""
    text = f'goal = "x"\n{key} = 7\ncriteria = [{{ file = "a" }}]\n'
    assert read(tmp_path, "t.toml", text, defaults={"timeout_s": 5.0}).timeout_s == 7.0


def test_a_goal_may_come_from_outside(tmp_path: Path) -> None:
    """A file of criteria without a goal is whole when the goal is given beside it."""
    assert read(tmp_path, "t.toml", 'criteria = [{ file = "a" }]\n', over={"goal": "y"}).goal == "y"


def test_more_criteria_are_added(tmp_path: Path) -> None:
    """Criteria that are given beside a file are added to those in it, or are all there are."""
    more = [FileCriteria("b")]
    task = read(tmp_path, "t.toml", 'goal = "x"\ncriteria = [{ file = "a" }]\n', more=more)
    assert task.criteria == (FileCriteria("a"), FileCriteria("b"))
    assert read(tmp_path, "u.toml", 'goal = "x"\n', more=more).criteria == (FileCriteria("b"),)


@pytest.mark.parametrize(
    ("written", "seconds"),
    [('"90"', 90), ('"90s"', 90), ('"10m"', 600), ('"2h"', 7200), ('"1h30m"', 5400), ("1.5", 1.5)],
)
def test_durations(tmp_path: Path, written: str, seconds: float) -> None:
    """A time is a number of seconds, or has units."""
    text = f'goal = "x"\ntimeout = {written}\ncriteria = [{{ file = "a" }}]\n'
    assert read(tmp_path, "t.toml", text).timeout_s == seconds


SYNTAX = [
    ("t.toml", 'goal = "x"\ncriteria = [\n  { file = "a" }\n  { file = "b" }\n]\n', 4, "not valid TOML"),
    ("t.toml", 'goal = "x\n', 1, "not valid TOML"),
    ("t.toml", 'goal = "x"\n\ngoal = "y"\n', 3, "not valid TOML"),
    ("t.toml", 'goal = "x"\ncriteria = [\n', 3, "not valid TOML"),
    ("t.yaml", "goal: x\ncriteria:\n  - file: a\n - file: b\n", 4, "not valid YAML"),
    ("t.yaml", "goal: 'x\n", 2, "not valid YAML"),
    ("t.yaml", "goal: x\n\tcriteria: []\n", 2, "not valid YAML"),
    ("t.yaml", "goal: x\n---\ngoal: y\n", 2, "not valid YAML"),
    ("t.yaml", "goal: x\nbase: \x07\n", 2, "not valid YAML"),
    ("t.toml", "a = " + "[" * 5000, 1, "nested too deeply"),
    ("t.yaml", "a: " + "[" * 5000, 1, "nested too deeply"),
]

HEAD = 'goal = "x"\nbase = "main"\n'

TOML_MISTAKES = [
    (HEAD + 'max_iteration = 3\ncriteria = [{ file = "a" }]\n', 3, "did you mean `max_iterations`?"),
    (HEAD + '\n\n"critera" = [{ file = "a" }]\n', 5, "did you mean `criteria`?"),
    (HEAD + 'max_iterations = "3"\ncriteria = [{ file = "a" }]\n', 3, "whole number"),
    (HEAD + 'timeout = "soon"\ncriteria = [{ file = "a" }]\n', 3, "not a duration"),
    (HEAD + 'criteria = "pytest"\n', 3, "not a list"),
    (HEAD + 'criteria = ["pytest"]\n', 3, "not a criterion"),
    (HEAD + 'criteria = [\n  { file = "a" },\n  { fiel = "b" },\n]\n', 5, "did you mean `file`?"),
    (HEAD + 'criteria = [\n  { file = "a" },\n  # file = "c"\n  { file = 5 },\n]\n', 6, "should be text"),
    (HEAD + 'criteria = [{ file = "a" },\n\n  { test = "x", shel = true },\n]\n', 5, "did you mean `shell`?"),
    (HEAD + '[[criteria]]\nfile = "a"\n\n[[criteria]]\nfile = "b"\nexist = true\n', 8, "did you mean `exists`?"),
    (HEAD + '[[criteria]]\nfile = "a"\n[[ criteria ]]\n\ngrep = "b"\n', 5, "`pattern` is missing"),
    (HEAD + '[[criteria]]\nfile = "a"\n[[criteria]]\nfile = "b"\npattern = 1\n', 7, "no field `pattern`"),
    (HEAD + '[[criteria]]\nfile = "a"\n[[criteria]]\nkind = "tset"\n', 5, "did you mean `test`?"),
    (HEAD + '[[criteria]]\ngrep = "a"\npattern = "("\n', 3, "("),
    (
        HEAD
        + '[[criteria]]\nfile = "a"\n[[criteria]]\nany = [\n  { file = "b" },\n  { all = [\n    { file = 3 } ] } ]\n',
        9,
        "text",
    ),
    (HEAD + '[[criteria]]\nany = [{ file = "a" }]\n[[criteria.any]]\n', 5, "not valid TOML"),
    (HEAD + '[[criteria]]\n[[criteria.any]]\nfile = "a"\n[[criteria.any]]\nfile = 1\n', 7, "should be text"),
    (HEAD + '[[criteria]]\nfile = "../a"\n', 3, "leaves the repository"),
    (HEAD + '[[criteria]]\nat_least = 3\nof = [{ file = "a" }]\n', 3, "at least"),
    (HEAD + '[[criteria]]\ntest = """\nfile = 1\n[[criteria]]\n"""\n[[criteria]]\nfile = 1\n', 9, "should be text"),
    (HEAD + '[[criteria]]\ntest = "true"\ntimeout = 0\n', 3, "more than 0"),
    (HEAD, 1, "how would you know"),
    (HEAD + "criteria = []\n", 3, "how would you know"),
    (HEAD + 'max_iterations = 0\ncriteria = [{ file = "a" }]\n', 3, "more than 0"),
    (HEAD + 'timeout = 0\ncriteria = [{ file = "a" }]\n', 3, "more than 0"),
    (HEAD + 'task_type = "bug"\ncriteria = [{ file = "a" }]\n', 3, "bug_fix"),
    (HEAD + 'revert_when = "it\'s"\ncriteria = [{ file = "a" }]\n', 3, "revert_when"),
    (HEAD + 'criteria = [{ file = "a", held_out = true }]\n', 3, "held out"),
    ('\ngoal = " "\ncriteria = [{ file = "a" }]\n', 2, "no goal"),
    ('criteria = [{ file = "a" }]\n', 1, "`goal` is missing"),
]

YAML_MISTAKES = [
    ("goal: x\n# note\nmax_iteration: 3\ncriteria: [{file: a}]\n", 3, "did you mean `max_iterations`?"),
    ("goal: yes\ncriteria: [{file: a}]\n", 1, "should be text"),
    ("goal: x\ncriteria:\n  - file: a\n  - fiel: b\n", 4, "did you mean `file`?"),
    ("goal: x\ncriteria:\n  - file: a\n\n  - test: b\n    shel: true\n", 6, "did you mean `shell`?"),
    ("goal: x\ncriteria:\n- all:\n  - file: a\n  - any:\n    - file: 3\n", 6, "should be text"),
    ("goal: x\ncriteria: [\n  {file: a},\n  {grep: b, pattern: '('}]\n", 4, "("),
    ("goal: x\ncriteria:\n", 2, "not a list"),
    ("goal: x\ncriteria: []\n", 2, "how would you know"),
    ("goal: x\n\nmax_iterations: 0\ncriteria: [{file: a}]\n", 3, "more than 0"),
    ("goal: x\n1: 2\ncriteria: [{file: a}]\n", 2, "no field `1`"),
]


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        *SYNTAX,
        *(("t.toml", *mistake) for mistake in TOML_MISTAKES),
        *(("t.yaml", *mistake) for mistake in YAML_MISTAKES),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, name: str, text: str, line: int, words: str) -> None:
    """Every mistake names the file and the line on which it is."""
    with pytest.raises(TaskError) as caught:
        read(tmp_path, name, text)
    assert f"`{tmp_path / name}`, line {line}: " in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["- a\n", "just words\n", "", "3\n"])
def test_a_file_that_holds_no_task(tmp_path: Path, text: str) -> None:
    """YAML that is a list or a word is no task."""
    with pytest.raises(TaskError, match="holds no task"):
        read(tmp_path, "t.yaml", text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file, a folder and bytes that are no text are told apart from a bad task."""
    with pytest.raises(TaskError, match="there is no task file"):
        read_task(tmp_path / "gone.toml", kinds)
    with pytest.raises(TaskError, match="can't be read"):
        read_task(tmp_path, kinds)
    (tmp_path / "bytes.toml").write_bytes(b'goal = "caf\xe9"')
    with pytest.raises(TaskError, match="can't be read"):
        read_task(tmp_path / "bytes.toml", kinds)
