"""A run that is written as plain data and read again is the same; what is broken is refused by name."""

from __future__ import annotations

import copy
import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopwright.errors import UsageError
from loopwright.export.bundle import from_dict, settled, to_dict
from loopwright.records.bundle import Bundle
from loopwright.records.run import Status
from store.samples import kinds

from .samples import evaluated, observed, ours

CASES = int(os.environ.get("FUZZ", "100"))
ODD: list[Any] = [None, True, -1, 10**30, 1.5, "", "a\x00\ud800", [], [1], {}, {"a": 1}, [None], [{}], "running"]


def plain(bundle: Bundle) -> Any:
    return json.loads(json.dumps(to_dict(bundle)))


@pytest.mark.parametrize("bundle", [observed(), ours(), evaluated()], ids=["observed", "ours", "evaluated"])
def test_it_comes_back_as_it_was(bundle: Bundle) -> None:
    """All of a run survives the way to JSON and back."""
    assert plain(from_dict(plain(bundle), kinds)) == plain(bundle)
    read = from_dict(plain(bundle), kinds)
    assert (read.run.id, read.run.status, read.run.spent) == (bundle.run.id, bundle.run.status, bundle.run.spent)
    assert (read.run.profile, read.run.budget) == (bundle.run.profile, bundle.run.budget)
    assert list(read.events) == list(bundle.events)
    assert list(read.attempts) == list(bundle.attempts)
    assert list(read.checks) == list(bundle.checks)
    assert list(read.evaluations) == list(bundle.evaluations)


@pytest.mark.parametrize("data", [None, [], {}, {"format": "other"}, {"format": "loopwright", "schema": 2}, "x", 5])
def test_what_is_foreign_is_refused(data: object) -> None:
    """Data that no export of this version wrote is refused, with what to do."""
    with pytest.raises(UsageError) as refused:
        from_dict(data, kinds)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.update(status="sleeping"), "sleeping"),
        (lambda data: data.update(run_id="../../etc"), "damaged"),
        (lambda data: data["events"][1].update(seq=1), "not in order"),
        (lambda data: data["events"][0].update(kind="dance"), "dance"),
        (lambda data: data["events"][0].update(text=5), "events.0.text"),
        (lambda data: data["events"][-1].update(seq=10**30), "too large"),
        (lambda data: data["attempts"][0].update(step_id="other"), "other"),
        (lambda data: data["attempts"][0].update(run_id="other"), "another run"),
        (lambda data: data["session"].update(prompts="many"), "many"),
        (lambda data: data.pop("task"), "should be an object"),
        (lambda data: data.update(events={}), "should be a list"),
        (lambda data: data.update(surprise=1), "surprise"),
        (lambda data: data.update(started_at="yesterday"), "`yesterday` in `started_at` is no time"),
        (lambda data: data["attempts"][0].update(ended_at="\x1b[31m"), "in `ended_at` is no time"),
    ],
)
def test_what_is_broken_is_refused_by_name(change: Any, words: str) -> None:
    """A field that is wrong, missing or not known is named."""
    data = plain(observed())
    change(data)
    with pytest.raises(UsageError, match=words):
        from_dict(data, kinds)


def test_an_imported_run_can_not_act() -> None:
    """What was at work elsewhere is not at work here; it has no folder of ours, and says where it is from."""
    bundle = from_dict({**plain(ours()), "status": "running", "workspace": "/home/me"}, kinds)
    run = settled(bundle, "").run
    assert (run.status, run.workspace, run.artifacts, run.source) == (Status.CANCELLED, "", "", "loopwright")
    assert settled(observed(), "/runs/1").run.source == "claude_code"
    assert settled(ours(), "").attempts[0].process == ""


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_nothing_else_goes_wrong_with_broken_data(data: st.DataObject) -> None:
    """Whatever is put in the place of any value, it is read or refused, and nothing else."""
    whole = copy.deepcopy(WHOLE)
    place: Any = whole
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner and data.draw(st.booleans())):
            break
        place = inner
    place[key] = data.draw(st.sampled_from(ODD))
    try:
        assert isinstance(from_dict(whole, kinds), Bundle)
    except UsageError as refused:
        assert refused.message


WHOLE = plain(observed()) | {"checks": plain(ours())["checks"][:0]}
