"""What every test gets: a home of its own, a small real repository, and the command line, called in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.cli.main import main
from loopwright.registry import kinds
from loopwright.store import open_store
from postgres import EMPTY, OFF, Server, name_of, shared_server
from world import Called, Loopwright, MakeRepo, Repo


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the machine's settings, caches and identities out of every test, and every test out of them."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("LOOPWRIGHT_", "GIT_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "200")
    return home


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Give the PostgreSQL of this session, which its workers share."""
    if OFF:
        pytest.skip("LOOPWRIGHT_NO_POSTGRES=1")
    place = tmp_path_factory.getbasetemp()
    return shared_server(place.parent if "PYTEST_XDIST_WORKER" in os.environ else place)


@pytest.fixture(scope="session")
def postgres_template(postgres: Server) -> Iterator[str]:
    """Give the name of a database with an empty store in it: copying it is faster than making one."""
    with postgres.database(EMPTY) as url:
        open_store(url, kinds).close()
        yield name_of(url)


@pytest.fixture
def postgres_url(postgres: Server, postgres_template: str) -> Iterator[str]:
    """Give the URL of an empty store of a test's own."""
    with postgres.database(postgres_template) as url:
        yield url


@pytest.fixture
def cache(own_home: Path) -> Path:
    """Give the folder in which clones are made."""
    return own_home / "cache" / "loopwright"


@pytest.fixture
def make_repo(tmp_path: Path) -> MakeRepo:
    """Give a function that makes an empty repository, with an identity and no commits, at a place below tmp_path."""

    def make(name: str) -> Repo:
        repo = Repo(tmp_path / name)
        repo.root.mkdir(parents=True)
        repo.git("init", "-q", "-b", "main")
        repo.git("config", "user.name", "Ada")
        repo.git("config", "user.email", "ada@example.com")
        return repo

    return make


@pytest.fixture
def repo(make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Give a small repository with one commit, as the current folder: `sh test.sh` fails until `answer` says 42."""
    made = make_repo("project")
    made.write("README.md", "# A project\n")
    made.write("answer", "41\n")
    made.write(
        "test.sh", 'grep -qx 42 answer || { echo "AssertionError: the answer is $(cat answer), not 42"; exit 1; }\n'
    )
    made.commit("start")
    monkeypatch.chdir(made.root)
    return made


@pytest.fixture
def loopwright(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Loopwright:
    """Give the command line as a function: arguments in; exit code, stdout and stderr out."""

    def call(*arguments: object) -> Called:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["loopwright", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return Called(left.value.code, out, err)

    return call
