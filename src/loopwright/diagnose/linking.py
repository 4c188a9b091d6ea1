"""Failures and post-mortems -> nodes and edges of the knowledge graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopwright.diagnose.remedies import remedies
from loopwright.records.graph import Edge, Graph, Node, NodeKind, node
from loopwright.records.identity import short
from loopwright.records.postmortem import PostMortem
from loopwright.records.qa_failure import Hypothesis, QAFailure

_PLACES: dict[str, NodeKind] = {"prompt": "prompt", "profile": "profile", "playbook": "playbook", "config": "config"}
_LONGEST = 200


def links_of(failures: Iterable[QAFailure], at: str) -> Graph:
    """Link each failure to its likely cause, that to what prevents it, and that to what it is applied to."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for failure in failures:
        told = f"run {short(failure.run_id)}: {failure.criterion}"[:_LONGEST]
        start = node("failure", failure.id, told)
        nodes.append(start)
        _add(nodes, edges, start, failure.likely, failure.likely.certainty, failure.target, failure.run_id, at)
    return _graph(nodes, edges)


def links_of_postmortem(written: PostMortem, target: str) -> Graph:
    """Link a run that went wrong to each of its candidate causes, and those on."""
    nodes = [node("failure", written.run_id, written.title)]
    edges: list[Edge] = []
    for one in written.candidates:
        _add(nodes, edges, nodes[0], one.hypothesis, one.probability, target, written.run_id, written.at)
    return _graph(nodes, edges)


def _add(
    nodes: list[Node],
    edges: list[Edge],
    start: Node,
    hypothesis: Hypothesis,
    certainty: float,
    target: str,
    run_id: str,
    at: str,
) -> None:
    cause = node("cause", f"{hypothesis.name} in {target}")
    nodes.append(cause)
    edges.append(Edge(start.id, "caused_by", cause.id, at, certainty, run_id))
    for remedy in remedies(hypothesis, target):
        made = node("remediation", f"{remedy.horizon} {cause.name}", remedy.text)
        nodes.append(made)
        edges.append(Edge(cause.id, "prevented_by", made.id, at))
        kind, _, name = remedy.target.partition(" ")
        if name:
            place = node(_PLACES[kind], name)
            nodes.append(place)
            edges.append(Edge(made.id, "applied_to", place.id, at))


def _graph(nodes: Sequence[Node], edges: Sequence[Edge]) -> Graph:
    """Put it together, each node and each edge once."""
    once = {(edge.source, edge.relation, edge.target): edge for edge in edges}
    return Graph(list({one.id: one for one in nodes}.values()), list(once.values()))
