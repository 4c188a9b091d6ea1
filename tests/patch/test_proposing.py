"""All ways to make patches, together."""

from __future__ import annotations

from collections.abc import Iterator

from loopwright.patch.ground import Ground, new_patch
from loopwright.patch.proposing import propose
from loopwright.records.finding import Finding
from loopwright.records.patch import Patch, PatchesSettings

from .samples import TARGET, case, entry, finding, ground


def test_each_change_comes_once() -> None:
    """Two findings that ask for the same make one patch, and the five most telling failures are named."""
    runs = [f"run-{number:02d}" for number in range(20)]
    cases = [case(number, passed=number < 17, first_pass=number < 14) for number in range(20)]
    known = ground(entry(), cases=cases)
    (patch,) = propose([finding(runs=runs), finding("error_loop again", runs=runs)], known)
    assert patch.runs == ("run-17", "run-18", "run-19", "run-14", "run-15")
    few = ground(entry(), cases=cases, limits=PatchesSettings(failures=1))
    assert len(next(iter(propose([finding(runs=runs)], few))).runs) == 1


def test_a_further_way_has_its_place() -> None:
    """Who asks a model is handed in, and its patches are treated as all others."""

    def thinks(found: Finding, known: Ground) -> Iterator[Patch]:
        yield new_patch("prompt", TARGET, found, "t", "r", known.prompts[TARGET], "Better words.", "model x")

    (patch,) = propose([finding("novel")], ground(prompts={TARGET: "Words."}), [thinks])
    assert (patch.before, patch.after, patch.author) == ("Words.", "Better words.", "model x")
