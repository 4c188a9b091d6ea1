"""Every case is taken with namespaces, and with them forced off: twice by `make integrity`, and by `make test` once.

Which of the two that is, is told by the name of the case; `make integrity PLACES=rest` takes the other one.
"""

from __future__ import annotations

import os
import zlib

import pytest

from integrity.exams import Exam, Take
from integrity.pythons import make_python
from world import MakeRepo

WANTED = os.environ.get("WANTED_PLACES", "one")
PLACES = ("same-path", "relocate")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out one of the two, unless both are asked for; the tests about places always have both."""
    another = [item for item in items if "test_places" not in item.nodeid and _is_for_another_day(item)]
    ours = [item for item in items if "integrity" in item.nodeid]
    left_out = {"one": another, "both": [], "rest": [item for item in ours if item not in set(another)]}[WANTED]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


def _is_for_another_day(item: pytest.Item) -> bool:
    place = next((place for place in PLACES if f"[{place}" in item.name or f"{place}]" in item.name), None)
    if place is None or "integrity" not in item.nodeid:
        return False
    return place != PLACES[zlib.crc32(item.name.replace(place, "").encode()) % 2]


@pytest.fixture(autouse=True, scope="session")
def python() -> None:
    """Have the interpreter of the small projects."""
    make_python()


@pytest.fixture(params=PLACES)
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
