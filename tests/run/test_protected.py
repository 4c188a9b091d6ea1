"""What is protected, what is a test, and what would steer: tables of paths."""

from __future__ import annotations

import shlex
from collections.abc import Collection

import pytest

from loopwright.records.criterion import Criterion
from loopwright.records.task import Task
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.criteria.json import JsonCriteria
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.protected import Protection, looks_like_test, protection_of

TESTS = [
    *("tests/test_a.py", "tests/data.json", "tests/deep/er/x", "pkg/tests/helpers.py", "src/__tests__/a.js"),
    *("src/__snapshots__/a.snap", "__mocks__/fs.js", "e2e/login.ts", "pkg/testdata/in.txt", "test_a.py", "a_test.py"),
    *("pkg/a_tests.py", "app/tests.py", "app/test.py", "main_test.go", "a_test.rb", "a_spec.rb", "a_test.exs"),
    *("a_test.rs", "a_test.cc", "a_test.dart", "a.test.js", "a.spec.tsx", "a.test.mjs", "a.e2e.ts", "a.cy.js"),
    *("a-test.js", "UserTest.java", "UserTests.cs", "UserIT.java", "UserSpec.scala", "UserTestCase.php", "a.bats"),
    *("features/login.feature", "a.snap", "tests/pyproject.toml"),
]
NO_TESTS = [
    *("src/app.py", "contest.py", "latest.py", "testing.py", "attest.go", "src/test.rs", "protest/a.py", "tests"),
    *("testsuite/a.py", "Testimony.java", "test_a.txt", "spec.rb", "django/test/client.py", "src/testing/fake.py"),
    *("conftest.py", "test_.js", "Test/a.cs"),
]
PROTECTED = [
    *("conftest.py", "tests/conftest.py", "pkg/conftest.py", "pytest.ini", ".pytest.ini", "sub/pytest.ini"),
    *("pytest.toml", ".pytest.toml", "noxfile.py", ".coveragerc", ".mocharc.js", ".mocharc", ".nycrc.json"),
    *("jest.config.js", "jest.setup.ts", "vitest.config.mts", "vitest.workspace.ts", "karma.conf.js", ".taprc"),
    *("playwright.config.ts", "cypress.config.js", "babel.config.js", ".babelrc", ".swcrc", ".rspec", "phpunit.xml"),
    *("phpunit.xml.dist", "nextest.toml", ".config/nextest.toml", "jest-preset.js", "jest.preset.js"),
    *(".github/workflows/ci.yml", ".circleci/config.yml", ".buildkite/x", ".gitlab-ci.yml", ".travis.yml"),
    *("azure-pipelines.yaml", "bitbucket-pipelines.yml", "Jenkinsfile", ".pre-commit-config.yaml", "loopwright.toml"),
    *(".cargo/config.toml", "appveyor.yml", "sitecustomize.py", "lib/usercustomize.py", *TESTS),
]
FREE = [
    *("src/app.py", "README.md", "jest.md", "pytest.py", "config.js", "docs/ci.yml", "deep/Jenkinsfile"),
    *("sub/loopwright.toml", "Makefile", "tox.ini", "ruff.toml", ".flake8", "setup.py", ".env", ".eslintrc.json"),
    *("tsconfig.json", ".githubx/a", "webpack.config.js"),
]
STEERING = [
    *("sitecustomize.py", "src/usercustomize.py", "x.pth", "lib/evil.pth", ".env", ".env.test", ".envrc", ".npmrc"),
    *(".yarnrc", ".yarnrc.yml", ".pnp.cjs", ".pdbrc", ".python-version", ".node-version", "pyvenv.cfg", "pip.conf"),
    *("evil.egg-info/entry_points.txt", "src/evil-1.0.dist-info/METADATA", "a.pyc", "__pycache__/a.pyc"),
    *("conftest.py", "tests/conftest.py", "pytest.ini", "jest.config.js", ".babelrc", "noxfile.py", ".cargo/config"),
    *("loopwright.toml", "random.py", "src/random.py", "lib/json.py", "unittest/__init__.py", "pytest.py"),
    *("_pytest/__init__.py", "pluggy.py", "src/pytest/__init__.py", "coverage.py", "xdist.py", "json.so"),
]
NOT_STEERING = [
    *("src/app.py", "tests/test_new.py", "app/random.py", "random.txt", "randomly.py", "tests/json.py"),
    *("test/test_a.py", "test/__init__.py", ".github/workflows/new.yml", "Jenkinsfile", ".gitlab-ci.yml"),
    *("src/json", "src", "lib/helpers.py", "env", "docs/random.md", "ruff.toml", "Makefile", ".environment"),
    *("profile/models.py", "src/email/sender.py", "statistics/data/load.py", "platform/index.ts"),
]


