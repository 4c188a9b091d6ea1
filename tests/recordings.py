"""Streams of real agents, as they were recorded: their lines, and how each of them ended."""

from __future__ import annotations

import csv
from pathlib import Path

from loopwright.ports import Outcome, Stream
from loopwright.records.event import Event, EventKind

_GOLDEN = Path(__file__).parent / "golden"


def cases(agent: str) -> dict[str, int]:
    """Give an agent's recordings, each with its exit code; none is there that the table does not have."""
    table = (_GOLDEN / agent / "CASES.tsv").read_text("utf-8").splitlines()
    found = {row["recording"]: int(row["exit_code"]) for row in csv.DictReader(table, delimiter="\t")}
    assert set(found) == {path.stem for path in (_GOLDEN / agent).glob("*.jsonl")}
    return found


def recorded(name: str) -> list[str]:
    """Give the lines of a recording, which is named for its agent."""
    return _file(name, "jsonl").read_text("utf-8").splitlines()


def replay(stream: Stream, name: str) -> tuple[list[Event], Outcome]:
    """Read a recording to its end, as a run would."""
    events = [event for line in recorded(name) for event in stream.feed(line)]
    stderr = _file(name, "stderr")
    return events, stream.outcome(
        cases(name.partition("_")[0])[name], stderr.read_text("utf-8") if stderr.exists() else ""
    )


def of_kind(events: list[Event], kind: EventKind) -> list[Event]:
    """Give the events of one kind."""
    return [event for event in events if event.kind is kind]


def _file(name: str, ending: str) -> Path:
    return _GOLDEN / name.partition("_")[0] / f"{name}.{ending}"
