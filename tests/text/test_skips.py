"""Tests that do not decide anything any more; the table of the detector `tamper` has more."""

from __future__ import annotations

import pytest

from loopwright.text.changes import Change
from loopwright.text.skips import bare, skipped

_PYTHON = "def test_it():\n    assert add(1, 2) == 3\n"
_SCRIPT = "it('adds', () => {\n  expect(1).toBe(1);\n});\n"


@pytest.mark.parametrize(
    "line",
    [
        '@pytest.mark.skip(reason="flaky in CI")',
        '@pytest.mark.skip(reason="fails if run twice")',
        '@pytest.mark.skip(reason="needs root cause analysis")',
        '@pytest.mark.skip(reason="network mock is wrong")',
        '@pytest.mark.skip("broken on linux")  # if at all',
        "@pytest.mark.skip(\n    reason='if it is flaky',\n)",
        '@pytest.mark.xfail(reason="if run twice", strict=False)',
        "@pytest.mark.xfail(raises=ValueError)",
        '@pytest.mark.skipif(True, reason="x")',
        "@pytest.mark.skipif(condition=True, reason='x')",
        '@pytest.mark.skipif(\n    True,\n    reason="x",\n)',
        "@unittest.skipIf(True, 'x')",
        "@unittest.skipUnless(False, 'x')",
        "pytestmark = pytest.mark.skip",
    ],
)
def test_reasons_are_no_conditions(line: str) -> None:
    """What a reason says does not make a skip depend on anything, nor does a condition that always holds."""
    assert skipped(Change("test_a.py", _PYTHON, f"{line}\n{_PYTHON}")) == line.replace("(\n    ", "(").split("\n")[0]


@pytest.mark.parametrize(
    "line",
    [
        '@pytest.mark.skipif(sys.platform == "win32", reason="paths")',
        '@pytest.mark.xfail(sys.platform == "win32", reason="paths")',
        "@pytest.mark.xfail(\n    IS_OLD,\n    reason='paths',\n)",
        "@unittest.skipUnless(shutil.which('git'), 'no git')",
        "if not HAS_GIT:\n    pytest.skip('no git', allow_module_level=True)\n",
        "try:\n    import x\nexcept ImportError:\n    pytest.skip('no x', allow_module_level=True)\n",
        "# @pytest.mark.skip",
    ],
)
def test_conditions(line: str) -> None:
    """A skip that hangs on the machine, or on anything else, is usual."""
    assert skipped(Change("test_a.py", _PYTHON, f"{line}\n{_PYTHON}")) == ""


@pytest.mark.parametrize(
    ("new", "is_skip"),
    [
        (_SCRIPT.replace("it('adds", "it.skip('adds if positive"), True),
        (_SCRIPT.replace("it(", "test.skip(true, 'x'); it("), True),
        (_SCRIPT.replace("  expect", "  test.skip(browserName === 'webkit', 'x');\n  expect"), False),
        (_SCRIPT.replace("it(", "(onMac ? it : it.skip)("), False),
        (_SCRIPT.replace("  expect", "  return;\n  expect"), True),
        (_SCRIPT.replace("  expect", "  return 1;\n  expect"), False),
    ],
)
def test_scripts(new: str, is_skip: bool) -> None:
    """A test's name is no condition; what is given first, or chosen by, is one."""
    assert bool(skipped(Change("a.test.ts", _SCRIPT, new))) is is_skip


@pytest.mark.parametrize(
    ("new", "is_skip"),
    [
        (_PYTHON.replace("    assert", "    return\n    assert"), True),
        (_PYTHON.replace("    assert", '    """Adds."""\n    return  # later\n    assert'), True),
        (_PYTHON.replace("    assert", "    x = 1\n    return\n    assert"), False),
        (_PYTHON.replace("def test_it", "def _test_it"), True),
        (_PYTHON.replace("def test_it", "def xtest_it"), True),
        (_PYTHON.replace("def test_it", "def test_add"), False),
        (_PYTHON.replace("def test_it", "def check_sum"), False),
        (_PYTHON.replace("def test_it()", "def _test_it(a, b)"), False),
        (_PYTHON.replace("def test_it", "def _test_it") + "\ndef test_both():\n    _test_it()\n", False),
        ("def test_it():\n    try:\n        assert add(1, 2) == 3\n    except AssertionError:\n        pass\n", True),
        ("def test_it():\n    try:\n        assert add(1, 2) == 3\n    except:\n        pass\n", True),
        ("def test_it():\n    try:\n        assert add(1, 2) == 3\n    except ValueError:\n        pass\n", False),
        ("def test_it():\n    try:\n        add()\n    except Exception:\n        pass\n    assert add(1, 2)\n", False),
        ("def test_it():\n    try:\n        add()\n        assert False\n    except Exception:\n        pass\n", False),
    ],
)
def test_without_a_marker(new: str, is_skip: bool) -> None:
    """A test that returns at once, that no runner finds, or whose failure is swallowed is skipped as well."""
    assert bool(skipped(Change("test_a.py", _PYTHON, new))) is is_skip


def test_go() -> None:
    """A test of Go's with a small letter is not run."""
    assert skipped(Change("a_test.go", "func TestA(t *testing.T) {", "func testA(t *testing.T) {"))


def test_bare() -> None:
    """Strings and comments are left out, also such as have no end."""
    assert bare("skip('if', \"it's\")  # if") == 'skip("", "")  '
    assert bare("x = 'if") == 'x = ""'
