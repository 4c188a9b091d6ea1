"""Two runs side by side: the same tools, errors and checks are in one row."""

from __future__ import annotations

import dataclasses

from loopwright.export.comparison import comparison
from loopwright.records.check import Verdict

from .samples import analysis_of, called, observed, ours, returned


def test_tools_and_errors_are_put_together() -> None:
    """Each tool has the calls and errors of both, and errors that both have come first."""
    error = {"is_error": True, "error_kind": "PARSED_ERROR", "fingerprint": "feed0123feed0123"}
    other = observed([called("Bash", "1"), returned("Bash", "1", "x", **error), called("Web", "2"),
                      returned("Web", "2", "odd", **(error | {"fingerprint": "other"}))])  # fmt: skip
    found = comparison(analysis_of(observed()), analysis_of(other))
    assert found["tools"][0] == {"tool": "Bash", "calls": [2, 1], "errors": [2, 1], "duration_s": [0.0, 0.0]}
    assert {row["tool"]: row["calls"] for row in found["tools"]}["Web"] == [0, 1]
    assert [(row["fingerprint"], row["counts"]) for row in found["errors"]] == [
        ("feed0123feed0123", [2, 1]),
        ("other", [0, 1]),
    ]
    assert [side["tool_calls"] for side in found["runs"]] == [6, 2]
    assert [side["reads_before_edit"] for side in found["runs"]] == [2, 0]
    assert [side["active_s"] for side in found["runs"]] == [40.5, 40.5]


def test_checks_are_put_together_by_their_criterion() -> None:
    """The newest verdict on a criterion stands beside that of the other run."""
    one = ours()
    check = dataclasses.replace(one.checks[0], verdict=Verdict.PASS)
    other = dataclasses.replace(one, checks=[one.checks[0], check])
    found = comparison(analysis_of(one), analysis_of(other))
    assert [row["verdicts"] for row in found["checks"]] == [["tainted", "pass"]]
    assert [(side["checks_passed"], side["checks_failed"]) for side in found["runs"]] == [(0, 1), (1, 0)]


def test_a_run_that_is_not_gone_through() -> None:
    """Where habits were not counted, they are unknown and not nothing."""
    side = dataclasses.replace(analysis_of(observed()), habits=None)
    assert comparison(side, side)["runs"][0]["retries"] is None
