from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import UnknownName
from loopwright.records.shape import ShapeError, criterion, record, seconds
from loopwright.run.criteria.composite import AllOf, AnyOf, AtLeast, CompositeCriteria
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.criteria.http import HttpCriteria
from loopwright.run.criteria.json import JsonCriteria
from loopwright.run.criteria.test import TestCriteria

CLASSES = (CompositeCriteria, FileCriteria, GrepCriteria, HttpCriteria, JsonCriteria, TestCriteria)


def kinds(name):
    known = {cls.kind: cls for cls in CLASSES}
    if name not in known:
        raise UnknownName("criterion", name, known)
    return known[name]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"kind": "test", "command": "pytest"}, TestCriteria("pytest")),
        ({"test": "pytest", "timeout": "10m", "held_out": True}, TestCriteria("pytest", timeout_s=600, held_out=True)),
        ({"test": "pytest", "timeout_s": 5}, TestCriteria("pytest", timeout_s=5)),
        ({"held_out": True, "test": "pytest"}, TestCriteria("pytest", held_out=True)),
        ({"timeout": 5, "absent": True, "pattern": "x", "grep": "a"}, GrepCriteria("a", "x", True, timeout_s=5)),
        ({"file": "a", "size": 0}, FileCriteria("a", size=0)),
        ({"file": "a", "exists": False}, FileCriteria("a", exists=False)),
        ({"http": "http://x/", "status": 404}, HttpCriteria("http://x/", 404)),
        ({"json": "a", "schema": "s.json"}, JsonCriteria("a", schema="s.json")),
        ({"json": "a", "schema": {"type": "object"}}, JsonCriteria("a", schema={"type": "object"})),
        (
            {"json": "a", "query": "b", "equals": [1, {"c": None}]},
            JsonCriteria("a", query="b", equals=[1, {"c": None}]),
        ),
        ({"any": [{"test": "x"}, {"file": "a"}]}, AnyOf(TestCriteria("x"), FileCriteria("a"))),
        ({"all": [{"test": "x"}], "held_out": True}, AllOf(TestCriteria("x"), held_out=True)),
        ({"at_least": 1, "of": [{"test": "x"}, {"file": "a"}]}, AtLeast(1, TestCriteria("x"), FileCriteria("a"))),
        ({"of": [{"test": "x"}], "at_least": 1}, AtLeast(1, TestCriteria("x"))),
        ({"all": [{"any": [{"at_least": 1, "of": [{"test": "x"}]}]}]}, AllOf(AnyOf(AtLeast(1, TestCriteria("x"))))),
        ({"composite": "any", "members": [{"test": "x"}]}, AnyOf(TestCriteria("x"))),
    ],
)
def test_forms_of_a_criterion(data, expected):
    """Long and short, in any order of the keys, give the same criterion with the same hash."""
    assert criterion(data, kinds) == expected
    assert criterion(data, kinds).hash == expected.hash


def test_criterion_stays_what_it_is():
    """A criterion that was made in Python may stand among the plain data."""
    made = TestCriteria("x")
    assert criterion(made, kinds) is made
    assert criterion({"any": [made]}, kinds) == AnyOf(made)


