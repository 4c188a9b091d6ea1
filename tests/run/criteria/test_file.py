from __future__ import annotations

import hashlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from loopwright.errors import TaskError, UsageError
from loopwright.records import shape
from loopwright.records.check import Verdict
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.look import look

HELLO = hashlib.sha256(b"hello").hexdigest()


def verdict(criterion, room):
    return criterion.evaluate(room).verdict


def test_existing_file_passes(room):
    """A file that is there holds, and the evidence says how large it is."""
    room.write("src/auth.py", "hello")
    evidence = FileCriteria("src/auth.py", exists=True).evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.PASS, "it has 5 bytes")


def test_missing_file_fails_and_names_ignored_files(room):
    """A file that is not there fails, with the one reason that an agent can't see."""
    evidence = FileCriteria("build/out.js").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert "there is no `build/out.js`" in evidence.text
    assert "git ignores" in evidence.text


def test_absence(room):
    """With exists=False a file must not be there."""
    assert verdict(FileCriteria("old.py", exists=False), room) is Verdict.PASS
    room.write("old.py")
    assert verdict(FileCriteria("old.py", exists=False), room) is Verdict.FAIL


def test_folder_exists_but_has_no_size(room):
    """A folder counts as existing; a size needs a file."""
    (room.root / "src").mkdir()
    assert verdict(FileCriteria("src"), room) is Verdict.PASS
    assert verdict(FileCriteria("src", exists=False), room) is Verdict.FAIL
    evidence = FileCriteria("src", min_size=0).evaluate(room)
    assert (evidence.verdict, evidence.text) == (Verdict.FAIL, "it is a folder")


def test_hash(room):
    """The hash must be that of the content, and the evidence says what was found."""
    room.write("a", "hello")
    assert verdict(FileCriteria("a", sha256=HELLO.upper()), room) is Verdict.PASS
    room.write("a", "other")
    evidence = FileCriteria("a", sha256=HELLO).evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert hashlib.sha256(b"other").hexdigest() in evidence.text


@pytest.mark.parametrize(
    ("conditions", "holds"),
    [
        ({"size": 5}, True),
        ({"size": 4}, False),
        ({"min_size": 5}, True),
        ({"min_size": 6}, False),
        ({"max_size": 5}, True),
        ({"max_size": 4}, False),
        ({"min_size": 1, "max_size": 9}, True),
    ],
)
def test_sizes(room, conditions, holds):
    """A size is exact, at least or at most."""
    room.write("a", "hello")
    assert verdict(FileCriteria("a", **conditions), room) is (Verdict.PASS if holds else Verdict.FAIL)


def test_empty_file_has_size_zero(room):
    """A size of 0 is a size and not the lack of one."""
    room.write("a", "")
    assert verdict(FileCriteria("a", size=0), room) is Verdict.PASS
    assert FileCriteria("a", size=0).to_dict() == {"kind": "file", "path": "a", "size": 0}


@pytest.mark.parametrize("exists", [True, False])
def test_link_out_of_the_tree_is_denied(room, exists, tmp_path):
    """A link to a file outside of the tree holds neither as being there nor as not being there."""
    (tmp_path / "secret").write_text("x")
    (room.root / "a").symlink_to(tmp_path / "secret")
    evidence = look(FileCriteria("a", exists), room)
    assert evidence.verdict is Verdict.FAIL
    assert "leaves the repository" in evidence.text


def test_broken_link_is_not_absent(room):
    """A link that leads nowhere is still something that is there, but no file."""
    (room.root / "a").symlink_to("nowhere")
    assert verdict(FileCriteria("a"), room) is Verdict.FAIL
    assert verdict(FileCriteria("a", exists=False), room) is Verdict.FAIL


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a/../../b", "", " ", ".", "a\0b"])
def test_path_out_of_the_repository_is_refused(path):
    """A path that leaves the repository or names nothing is refused before a run starts."""
    with pytest.raises(TaskError):
        FileCriteria(path)


@pytest.mark.parametrize(
    "conditions",
    [
        {"sha256": "abc"},
        {"sha256": "g" * 64},
        {"size": -1},
        {"size": 1, "min_size": 1},
        {"min_size": 2, "max_size": 1},
        {"exists": False, "sha256": HELLO},
        {"exists": False, "size": 0},
    ],
)
def test_impossible_conditions_are_refused(conditions):
    """What no file can fulfil is refused before a run starts."""
    with pytest.raises(TaskError):
        FileCriteria("a", **conditions)


@pytest.mark.parametrize(
    ("spec", "criterion"),
    [
        ("src/auth.py", FileCriteria("src/auth.py")),
        ("!old.py", FileCriteria("old.py", exists=False)),
        ("./!odd", FileCriteria("!odd")),
        (f"a:sha256={HELLO}", FileCriteria("a", sha256=HELLO)),
        ("a:size>=100", FileCriteria("a", min_size=100)),
        ("a:size<=100", FileCriteria("a", max_size=100)),
        ("a:size=100", FileCriteria("a", size=100)),
        ("a:size>=1,size<=9", FileCriteria("a", min_size=1, max_size=9)),
        (f"a:size>=1:size<=9:sha256={HELLO}", FileCriteria("a", min_size=1, max_size=9, sha256=HELLO)),
        ("c:d.txt", FileCriteria("c:d.txt")),
        ("c:d.txt:size=3", FileCriteria("c:d.txt", size=3)),
        ("size=3", FileCriteria("size=3")),
    ],
)
def test_parse(spec, criterion):
    """The command line's form gives the same criterion as Python's."""
    assert FileCriteria.parse(spec) == criterion


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "!",
        "a:size>100",
        "a:size=abc",
        "a:size>=-1",
        "a:sha256=12",
        "a:size>=1,foo",
        "a:size>=1:size>=2",
        "!a:size=1",
    ],
)
def test_parse_refuses(spec):
    """A form that can't be meant is refused, never read as a strange path."""
    with pytest.raises(UsageError):
        FileCriteria.parse(spec)


@given(st.text())
def test_parse_gives_a_criterion_or_a_usage_error(spec):
    """Whatever is typed is read or refused, and never anything else."""
    try:
        criterion = FileCriteria.parse(spec)
    except UsageError:
        return
    assert not criterion.path.startswith("/")


paths = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).map("a{}".format)


@given(paths, st.integers(0), st.integers(0), st.booleans())
def test_round_trip(path, low, more, held_out):
    """What is written as plain data is read back as the same criterion with the same hash."""
    assume(".." not in path.split("/"))
    criterion = FileCriteria(path, min_size=low, max_size=low + more, held_out=held_out)
    again = shape.criterion(criterion.to_dict(), lambda _: FileCriteria)
    assert again == criterion
    assert again.hash == criterion.hash


def test_path_has_one_form():
    """The same file gives the same hash, however its path was written."""
    assert FileCriteria("./src//a.py").hash == FileCriteria("src/a.py").hash


def test_describe():
    """The words say what must hold."""
    assert FileCriteria("a").describe() == "file a exists"
    assert FileCriteria("a", exists=False).describe() == "file a does not exist"
    assert FileCriteria("a", min_size=3).describe() == "file a exists, size>=3"