def protection(
    *criteria: Criterion | str,
    holding: Collection[str] = (),
    protect: Collection[str] = (),
    allow: Collection[str] = (),
) -> Protection:
    """Give what protects a task; a text is a command, and `holding` names the folders that have tests."""
    given = [TestCriteria(item) if isinstance(item, str) else item for item in criteria or ("true",)]
    return protection_of(Task("x", given, protect=tuple(protect), allow=tuple(allow)), lambda folder: folder in holding)


@pytest.mark.parametrize("path", TESTS)
def test_a_test(path: str) -> None:
    """A file is a test by its own name, or by the folder that it lies in, in any language."""
    assert protection().is_test(path)


@pytest.mark.parametrize("path", NO_TESTS)
def test_no_test(path: str) -> None:
    """A name that only resembles a test's is a product's."""
    assert not protection().is_test(path)


@pytest.mark.parametrize("path", PROTECTED)
def test_protected(path: str) -> None:
    """Tests, the settings of runners and continuous integration have to stay as they are."""
    assert protection().covers(path)


@pytest.mark.parametrize("path", FREE)
def test_free(path: str) -> None:
    """What does not decide may be changed, settings of programs that no criterion runs among it."""
    assert not protection().covers(path)


@pytest.mark.parametrize("path", STEERING)
def test_steering(path: str) -> None:
    """A new file that gets into a test run by its name alone steers."""
    assert protection().steers(path)


@pytest.mark.parametrize("path", NOT_STEERING)
def test_not_steering(path: str) -> None:
    """New product files, new tests and new CI files are fine, also a new module in a package of any name."""
    assert not protection().steers(path)


@pytest.mark.parametrize("folder", ["test", "spec", "specs", "testing", "Test", "src/test"])
def test_a_folder_that_may_hold_tests(folder: str) -> None:
    """A `test/` folder is one of tests where tests are in it at the base, and a product's where none are."""
    path = f"{folder}/inner/helper.py"
    assert protection(holding=[folder]).is_test(path)
    assert protection(holding=[folder]).covers(path)
    assert not protection(holding=["elsewhere"]).is_test(path)


def test_a_folder_is_looked_into_once() -> None:
    """What a folder holds at the base is asked for once, and not for each file in it."""
    asked: list[str] = []

    def has_tests(folder: str) -> bool:
        asked.append(folder)
        return True

    made = Protection(has_tests)
    assert made.is_test("test/a.py") and made.is_test("test/b.py")
    assert asked == ["test"]


COMMANDS = [
    ("make test", "Makefile", True),
    ("make test", "GNUmakefile", True),
    ("make test", "sub/Makefile", True),
    ("cmake --build .", "Makefile", False),
    ("/usr/bin/make -C sub test", "Makefile", True),
    ("sh -c 'cd x; make'", "Makefile", True),
    ("env A=make true", "Makefile", True),
    ("tox -e py", "tox.ini", True),
    ("nox", "noxfile.py", True),
    ("just test", "justfile", True),
    ("just test", ".justfile", True),
    ("task test", "Taskfile.yml", True),
    ("npx tsc --noEmit", "tsconfig.json", True),
    ("npx tsc --noEmit", "tsconfig.build.json", True),
    ("rake", "Rakefile", True),
    ("invoke test", "tasks.py", True),
    ("ruff check .", "ruff.toml", True),
    ("ruff check .", ".ruff.toml", True),
    ("ruff check .", "mypy.ini", False),
    (".venv/bin/ruff check .", "ruff.toml", True),
    ("python -m mypy src", "mypy.ini", True),
    ("python -m mypy src", ".mypy.ini", True),
    ("flake8", ".flake8", True),
    ("npx eslint .", ".eslintrc", True),
    ("npx eslint .", ".eslintrc.json", True),
    ("npx eslint .", "eslint.config.mjs", True),
    ("npx eslint .", "prettier.config.js", False),
    ("npx prettier --check .", ".prettierrc.yaml", True),
    ("pylint src", ".pylintrc", True),
    ("pylint src", "pylintrc", True),
    ("rubocop", ".rubocop.yml", True),
    ("cargo clippy", "clippy.toml", True),
    ("golangci-lint run", ".golangci.yml", True),
    ("biome check .", "biome.json", True),
    ("true", "Makefile", False),
]


@pytest.mark.parametrize(("command", "path", "expected"), COMMANDS)
def test_the_settings_of_a_program_that_decides(command: str, path: str, expected: bool) -> None:
    """The settings of a program in a criterion's command are protected, and a new such file steers."""
    assert protection(command).covers(path) is expected
    assert protection(command).steers(path) is (expected or path == "noxfile.py")


