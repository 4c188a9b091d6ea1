"""The rules that nothing changes but a human with a new version."""

from __future__ import annotations

import ast
import hashlib
import inspect

import pytest

from loopwright.guard import guardrails
from loopwright.guard.guardrails import (
    depth_fault,
    experiment_fault,
    is_low_risk,
    may_release,
    may_start,
    needs_human,
    promotion_fault,
)

VERSIONS = {1: "d16342e093bbe572"}
"""Version -> what the rules came to, as a syntax tree: words around them may change."""


def test_a_change_needs_a_new_version() -> None:
    """The rules are what they were when their version was written down here."""
    tree = ast.parse(inspect.getsource(guardrails))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            node.body = [part for part in node.body if not _is_words(part)] or [ast.Pass()]
    assert hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16] == VERSIONS[guardrails.VERSION]


def test_thirty_pairs_come_first() -> None:
    """No evidence promotes before that, and none that is not `promote`."""
    assert "at least 30" in promotion_fault(29, "promote")
    assert promotion_fault(30, "promote") == ""
    for decision in ("continue", "no_difference", "PROMOTE", ""):
        assert promotion_fault(500, decision)


def test_a_cheaper_model_needs_a_quality_gate() -> None:
    """Its price alone promotes nothing, whatever the decision."""
    assert "not worse" in promotion_fault(100, "promote", cheaper_model=True)
    assert promotion_fault(100, "no_difference", cheaper_model=True, quality_shown=True) == ""
    assert promotion_fault(10, "promote", cheaper_model=True, quality_shown=True)


def test_three_experiments_and_depth_five() -> None:
    """The fourth experiment of a role and the sixth change are refused."""
    assert (experiment_fault(2), depth_fault(5)) == ("", "")
    assert "at most 3" in experiment_fault(3)
    assert "at most 5" in depth_fault(6)


@pytest.mark.parametrize("touches", ["architecture", "security", "improvement"])
def test_some_things_need_a_human(touches: str) -> None:
    """What touches these, and whoever judges, is changed by nobody else."""
    assert touches in needs_human("worker", [touches])
    assert needs_human("critic")
    assert needs_human("worker", ["model"]) == ""


def test_what_is_low_risk() -> None:
    """Words alone, less than a fifth of them, nothing else touched, and nobody who judges."""
    before = "x" * 100
    assert is_low_risk("prompt", "worker", before, before + "y" * 19)
    assert not is_low_risk("prompt", "worker", before, before + "y" * 20)
    assert not is_low_risk("prompt", "critic", before, before + "y")
    assert not is_low_risk("profile", "worker", before, before)
    assert not is_low_risk("prompt", "worker", before, before, ["tools"])


def test_autonomy() -> None:
    """Nothing happens by itself unless the setting says so, and then only what is proven and of low risk."""
    assert [may_start(level) for level in ("suggest", "approve", "auto_low_risk")] == [False, True, True]
    assert may_release("auto_low_risk", proven=True, low_risk=True)
    for level in ("suggest", "approve"):
        assert not may_release(level, proven=True, low_risk=True)  # type: ignore[arg-type]
    assert not may_release("auto_low_risk", proven=False, low_risk=True)
    assert not may_release("auto_low_risk", proven=True, low_risk=False)


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
