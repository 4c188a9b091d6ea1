"""The knowledge graph in its tables, walked by recursive queries."""

from __future__ import annotations

import itertools
import time

from loopwright.records.graph import Edge, Graph, node
from loopwright.store import Store

AT = "2026-11-16T08:00:00.000Z"


def chain(*names: str) -> Graph:
    """Link causes one after the other."""
    nodes = [node("cause", name) for name in dict.fromkeys(names)]
    pairs = itertools.pairwise(names)
    return Graph(nodes, [Edge(f"cause {a}", "prevented_by", f"cause {b}", AT) for a, b in pairs])


def names(graph: Graph) -> list[str]:
    return [one.name for one in graph.nodes]


def test_what_is_reached_and_how_far(store: Store) -> None:
    """The nearest come first, the depth ends it, and the other way is against the edges."""
    store.graph.link(chain("a", "b", "c", "d"))
    store.graph.link(chain("x", "c"))
    assert names(store.graph.walk(["cause a"])) == ["a", "b", "c", "d"]
    assert names(store.graph.walk(["cause a"], 1)) == ["a", "b"]
    assert names(store.graph.walk(["cause c"], back=True)) == ["c", "b", "x", "a"]
    assert names(store.graph.walk(["cause a", "cause x"], 1)) == ["a", "x", "b", "c"]
    assert [edge.target for edge in store.graph.walk(["cause a"], 1).edges] == ["cause b"]
    assert names(store.graph.walk(["cause nobody"])) == []


def test_circles_end(store: Store) -> None:
    """A circle, and one thing linked to itself, are walked once around."""
    store.graph.link(chain("a", "b", "c", "a"))
    store.graph.link(chain("c", "c"))
    found = store.graph.walk(["cause a"], 1000)
    assert names(found) == ["a", "b", "c"]
    assert len(found.edges) == 4


def test_a_dense_graph_does_not_hang(store: Store) -> None:
    """Each of forty linked to each: the number of ways does not count, only the nodes and the depth."""
    many = [f"n{number:02}" for number in range(40)]
    edges = [Edge(f"cause {a}", "prevented_by", f"cause {b}", AT) for a in many for b in many]
    store.graph.link(Graph([node("cause", name) for name in many], edges))
    began = time.monotonic()
    found = store.graph.walk(["cause n00"], 20)
    assert (len(found.nodes), len(found.edges)) == (40, 1600)
    assert time.monotonic() - began < 10


def test_more_than_anybody_reads_is_cut(store: Store) -> None:
    """The nearest five hundred are given, and that there are more is said."""
    targets = [node("prompt", f"p{number}") for number in range(700)]
    edges = [Edge("cause a", "prevented_by", one.id, AT) for one in targets]
    store.graph.link(Graph([node("cause", "a"), *targets], edges))
    found = store.graph.walk(["cause a"])
    assert (len(found.nodes), len(found.edges), found.is_cut) == (500, 499, True)


def test_hostile_names(store: Store) -> None:
    """Names are data to the database, whatever they hold."""
    bad = "'; DROP TABLE graph_nodes; -- % _ \\ \0 \ud800"
    store.graph.link(chain("a", bad))
    store.graph.link(chain("a", bad))
    assert len(store.graph.walk(["cause a"]).nodes) == 2
    assert [one.name for one in store.graph.named("a")] == ["a"]
    assert store.graph.named("%") == []
    assert [one.id for one in store.graph.named("cause a")] == ["cause a"]
