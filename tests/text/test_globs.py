from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.globs import matches_any

MATCHING = [
    ("Makefile", "Makefile"),
    ("Makefile", "deep/er/Makefile"),
    ("*.py", "a.py"),
    ("*.py", "src/a.py"),
    ("*", "a/b/c"),
    ("docs", "docs/a/b.md"),
    ("docs/", "docs/a.md"),
    ("docs/", "inner/docs/a.md"),
    ("./docs/a.md", "docs/a.md"),
    ("/docs", "docs/a.md"),
    ("/docs/", "docs/a/b"),
    ("src/*.py", "src/a.py"),
    ("src/*", "src/a/b.py"),
    ("src/**/test.py", "src/test.py"),
    ("src/**/test.py", "src/a/b/test.py"),
    ("src/**", "src/a/b"),
    ("**/x", "x"),
    ("**/x", "a/b/x"),
    ("**/x", "a/x/y"),
    ("**", "a/b"),
    ("a?c", "abc"),
    ("a?c/d", "abc/d"),
    ("tests/test_*.py", "tests/test_new\nline.py"),
    ("a+b(c).py", "a+b(c).py"),
    ("tést/*", "tést/ü.py"),
    ("-x", "-x"),
]
NOT_MATCHING = [
    ("", "a"),
    ("", "a/b"),
    ("./", "a"),
    ("Makefile", "Makefile.in"),
    ("Makefile", "GNUMakefile"),
    ("*.py", "a.pyc"),
    ("/docs", "inner/docs/a.md"),
    ("docs/a.md", "inner/docs/a.md"),
    ("docs", "docs.md"),
    ("docs/", "docset/a"),
    ("src/*.py", "src/a/b.py"),
    ("src/**", "src"),
    ("src/**", "srcs/a"),
    ("src/**/x", "src/ax"),
    ("a?c", "ac"),
    ("a?c", "a/c"),
    ("a.c", "abc"),
    ("[ab]", "a"),
    ("a*", "\na"),
]


@pytest.mark.parametrize(("glob", "path"), MATCHING)
def test_what_a_glob_names(glob: str, path: str) -> None:
    """A glob names the path itself, or a folder that it lies in; a name without a slash is meant anywhere."""
    assert matches_any(["never", glob], path)


@pytest.mark.parametrize(("glob", "path"), NOT_MATCHING)
def test_what_a_glob_does_not_name(glob: str, path: str) -> None:
    """A star stays within a folder, a slash anchors, and no sign besides `*` and `?` means anything but itself."""
    assert not matches_any([glob], path)


def test_no_globs() -> None:
    """Without a glob nothing is named."""
    assert not matches_any([], "a")


NAME = st.text(st.characters(exclude_characters="/*?\0"), min_size=1).filter(lambda name: name not in (".", ".."))


@given(st.lists(NAME, min_size=1, max_size=4))
def test_every_path_names_itself(parts: list[str]) -> None:
    """A path without signs of a glob names itself and what is below it, and not what merely starts like it."""
    path = "/".join(parts)
    assert matches_any([f"/{path}"], path)
    assert matches_any([f"/{path}"], f"{path}/inner")
    assert not matches_any([f"/{path}"], f"{path}x")
