"""Nodes of the knowledge graph."""

from __future__ import annotations

from loopwright.records.graph import Node, node


def test_a_node_is_named_by_kind_and_name() -> None:
    """Two of one name and another kind are two."""
    assert node("prompt", "worker/docs", "x") == Node("prompt worker/docs", "prompt", "worker/docs", "x")
    assert node("profile", "worker/docs").id != node("prompt", "worker/docs").id
