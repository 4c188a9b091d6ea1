"""Like signals of many sessions, ranked."""

from __future__ import annotations

import dataclasses
import random

from loopwright.diagnose.patterns import patterns
from loopwright.records.pattern import Case
from loopwright.records.signal import Precision, Signal


def case(run_id: str, task_type: str = "bug_fix", agent: str = "codex") -> Case:
    return Case(run_id, task_type, agent, "m", "p", "", "done", "2026", True, True, 1, 1.0, 10, 0.1, 5, 1)


def signal(run_id: str, number: int = 1, cost: float = 0.0, kind: str = "error_loop", **more: object) -> Signal:
    name = f"{kind}-{run_id}-{number}"
    return Signal(name, run_id, kind, "medium", name, (1,), cost_usd=cost, seconds=5.0, **more)  # type: ignore[arg-type]


CASES = [case(f"r{number}", "docs" if number % 2 else "bug_fix") for number in range(10)]


def test_ranked_by_how_often_how_costly_and_how_sure() -> None:
    """What comes in more sessions, costs more, or is surer comes before what does so less, all else the same."""
    often = [signal(f"r{number}") for number in range(6)]
    seldom = [signal(f"r{number}", kind="timeout") for number in range(3)]
    assert [one.key for one in patterns([*seldom, *often], CASES)] == ["error_loop", "timeout"]
    dear = [dataclasses.replace(one, cost_usd=5.0) for one in seldom]
    assert [one.key for one in patterns([*often, *dear], CASES)] == ["timeout", "error_loop"]
    doubted = [Precision("timeout", 3, 0, 30)]
    assert [one.key for one in patterns([*often, *dear], CASES, doubted)] == ["error_loop", "timeout"]


def test_what_a_pattern_says() -> None:
    """Its sessions, the dearest first, by type and agent, what it cost, and how often it is right."""
    given = [signal("r1", 1, 1.0), signal("r1", 2, 1.0), signal("r2", 1, 3.0), signal("r3", 1, 0.5)]
    (found,) = patterns(given, CASES, [Precision("error_loop", 4, 5, 0)])
    assert (found.signals, found.sessions, found.of, found.cost_usd, found.seconds) == (4, 3, 10, 5.5, 20.0)
    assert found.runs == ["r2", "r1", "r3"]
    assert found.task_types == {"docs": 2, "bug_fix": 1}
    assert found.certainty == 0.9
    assert found.score == round(0.9 * (0.3 + 1.0) / 2, 6)


def test_what_does_not_count() -> None:
    """Not what was called wrong, a fork's copy, a session of another window, nor what came in one session alone."""
    wrong = dataclasses.replace(signal("r1"), is_wrong=True)
    copies = [dataclasses.replace(signal("r2"), at="2026", run_id=name, id=name) for name in ("r2", "r3")]
    assert patterns([wrong, *copies, signal("r4"), signal("elsewhere")], CASES) != []
    assert patterns([wrong, *copies, signal("elsewhere")], CASES) == []
    assert patterns([], []) == []


def test_a_judge_who_is_less_sure_counts_less() -> None:
    """Confidence of a model lowers the certainty; categories of one type are patterns of their own."""
    unsure = [signal(f"r{number}", 2, confidence=0.5, source="judge", category="tests") for number in range(3)]
    sure = [signal(f"r{number}") for number in range(3)]
    assert [(one.key, one.certainty) for one in patterns([*unsure, *sure], CASES)] == [
        ("error_loop", 0.8),
        ("error_loop/tests", 0.4),
    ]


def test_the_order_of_signals_does_not_matter() -> None:
    """Whoever reads them in another order finds the same."""
    given = [signal(f"r{number % 10}", number, number / 7, ["timeout", "tamper"][number % 2]) for number in range(40)]
    first = patterns(given, CASES)
    random.Random(1).shuffle(given)
    assert patterns(given, CASES) == first
