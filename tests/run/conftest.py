"""A run's clones, over a repository that a test has made."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clones import Clone

from world import MakeRepo, Repo


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for repositories that are made once and copied: making them takes most of a test's time."""
    return tmp_path_factory.mktemp("templates")


@pytest.fixture
def copied(templates: Path, tmp_path: Path) -> Callable[[str, Callable[[], Repo]], Repo]:
    """Give a function that gives a repository: made by what is handed in, or a copy of what that made earlier."""

    def give(name: str, make: Callable[[], Repo]) -> Repo:
        if not (templates / name).exists():
            made = make()
            shutil.copytree(made.root, templates / name, symlinks=True)
            return made
        shutil.copytree(templates / name, tmp_path / "project", symlinks=True)
        return Repo(tmp_path / "project")

    return give


@pytest.fixture
def project(make_repo: MakeRepo, copied: Callable[[str, Callable[[], Repo]], Repo]) -> Repo:
    """Give a repository with a few files, a folder and two commits."""
    return copied("project", lambda: _project(make_repo("project")))


def _project(repo: Repo) -> Repo:
    repo.write("README.md", "# A project\n")
    repo.commit("start")
    repo.write("src/app.py", "VALUE = 1\n")
    repo.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    repo.write(".gitignore", "*.log\nbuild/\n")
    repo.commit("more")
    return repo


@pytest.fixture
def make_clone(tmp_path: Path) -> Callable[[Path], Clone]:
    """Give a function that makes the clones of a run over a repository, in the cache; nothing is in them yet."""
    return lambda root: Clone(root, tmp_path / "cache" / "clones" / "run")


@pytest.fixture
def clone(project: Repo, make_clone: Callable[[Path], Clone]) -> Clone:
    """Give the clones of a run over the project, ready for an agent."""
    made = make_clone(project.root)
    made.prepare()
    return made


@pytest.fixture
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Be somebody to whom permissions apply, also where the tests run as root; give a folder of theirs."""
    folder = Path(tempfile.mkdtemp())
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    was_root = os.geteuid() == 0
    if was_root:
        os.chown(folder, 65534, 65534)
        os.setresgid(65534, 65534, 0)
        os.setresuid(65534, 65534, 0)
    yield folder
    if was_root:
        os.setresuid(0, 0, 0)
        os.setresgid(0, 0, 0)
    shutil.rmtree(folder)
