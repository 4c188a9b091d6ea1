"""Task types that are seldom right at first."""

from __future__ import annotations

import random

from diagnose.samples import cases, standing, window
from loopwright.diagnose.rules.first_pass import first_pass
from loopwright.records.pattern import Case


def runs(task_type: str, good: int, bad: int) -> list[Case]:
    done, failed = cases(good, task_type), cases(bad, task_type, first_pass=False, iterations=4, cost_usd=1.0)
    return [*done, *(one._replace(run_id=f"bad-{one.run_id}") for one in failed)]


def test_a_type_that_mostly_needs_more_attempts() -> None:
    """It is told with its interval, those beside it, and what the attempts after the first have cost."""
    found = list(first_pass(window([*runs("bug_fix", 2, 14), *runs("docs", 14, 2)])))
    assert standing(found) == ["first_pass/bug_fix"]
    its = found[0].finding
    assert (its.sessions, its.of, its.waste_usd) == (14, 16, 10.5)
    assert its.detail.startswith("2 of 16 passed their checks at the first attempt (3% to 36%); 14 of 16 in all others")


def test_a_type_that_is_worse_than_the_others() -> None:
    """Also where more than half of it passes."""
    assert standing(list(first_pass(window([*runs("bug_fix", 12, 8), *runs("docs", 60, 2)])))) == ["first_pass/bug_fix"]


def test_of_many_types_that_are_alike_none_is_called_worse() -> None:
    """In 20 windows of 10 types of one rate, at most two have one that is."""
    chance, called = random.Random(5), 0
    for _ in range(20):
        drawn = [sum(chance.random() < 0.8 for _ in range(30)) for _ in range(10)]
        some = [case for number, good in enumerate(drawn) for case in runs(f"t{number}", good, 30 - good)]
        called += bool(standing(list(first_pass(window(some)))))
    assert called <= 2


def test_few_runs_and_runs_without_checks_say_nothing() -> None:
    """Three failures of three are chance, and who was not checked did not fail."""
    assert standing(list(first_pass(window(runs("bug_fix", 0, 3))))) == []
    assert list(first_pass(window(cases(20, first_pass=None)))) == []
    assert standing(list(first_pass(window(runs("bug_fix", 8, 8))))) == []
