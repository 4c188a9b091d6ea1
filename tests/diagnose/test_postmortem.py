"""Significant failures, explained as far as the record goes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from failed_runs import at, check, dossier, signal
from loopwright.diagnose.failures import failures
from loopwright.diagnose.postmortem import candidates, postmortem, triggers
from loopwright.records.postmortem import PostMortem
from loopwright.records.proof import Proof, Tampering
from loopwright.records.run import Ending, Reason, Status

TAMPERED = check(1, proof=Proof(tampering=(Tampering("tests/a.py", "changed"),)))


def written(checks: Any, rolled_back: Any = (), seen: Any = None, **more: Any) -> PostMortem:
    made = dossier(checks, **more)
    return postmortem(made, failures(made), at(59), rolled_back, seen)


@pytest.mark.parametrize(
    ("run", "more", "expected"),
    [
        ({}, {}, ["escalated"]),
        ({"status": Status.FAILED}, {}, ["failed"]),
        ({"reason": Reason.TAINTED}, {}, ["escalated", "tainted"]),
        ({"reason": Reason.BUDGET}, {}, ["escalated", "over_budget"]),
        ({"status": Status.DONE, "reason": Reason.CRITERIA_MET}, {}, []),
        ({"status": Status.DONE}, {"endings": {1: Ending.LOST}}, ["data_lost"]),
    ],
)
def test_what_is_significant(run: Any, more: Any, expected: list[str]) -> None:
    """Escalated, failed, tainted, over budget, data lost: each is named, and what ended well is none."""
    assert triggers(dossier([], run=run, **more)) == expected


def test_a_release_that_was_rolled_back() -> None:
    """A run that failed with it is significant; one that passed is not."""
    assert "rolled_back" in triggers(dossier([]), ["prompt worker/docs@3"])
    assert triggers(dossier([], run={"status": Status.DONE}), ["prompt worker/docs@3"]) == []
    assert written([], ["prompt worker/docs@3"]).candidates[0].hypothesis.name == "novel/release"


def test_probabilities() -> None:
    """At most three causes, the likely one first; with what is left for others they make a whole."""
    signals = [signal("context_thrashing", 9)]
    made = dossier([TAMPERED, check(2), check(3), check(4, now=(2, 1, 1), before=(2, 2, 0))], signals=signals)
    found, rest = candidates(made, failures(made), ["prompt x@1"])
    shares = [one.probability for one in found]
    assert found[0].hypothesis.name == "anti_pattern/tamper"
    assert len(found) == 3
    assert all(first >= second for first, second in itertools.pairwise(shares))
    assert 0.99 <= sum(shares) + rest <= 1.01


def test_one_cause_is_as_probable_as_its_rule_is_believed() -> None:
    """With nothing beside it, a cause has its own certainty, and the rest is left."""
    found, rest = candidates(*_one(check(1, now=(3, 2, 1), before=(3, 1, 2))))
    assert ([one.probability for one in found], rest) == ([0.5], 0.5)
    assert candidates(*_one(check(1, "exited with 9"))) == ([], 1.0)


def _one(*checks: Any) -> tuple[Any, Any]:
    made = dossier(checks)
    return made, failures(made)


def test_the_class() -> None:
    """Seen in three other runs it is systemic, else preventable where there are remedies, else a one-off."""
    assert written([TAMPERED]).failure_class == "preventable"
    root = "anti_pattern/tamper in worker/bug_fix"
    often = written([TAMPERED], seen={root: 3})
    assert (often.failure_class, "3 other runs" in often.because) == ("systemic", True)
    assert written([check(1, now=(3, 2, 1), before=(3, 1, 2))]).failure_class == "one_off"
    assert written([check(1, "exited with 9")]).because == "no cause is likely enough to say more"


def test_remediations_come_by_horizon_and_once() -> None:
    """What to do now comes first, each thing once, and the links name the failures."""
    found = written([TAMPERED])
    assert [one.horizon for one in found.remediations] == ["immediate", "short_term", "long_term"]
    assert len(found.failures) == 1
    assert found.title == "Run run: escalated (criteria_unmet)"
