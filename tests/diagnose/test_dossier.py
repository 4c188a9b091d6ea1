"""What can be read from a run's record."""

from __future__ import annotations

from failed_runs import call, changed, check, dossier
from loopwright.records.check import Verdict
from loopwright.run.criteria.file import FileCriteria


def test_only_what_decides_and_failed_is_a_trail() -> None:
    """Preflight, advice, what nobody could verify and what held are no failures."""
    other = FileCriteria("a")
    checks = [
        check(0),
        check(1, verdict=Verdict.PASS),
        check(1, criterion=other, advisory=True),
        check(1, criterion=FileCriteria("b"), verdict=Verdict.UNVERIFIABLE),
    ]
    assert dossier(checks).trails == []
    (trail,) = dossier([check(0, "before"), check(1, "first"), check(2, verdict=Verdict.PASS)]).trails
    assert (trail.base and trail.base.evidence, trail.last.evidence, trail.recovered) == ("before", "first", True)


def test_changed_files() -> None:
    """New, renamed and strangely named files are in; a file that is gone is not."""
    diff = changed("a.py") + 'rename to b.py\n+++ "b/x\\033.md"\n+++ /dev/null\n'
    assert dossier([check(1)], diff=diff).changed(check(1)) == {"a.py", "b.py", "x\\033.md"}


def test_files_that_were_seen() -> None:
    """Reading, editing and a command that shows a file count, under any folder; another file's name does not."""
    events = [
        call(1, "Read", file_path="/home/me/shop/a.py"),
        call(2, "Edit", file_path="shop/b.py"),
        call(3, "Bash", command="cat shop/c.py"),
    ]
    found = dossier([check(1)], events=events)
    assert [found.saw(f"shop/{name}.py") for name in ("a", "b", "c", "d")] == [True, True, True, False]
    assert not found.saw("op/a.py")
