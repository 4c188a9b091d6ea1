"""The tables of what went wrong and why: failures, steps, post-mortems, patches that are asked for, the graph."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text

from loopwright.store.columns import WholeJson, Words
from loopwright.store.schema import metadata

# Runs whose failures were analysed; one that has gone on since is analysed again.
analysed = Table(
    "analysed",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("ended_at", Text, nullable=False),
    Column("spent_usd", Double, nullable=False),
)

qa_failures = Table(
    "qa_failures",
    metadata,
    Column("id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("at", Text, nullable=False),
    Column("task", Words, nullable=False),
    Column("task_type", Words, nullable=False),
    Column("agent", Words, nullable=False),
    Column("model", Words, nullable=False),
    Column("failure_type", Text, nullable=False),
    Column("criterion", Words, nullable=False),
    Column("description", Words, nullable=False),
    Column("diff", Words, nullable=False),
    Column("prompt_version", Words, nullable=False),
    Column("target", Words, nullable=False),
    Column("cause", Text, nullable=False),
    Column("root", Words, nullable=False),
    Column("certainty", Double, nullable=False),
    Column("hypotheses", WholeJson, nullable=False),
    Column("iterations", WholeJson, nullable=False),
    Column("recovered", Boolean, nullable=False),
    Column("trial", Boolean, nullable=False),
    Column("patch", Text, nullable=False),
    Index("qa_failures_run", "run_id"),
    Index("qa_failures_root", "root"),
)

classifications = Table(
    "classifications",
    metadata,
    Column("step_id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("title", Words, nullable=False),
    Column("kind", Text, nullable=False),
    Column("certainty", Double, nullable=False),
    Column("because", Words, nullable=False),
    Index("classifications_run", "run_id"),
)

postmortems = Table(
    "postmortems",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), primary_key=True),
    Column("ended_at", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("failure_class", Text, nullable=False),
    Column("written", WholeJson, nullable=False),  # all of it
)

# A patch that failures of one root cause ask for; once.
wanted = Table(
    "wanted",
    metadata,
    Column("root", Words, primary_key=True),
    Column("cause", Text, nullable=False),
    Column("target", Words, nullable=False),
    Column("at", Text, nullable=False),
    Column("failures", WholeJson, nullable=False),
    Column("runs", WholeJson, nullable=False),
    Column("patch", Text, nullable=False),
)

graph_nodes = Table(
    "graph_nodes",
    metadata,
    Column("id", Words, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Words, nullable=False),
    Column("detail", Words, nullable=False),
)

graph_edges = Table(
    "graph_edges",
    metadata,
    Column("source", Words, primary_key=True),
    Column("relation", Text, primary_key=True),
    Column("target", Words, primary_key=True),
    Column("at", Text, nullable=False),
    Column("certainty", Double, nullable=False),
    Column("run_id", Text, nullable=False),  # empty where it holds in general
    Index("graph_edges_target", "target"),
    Index("graph_edges_run", "run_id"),
)

FOUND = (analysed, qa_failures, classifications, postmortems, graph_edges)
"""What belongs to a run, in an order in which it can be removed."""
