"""Which entries are a remedy."""

from __future__ import annotations

import json

import pytest

from loopwright.patch.remedies import added, remedies

from .samples import TARGET, case, entry, finding, ground


def test_a_remedy_is_added_to_what_is_told() -> None:
    """The patch names what is told now and what would be, and where it comes from."""
    known = ground(entry(), told={TARGET: ["other@2"]})
    (patch,) = remedies(finding(), known)
    assert (patch.surface, patch.target, patch.author) == ("playbook", TARGET, "library stop")
    assert (json.loads(patch.before), json.loads(patch.after)) == (["other@2"], ["other@2", "stop@1"])
    assert added(patch) == ["stop@1"]
    assert "8 of 20 runs" in patch.reason


@pytest.mark.parametrize(
    ("detection", "key", "fits"),
    [
        (["error_loop"], "error_loop in worker/docs", True),
        (["error_loop"], "error_loop/money in worker/docs", True),
        (["error_loop/money"], "error_loop in worker/docs", False),
        (["error"], "error_loop in worker/docs", False),
        (["timeout", "error_loop"], "recurring/error_loop/money/docs", True),
        (["error_loop/money"], "recurring/error_loop/money/docs", True),
        (["error_loop/money"], "recurring/error_loop/docs", False),
    ],
)
def test_what_detection_means(detection: list[str], key: str, fits: bool) -> None:
    """A type takes all of its categories; a category takes itself alone."""
    assert bool(list(remedies(finding(key), ground(entry(detection=detection))))) is fits


def test_a_rule_can_be_named() -> None:
    """Findings of a rule have a remedy where an entry names the rule."""
    assert list(remedies(finding("x", rule="repeats"), ground(entry(detection=["repeats"]))))


@pytest.mark.parametrize(
    "changes",
    [{"status": "quarantined"}, {"status": "retired"}, {"applies_to": ["bug_fix"]}, {"role": "planner"}],
)
def test_who_is_no_remedy(changes: dict[str, object]) -> None:
    """An entry that waits, is retired, or is for others is not proposed."""
    assert list(remedies(finding(), ground(entry(**changes)))) == []


def test_what_is_told_is_not_proposed() -> None:
    """Nor is another version of it, nor anything with fewer than 20 runs of ours, nor for who is no worker."""
    known = ground(entry())
    assert list(remedies(finding(), ground(entry(), told={TARGET: ["stop@7"]}))) == []
    assert list(remedies(finding(), ground(entry(), cases=known.cases[:19]))) == []
    elsewhere = [case(number, source="codex") for number in range(50)]
    assert list(remedies(finding(), ground(entry(), cases=elsewhere))) == []
    assert list(remedies(finding(target="tool grep"), known)) == []


def test_what_helped_comes_first() -> None:
    """Of several remedies, each is a patch of its own."""
    found = remedies(finding(), ground(entry("a", harmful=1), entry("b"), entry("c", helpful=2)))
    assert [patch.author for patch in found] == ["library c", "library b", "library a"]
