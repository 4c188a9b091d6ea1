"""A session that is exported, as spans or as a trajectory, and scanned elsewhere comes to the same."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.transcripts import FOLDER, unpacked
from loopwright.cli.analysed import whole
from loopwright.export.atif import trajectory
from loopwright.export.otlp import traces
from loopwright.ingest.files import find_files
from loopwright.ingest.formats.atif import Atif
from loopwright.ingest.formats.otlp import Otlp
from loopwright.records.budget import Spent, Usage
from loopwright.records.bundle import Bundle
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import new_id
from loopwright.records.summary import Summary
from loopwright.taking import make_scan
from loopwright.text.told import usage_event
from loopwright.wire import Record, open_record

from .samples import FAILED, called, event, observed, ours, returned, story, used

CASES = int(os.environ.get("FUZZ", "50"))
WRITERS = {"otlp": traces, "atif": trajectory}
READERS: dict[str, type[Otlp] | type[Atif]] = {"otlp": Otlp, "atif": Atif}
KEPT = (
    *(EventKind.PROMPT, EventKind.INTERRUPT, EventKind.REJECTION, EventKind.RAW, EventKind.ERROR, EventKind.RETRY),
    *(EventKind.TOOL_CALL, EventKind.TOOL_RESULT, EventKind.MESSAGE, EventKind.THINKING),
)
ODD = [
    event(EventKind.PROMPT, "Go on"),
    event(EventKind.INTERRUPT, "[stopped]"),
    event(EventKind.PROMPT, "Go on"),
    event(EventKind.ERROR, "overloaded", is_error=True, error_kind="PARSED_ERROR", fingerprint="feed0123feed0123"),
    event(EventKind.SYSTEM, "compacted", data={"subtype": "compact"}),
    used("m1", 0, 7, 0, 0),
    used("m9", 50, 3, 20, 0),
    called("Bash", "never returned", command="sleep 1"),
    returned("Bash", "lost its call", "boom", **FAILED),
    event(EventKind.PROMPT, "Go on"),
]
"""The same words again and again, tokens in parts, a call without its result and a result without its call."""


ALL = [*story(), *ODD]


def counts(events: Iterable[Event]) -> dict[str, int]:
    """Count what has to survive, one by one; the events that readers add of their own are not among it."""
    found: Counter[str] = Counter()
    for one in events:
        found[one.kind] += one.kind in KEPT
        found["errors"] += one.is_error
        for name in ("input", "output", "cache_read", "cache_write") if one.kind is EventKind.USAGE else ():
            found[name] += one.data[name]
    return {name: count for name, count in found.items() if count}


def told(summary: Summary) -> dict[str, Any]:
    """Give what has to survive."""
    names = ("session_id", "agent", "model", "project", "goal", "started_at", "ended_at", "tool_calls", "tool_errors")
    more = ("tokens", "cost_usd", "prompts", "interrupts", "rejections", "raw_lines")
    return {name: getattr(summary, name) for name in (*names, *more)}


def scanned(folder: Path, paths: Sequence[Path]) -> Record:
    """Bring what is in files into a store of its own."""
    folder.mkdir()
    record = open_record(folder, str(folder))
    make_scan(record).scan(list(find_files(paths)))
    return record


def sums(record: Record) -> list[dict[str, Any]]:
    runs = list(record.store.observed.session_runs().values())
    return sorted(
        (told(summary) for summary in record.store.observed.summaries(runs)), key=lambda one: one["session_id"]
    )


def exported(bundle: Bundle, write: Callable[[Bundle], Any], path: Path) -> Path:
    path.write_text(json.dumps(write(bundle), default=str))
    return path


def there_and_back(events: list[Event], kind: str, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what a session comes to here, and what its export comes to elsewhere; both once it was scanned."""
    first = exported(observed(events), traces, folder / "first.json")
    here = scanned(folder / "here", [first])
    (run_id,) = here.store.observed.session_runs().values()
    second = exported(whole(here, run_id), WRITERS[kind], folder / "second.json")
    there = scanned(folder / "there", [second])
    found = sums(here)[0], sums(there)[0]
    here.close()
    there.close()
    return found


