from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import TaskError, UsageError
from loopwright.records import shape
from loopwright.records.check import Verdict
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.look import look
from loopwright.text.searching import MOST_BYTES


def verdict(criterion, room):
    return criterion.evaluate(room).verdict


@pytest.mark.parametrize("pattern", ["require_auth", r"^@?require_\w+", r"auth$"])
def test_found_pattern_shows_where(room, pattern):
    """A hit is shown as file, line and the line itself, for plain words and for expressions."""
    room.write("src/main.py", "import x\n\nrequire_auth\n")
    evidence = GrepCriteria("src/main.py", pattern=pattern).evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.PASS, "src/main.py:3: require_auth")


@pytest.mark.parametrize("pattern", ["require_auth", r"require_\w+"])
def test_missing_pattern_fails(room, pattern):
    """A pattern that is nowhere fails and is named."""
    room.write("src/main.py", "import x\n")
    evidence = GrepCriteria("src/main.py", pattern).evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.FAIL, f"`{pattern}` is not in src/main.py")


def test_absent(room):
    """With absent the pattern must be nowhere, and each place where it is gets shown."""
    room.write("a.py", "print(1)\nx\nprint(2) print(3)\n")
    assert verdict(GrepCriteria("a.py", "breakpoint", absent=True), room) is Verdict.PASS
    evidence = GrepCriteria("a.py", r"print\(", absent=True).evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.FAIL, "a.py:1: print(1)\na.py:3: print(2) print(3)")


def test_glob(room):
    """A glob looks into all of its files, and one hit is enough."""
    for name in ("src/a.py", "src/deep/b.py", "src/c.txt"):
        room.write(name, f"# {name}\n")
    assert GrepCriteria("src/**/*.py", "deep").evaluate(room).text == "src/deep/b.py:1: # src/deep/b.py"
    evidence = GrepCriteria("src/**/*.py", "txt").evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.FAIL, "`txt` is not in any of 2 files")


def test_file_with_brackets_in_its_name(room):
    """A file of exactly this name goes before a glob that would mean another."""
    room.write("app/[id]/page.tsx", "export default\n")
    room.write("app/i/page.tsx", "wrong\n")
    assert verdict(GrepCriteria("app/[id]/page.tsx", "export"), room) is Verdict.PASS


@pytest.mark.parametrize("file", ["nothing.py", "*.nothing", "folder"])
def test_no_file(room, file):
    """Where there is no file, nothing is present and everything is absent."""
    (room.root / "folder").mkdir()
    evidence = GrepCriteria(file, "x").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert f"there is no file `{file}`" in evidence.text
    assert verdict(GrepCriteria(file, "x", absent=True), room) is Verdict.PASS


def test_ignore_case(room):
    """Case counts unless it is told not to."""
    room.write("a", "TODO\n")
    assert verdict(GrepCriteria("a", "todo"), room) is Verdict.FAIL
    assert verdict(GrepCriteria("a", "todo", ignore_case=True), room) is Verdict.PASS


@pytest.mark.parametrize("absent", [False, True])
def test_backtracking_pattern_is_ended(room, absent):
    """A pattern that backtracks for ever fails at its limit, also where its absence is asked for."""
    room.write("a", "a" * 5000 + "b")
    started = time.monotonic()
    evidence = GrepCriteria("a", "(a+)+$", absent, timeout_s=0.5).evaluate(room)
    assert time.monotonic() - started < 5
    assert (evidence.verdict, evidence.timed_out) == (Verdict.FAIL, True)
    assert "took longer than 0.5 s" in evidence.text
    assert "it backtracks" in evidence.text


def test_binary_and_windows_files(room):
    """Bytes that are no text, a byte order mark and Windows' line ends don't hide a pattern."""
    room.write("a", b"\xff\xfe\x00\x80 needle \x00\n")
    room.write("b", b"\xef\xbb\xbfimport x\r\nend\r\n")
    assert verdict(GrepCriteria("a", "needle"), room) is Verdict.PASS
    assert verdict(GrepCriteria("b", "^import x$"), room) is Verdict.PASS