@pytest.mark.parametrize(
    ("data", "path", "words"),
    [
        ("pytest", (), "is not a criterion"),
        ({}, (), "empty"),
        ({"test": 5}, ("test",), "should be text"),
        ({"test": "x", "command": "y"}, ("command",), "given twice"),
        ({"test": "x", "timeout": 1, "timeout_s": 2}, ("timeout_s",), "given twice"),
        ({"test": "x", "timeout": "soon"}, ("timeout",), "not a duration"),
        ({"test": "x", "shel": True}, ("shel",), "no field `shel`"),
        ({"tset": "x"}, (), "no criterion `tset`"),
        ({"held_out": True, "tset": "x"}, (), "no criterion `tset`"),
        ({"held_out": True}, (), "no criterion `held_out`"),
        ({True: "x"}, (), "no criterion `True`"),
        ({"kind": "tset"}, (), "no criterion `tset`"),
        ({"kind": "grep", "file": "a"}, (), "`pattern` is missing in a `grep` criterion"),
        ({"test": ""}, (), "no command"),
        ({"file": "../a"}, (), "leaves the repository"),
        ({"file": "a", "size": True}, ("size",), "a whole number"),
        ({"json": "a", "schema": 5}, ("schema",), "should be text"),
        ({"any": {"test": "x"}}, ("any",), "is not a list"),
        ({"any": []}, (), "no members"),
        ({"any": [{"test": "x"}, {"test": 5}]}, ("any", 1, "test"), "should be text"),
        ({"all": [{"any": [{"file": "/a"}]}]}, ("all", 0, "any", 0), "leaves the repository"),
        ({"any": [{"test": "x"}], "of": []}, ("of",), "no field `of`"),
        ({"any": [{"test": "x"}], "all": []}, ("any",), "no field `any`"),
        ({"at_least": 1}, (), "`members` is missing"),
        ({"at_least": "1", "of": [{"test": "x"}]}, ("at_least",), "a whole number"),
        ({"at_least": 2, "of": [{"test": "x"}]}, (), "can't be asked for"),
        ({"at_least": 1, "of": [{"test": 1}]}, ("of", 0, "test"), "should be text"),
        ({"at_least": 1, "of": [{"test": "x"}], "count": 1}, ("count",), "given twice"),
    ],
)
def test_wrong_criterion_names_the_key_that_was_written(data, path, words):
    """An error leads to the key as it was written, also inside of other criteria."""
    with pytest.raises(ShapeError) as caught:
        criterion(data, kinds)
    assert caught.value.path == path
    assert words in caught.value.message


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    size: int = 0


@dataclass(frozen=True)
class Outer:
    name: str
    wait_s: float = 1.0
    colour: Colour = Colour.RED
    mode: Literal["a", "b"] = "a"
    inner: Inner = field(default_factory=Inner)
    names: Sequence[str] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    either: int | str | None = None


def test_record_of_plain_data():
    """Each kind of field is read from what JSON or TOML gives."""
    data = {
        "name": "n",
        "wait": "2m",
        "colour": "red",
        "mode": "b",
        "inner": {"size": 3},
        "names": ["x"],
        "options": {"k": [1]},
        "either": "text",
    }
    assert record(Outer, data) == Outer("n", 120.0, Colour.RED, "b", Inner(3), ("x",), {"k": [1]}, "text")
    assert record(Outer, {"name": "n", "either": 5}).either == 5
    assert record(Outer, {"name": "n", "either": None}).either is None


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"colour": "blue"}, ("colour",)),
        ({"mode": "c"}, ("mode",)),
        ({"inner": {"size": "x"}}, ("inner", "size")),
        ({"names": "x"}, ("names",)),
        ({"names": ["x", 1]}, ("names", 1)),
        ({"options": 5}, ("options",)),
        ({"either": 1.5}, ("either",)),
        ({"nmae": "x"}, ("nmae",)),
        ({5: "x"}, (5,)),
    ],
)
def test_wrong_field_is_named(change, path):
    """A value that does not fit is refused with the way to it, and nothing else is raised."""
    with pytest.raises(ShapeError) as caught:
        record(Outer, {"name": "n", **change})
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (90, 90),
        ("90", 90),
        ("90s", 90),
        ("10m", 600),
        ("2h", 7200),
        ("1h30m", 5400),
        ("1h 30 m", 5400),
        ("1.5h", 5400),
        ("1d", 86400),
    ],
)
def test_seconds(text, expected):
    """A duration is read in all the ways that people write it."""
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "soon", "1 0", "1.5.5", "m", "-5", True, None, "5 apples", "1h 1 2"])
def test_wrong_seconds(text):
    """What is no duration is refused, and never read as another."""
    with pytest.raises(ShapeError):
        seconds(text)


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59))
def test_seconds_add_up(hours, minutes, rest):
    """Hours, minutes and seconds add up."""
    assert seconds(f"{hours}h{minutes}m{rest}s") == hours * 3600 + minutes * 60 + rest