@pytest.mark.parametrize("kind", WRITERS)
def test_made_up_sessions(kind: str, tmp_path: Path) -> None:
    """Sessions, calls, errors, tokens, prompts and a human's no are as many, and as many as was made up."""
    here, there = there_and_back(ALL, kind, tmp_path)
    assert there == here
    expected = {"tool_calls": 7, "tool_errors": 3, "prompts": 4, "interrupts": 1, "rejections": 1, "raw_lines": 1}
    assert {name: here[name] for name in expected} == expected
    assert vars(here["tokens"]) == {"input": 66, "output": 38, "cache_read": 330, "cache_write": 16}
    assert (here["session_id"], here["agent"], here["project"], here["goal"]) == (
        *("s-1", "claude_code", "/p"),
        "Fix the login",
    )


def run_of_ours(costs: Sequence[float]) -> Bundle:
    """Give a run of ours whose attempts are conversations of their own, named as those of any other run."""
    made, tokens = ours(), Usage(5200, 310)
    run = replace(made.run, id=new_id(), source="", spent=Spent(len(costs), sum(costs), tokens, 1.0))
    attempts, happened = [], []
    for number, cost in enumerate(costs, 1):
        told = {"conversation": f"c-{number}", "tokens": tokens, "cost_usd": cost}
        attempts.append(replace(made.attempts[0], id=new_id(), run_id=run.id, number=number, **told))
        spent = replace(usage_event(tokens, cost), at=run.started_at)
        happened += [replace(one, attempt_id=attempts[-1].id) for one in (event(EventKind.MESSAGE, "Done."), spent)]
    return replace(made, run=run, attempts=attempts, events=happened)


@pytest.mark.parametrize("kind", WRITERS)
def test_runs_of_ours(kind: str, tmp_path: Path) -> None:
    """One run is one session, however many attempts it had, with what it cost; two runs are two."""
    bundles = [run_of_ours(costs) for costs in ([0.021, 0.017], [0.5])]
    paths = [exported(bundle, WRITERS[kind], tmp_path / f"{number}.json") for number, bundle in enumerate(bundles)]
    record = scanned(tmp_path / "there", paths)
    found = {one["session_id"]: (round(one["cost_usd"], 6), one["tokens"].total) for one in sums(record)}
    record.close()
    assert found == {bundles[0].run.id: (0.038, 11020), bundles[1].run.id: (0.5, 5510)}


@settings(max_examples=CASES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(range(len(ALL))), min_size=1, unique=True), st.sampled_from(list(WRITERS)))
def test_any_order(tmp_path_factory: pytest.TempPathFactory, places: list[int], kind: str) -> None:
    """Whatever happens in whichever order is read back as often as it happened, tokens included."""
    events = [used("m0", 1, 2, 3, 4), *(ALL[place] for place in places)]
    path = exported(observed(events), WRITERS[kind], tmp_path_factory.getbasetemp() / f"{kind}.json")
    assert counts(READERS[kind]().read("s-1", [path]).events()) == counts(events)


@pytest.mark.parametrize("kind", WRITERS)
def test_real_sessions(kind: str, tmp_path: Path) -> None:
    """Every real session comes to the same, one by one."""
    packed = sorted(FOLDER.glob("*.xz"))
    if not packed:
        pytest.skip("there are no real sessions here: name their folder in LOOPWRIGHT_TRANSCRIPTS")
    here = scanned(tmp_path / "here", [unpacked(path) for path in packed])
    (tmp_path / "exports").mkdir()
    for run_id in here.store.observed.session_runs().values():
        exported(whole(here, run_id), WRITERS[kind], tmp_path / "exports" / f"{run_id}.json")
    there = scanned(tmp_path / "there", [tmp_path / "exports"])
    assert sums(there) == sums(here)
    here.close()
    there.close()
