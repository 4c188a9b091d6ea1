"""Changes that make a test weaker; the table of the detector `tamper` has more."""

from __future__ import annotations

import pytest

from loopwright.text.changes import Change
from loopwright.text.test_edits import (
    asks_nothing,
    count_tests,
    expects_other,
    is_product,
    is_test_file,
    skipped,
    unheard,
)

_PYTHON = "def test_it():\n    assert add(1, 2) == 3\n"


@pytest.mark.parametrize(
    "path",
    [
        *("tests/test_a.py", "a_test.go", "src/a.test.tsx", "src/a.spec.js", "app/__tests__/a.js", "src/AddTest.java"),
        *("spec/a_spec.rb", "tests/conftest.py", "crate/tests/add.rs", "src\\a.test.ts", "tests", "app/tests/"),
    ],
)
def test_test_files(path: str) -> None:
    """Each language's tests are known, also by their folder."""
    assert is_test_file(path)
    assert not is_product(path)


@pytest.mark.parametrize(
    "path", ["src/latest.py", "contest.py", "tests/data/input.json", "src/testing.md", "attest.go"]
)
def test_other_files(path: str) -> None:
    """A name that only holds the word is no test, nor is data."""
    assert not is_test_file(path)


def test_product() -> None:
    """What is neither a test nor prose is the product."""
    assert is_product("src/a.py")
    assert not any(map(is_product, ("README.md", "docs/a.rst", "CHANGELOG.md", "a.test.ts")))


def test_what_is_counted() -> None:
    """Tests are counted in each language."""
    assert count_tests(_PYTHON) == 1
    assert count_tests("it('a', () => {})\ntest('b', () => {})") == 2
    assert count_tests("func TestA(t *testing.T) {}") == 1


def test_each_way() -> None:
    """A skip, a test that asks for nothing, another value and a check that can't fail are told apart."""
    skip = Change("test_a.py", _PYTHON, f"@pytest.mark.skip\n{_PYTHON}")
    empty = Change("test_a.py", _PYTHON, "def test_it():\n    pass\n")
    other = Change("test_a.py", _PYTHON, _PYTHON.replace("3", "4"))
    deaf = Change("Makefile", "\tpytest", "\tpytest || true")
    ways = (skipped, asks_nothing, expects_other, unheard)
    assert [[bool(way(change)) for way in ways] for change in (skip, empty, other, deaf)] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, False],
        [False, False, False, True],
    ]
