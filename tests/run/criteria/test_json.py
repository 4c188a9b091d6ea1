from __future__ import annotations

import datetime
import json
import socket
import time
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import TaskError
from loopwright.records import shape
from loopwright.records.check import Verdict
from loopwright.run import look as looking
from loopwright.run.criteria.json import JsonCriteria

PERSON = {"type": "object", "required": ["name"], "properties": {"age": {"type": "integer"}}}


def look(room, data, **asked):
    room.write("a.json", data if isinstance(data, bytes) else json.dumps(data))
    return JsonCriteria("a.json", **asked).evaluate(room)


def test_schema_holds(room):
    """A file that fits an inline schema passes."""
    evidence = look(room, {"name": "x", "age": 3}, schema=PERSON)
    assert (evidence.verdict, evidence.text) == (Verdict.PASS, "it fits the schema")


def test_schema_does_not_hold(room):
    """What does not fit is named with its place."""
    evidence = look(room, {"age": "old"}, schema=PERSON)
    assert evidence.verdict is Verdict.FAIL
    assert "$.age: 'old' is not of type 'integer'" in evidence.text
    assert "'name' is a required property" in evidence.text


def test_schema_from_a_file(room):
    """A schema may be a file of the tree, which then decides."""
    room.write("schema.json", json.dumps(PERSON))
    assert look(room, {"name": "x"}, schema="./schema.json").verdict is Verdict.PASS
    assert look(room, {}, schema="schema.json").verdict is Verdict.FAIL
    assert JsonCriteria("a.json", schema="./schema.json").own_files() == ("schema.json",)
    assert JsonCriteria("a.json", schema=PERSON).own_files() == ()


@pytest.mark.parametrize(
    ("schema", "word"), [("{", "not JSON"), ('{"type": 5}', "not a JSON Schema"), (None, "there is no file")]
)
def test_schema_file_that_is_none(room, schema, word):
    """A schema file that is missing or broken fails and says so."""
    if schema is not None:
        room.write("schema.json", schema)
    evidence = look(room, {}, schema="schema.json")
    assert evidence.verdict is Verdict.FAIL
    assert word in evidence.text


def test_remote_reference_is_not_fetched(room):
    """A schema that refers to a server is unverifiable, and the server is never asked."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        evidence = look(room, {}, schema={"$ref": url})
        with pytest.raises(TimeoutError):
            server.accept()
    assert evidence.verdict is Verdict.UNVERIFIABLE
    assert url in evidence.text


def test_local_references_work(room):
    """References within a schema, and to the specification itself, are known without fetching."""
    schema = {"$defs": {"name": {"type": "string"}}, "properties": {"name": {"$ref": "#/$defs/name"}}}
    assert look(room, {"name": "x"}, schema=schema).verdict is Verdict.PASS
    assert look(room, {"name": 1}, schema=schema).verdict is Verdict.FAIL
    assert look(room, {}, schema={"$ref": "https://json-schema.org/draft/2020-12/schema"}).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("query", "equals", "holds"),
    [
        ("version", None, True),
        ("missing", None, False),
        ("zero", None, False),
        ("empty", None, False),
        ("version", "1.2", True),
        ("version", "1.3", False),
        ("length(list)", 2, True),
        ("list[0]", 1.0, True),
        ("list[0]", True, False),
        ("zero", 0, True),
        ("zero", False, False),
        ("no", False, True),
        ("list", [1, 2], True),
        ("list[?@ > `1`] | [0]", 2, True),
        ("length(zero)", 1, False),
    ],
)
def test_query(room, query, equals, holds):
    """A query must give what is asked for, as JSON compares; without that, something that is not empty."""
    data = {"version": "1.2", "zero": 0, "empty": [], "list": [1, 2], "no": False}
    assert look(room, data, query=query, equals=equals).verdict is (Verdict.PASS if holds else Verdict.FAIL)


def test_query_shows_what_it_found(room):
    """The evidence says what a query gave, in a bounded way."""
    assert look(room, {"a": 1}, query="a", equals=2).text == "`a` gives 1, not 2"
    assert len(look(room, {"a": "x" * 10_000}, query="a").text) < 400


def test_schema_and_query_must_both_hold(room):
    """With a schema and a query, one that fails is enough to fail."""
    assert look(room, {"name": "x"}, schema=PERSON, query="name").verdict is Verdict.PASS
    assert look(room, {"name": ""}, schema=PERSON, query="name").verdict is Verdict.FAIL
    assert look(room, {"other": "x"}, schema=PERSON, query="other").verdict is Verdict.FAIL


@pytest.mark.parametrize("data", [b"", b"{", b"{'a': 1}", b"\xff", b'{"a": NaN}', b"[" * 100_000, b"9" * 5000])
def test_what_is_no_json_fails(room, data):
    """A file that is not JSON fails, however it is broken."""
    assert look(room, data, query="a").verdict is Verdict.FAIL


def test_byte_order_mark_is_no_mistake(room):
    """A file that an editor of Windows wrote is read."""
    assert look(room, b'\xef\xbb\xbf{"a": 1}', query="a").verdict is Verdict.PASS


def test_large_file_fails(room):
    """A file beyond 20 MB is not read."""
    assert "more than 20 MB" in look(room, b" " * 20_000_001, query="a").text


def test_missing_file_names_ignored_files(room):
    """A file that is not there fails, with the one reason that an agent can't see."""
    evidence = JsonCriteria("gone.json", query="a").evaluate(room)
    assert evidence.verdict is Verdict.FAIL
    assert "there is no file `gone.json`" in evidence.text
    assert "git ignores" in evidence.text


