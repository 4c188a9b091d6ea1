"""The real tools: jest and vitest are installed once for all runs of the tests, go and cargo keep what they built."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from trial import Trial, environment

from loopwright.run.runners.cargo import Cargo
from loopwright.run.runners.go import Go
from loopwright.run.runners.jest import Jest
from loopwright.run.runners.vitest import Vitest

NODE_PACKAGES = ("jest@29.7.0", "vitest@3.2.4")


def need(program: str, how: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"there is no `{program}` here: {how}")


@pytest.fixture(scope="session")
def kept() -> Path:
    """Give a folder that outlives the tests. Session fixtures are made before a test gets a home of its own."""
    folder = Path.home() / ".cache" / "loopwright-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def node_modules(kept: Path) -> Path:
    """Install jest and vitest where that was not done yet."""
    need("npm", "install Node.js 20 or later, from https://nodejs.org")
    place = kept / "node"
    place.mkdir(exist_ok=True)
    with (kept / "node.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests run in several processes
        if not _is_installed(place):
            _install(place)
    return place / "node_modules"


def _is_installed(place: Path) -> bool:
    mark = place / "installed"
    return mark.is_file() and mark.read_text() == " ".join(NODE_PACKAGES)


def _install(place: Path) -> None:
    options = ("--no-audit", "--no-fund", "--no-package-lock", "--prefix", str(place))
    done = subprocess.run(["npm", "install", *options, *NODE_PACKAGES], capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.fail(f"npm could not install {' and '.join(NODE_PACKAGES)} into `{place}`:\n{done.stderr}")
    (place / "installed").write_text(" ".join(NODE_PACKAGES))


@pytest.fixture(scope="session")
def rust_homes() -> Mapping[str, str]:
    """Say where rustup has its toolchains: a test's own home has none."""
    home = Path.home()
    return {
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(home / ".rustup")),
        "CARGO_HOME": os.environ.get("CARGO_HOME", str(home / ".cargo")),
        "CARGO_NET_OFFLINE": "true",
        "CARGO_INCREMENTAL": "0",
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give the folder of a project."""
    place = tmp_path / "project"
    place.mkdir()
    return place


@pytest.fixture
def jest(root: Path, node_modules: Path) -> Trial:
    """Give a project with jest, and no tests."""
    (root / "node_modules").symlink_to(node_modules)
    trial = Trial(Jest(), root, environment(), ["node_modules/.bin/jest"])
    trial.write("package.json", {"name": "project", "scripts": {"test": "jest"}})
    return trial


@pytest.fixture
def vitest(root: Path, node_modules: Path) -> Trial:
    """Give a project with vitest, and no tests."""
    (root / "node_modules").symlink_to(node_modules)
    trial = Trial(Vitest(), root, environment(), ["node_modules/.bin/vitest"])
    trial.write("package.json", {"name": "project", "type": "module", "scripts": {"test": "vitest"}})
    return trial


@pytest.fixture
def go(root: Path, kept: Path) -> Trial:
    """Give a module with one package, and no tests."""
    need("go", "install Go 1.19 or later, from https://go.dev/dl")
    trial = Trial(Go(), root, environment(GOCACHE=str(kept / "go")), ["go", "test", "./..."])
    trial.write("go.mod", "module example.com/sums\n\ngo 1.19\n")
    trial.write("sums.go", "package sums\n\nfunc Add(a, b int) int { return a + b }\n")
    return trial


@pytest.fixture
def cargo(root: Path, rust_homes: Mapping[str, str]) -> Trial:
    """Give a crate with one function, and no tests."""
    need("cargo", "install Rust, from https://rustup.rs")
    trial = Trial(Cargo(), root, environment(**rust_homes), ["cargo", "test"])
    trial.write("Cargo.toml", '[package]\nname = "sums-lib"\nversion = "0.1.0"\nedition = "2021"\n')
    trial.write("src/lib.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n")
    return trial
