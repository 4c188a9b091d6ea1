"""Every case is taken twice: with namespaces, and with them forced off."""

from __future__ import annotations

import pytest

from integrity.exams import Exam, Take
from integrity.pythons import make_python
from world import MakeRepo


@pytest.fixture(autouse=True, scope="session")
def python() -> None:
    """Have the interpreter of the small projects."""
    make_python()


@pytest.fixture(params=["same-path", "relocate"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where checks are run."""
    monkeypatch.setenv("LOOPWRIGHT_CHECKS_PLACE", request.param)
    return str(request.param)


@pytest.fixture
def exam(make_repo: MakeRepo, place: str, monkeypatch: pytest.MonkeyPatch) -> Exam:
    """Give an empty project."""
    repo = make_repo("project")
    monkeypatch.chdir(repo.root)
    return Exam(repo)


@pytest.fixture
def take(exam: Exam) -> Take:
    """Let an agent loose on a project of its own."""
    return exam.take
