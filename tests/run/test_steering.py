"""Files with product and test settings in one: what of a change steers the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.run.steering import is_mixed, same_steering

PYPROJECT = """\
[project]
name = "p"
dependencies = ["click"]

[tool.pytest.ini_options]
addopts = "-q"

[tool.ruff]
line-length = 100
"""
PACKAGE: dict[str, Any] = {
    "name": "p",
    "scripts": {
        "test": "npm run build && jest",
        "build": "npm run gen;tsc",
        "gen": "node gen.js",
        "start": "node . *",
        "posttest": "echo done",
        "prebuild": "echo before",
        "lint": "eslint .",
        "checks": "run-p check:*",
        "check:types": "tsc --noEmit",
    },
    "jest": {"testMatch": ["**/*.test.js"]},
    "dependencies": {"left-pad": "1"},
}
SETUP = """\
[metadata]
name = p
[options]
install_requires =
    click
[tool:pytest]
addopts = -q
[coverage:run]
branch = true
[mypy]
strict = true
"""
TOX = "[tox]\nenv_list = py\n[testenv]\ndeps = pytest\ncommands = pytest\n"
CARGO = '[package]\nname = "p"\nversion = "1.0.0"\n[dependencies]\nserde = "1"\n[lib]\npath = "src/lib.rs"\n'


def package(**changes: Any) -> str:
    return json.dumps({**PACKAGE, **changes})


def scripts(**changes: str | None) -> str:
    """Give the package with other scripts; None takes one out."""
    made = {**PACKAGE["scripts"], **changes}
    return package(scripts={name: text for name, text in made.items() if text is not None})


FREE: Mapping[str, tuple[str, str, str, tuple[str, ...]]] = {
    "a dependency": ("pyproject.toml", PYPROJECT, PYPROJECT.replace('"click"', '"click", "rich"'), ()),
    "a comment and an order": ("pyproject.toml", PYPROJECT, f"# new\n{PYPROJECT}", ()),
    "a tool that nobody runs": ("pyproject.toml", PYPROJECT, PYPROJECT.replace("100", "120"), ("pytest",)),
    "a script": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[project.scripts]\np = "p:main"\n', ()),
    "another entry point": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[project.entry-points.x]\np = "p"\n', ()),
    "how hatch builds": ("pyproject.toml", PYPROJECT, f"{PYPROJECT}\n[tool.hatch.build]\nx = 1\n", ("hatch",)),
    "what pdm builds": ("pyproject.toml", PYPROJECT, f"{PYPROJECT}\n[tool.pdm.build]\nx = 1\n", ("pdm",)),
    "poetry's dependency": (
        "pyproject.toml",
        PYPROJECT,
        f'{PYPROJECT}\n[tool.poetry.dependencies]\nrich = "*"\n[tool.poetry.group.dev.dependencies]\nx = "*"\n',
        ("poetry", "run", "pytest"),
    ),
    "uv's dependency": (
        "pyproject.toml",
        PYPROJECT,
        f'{PYPROJECT}\n[tool.uv]\ndev-dependencies = ["x"]\n',
        ("uv", "run", "pytest"),
    ),
    "a new project": ("pyproject.toml", "", '[project]\nname = "p"\n', ()),
    "an empty table": ("pyproject.toml", "", "[tool]\nx = 1\n[tool.hatch]\n", ()),
    "a package": ("package.json", package(), package(dependencies={"left-pad": "2", "x": "1"}), ("npm", "test")),
    "a script of no test": ("package.json", package(), scripts(start="node x", lint="true"), ("npm", "test")),
    "a new script": ("package.json", package(), scripts(deploy="x"), ("npm", "test")),
    "a star": ("package.json", package(), scripts(deploy="x"), ("npm", "start")),
    "a new package": ("package.json", "", '{"name": "p", "scripts": {"start": "node ."}}', ()),
    "an install": ("setup.cfg", SETUP, SETUP.replace("click", "click\n    rich"), ("pytest", "-q")),
    "another tool": ("setup.cfg", SETUP, SETUP.replace("strict = true", "strict = false"), ("pytest",)),
    "a new setup": ("setup.cfg", "", "[metadata]\nname = p\n", ()),
    "tox deps": ("tox.ini", TOX, TOX.replace("deps = pytest", "deps =\n    pytest\n    rich"), ("tox",)),
    "tox words": ("tox.ini", TOX, f"{TOX}description = the tests\nextras = dev\n", ()),
    "a crate": ("Cargo.toml", CARGO, CARGO.replace('serde = "1"', 'serde = "1"\nrand = "0"'), ("cargo", "test")),
    "a version": ("Cargo.toml", CARGO, CARGO.replace("1.0.0", "1.0.1"), ()),
    "a release profile": ("Cargo.toml", CARGO, f"{CARGO}[profile.release]\nlto = true\n", ()),
}
STEERING: Mapping[str, tuple[str, str, str, tuple[str, ...]]] = {
    "addopts": ("pyproject.toml", PYPROJECT, PYPROJECT.replace("-q", "-q -k x"), ()),
    "no pytest any more": ("pyproject.toml", PYPROJECT, '[project]\nname = "p"\n', ()),
    "a new pytest": ("pyproject.toml", "", '[tool.pytest.ini_options]\naddopts = "-k x"\n', ()),
    "pytest 9": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[tool.pytest]\naddopts = ["-k"]\n', ()),
    "coverage": ("pyproject.toml", PYPROJECT, f"{PYPROJECT}\n[tool.coverage.report]\nfail_under = 0\n", ()),
    "hatch envs": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[tool.hatch.envs.default]\nx = "1"\n', ()),
    "pdm scripts": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[tool.pdm.scripts]\ntest = "true"\n', ()),
    "poe": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[tool.poe.tasks]\ntest = "true"\n', ()),
    "our own": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[tool.loopwright.run]\nallow = ["*"]\n', ()),
    "a plug-in": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[project.entry-points.pytest11]\np = "p"\n', ()),
    "poetry's plug-in": ("pyproject.toml", PYPROJECT, f'{PYPROJECT}\n[tool.poetry.plugins.pytest11]\np = "p"\n', ()),
    "a tool that decides": ("pyproject.toml", PYPROJECT, PYPROJECT.replace("100", "120"), ("ruff", "check")),
    "the test script": ("package.json", package(), scripts(test="true"), ()),
    "what it calls": ("package.json", package(), scripts(build="true"), ("npm", "test")),
    "what that calls": ("package.json", package(), scripts(gen="true"), ("npm", "test")),
    "a hook of the test": ("package.json", package(), scripts(posttest=None), ()),
    "a new hook": ("package.json", package(), scripts(pretest="true"), ()),
    "a hook of what it calls": ("package.json", package(), scripts(prebuild="true"), ("npm", "test")),
    "a script that decides": ("package.json", package(), scripts(lint="true"), ("npm", "run", "lint")),
    "one of several": ("package.json", package(), scripts(**{"check:types": "true"}), ("npm", "run", "checks")),
    "jest": ("package.json", package(), package(jest={}), ()),
    "mocha": ("package.json", package(), package(mocha={"spec": "x"}), ()),
    "a program's part": ("package.json", package(), package(eslintConfig={}, prettier={"semi": False}), ("prettier",)),
    "a new package": ("package.json", "", '{"scripts": {"test": "true"}}', ()),
    "setup addopts": ("setup.cfg", SETUP, SETUP.replace("-q", "-k x"), ()),
    "setup coverage": ("setup.cfg", SETUP, SETUP.replace("branch = true", "branch = false"), ()),
    "an alias": ("setup.cfg", SETUP, f"{SETUP}[aliases]\ntest = x\n", ()),
    "setup plug-in": ("setup.cfg", SETUP, f"{SETUP}[options.entry_points]\npytest11 =\n    p = p\n", ()),
    "a linter in setup": ("setup.cfg", SETUP, SETUP.replace("strict = true", ""), ("mypy",)),
    "a linter's section": ("setup.cfg", SETUP, f"{SETUP}[mypy-p.*]\nignore_errors = true\n", ("mypy",)),
    "tox commands": ("tox.ini", TOX, TOX.replace("commands = pytest", "commands = true"), ()),
    "pytest in tox": ("tox.ini", TOX, f"{TOX}[pytest]\naddopts = -k x\n", ()),
    "a harness": ("Cargo.toml", CARGO, f"{CARGO}harness = false\n", ()),
    "tests that are not found": ("Cargo.toml", CARGO, CARGO.replace("[dep", "autotests = false\n[dep", 1), ()),
    "a target": ("Cargo.toml", CARGO, f'{CARGO}[[test]]\nname = "x"\nharness = false\n', ()),
    "a test profile": ("Cargo.toml", CARGO, f"{CARGO}[profile.test]\ndebug-assertions = false\n", ()),
}


@pytest.mark.parametrize("case", FREE)
def test_what_an_agent_may_change(case: str) -> None:
    """A change of the product's part is none of the steering part, in either direction."""
    path, before, after, words = FREE[case]
    assert before != after
    assert same_steering(path, before.encode(), after.encode(), words)
    assert same_steering(f"deep/{path}", after.encode(), before.encode(), words)


