"""A commit -> the trees that are judged, with real clones: what is put back, and what is left out."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import Clone, git
from exams import BASE, Agent, change, named, project

from loopwright.records.task import Task
from loopwright.run.criteria.test import TestCriteria
from world import MakeRepo, Repo


@pytest.fixture
def agent(
    make_repo: MakeRepo, copied: Callable[[str, Callable[[], Repo]], Repo], make_clone: Callable[[Path], Clone]
) -> Agent:
    """Give an agent in a clone of a project with tests."""
    clone = make_clone(copied("examined", lambda: project(make_repo("project"))).root)
    return Agent(clone, clone.prepare())


def test_work_on_the_product_is_judged_as_it_is(agent: Agent) -> None:
    """Where nothing protected was touched, both trees are the commit's own."""
    change(agent.files, {"app.py": "VALUE = 2\n", "new/module.py": "x\n", "product/test/client.py": "CLIENT = 2\n"})
    exam = agent.leaves()
    assert exam.first == exam.second == git(agent.clone.root, "rev-parse", f"{agent.clone.commit}^{{tree}}")
    assert (exam.tampering, exam.left_out) == ((), ())


def _link(agent: Agent) -> None:
    (agent.files / "tests/test_app.py").unlink()
    (agent.files / "tests/test_app.py").symlink_to("../app.py")


def _folder_for_file(agent: Agent) -> None:
    (agent.files / "tests/data").unlink()
    change(agent.files, {"tests/data/deep/inner": "x"})


def _file_for_folder(agent: Agent) -> None:
    shutil.rmtree(agent.files / "tests")
    (agent.files / "tests").write_text("no folder any more")


def _link_for_folder(agent: Agent) -> None:
    shutil.rmtree(agent.files / "tests")
    change(agent.files, {"easy/test_app.py": "def test_app(): pass\n"})
    (agent.files / "tests").symlink_to("easy")


