"""A criterion + a room -> evidence, whatever the criterion does."""

from __future__ import annotations

from loopwright.errors import TaskError
from loopwright.ports import Evaluable, Room
from loopwright.records.check import Evidence, Verdict
from loopwright.records.criterion import Criterion


def look(criterion: Criterion, room: Room) -> Evidence:
    """Evaluate a criterion. One that breaks has not passed: its failure is a verdict, and the run goes on."""
    try:
        if not isinstance(criterion, Evaluable):
            return Evidence(Verdict.UNVERIFIABLE, f"nothing can evaluate a `{criterion.kind}` criterion")
        return criterion.evaluate(room)
    except TaskError as error:  # the agent put a link there that leads out of the tree
        return Evidence(Verdict.FAIL, error.message)
    except Exception as error:
        return Evidence(Verdict.UNVERIFIABLE, f"it could not be evaluated: {error}")