@pytest.mark.parametrize("case", STEERING)
def test_what_steers(case: str) -> None:
    """A change of what tests are found, how they are run or by what is seen, in either direction."""
    path, before, after, words = STEERING[case]
    assert not same_steering(path, before.encode(), after.encode(), words)
    assert not same_steering(path, after.encode(), before.encode(), words)


BROKEN = {
    "pyproject.toml": [b"[tool", b"\xff", b'a = "x"\na = 1', b"\xef\xbb\xbf[a]\n", b"a = " + b"[" * 5000],
    "package.json": [b"{", b"[]", b"null", b'"x"', b"\xff", b"[" * 100_000],
    "setup.cfg": [b"no section", b"[a\nx", b"\xff", b"[a]\n[a]\nb"],
    "tox.ini": [b"x = 1", b"[tox\n", b"\xff"],
    "Cargo.toml": [b"[", b"\xff", b"lib ="],
}


@pytest.mark.parametrize(("path", "content"), [(path, content) for path in BROKEN for content in BROKEN[path]])
def test_a_file_that_cannot_be_read(path: str, content: bytes) -> None:
    """What can't be read is the same as itself alone, and never as what can be."""
    fine = {"package.json": b"{}"}.get(path, b"")
    assert same_steering(path, content, content, ())
    assert not same_steering(path, fine, content, ())
    assert not same_steering(path, content, fine, ())