def _repository_for_folder(agent: Agent) -> None:
    shutil.rmtree(agent.files / "tests")
    git(agent.files, "init", "-q", "tests")
    change(agent.files, {"tests/x": "x"})
    git(agent.files / "tests", "add", "-A")
    git(agent.files / "tests", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")


TAMPERING: dict[str, tuple[Callable[[Agent], object], dict[str, str]]] = {
    "changed": (lambda a: change(a.files, {"tests/test_app.py": "easy"}), {"tests/test_app.py": "changed"}),
    "emptied": (lambda a: change(a.files, {"tests/data": ""}), {"tests/data": "changed"}),
    "deleted": (lambda a: change(a.files, {"tests/test_app.py": None}), {"tests/test_app.py": "deleted"}),
    "moved": (
        lambda a: (a.files / "tests/test_app.py").rename(a.files / "tests/test_other.py"),
        {"tests/test_app.py": "deleted"},
    ),
    "a helper among tests": (
        lambda a: change(a.files, {"pkg/test/helper.py": "x"}),
        {"pkg/test/helper.py": "changed"},
    ),
    "a link": (_link, {"tests/test_app.py": "replaced by a link"}),
    "a mode": (lambda a: (a.files / "tests/test_app.py").chmod(0o755), {"tests/test_app.py": "made a program"}),
    "a folder for a file": (_folder_for_file, {"tests/data": "deleted"}),
    "a file for a folder": (_file_for_folder, {"tests/data": "deleted", "tests/test_app.py": "deleted"}),
    "a link for a folder": (_link_for_folder, {"tests/data": "deleted", "tests/test_app.py": "deleted"}),
    "CI": (lambda a: change(a.files, {".github/workflows/ci.yml": "x"}), {".github/workflows/ci.yml": "changed"}),
    "a conftest": (lambda a: change(a.files, {"conftest.py": None}), {"conftest.py": "deleted"}),
    "addopts": (
        lambda a: change(a.files, {"pyproject.toml": BASE["pyproject.toml"].replace("-q", "-k x")}),
        {"pyproject.toml": "changed"},
    ),
    "a mixed file that is gone": (lambda a: change(a.files, {"pyproject.toml": None}), {"pyproject.toml": "deleted"}),
    "a repository for a folder": (_repository_for_folder, {"tests/data": "deleted", "tests/test_app.py": "deleted"}),
}


@pytest.mark.parametrize("case", TAMPERING)
def test_protected_paths_are_put_back(case: str, agent: Agent) -> None:
    """Whatever was done to a protected path, both trees have it as the base has it, and it is said what was done."""
    tamper, expected = TAMPERING[case]
    tamper(agent)
    change(agent.files, {"app.py": "VALUE = 2\n"})
    exam = agent.leaves()
    assert named(exam) == expected
    for tree in (exam.first, exam.second):
        found = agent.read(tree)
        assert {name: found.get(name.encode()) for name in expected} == {
            name: agent.then()[name.encode()] for name in expected
        }
        assert found[b"app.py"] == ("file", b"VALUE = 2\n")


def test_a_program_that_is_made_a_plain_file(make_repo: MakeRepo, make_clone: Callable[[Path], Clone]) -> None:
    """A test script that can't be started any more is put back, and called what it is."""
    repo = make_repo("project")
    repo.write("tests/run.sh", "#!/bin/sh\n").chmod(0o755)
    repo.commit()
    agent = Agent(clone := make_clone(repo.root), clone.prepare())
    (agent.files / "tests/run.sh").chmod(0o644)
    exam = agent.leaves()
    assert named(exam) == {"tests/run.sh": "made a plain file"}
    assert agent.read(exam.first)[b"tests/run.sh"][0] == "program"


def test_tampering_carries_the_content(agent: Agent) -> None:
    """A change is recorded with the hash of what is there now, zeros at its ends included; gone is empty."""
    texts = (f"{number}\n" for number in range(10_000))
    text = next(text for text in texts if blob(text)[0] == blob(text)[-1] == "0")
    change(agent.files, {"tests/test_app.py": text, "tests/data": None})
    contents = {item.path: item.content for item in agent.leaves().tampering}
    assert contents == {"tests/test_app.py": blob(text), "tests/data": ""}


def blob(text: str) -> str:
    """Hash a content as git does."""
    content = text.encode()
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


FREE = {
    "a dependency": {"pyproject.toml": BASE["pyproject.toml"].replace('"p"', '"p"\ndependencies = ["x"]')},
    "a name": {"setup.cfg": "[metadata]\nname = q\n"},
    "a mixed file that never steered": {"setup.cfg": None},
    "a new setup": {"deep/setup.cfg": "[metadata]\nname = q\n"},
    "a new CI file": {".github/workflows/more.yml": "on: push\n"},
    "a new package of its own": {"packages/new/pyproject.toml": "[tool.pytest.ini_options]\n"},
}


@pytest.mark.parametrize("case", FREE)
def test_what_may_be_changed(case: str, agent: Agent) -> None:
    """Files with product and test settings in one may be changed in the product's part, and CI may be added to."""
    change(agent.files, FREE[case])
    exam = agent.leaves()
    assert (exam.tampering, exam.left_out) == ((), ())
    assert agent.read(exam.first) == agent.read(exam.second) == agent.now()


def test_a_mixed_file_replaced_by_a_link(agent: Agent) -> None:
    """A link in place of pyproject.toml could lead to any settings: it is put back."""
    change(agent.files, {"pyproject.toml": None, "easy.toml": BASE["pyproject.toml"]})
    (agent.files / "pyproject.toml").symlink_to("easy.toml")
    assert named(agent.leaves()) == {"pyproject.toml": "replaced by a link"}


def test_a_mixed_file_that_is_too_long_to_be_read(agent: Agent) -> None:
    """What steers can't be hidden behind millions of bytes."""
    hidden = "#" * 5_100_000 + '\n[tool.pytest.ini_options]\naddopts = "-k x"\n'
    change(agent.files, {"setup.cfg": "#" + hidden[1:].replace("tool.pytest.ini_options", "tool:pytest")})
    assert named(agent.leaves()) == {"setup.cfg": "changed"}
    change(agent.files, {"setup.cfg": BASE["setup.cfg"], "tox.ini": "#" * 5_100_000 + "\n[pytest]\naddopts = -k x\n"})
    exam = agent.leaves()
    assert (exam.tampering, exam.left_out) == ((), ("tox.ini",))


NEW_TESTS = {
    "tests/test_new.py": "def test_new(): assert False\n",
    "tests/deep/data.json": "{}",
    "app_test.py": "x\n",
    "pkg/test/other.py": "x\n",
}


def test_new_tests_are_only_in_the_second_tree(agent: Agent) -> None:
    """Tests that the agent brought are not there the first time, and all of its work is the second time."""
    change(agent.files, {**NEW_TESTS, "app.py": "VALUE = 2\n", "product/test/new.py": "x\n"})
    exam = agent.leaves()
    assert agent.read(exam.second) == agent.now()
    assert agent.read(exam.first) == {
        name: content for name, content in agent.now().items() if name.decode() not in NEW_TESTS
    }
    assert (exam.tampering, exam.left_out) == ((), ())


STEERING = {
    "sitecustomize.py": "import os\n",
    "random.py": "raise SystemExit\n",
    "pytest.ini": "[pytest]\naddopts = -k x\n",
    "tests/conftest.py": "x\n",
    "tox.ini": "[pytest]\naddopts = -k x\n",
    "pkg/pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-k x"\n',
    "loopwright.toml": "[run]\n",
}


def test_what_steers_is_in_neither_tree(agent: Agent) -> None:
    """New files that steer are left out of both trees and named; settings in a folder with tests count too."""
    change(agent.files, {**STEERING, "app.py": "VALUE = 2\n", "tests/test_new.py": "x\n"})
    exam = agent.leaves()
    assert sorted(exam.left_out) == sorted(STEERING)
    now = agent.now()
    kept = {name: content for name, content in now.items() if name.decode() not in STEERING}
    assert agent.read(exam.second) == kept
    assert agent.read(exam.first) == {name: content for name, content in kept.items() if name != b"tests/test_new.py"}
    assert exam.tampering == ()


def test_all_at_once(agent: Agent) -> None:
    """What was tampered with, what steers, a new test and honest work are told apart in one commit."""
    change(
        agent.files,
        {"tests/test_app.py": "easy", "sitecustomize.py": "x", "tests/test_new.py": "new", "app.py": "VALUE = 2\n"},
    )
    exam = agent.leaves()
    first, second, then = agent.read(exam.first), agent.read(exam.second), agent.then()
    assert first == {**then, b"app.py": ("file", b"VALUE = 2\n")}
    assert second == {**first, b"tests/test_new.py": ("file", b"new")}
    assert (named(exam), exam.left_out) == ({"tests/test_app.py": "changed"}, ("sitecustomize.py",))


def test_what_a_person_allows_is_judged_as_it_is(agent: Agent) -> None:
    """A path that the task allows may be changed, deleted and brought, whatever it is."""
    task = Task("x", [TestCriteria("pytest")], allow=["tests/", "conftest.py", "sitecustomize.py"])
    change(agent.files, {"tests/test_app.py": "x", "tests/data": None, "tests/test_new.py": "x", "conftest.py": None})
    change(agent.files, {"sitecustomize.py": "x"})
    exam = agent.leaves(task=task)
    assert (exam.tampering, exam.left_out) == ((), ())
    assert agent.read(exam.first) == agent.read(exam.second) == agent.now()


def test_what_a_person_protects_is_put_back(agent: Agent) -> None:
    """A path that the task protects is put back, and a new one there is left out."""
    task = Task("x", [TestCriteria("pytest")], protect=["app.py", "locked/**"])
    change(agent.files, {"app.py": "VALUE = 2\n", "locked/new": "x"})
    exam = agent.leaves(task=task)
    assert (named(exam), exam.left_out) == ({"app.py": "changed"}, ("locked/new",))
    assert agent.read(exam.first) == agent.then()


def test_what_was_accepted(agent: Agent) -> None:
    """Content that a human has accepted stays; any other content there is tampering again, and so is another path."""
    change(agent.files, {"tests/test_app.py": "better", "tests/data": None})
    seen = agent.leaves()
    accepted = {item.path: item.content for item in seen.tampering}
    exam = agent.leaves(accepted=accepted)
    assert exam.tampering == ()
    assert agent.read(exam.first) == agent.now()
    change(agent.files, {"tests/test_app.py": "worse", "conftest.py": "x"})
    assert named(agent.leaves(accepted=accepted)) == {"conftest.py": "changed", "tests/test_app.py": "changed"}
    change(agent.files, {"tests/test_app.py": "better", "tests/data": "back, but different", "conftest.py": "x = 1\n"})
    assert named(agent.leaves(accepted=accepted)) == {"tests/data": "changed"}


def test_what_is_put_back_by_the_agent_is_no_tampering(agent: Agent) -> None:
    """An agent that undoes its change has changed nothing."""
    change(agent.files, {"tests/test_app.py": "easy"})
    assert agent.leaves().tampering
    change(agent.files, {"tests/test_app.py": BASE["tests/test_app.py"]})
    exam = agent.leaves()
    assert exam.tampering == ()
    assert agent.read(exam.first) == agent.then()


ODD = ["new\nline", "tab\there", "ünï☃", "-dash", "--", " space ", 'quo"te', "back\\slash", "*", ":(glob)x", "\udcff"]


@pytest.mark.parametrize("sign", ODD)
def test_odd_names(sign: str, make_repo: MakeRepo, make_clone: Callable[[Path], Clone]) -> None:
    """Names with any byte in them are put back, left out and told apart like others, and their diff is shown."""
    repo = make_repo("project")
    repo.write("app.py", "x\n")
    odd = f"tests/{sign}"
    (repo.root / "tests").mkdir()
    (repo.root / odd).write_text("base\n")
    repo.commit()
    agent = Agent(clone := make_clone(repo.root), clone.prepare())
    change(agent.files, {odd: "changed\n", f"{odd} new": "new\n", f"{sign}.pth": "steer\n", f"{sign} app": "work\n"})
    exam = agent.leaves()
    assert named(exam) == {odd: "changed"}
    assert exam.left_out == (f"{sign}.pth",)
    then = agent.then()
    first = {**then, os.fsencode(f"{sign} app"): ("file", b"work\n")}
    assert agent.read(exam.first) == first
    assert agent.read(exam.second) == {**first, os.fsencode(f"{odd} new"): ("file", b"new\n")}
    shown = agent.examiner().diff(agent.clone.commit, [odd])
    assert "-base\n+changed\n" in shown
    assert "new" not in shown.replace("new\\nline", "").replace("new file", "")


def test_a_sha256_repository(tmp_path: Path, make_clone: Callable[[Path], Clone]) -> None:
    """Longer hashes make no difference: things are put back, left out and removed."""
    repo = Repo(tmp_path / "project")
    repo.root.mkdir()
    repo.git("init", "-q", "-b", "main", "--object-format=sha256")
    repo.git("config", "user.name", "Ada")
    repo.git("config", "user.email", "ada@example.com")
    project(repo)
    agent = Agent(clone := make_clone(repo.root), clone.prepare())
    change(agent.files, {"tests/test_app.py": None, "random.py": "x", "tests/test_new.py": "x", "app.py": "new"})
    exam = agent.leaves()
    assert len(exam.first) == 64
    assert (named(exam), exam.left_out) == ({"tests/test_app.py": "deleted"}, ("random.py",))
    assert agent.read(exam.first) == {**agent.then(), b"app.py": ("file", b"new")}
    assert agent.read(exam.second) == {**agent.read(exam.first), b"tests/test_new.py": ("file", b"x")}


def test_an_exam_is_set_once(agent: Agent) -> None:
    """The same commit gets the same exam, without another look."""
    change(agent.files, {"tests/test_app.py": "easy"})
    commit, examiner = agent.clone.snapshot().commit, agent.examiner()
    assert examiner.exam(commit) is examiner.exam(commit)


def test_the_diff_shows_protected_paths_alone(agent: Agent) -> None:
    """What was done to the paths that are asked for is shown, and nothing else; without paths there is nothing."""
    change(agent.files, {"tests/test_app.py": "easy\n", "app.py": "VALUE = 2\n", "tests/data": None})
    commit, examiner = agent.clone.snapshot().commit, agent.examiner()
    assert examiner.diff(commit, []) == ""
    shown = examiner.diff(commit, ["tests/test_app.py", "tests/data"])
    assert "+easy" in shown
    assert "deleted file mode" in shown
    assert "VALUE" not in shown


def test_the_diff_runs_no_program_of_the_agents(agent: Agent, tmp_path: Path) -> None:
    """Neither attributes nor settings in the tree make a program of the agent's show the diff."""
    marker = tmp_path / "marker"
    change(agent.files, {"tests/test_app.py": "easy\n", ".gitattributes": "* diff=evil\n"})
    git(agent.files, "config", "diff.evil.command", f"touch {marker}")
    git(agent.files, "config", "diff.evil.textconv", f"touch {marker}")
    assert "+easy" in agent.examiner().diff(agent.clone.snapshot().commit, ["tests/test_app.py"])
    assert not marker.exists()
