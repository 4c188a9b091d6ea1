"""Dear models on easy tasks."""

from __future__ import annotations

import pytest

from diagnose.samples import cases, window
from loopwright.diagnose.rules.dear_model import dear_model
from loopwright.records.pattern import Case


def runs(model: str, cost: float, passed: int, of: int) -> list[Case]:
    some = cases(of, "docs", model=model, cost_usd=cost)
    return [
        one._replace(run_id=f"{model}-{number}", passed=number < passed, first_pass=number < passed)
        for number, one in enumerate(some)
    ]


def test_a_cheaper_one_that_passes_as_often() -> None:
    """With enough runs of both it is told, with what it would have saved."""
    (looked,) = dear_model(window([*runs("large", 1.0, 98, 100), *runs("small", 0.1, 98, 100)]))
    its = looked.finding
    assert looked.stands
    assert (its.key, its.certainty, its.waste_usd) == ("dear_model/docs", 0.8, 90.0)
    assert its.detail == "`large` passed 98 of 100 at $1.00 a run; `small` 98 of 100 at $0.10"


@pytest.mark.parametrize(
    "small",
    [
        runs("small", 0.1, 60, 100),
        runs("small", 0.1, 11, 12),  # as often, and far too few to say so
        runs("small", 0.95, 98, 100),
    ],
)
def test_no_cheaper_one_is_named_without_evidence(small: list[Case]) -> None:
    """One that passes less often, that was tried a few times, or that is hardly cheaper is not called as good."""
    (looked,) = dear_model(window([*runs("large", 1.0, 98, 100), *small]))
    assert looked.finding.waste_usd == 0.0
    assert "passes as often" not in looked.finding.title


def test_easy_tasks_on_which_nothing_cheaper_was_tried() -> None:
    """It is said that nobody tried, with little certainty; hard, cheap and few tasks are left alone."""
    (looked,) = dear_model(window(runs("large", 1.0, 40, 40)))
    assert (looked.stands, looked.finding.certainty) == (True, 0.3)
    assert "no cheaper model was tried" in looked.finding.detail
    for some in (runs("large", 1.0, 20, 40), runs("large", 0.01, 40, 40)):
        (looked,) = dear_model(window(some))
        assert not looked.stands
    assert list(dear_model(window(runs("large", 1.0, 5, 5)))) == []
    assert list(dear_model(window(cases(40, passed=None)))) == []
