from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import TaskError
from loopwright.records.criterion import inside


@pytest.mark.parametrize(
    ("path", "short"),
    [("a", "a"), ("./a", "a"), ("a//b/", "a/b"), ("a/./b", "a/b"), ("..a", "..a"), ("src/**/*.py", "src/**/*.py")],
)
def test_inside_gives_the_shortest_form(path, short):
    """A path has one form, so that a criterion has one hash."""
    assert inside(path) == short


@pytest.mark.parametrize("path", ["..", "../a", "a/../b", "a/..", "/", "/etc/passwd", "//a", "./../a"])
def test_inside_refuses_what_leaves(path):
    """An absolute path and one that goes up are refused, also where they would come back."""
    with pytest.raises(TaskError, match="leaves the repository"):
        inside(path)


@pytest.mark.parametrize("path", ["", " ", ".", "./", "a\0b"])
def test_inside_refuses_what_names_nothing(path):
    """A path must name something."""
    with pytest.raises(TaskError, match="names no file"):
        inside(path)


@given(st.text(alphabet="./ a\0\\", max_size=12))
def test_inside_stays_inside(path):
    """Whatever is let through stays below the root, and is already in its shortest form."""
    try:
        short = inside(path)
    except TaskError:
        return
    assert Path("/root", short).resolve().is_relative_to("/root")
    assert inside(short) == short
