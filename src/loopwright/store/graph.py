"""The knowledge graph in its tables: edges in, and what can be reached from a node out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CTE, Connection, Integer, func, literal, select

from loopwright.records.graph import Edge, Graph, Node
from loopwright.store.batches import batches
from loopwright.store.database import OnDatabase
from loopwright.store.patience import patient
from loopwright.store.schema_failures import graph_edges, graph_nodes
from loopwright.store.sessions import upsert

DEPTH = 6
"""From a failure to what a remedy is applied to are three steps."""
DEEPEST = 20
_MOST = 500
"""So many nodes are given; a person reads no more."""


class KnowledgeGraph(OnDatabase):
    """The part of the store that links failures, causes and remedies."""

    @patient
    def link(self, graph: Graph) -> None:
        """Write nodes and edges, over what was there of them."""
        with self._database.write() as connection:
            write(connection, graph)

    @patient
    def walk(self, starts: Sequence[str], depth: int = DEPTH, *, back: bool = False) -> Graph:
        """Give what can be reached from nodes in so many steps, along the edges or against them."""
        with self._database.read() as connection:
            near = _reached(connection, starts, min(depth, DEEPEST), back)
            kept = [name for name, _ in near[:_MOST]]
            nodes = [Node(**row) for row in _rows(connection, kept)]
            edges = _between(connection, kept)
        order = {name: place for place, name in enumerate(kept)}
        found = sorted(nodes, key=lambda node: order[node.id])
        return Graph(found, edges, [name for name in starts if name in order], len(near) > _MOST)

    @patient
    def named(self, text: str, limit: int = 10) -> Sequence[Node]:
        """Give the nodes whose id is, or whose name begins with, what a person typed."""
        begins = graph_nodes.c.name.startswith(text, autoescape=True)
        chosen = select(graph_nodes).where((graph_nodes.c.id == text) | begins).order_by(graph_nodes.c.id).limit(limit)
        with self._database.read() as connection:
            return [Node(**row) for row in connection.execute(chosen).mappings()]


def write(connection: Connection, graph: Graph) -> None:
    """Write nodes and edges, over what was there of them."""
    upsert(connection, graph_nodes, [vars(node) for node in graph.nodes])
    upsert(connection, graph_edges, [vars(edge) for edge in graph.edges])


def _reached(connection: Connection, starts: Sequence[str], depth: int, back: bool) -> list[tuple[str, int]]:
    """Name what is reached and in how many steps; a circle ends where the depth does."""
    found: dict[str, int] = {}
    for some in batches(starts):
        walk = _walk(some, depth, back)
        chosen = select(walk.c.id, func.min(walk.c.depth)).group_by(walk.c.id)
        for name, steps in connection.execute(chosen):
            found[name] = min(steps, found.get(name, steps))
    return sorted(found.items(), key=lambda one: (one[1], one[0]))


def _walk(starts: Sequence[str], depth: int, back: bool) -> CTE:
    here, there = (graph_edges.c.target, graph_edges.c.source) if back else (graph_edges.c.source, graph_edges.c.target)
    first = select(graph_nodes.c.id.label("id"), literal(0, Integer).label("depth")).where(graph_nodes.c.id.in_(starts))
    walk = first.cte("walk", recursive=True)
    return walk.union(select(there, walk.c.depth + 1).where(here == walk.c.id, walk.c.depth < depth))


def _rows(connection: Connection, ids: Sequence[str]) -> list[dict[str, Any]]:
    chosen = [select(graph_nodes).where(graph_nodes.c.id.in_(some)) for some in batches(ids)]
    return [dict(row) for one in chosen for row in connection.execute(one).mappings()]


def _between(connection: Connection, ids: Sequence[str]) -> list[Edge]:
    """Give the edges whose both ends are among some nodes."""
    known, found = set(ids), []
    for some in batches(ids):
        chosen = select(graph_edges).where(graph_edges.c.source.in_(some))
        found += [Edge(**row) for row in connection.execute(chosen).mappings() if row["target"] in known]
    return sorted(found, key=lambda edge: (edge.source, edge.relation, edge.target))