def test_the_words_of_a_shell_command() -> None:
    """Words are found between the signs of a shell."""
    told = {"shell": True}
    words = protection(TestCriteria("cd web&&npx eslint .|tee log;(make)", **told)).words
    assert {"eslint", "make", "npx"} <= set(words)


@pytest.mark.parametrize("command", ["pytest .", "ls /", "pytest ./", "pytest tests/.."])
def test_no_word_is_empty(command: str) -> None:
    """A path that has no name of its own is no word: everything would start with it."""
    assert "" not in protection(command).words


def test_a_file_that_a_criterion_names() -> None:
    """A script that a command runs is protected, wherever it lies; one that is only looked at is asked for."""
    made = protection("sh scripts/check.sh --fast", FileCriteria("src/new.py"), GrepCriteria("docs/a.md", "x"))
    assert made.covers("scripts/check.sh")
    assert not made.covers("src/new.py")
    assert not made.covers("docs/a.md")


def test_what_is_asked_for_does_not_steer() -> None:
    """A new file that a criterion looks for is what the agent is to bring, whatever its name."""
    made = protection(FileCriteria(".env.example"), FileCriteria("conftest.py"))
    assert not made.steers(".env.example")
    assert not made.steers("conftest.py")
    assert made.steers(".env")
    assert made.covers("conftest.py")


def test_what_a_person_protects() -> None:
    """A glob of the task protects what would be free, and a new file there steers."""
    made = protection(protect=["ci/**", "*.lock"])
    for path in ("ci/a/b", "x/uv.lock"):
        assert made.covers(path)
        assert made.steers(path)
    assert not made.covers("cix/a")


def test_what_a_person_allows() -> None:
    """A glob of the task allows what would be protected; it is said apart, for both old and new files."""
    made = protection(allow=["tests/snapshots/"])
    assert made.allows("tests/snapshots/a.snap")
    assert not made.allows("tests/test_a.py")
    assert made.covers("tests/snapshots/a.snap")


@pytest.mark.parametrize(
    ("path", "expected"), [("a/test_b.py", True), ("conftest.py", True), ("a/b.py", False), ("tests/b.py", False)]
)
def test_a_test_by_its_name(path: str, expected: bool) -> None:
    """What says that a folder holds tests is the name of a file in it."""
    assert looks_like_test(path) is expected


def test_quoted_commands_are_read() -> None:
    """A command within a command has its words found as well."""
    assert protection(f"bash -c {shlex.quote('ruff check src')}").covers("ruff.toml")


@pytest.mark.parametrize(
    ("command", "path", "decides"),
    [
        ("sh check.sh", "check.sh", True),
        ("timeout 60 sh check.sh", "check.sh", True),
        ("bash -euo pipefail check.sh", "check.sh", True),
        ("python -W error check.py", "check.py", True),
        ("python -m checks.run", "checks/run.py", True),
        ("python -m pytest -c ci.ini checks/verify.py::test_a", "checks/verify.py", True),
        ("make --file=ci.mk test", "ci.mk", True),
        ("cd web && sh check.sh", "web/check.sh", True),
        ("ruff check shop/prices.py", "shop/prices.py", False),
        ("npx eslint src/a.js", "src/a.js", False),
        ("grep -q 100 prices.py", "prices.py", False),
        ("python -m pytest --doctest-modules calc.py", "calc.py", False),
    ],
)
def test_files_that_a_command_names(command: str, path: str, decides: bool) -> None:
    """What a command runs decides, wherever it stands in it; what a program only looks at is the product."""
    made = protection_of(Task("x", [TestCriteria(command, shell="&&" in command)]), lambda _: False)
    assert made.covers(path) is decides


def test_a_schema_decides() -> None:
    """A file that a criterion holds another against is protected, though no command names it."""
    made = protection_of(Task("x", [JsonCriteria("a.json", schema="schemas/a.json")]), lambda _: False)
    assert (made.covers("schemas/a.json"), made.covers("a.json")) == (True, False)


def test_what_a_protected_link_leads_to() -> None:
    """Whoever edits behind a link edits what the link shows."""
    links = {"tests/a.py": "real/a.py", "tests/data": "data", "docs/a": "product.py"}
    made = protection_of(Task("x", [TestCriteria("pytest")]), lambda _: False, lambda: links)
    assert [made.covers(path) for path in ("real/a.py", "data/x", "product.py", "other.py")] == [
        True,
        True,
        False,
        False,
    ]