def test_large_file_is_searched_in_part(room):
    """Of a very large file the beginning is searched; what was not looked at is never called absent."""
    room.write("a", b"x\n" * (MOST_BYTES // 2) + b"needle\n")
    present = GrepCriteria("a", "needle").evaluate(room)
    assert present.verdict is Verdict.FAIL
    assert "only the first 20 MB were searched of a" in present.text
    assert verdict(GrepCriteria("a", "needle", absent=True), room) is Verdict.UNVERIFIABLE


def test_long_line_is_cut(room):
    """A hit on a very long line is shown in part."""
    room.write("a", "needle" + "x" * 100_000)
    assert len(GrepCriteria("a", "needle").evaluate(room).text) < 250


@pytest.mark.parametrize("absent", [False, True])
def test_link_out_of_the_tree_is_denied(room, absent, tmp_path):
    """A link to a file outside of the tree is not followed, and does not count as absence."""
    (tmp_path / "secret").write_text("needle")
    (room.root / "a").symlink_to(tmp_path / "secret")
    evidence = look(GrepCriteria("a", "needle", absent), room)
    assert evidence.verdict is Verdict.FAIL
    assert "leaves the repository" in evidence.text


@pytest.mark.parametrize(("pattern", "position"), [("a(", "1"), ("[", "0"), ("*x", "0")])
def test_wrong_pattern_is_refused_with_its_position(pattern, position):
    """A pattern that is no regular expression is refused before a run starts, with the place of the mistake."""
    with pytest.raises(TaskError, match=f"at position {position}"):
        GrepCriteria("a", pattern)


@pytest.mark.parametrize(
    ("file", "pattern", "timeout_s"),
    [("../a", "x", 1), ("/a", "x", 1), ("src/../../*.py", "x", 1), ("a", "", 1), ("a", "x", 0)],
)
def test_impossible_is_refused(file, pattern, timeout_s):
    """A glob that leaves the repository, an empty pattern and no time at all are refused."""
    with pytest.raises(TaskError):
        GrepCriteria(file, pattern, timeout_s=timeout_s)


@pytest.mark.parametrize(
    ("spec", "criterion"),
    [
        ("src/main.py:require_auth", GrepCriteria("src/main.py", "require_auth")),
        ("a:b:c", GrepCriteria("a", "b:c")),
        ("src/*.py: x", GrepCriteria("src/*.py", " x")),
    ],
)
def test_parse(spec, criterion):
    """The command line's form is split at its first colon."""
    assert GrepCriteria.parse(spec) == criterion
    assert GrepCriteria.parse(spec, absent=True).absent


@pytest.mark.parametrize("spec", ["", "a", "a:", ":x", "../a:x", "a:("])
def test_parse_refuses(spec):
    """A form without a file or a pattern is refused."""
    with pytest.raises(UsageError):
        GrepCriteria.parse(spec)


names = st.from_regex(r"[a-z]{1,5}(/[a-z*]{1,5}){0,3}", fullmatch=True)
patterns = st.text(st.characters(exclude_characters=r".^$*+?{}[]\|()"), min_size=1)


@given(names, patterns, st.booleans(), st.floats(0.1, 100))
def test_round_trip(file, pattern, flag, timeout_s):
    """What is written as plain data is read back as the same criterion with the same hash."""
    criterion = GrepCriteria(file, pattern, flag, ignore_case=not flag, timeout_s=timeout_s, held_out=flag)
    again = shape.criterion(criterion.to_dict(), lambda _: GrepCriteria)
    assert again == criterion
    assert again.hash == criterion.hash


@given(names, patterns)
def test_parse_reads_what_was_written(file, pattern):
    """FILE:PATTERN gives back both, whatever the pattern holds."""
    assert GrepCriteria.parse(f"{file}:{pattern}") == GrepCriteria(file, pattern)


def test_describe():
    """The words say what must hold."""
    assert GrepCriteria("a", "x").describe() == "grep a for `x`"
    assert GrepCriteria("a", "x", absent=True).describe() == "grep a without `x`"
