"""A run's record -> what it came to: what the report says, and what two runs are compared by."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from loopwright.records.bundle import Bundle, ErrorGroup, Rollup
from loopwright.records.check import Check, Verdict
from loopwright.records.evaluation import Evaluation
from loopwright.records.run import of_worker
from loopwright.text.agent_habits import Habits


@dataclass(frozen=True)
class Analysis:
    """One run, summed up."""

    bundle: Bundle
    """Without its events."""
    errors: Sequence[ErrorGroup]
    habits: Habits | None
    """None where there are too many events to go through them."""

    @property
    def tools(self) -> list[Rollup]:
        """The tools, the most used first."""
        used = [rollup for rollup in self.bundle.rollups if rollup.tool]
        return sorted(used, key=lambda rollup: (-rollup.calls, rollup.tool))

    @property
    def checks(self) -> list[Check]:
        """The newest check of each criterion."""
        return list({check.criterion_hash: check for check in self.bundle.checks}.values())

    @property
    def model(self) -> str:
        """The worker's model as its last attempt reported it, else as it was asked for."""
        works = of_worker(self.bundle.attempts)
        seen = [attempt.environment.model for attempt in works if attempt.environment.model]
        return seen[-1] if seen else self.bundle.run.profile.model

    def to_dict(self) -> dict[str, Any]:
        """Write it as plain data."""
        run = self.bundle.run
        return {
            "run_id": run.id,
            "goal": run.task.goal,
            "task_type": run.task.task_type,
            "agent": run.profile.agent,
            "model": self.model,
            "profile": run.profile.name,
            "profile_hash": run.profile.hash,
            "source": run.source,
            "project": run.repository,
            "base": run.base,
            "status": run.status,
            "reason": run.reason,
            "started_at": run.started_at,
            "duration_s": run.spent.seconds,
            "active_s": self.bundle.session.active_s if self.bundle.session else run.spent.seconds,
            "iterations": run.spent.iterations,
            "cost_usd": run.spent.cost_usd,
            "tokens": dataclasses.asdict(run.spent.tokens),
            "events": sum(rollup.events for rollup in self.bundle.rollups),
            "tool_calls": sum(rollup.calls for rollup in self.tools),
            "tool_errors": sum(rollup.failed for rollup in self.tools),
            "errors": sum(group.count for group in self.errors),
            "evaluations": [_judgement(one) for one in self.bundle.evaluations],
            "checks_passed": sum(check.verdict is Verdict.PASS for check in self.checks),
            "checks_failed": sum(check.verdict is not Verdict.PASS for check in self.checks),
            **{name: getattr(self.habits, name, None) for name in Habits.__dataclass_fields__},
        }


def _judgement(evaluation: Evaluation) -> dict[str, Any]:
    """Write what was thought, without what the agent gave."""
    return {name: getattr(evaluation, name) for name in ("created_at", "by", "passed", "score", "reason")}