@pytest.mark.parametrize("which", ["a.json", "schema.json"])
def test_link_out_of_the_tree_is_denied(room, which, tmp_path):
    """Neither the file nor its schema may be a link to something outside of the tree."""
    (tmp_path / "secret").write_text("{}")
    room.write("a.json", "{}")
    room.write("schema.json", "{}")
    (room.root / which).unlink()
    (room.root / which).symlink_to(tmp_path / "secret")
    evidence = looking.look(JsonCriteria("a.json", schema="schema.json"), room)
    assert evidence.verdict is Verdict.FAIL
    assert "leaves the repository" in evidence.text


def test_backtracking_schema_is_ended(room):
    """A pattern of a schema that backtracks fails at its limit."""
    started = time.monotonic()
    evidence = look(room, "a" * 5000 + "b", schema={"pattern": "(a+)+$"}, timeout_s=1)
    assert time.monotonic() - started < 5
    assert (evidence.verdict, evidence.timed_out) == (Verdict.FAIL, True)


def test_endless_schema_fails(room):
    """A schema that refers to itself without an end is a failure and no crash."""
    assert look(room, {}, schema={"$ref": "#"}).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"equals": 1, "schema": {}},
        {"query": "a["},
        {"query": ""},
        {"schema": {"type": 5}},
        {"schema": {"pattern": "("}},
        {"schema": "../x.json"},
        {"schema": "/x.json"},
        {"query": "a", "equals": datetime.date(2026, 1, 1)},
        {"query": "a", "equals": float("nan")},
        {"query": "a", "timeout_s": 0},
    ],
)
def test_impossible_is_refused(asked):
    """A wrong schema, query or value is refused before a run starts."""
    with pytest.raises(TaskError):
        JsonCriteria("a.json", **asked)


@pytest.mark.parametrize("file", ["../a.json", "/a.json", ""])
def test_path_out_of_the_repository_is_refused(file):
    """A path that leaves the repository is refused before a run starts."""
    with pytest.raises(TaskError):
        JsonCriteria(file, query="a")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(plain, st.integers(0, 9), st.booleans())
def test_round_trip(equals, low, held_out):
    """What is written as plain data and JSON is read back as the same criterion with the same hash."""
    criterion = JsonCriteria("a", schema={"minimum": low}, query="a", equals=equals, held_out=held_out)
    again = shape.criterion(json.loads(json.dumps(criterion.to_dict())), lambda _: JsonCriteria)
    assert again == criterion
    assert again.hash == criterion.hash


def test_it_stays_what_it_was():
    """A schema that is changed later does not change the criterion, which can be a key of a set."""
    schema = {"type": "object"}
    criterion = JsonCriteria("a", schema=MappingProxyType(schema))
    before = criterion.hash
    schema["type"] = "array"
    assert criterion.hash == before
    assert len({criterion, JsonCriteria("a", schema={"type": "object"})}) == 1


def test_describe():
    """The words say what must hold, also to one who has not seen the task file."""
    assert JsonCriteria("a", query="b", equals=1).describe() == "json a: `b` gives 1"
    described = JsonCriteria("a", schema={"type": "object"}, query="b").describe()
    assert described == 'json a: fits the schema {"type": "object"} and `b` holds'
