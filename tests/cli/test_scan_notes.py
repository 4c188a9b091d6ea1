from __future__ import annotations

from loopwright.cli.scan_notes import notes_of
from loopwright.ingest.report import report_of
from loopwright.records.budget import Usage
from loopwright.records.session import DailyUsage
from loopwright.records.summary import Summary


def session(**told: object) -> Summary:
    return Summary("r", "s", "claude_code", "/home/ada/s.jsonl", **told)  # type: ignore[arg-type]


def test_nothing_unknown_nothing_said() -> None:
    """A report in which nothing is missing has no notes but on what the costs are."""
    assert notes_of(report_of([])) == []
    spent = session(tokens=Usage(1), cost_usd=1.0, usage=[DailyUsage("d", "m", Usage(1), 1.0)])
    (only,) = notes_of(report_of([spent]))
    assert "list prices" in only


def test_models_without_a_price_are_named() -> None:
    """Each model that nobody has a price for is named with its tokens; of many, the largest."""
    used = [DailyUsage("d", f"model-{number}", Usage(1000 * number)) for number in range(1, 8)]
    (only,) = notes_of(report_of([session(tokens=Usage(1), usage=used)]))
    assert only.startswith("No price is known for model-7 (7.0k tokens), model-6 (6.0k tokens), ")
    assert only.endswith(" and 2 more: that counts as $0.")


def test_what_was_not_understood_is_said() -> None:
    """Sessions without tokens, sessions of raw lines alone, and the number of raw lines are told apart."""
    notes = notes_of(report_of([session(prompts=1), session(raw_lines=7)]))
    assert notes == [
        "1 session told nothing of tokens, so nothing of cost.",
        "Nothing was understood of 1 session: /home/ada/s.jsonl",
        "Kept as it was, since nothing understood it: 7 lines.",
    ]


def test_files_that_were_not_read_are_said() -> None:
    """Troubles are told on one line each, the first few of them; others are counted."""
    notes = notes_of(report_of([]), [f"/a{number}: no\nway" for number in range(7)], others=1, timeless=2)
    assert notes[0] == "2 sessions told no time, and --since leaves them out."
    assert notes[1] == "1 file held no session of an agent that is known."
    assert notes[2] == "Not read: /a0: no way"
    assert notes[7] == "And 2 more that were not read."
    assert len(notes) == 8
