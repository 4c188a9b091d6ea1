"""What is found in the words of real sessions is what somebody looked at, and nearly always right."""

from __future__ import annotations

from collections import Counter

import pytest

from measure.judged import fired, judged, transcripts

DETECTORS = ("delight", "escalation", "false_done", "quality_rejection", "tamper")
_ENOUGH = 5


def test_what_fires_was_looked_at() -> None:
    """In the real sessions exactly that fires which the table has a judgement of."""
    paths = transcripts()
    if not paths:
        pytest.skip("there are no real sessions here: name their folder in LOOPWRIGHT_TRANSCRIPTS")
    here = {path.stem for path in paths}
    found = {signal for path in paths for signal in fired(path, DETECTORS)}
    assert found == {signal for signal in judged("words") if signal[0] in here}


def test_precision() -> None:
    """Each detector that fires five times or more is right in nine of ten cases or more."""
    table = judged("words")
    assert set(table.values()) <= {"right", "wrong"}
    counts = Counter(name for _, _, name in table)
    right = Counter(name for (_, _, name), verdict in table.items() if verdict == "right")
    poor = {
        name: right[name] / count for name, count in counts.items() if count >= _ENOUGH and right[name] < 0.9 * count
    }
    assert poor == {}