@pytest.mark.parametrize(
    "content", [b'tool = "x"\n', b"tool = 1\n", b"project = []\n", b"[tool]\nhatch = 1\npoetry = 2\n", b"[[tool]]\n"]
)
def test_tables_that_are_none(content: bytes) -> None:
    """A value where a table is expected breaks nothing and steers nothing."""
    assert same_steering("pyproject.toml", b"", content, ("hatch",))


@pytest.mark.parametrize(
    "content", [{"scripts": None}, {"scripts": []}, {"scripts": {"start": 1}}, {"scripts": {"start": {"a": "test"}}}]
)
def test_scripts_that_are_none(content: Any) -> None:
    """Scripts that are none steer nothing."""
    assert same_steering("package.json", b"{}", json.dumps(content).encode(), ("npm", "test"))


def test_scripts_that_call_each_other() -> None:
    """A circle of scripts is followed to its end."""
    before = {"scripts": {"test": "npm run a", "a": "npm run b", "b": "npm run a", "c": "x"}}
    changed = {"scripts": {**before["scripts"], "b": "true"}}
    assert not same_steering("package.json", json.dumps(before).encode(), json.dumps(changed).encode(), ())


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pyproject.toml", True),
        ("a/b/package.json", True),
        ("setup.cfg", True),
        ("tox.ini", True),
        ("Cargo.toml", True),
        ("xpyproject.toml", False),
        ("package.json/x", False),
        ("Makefile", False),
    ],
)
def test_which_files_are_compared_by_their_part(path: str, expected: bool) -> None:
    """A file is compared by its part by its name, wherever it lies."""
    assert is_mixed(path) is expected


WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
COMMANDS = st.lists(st.sampled_from(["pytest", "poetry", "uv", "run", "-q", "ruff", "make", "tox"]), max_size=3)


@given(st.lists(WORD, max_size=5), st.lists(WORD, max_size=5), st.dictionaries(WORD, st.just("*")), COMMANDS)
def test_dependencies_never_steer(main: list[str], dev: list[str], more: dict[str, str], words: list[str]) -> None:
    """Whatever dependencies are added, in whichever of the usual places, the steering part is the same."""
    poetry = "\n".join(f'{name} = "{version}"' for name, version in more.items())
    after = (
        f"[project]\ndependencies = {json.dumps(main)}\n[project.optional-dependencies]\ndev = {json.dumps(dev)}\n"
        f"[dependency-groups]\ndev = {json.dumps(dev)}\n[tool.poetry.dependencies]\n{poetry}\n"
        '[tool.pytest.ini_options]\naddopts = "-q"\n'
    )
    before = '[project]\n[tool.pytest.ini_options]\naddopts = "-q"\n'
    assert same_steering("pyproject.toml", before.encode(), after.encode(), words)
    assert same_steering(
        "package.json", b"{}", json.dumps({"dependencies": more, "devDependencies": more}).encode(), words
    )


LEAF = st.one_of(st.booleans(), st.integers(-5, 5), WORD, st.lists(WORD, max_size=3))


@given(st.dictionaries(WORD, LEAF, max_size=4), st.dictionaries(WORD, LEAF, max_size=4), COMMANDS)
def test_whatever_is_below_pytest_steers(one: dict[str, Any], two: dict[str, Any], words: list[str]) -> None:
    """Two versions are the same in what steers only where all below tool.pytest is the same."""

    def text(options: dict[str, Any]) -> bytes:
        lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in options.items())
        return f"[tool.pytest.ini_options]\n{lines}\n".encode()

    assert same_steering("pyproject.toml", text(one), text(two), words) is (one == two)
