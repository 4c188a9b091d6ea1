"""What holds for every detector that the registry names, ours and others'."""

from __future__ import annotations

import dataclasses
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopwright.measure.detector import Detector
from loopwright.measure.watch import Watch
from loopwright.records.event import Event, EventKind
from loopwright.registry import DETECTORS, load, names
from measure.stretches import Stretch

_TEXTS = st.one_of(st.none(), st.text(max_size=60), st.sampled_from(["pytest -q", "src/a.py", "1 failed, 2 passed"]))
_INPUTS = st.dictionaries(st.sampled_from(["command", "file_path", "offset", "limit", "x"]), st.integers() | st.text())
_EVENTS = st.builds(
    Event,
    kind=st.sampled_from(EventKind),
    text=_TEXTS.map(lambda text: text or ""),
    tool=_TEXTS,
    call_id=st.sampled_from([None, "a", "b"]),
    parent_call_id=st.sampled_from([None, "p"]),
    command=_TEXTS,
    path=_TEXTS,
    exit_code=st.none() | st.integers(-5, 300),
    is_error=st.booleans(),
    fingerprint=st.sampled_from([None, "f"]),
    data=st.one_of(st.just({}), st.builds(lambda given: {"input": given}, _INPUTS)),
    at=st.sampled_from(["", "2026-11-16T08:00:00.000Z", "nonsense"]),
)


@pytest.mark.parametrize("name", names(DETECTORS))
def test_it_is_a_dataclass_of_its_settings(name: str) -> None:
    """A detector is made of its settings alone, each of which has a default."""
    kind = load(DETECTORS, name)
    assert issubclass(kind, Detector)
    assert dataclasses.is_dataclass(kind)
    kind()


@pytest.mark.parametrize("name", names(DETECTORS))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(events=st.lists(_EVENTS, max_size=40))
def test_no_event_is_too_odd(name: str, events: list[Event]) -> None:
    """Whatever comes, a detector goes on, and names events that were there."""
    for number, event in enumerate(events, 1):
        event.seq = number
    watch = Watch("run", {name: load(DETECTORS, name)()})
    found = [*watch.see(events), *watch.end()]
    assert all(set(signal.events) <= set(range(1, len(events) + 1)) and signal.events for signal in found)
    assert all(signal.description for signal in found)


@pytest.mark.parametrize(
    "sign", ["\n", " ", "\t", "'", '"', "(", ")", "\r", "a\n", "\n ", "skip ", "pytest.skip('x')\n"]
)
def test_no_text_takes_long(sign: str) -> None:
    """Three hundred thousand of one sign, said, printed, run and edited, take all detectors less than two seconds."""
    many = sign * 300_000
    stretch = Stretch().prompt(many).says(many).ran("pytest tests/test_a.py", f"{many}\n1 failed", exit_code=1)
    stretch.ran(f"pytest {many}", many).edit("tests/test_a.py", f"assert x{many}", f"{many}z").read("test_a.py", many)
    stretch.edit("Makefile", f"pytest{many}", f"{many} || true").edit("conftest.py", f"a{many}", f"{many}b")
    stretch.call("Write", file_path="test_a.py", content=many).result(many)
    began = time.process_time()
    watch = Watch("run", {name: load(DETECTORS, name)() for name in names(DETECTORS)})
    list(watch.see(stretch.events))
    list(watch.end())
    assert time.process_time() - began < 2
