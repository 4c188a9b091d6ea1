from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from loopwright.run.runners.negation import negate

FINE = {
    "plain": ("def test_a():\n    assert 1\n", "test_a"),
    "returns": ("def test_a():\n    return 1\n", "test_a"),
    "raises": ("def test_a():\n    raise KeyError\n", "test_a"),
    "only words": ("def test_a():\n    '''Words.'''\n", "test_a"),
    "on one line": ("def test_a(): pass\n", "test_a"),
    "the last of that name": ("def test_a(): raise KeyError\ndef test_a(): pass\n", "test_a"),
    "with a future": ("'''Words.'''\nfrom __future__ import annotations\ndef test_a(): pass\n", "test_a"),
    "a global": ("X = 1\ndef test_a():\n    global X\n    X = 2\n", "test_a"),
    "decorated": ("def twice(f):\n    return lambda: (f(), f())\n@twice\ndef test_a(): pass\n", "test_a"),
    "another encoding": ("# -*- coding: latin-1 -*-\ndef test_a():\n    assert 'é'\n", "test_a"),
    "a mark": ("\ufeffdef test_a(): pass\n", "test_a"),
    "loops": (
        "def test_a():\n    while True:\n        try:\n            break\n        finally:\n            pass\n",
        "test_a",
    ),
}


@pytest.mark.parametrize("case", FINE)
def test_a_test_that_is_made_to_fail(case: str, tmp_path: Path) -> None:
    """Whatever way a test ends, it raises an AssertionError afterwards, and the rest of its file is as it was."""
    text, name = FINE[case]
    place = tmp_path / "test_a.py"
    place.write_text(text, encoding="latin-1" if "latin-1" in text else "utf-8")
    assert negate(place.parent, place.name, [name], plain=False)
    code = "import test_a\ntry:\n    test_a.test_a()\nexcept AssertionError:\n    print('failed')\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "failed\n", done.stderr


def test_a_method_of_a_class_in_a_class(tmp_path: Path) -> None:
    """Classes lead to a method; one of the same name elsewhere is left alone."""
    place = tmp_path / "test_a.py"
    place.write_text(
        "def test_x(): pass\nclass A:\n    def test_x(self): pass\n    class B:\n        def test_x(self): pass\n"
    )
    assert negate(place.parent, place.name, ["A", "B", "test_x"], plain=False)
    changed = place.read_text()
    assert changed.count("raise AssertionError") == 1
    assert changed.index("class B") < changed.index("raise AssertionError")


def test_an_async_test(tmp_path: Path) -> None:
    """A coroutine is a test like any other."""
    place = tmp_path / "test_a.py"
    place.write_text("async def test_a():\n    await x\n")
    assert negate(place.parent, place.name, ["test_a"], plain=False)
    assert "raise AssertionError" in place.read_text()


NOT_FOUND: dict[str, tuple[bytes, list[str]]] = {
    "another name": (b"def test_b(): pass\n", ["test_a"]),
    "no names": (b"def test_a(): pass\n", []),
    "a class": (b"class test_a: pass\n", ["test_a"]),
    "through a function": (b"def A():\n    def test_a(): pass\n", ["A", "test_a"]),
    "no such class": (b"def test_a(): pass\n", ["A", "test_a"]),
    "a generator": (b"def test_a():\n    yield 1\n", ["test_a"]),
    "a variable": (b"test_a = lambda: 1\n", ["test_a"]),
    "in a condition": (b"if True:\n    def test_a(): pass\n", ["test_a"]),
    "not Python": (b"def test_a(:\n", ["test_a"]),
    "a nul": (b"def test_a(): pass\n\0", ["test_a"]),
    "nested deeply": (b"x = " + b"(" * 5000 + b"\n", ["test_a"]),
    "a long sum": (b"def test_a(): pass\nx = " + b"+".join([b"1"] * 900) + b"\n", ["test_a"]),
    "no text": (b"\xff\xfe def test_a(): pass", ["test_a"]),
}


@pytest.mark.parametrize("case", NOT_FOUND)
def test_what_cannot_be_negated_is_left_alone(case: str, tmp_path: Path) -> None:
    """Where the test is not to be found, or would not fail for certain, the file stays as it is."""
    content, names = NOT_FOUND[case]
    place = tmp_path / "test_a.py"
    place.write_bytes(content)
    assert not negate(place.parent, place.name, names, plain=False)
    assert place.read_bytes() == content


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file and a folder are no tests."""
    assert not negate(tmp_path, "none.py", ["test_a"], plain=False)
    assert not negate(tmp_path.parent, tmp_path.name, ["test_a"], plain=False)


USED = {
    "assertEqual": "self.assertEqual(1, 1)",
    "assertTrue": "self.assertTrue(1)",
    "assertIsNone": "self.assertIsNone(None)",
    "assertIn": "self.assertIn(1, [1])",
}


@pytest.mark.parametrize("name", USED)
def test_a_test_fails_by_the_assertion_that_it_uses(name: str, tmp_path: Path) -> None:
    """Product code may have patched an assertion: what is made to fail goes through it."""
    head = "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        "
    (tmp_path / "test_a.py").write_text(f"{head}{USED[name]}\n")
    assert negate(tmp_path, "test_a.py", ["A", "test_a"], plain=False)
    assert (tmp_path / "test_a.py").read_text().count(f"self.{name}(") == 2
    done = subprocess.run([sys.executable, "-m", "unittest", "test_a"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, "AssertionError" in done.stderr) == (1, True)
