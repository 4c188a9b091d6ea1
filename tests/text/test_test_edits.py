"""Changes that make a test weaker; the table of the detector `tamper` has more."""

from __future__ import annotations

import pytest

from loopwright.text.changes import Change
from loopwright.text.skips import skipped
from loopwright.text.test_edits import (
    asks_less,
    asks_nothing,
    count_asked,
    count_tests,
    expects_other,
    is_product,
    is_test_file,
)
from loopwright.text.unheard import unheard

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


def test_written_anew() -> None:
    """A file that is written anew with tests that ask for nothing is told; a helper without tests is not."""
    assert asks_nothing(Change("test_a.py", "", "def test_it():\n    pass\n", is_whole=True))
    assert not asks_nothing(Change("test_a.py", "", _PYTHON, is_whole=True))
    assert asks_nothing(Change("a.test.ts", "", "it('adds', () => {});", is_whole=True))
    assert not asks_nothing(Change("test_a.py", "", "def test_it():\n    check(1)\n", is_whole=True))
    assert not asks_nothing(Change("tests/helper.py", "", "x = 1\n", is_whole=True))


def test_less_is_asked_for() -> None:
    """Fewer assertions in as many tests are less; one test that stands for several is not."""
    two = f"{_PYTHON}    assert add(0, 0) == 0\n"
    assert count_asked(two) == 2
    assert asks_less(Change("test_a.py", two, _PYTHON))
    assert not asks_less(Change("test_a.py", _PYTHON, two))
    assert not asks_less(Change("test_a.py", two, f"@pytest.mark.parametrize('a', [0, 1])\n{_PYTHON}"))
