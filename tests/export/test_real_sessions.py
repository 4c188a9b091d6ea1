"""Real sessions, where there are any at hand: each is exported in every format, and nothing of it is lost."""

from __future__ import annotations

import json
import lzma
import os
from collections import Counter
from pathlib import Path

import pytest

from loopwright.cli.analysed import analysed, whole
from loopwright.export.atif import trajectory
from loopwright.export.bundle import from_dict, to_dict
from loopwright.export.html import page
from loopwright.export.otlp import traces
from loopwright.ingest.files import find_files
from loopwright.records.event import EventKind
from loopwright.registry import kinds
from loopwright.taking import make_scan
from loopwright.wire import open_record

from .test_atif import exported
from .test_html import ALLOWED, ATTRIBUTES, Seen
from .test_otlp import read_back

FOLDER = Path(os.environ.get("LOOPWRIGHT_TRANSCRIPTS") or Path(__file__).parents[3] / "shared" / "transcripts")


@pytest.mark.skipif(
    not FOLDER.is_dir(), reason="there are no real sessions here: name a folder in LOOPWRIGHT_TRANSCRIPTS"
)
def test_every_session_in_every_format(tmp_path: Path) -> None:
    """Calls, results and tokens in a trajectory and in spans are as many as the events tell, counted one by one."""
    (tmp_path / "sessions").mkdir()
    record = open_record(tmp_path)
    for packed in FOLDER.glob("*.xz"):
        (tmp_path / "sessions" / packed.stem).write_bytes(lzma.decompress(packed.read_bytes()))
    scanned = make_scan(record).scan(list(find_files([FOLDER, tmp_path / "sessions"])))
    if not scanned.runs:
        pytest.skip(f"nothing in {FOLDER} is a session that can be read")
    for run_id in scanned.runs:
        bundle = whole(record, run_id)
        counts = Counter(event.kind for event in bundle.events)
        steps = [step for part in _parts(exported(bundle)) for step in part["steps"]]
        assert sum(len(step.get("tool_calls", ())) for step in steps) == counts[EventKind.TOOL_CALL]
        spent = sum(step["metrics"]["completion_tokens"] for step in steps if "metrics" in step)
        assert spent == sum(event.data["output"] for event in bundle.events if event.kind is EventKind.USAGE)
        names = [span.name for span in read_back(bundle)]
        assert sum(name.startswith("execute_tool") for name in names) >= counts[EventKind.TOOL_CALL]
        seen = Seen(page(analysed(record, run_id, events=True)))
        assert seen.tags <= ALLOWED and seen.attributes <= ATTRIBUTES
        data = json.loads(json.dumps(to_dict(bundle)))
        assert json.loads(json.dumps(to_dict(from_dict(data, kinds)))) == {**data, "signals": []}
        assert json.dumps(trajectory(bundle)) and json.dumps(traces(bundle))
    record.close()


def _parts(made: dict[str, object]) -> list[dict[str, list[dict[str, object]]]]:
    nested = made.get("subagent_trajectories", [])
    assert isinstance(nested, list)
    return [made, *nested]  # type: ignore[list-item]
