"""A run, told in lines."""

from __future__ import annotations

from failed_runs import at, check, dossier, signal
from loopwright.diagnose.happenings import timeline
from loopwright.records.check import Verdict
from loopwright.records.run import Acceptance, Comment


def test_in_order_and_with_where_it_is_from() -> None:
    """Attempts, checks, signals and humans' words come in the order of their time, each with its place."""
    words = {
        "comments": [Comment("c", "run", at(45), "try\nagain")],
        "acceptances": [Acceptance("a", "run", at(46), "ada", "right so", {})],
    }
    found = timeline(
        dossier([check(1), check(2, verdict=Verdict.PASS)], signals=[signal("error_loop", 7)], bundle=words)
    )
    assert [one.at for one in found] == sorted(one.at for one in found)
    told = [f"{one.what} ({one.where})" for one in found]
    assert told[0] == "the run begins: Fix the prices (the run)"
    assert "error_loop: error_loop was seen (event 7)" in told
    assert "0 of 1 criteria hold; fail: test python3 -m unittest tests.test_prices (checks of iteration 1)" in told
    assert "1 of 1 criteria hold (checks of iteration 2)" in told
    assert "a human says: try again (a comment)" in told
    assert "ada accepts what tainted it: right so (an acceptance)" in told
    assert told[-1] == "the run ends: escalated (criteria_unmet) (the run)"


def test_a_long_run_is_cut_in_the_middle() -> None:
    """Beginning and end stay, what is between is counted, and no line is long."""
    found = timeline(dossier([check(1)], signals=[signal("x", n + 1, description=f"{n} " * 1000) for n in range(500)]))
    assert len(found) == 40
    assert max(len(one.what) for one in found) < 250
    (between,) = [one for one in found if "left out" in one.what]
    assert between.what == "466 more are left out"
