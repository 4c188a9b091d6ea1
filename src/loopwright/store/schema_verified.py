"""The tables of experiments: what is compared, the trials, the evidence after each pair."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from loopwright.store.columns import WholeJson, Words
from loopwright.store.schema import metadata

experiments = Table(
    "experiments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Words, nullable=False),
    Column("role", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("plan", WholeJson, nullable=False),  # all that was fixed at the start
    Column("evidence", WholeJson, nullable=False),  # the sums that a decision needs
    Column("outcome", Words, nullable=False),
    Column("ended_at", Text),
    Index("experiments_status", "status"),
)

trials = Table(
    "trials",
    metadata,
    Column("id", Text, primary_key=True),
    Column("experiment_id", Text, ForeignKey("experiments.id"), nullable=False),
    Column("unit", Words, nullable=False),
    Column("arm", Text, nullable=False),
    Column("task_type", Words, nullable=False),
    Column("block", Words, nullable=False),
    Column("phase", Text, nullable=False),
    Column("assigned_at", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("passed", Boolean),
    Column("cost_usd", Double, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("delivered_at", Text),
    Column("left_out", Words, nullable=False),
    UniqueConstraint("experiment_id", "block", "arm", name="trials_block"),
    Index("trials_unit", "experiment_id", "unit"),
    Index("trials_run", "run_id"),
)

looks = Table(
    "looks",
    metadata,
    Column("experiment_id", Text, ForeignKey("experiments.id"), primary_key=True),
    Column("pairs", Integer, primary_key=True, autoincrement=False),
    Column("superiority", Double, nullable=False),
    Column("futility", Double, nullable=False),
    Column("low", Double, nullable=False),
    Column("high", Double, nullable=False),
)

# Of releases: what came of the tasks since.
watches = Table(
    "watches",
    metadata,
    Column("release_id", Text, ForeignKey("releases.id"), primary_key=True),
    Column("runs_before", Integer, nullable=False),
    Column("p0", Double),
    Column("began_at", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("passes", Integer, nullable=False),
    Column("late", WholeJson, nullable=False),
    Column("status", Text, nullable=False),
    Column("detail", Words, nullable=False),
)

# Runs that were counted in a watch: none counts twice.
watched_runs = Table(
    "watched_runs",
    metadata,
    Column("release_id", Text, ForeignKey("releases.id"), primary_key=True),
    Column("run_id", Text, primary_key=True),
)

# Runs whose end was told to all who learn from it: experiments, the bandit, watches.
concluded = Table(
    "concluded",
    metadata,
    Column("run_id", Text, primary_key=True),
)

# What was chosen for live tasks outside of experiments, and what is known of each arm.
choices = Table(
    "choices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("task_type", Words, nullable=False),
    Column("arm", Words, nullable=False),
    Column("propensities", WholeJson, nullable=False),
    Column("at", Text, nullable=False),
    Column("passed", Boolean),
    Column("model", Words, nullable=False),
    Index("choices_arm", "arm", "at"),
)

standings = Table(
    "standings",
    metadata,
    Column("task_type", Words, primary_key=True),
    Column("arm", Words, primary_key=True),
    Column("passes", Double, nullable=False),
    Column("failures", Double, nullable=False),
    Column("cost", Double, nullable=False),
)
