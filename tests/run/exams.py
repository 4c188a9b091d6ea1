"""An agent in a clone of a project with tests, and the exam of what it leaves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from clones import Clone, Files, files_at

from loopwright.records.task import Task
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.exam import Exam, Examiner
from loopwright.run.git import Repository
from loopwright.run.protected import looks_like_test, protection_of
from loopwright.run.tree import Tree
from world import Repo

BASE = {
    "app.py": "VALUE = 1\n",
    "tests/test_app.py": "def test_app(): pass\n",
    "tests/data": "some\n",
    "pkg/test/test_pkg.py": "def test_pkg(): pass\n",
    "pkg/test/helper.py": "HELP = 1\n",
    "product/test/client.py": "CLIENT = 1\n",
    "pyproject.toml": '[project]\nname = "p"\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    "setup.cfg": "[metadata]\nname = p\n",
    ".github/workflows/ci.yml": "on: push\n",
    "conftest.py": "x = 1\n",
}


def change(files: Path, changes: Mapping[str, str | None]) -> None:
    """Write files as an agent would; None takes one away."""
    for name, text in changes.items():
        place = files / name
        if text is None:
            place.unlink()
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@dataclasses.dataclass
class Agent:
    """An agent in its clone, and the exam of what it leaves."""

    clone: Clone
    base: str

    @property
    def files(self) -> Path:
        return self.clone.files

    def examiner(self, task: Task | None = None, accepted: Mapping[str, str] | None = None) -> Examiner:
        repository = Repository.find(self.clone.root)

        def has_tests(folder: str) -> bool:
            return any(looks_like_test(path) for path in repository.files_below(self.base, folder))

        tree = Tree(self.clone.workspace.keeper.git_dir, self.files, self.clone.folder / "exam.index")
        task = task or Task("x", [TestCriteria("pytest")])
        return Examiner(tree, self.base, protection_of(task, has_tests), accepted or {})

    def leaves(self, **given: Task | Mapping[str, str]) -> Exam:
        """Take what is there now and set the exam of it."""
        return self.examiner(**given).exam(self.clone.snapshot().commit)  # type: ignore[arg-type]

    def read(self, tree: str) -> Files:
        """Read a tree of an exam; such trees are nowhere but in the run's own git folder."""
        return files_at(self.clone.workspace.keeper.git_dir, tree)

    def now(self) -> Files:
        return files_at(self.clone.root, self.clone.commit)

    def then(self) -> Files:
        return files_at(self.clone.root, self.base)


def project(repo: Repo) -> Repo:
    for name, text in BASE.items():
        repo.write(name, text)
    repo.commit("start")
    return repo


def named(exam: Exam) -> dict[str, str]:
    return {item.path: item.how for item in exam.tampering}
