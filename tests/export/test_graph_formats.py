"""The graph for other programs: names of any kind stay names."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.export.graph_formats import cypher, graphml, mermaid
from loopwright.records.graph import Edge, Graph, Node, node

AT = "2026-11-16T08:00:00.000Z"
NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
HOSTILE = (
    'a"] --> x["b',
    "end\nn9 --> n0\n%% ",
    "'}) DETACH DELETE n; //",
    "\\'}) DETACH DELETE n; //",
    "\\u0027}) DETACH DELETE n; //",
    "]]></data><node id='x'/>&lt;&#0;",
    "<script>alert(1)</script>",
    "\x00\x07\x1b[31mred\x1b]0;title\x07\ud800\uffff",
)
LABEL = re.compile(r'    n\d+\["[^"\[\]{}<>`\\\n]*"\]:::[a-z_]+')
LINK = re.compile(r'    n\d+ -->\|"[a-z_]+(?: 0\.\d\d)?"\| n\d+')
STRING = r"'(?:[^'\\\n]|\\['\\nt])*'"
MERGE = re.compile(rf"MERGE \(n:[A-Za-z_]+ {{id: {STRING}}}\) SET n\.name = {STRING}, n\.detail = {STRING};")
MATCH = re.compile(
    rf"MATCH \(a:[A-Za-z_]+ {{id: {STRING}}}\), \(b:[A-Za-z_]+ {{id: {STRING}}}\) "
    rf"MERGE \(a\)-\[r:[A-Z_]+\]->\(b\) SET r\.certainty = \d\.\d{{4}}, r\.at = {STRING};"
)


def linked(name: str) -> Graph:
    first, second = node("failure", name, name), node("cause", f"x {name}")
    return Graph([first, second], [Edge(first.id, "caused_by", second.id, AT, 0.6)])


def check(name: str) -> None:
    graph = linked(name)
    _, *lines = mermaid(graph).splitlines()
    assert [bool(LABEL.fullmatch(line)) for line in lines[:2]] == [True, True]
    assert LINK.fullmatch(lines[2])
    assert all(line.startswith("    classDef ") for line in lines[3:])
    top = ElementTree.fromstring(graphml(graph).encode())
    assert [one.get("id") for one in top.iter(f"{NAMESPACE}node")] == ["n0", "n1"]
    assert len(list(top.iter(f"{NAMESPACE}edge"))) == 1
    *merges, match = cypher(graph).splitlines()
    assert [bool(MERGE.fullmatch(line)) for line in merges] == [True, True]
    assert MATCH.fullmatch(match)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    """Quotes, brackets, escapes, markup and control characters neither end a name nor add anything."""
    check(name)


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_name_stays_a_name(name: str) -> None:
    """Whatever a name holds, each format has two nodes and one edge."""
    check(name)


def test_a_kind_that_is_no_word() -> None:
    """What stands in the place of a label or a relation can't be more than a word."""
    graph = Graph([Node("a", "x) DETACH DELETE (n", "a")], [])  # type: ignore[arg-type]
    assert cypher(graph).startswith("MERGE (n:X__detach_delete__n {id: 'a'})")


def test_names_can_be_read_back() -> None:
    """GraphML and Mermaid hold the words as they were."""
    graph = linked('Fix "a" & <b>')
    top = ElementTree.fromstring(graphml(graph))
    assert next(one.text for one in top.iter(f"{NAMESPACE}data") if one.get("key") == "name") == 'Fix "a" & <b>'
    assert "failure: Fix #34;a#34; #38; #60;b#62;" in mermaid(graph)
    assert '"caused_by 0.60"' in mermaid(graph)
