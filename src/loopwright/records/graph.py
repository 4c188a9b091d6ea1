"""The knowledge graph: failure → caused_by → cause → prevented_by → remediation → applied_to → what is in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

NodeKind = Literal["failure", "cause", "remediation", "profile", "prompt", "playbook", "config"]
NODE_KINDS: tuple[NodeKind, ...] = get_args(NodeKind)
Relation = Literal["caused_by", "prevented_by", "applied_to"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True)
class Node:
    """One thing that others are linked to."""

    id: str
    """Its kind and its name: `cause code_bug/regression in worker/bug_fix`."""
    kind: NodeKind
    name: str
    detail: str = ""
    """One line for people."""


@dataclass(frozen=True)
class Edge:
    """One link."""

    source: str
    relation: Relation
    target: str
    at: str
    certainty: float = 1.0
    run_id: str = ""
    """The run that it was read from; it goes when that is looked at again. Empty: it holds in general."""


@dataclass(frozen=True)
class Graph:
    """A part of the knowledge graph."""

    nodes: Sequence[Node] = ()
    edges: Sequence[Edge] = ()
    starts: Sequence[str] = ()
    """The ids of the nodes that it was asked for."""
    is_cut: bool = False
    """Whether there is more of it than was given."""


def node(kind: NodeKind, name: str, detail: str = "") -> Node:
    """Make a node of a name."""
    return Node(f"{kind} {name}", kind, name, detail)
