"""A run is summed up from its counts, and not from its events."""

from __future__ import annotations

import dataclasses

from loopwright.export.words import figures

from .samples import analysis_of, observed, ours


def test_the_figures() -> None:
    """Counts are those of the rollups, also where no event is at hand any more."""
    whole = analysis_of(observed())
    without = dataclasses.replace(whole, bundle=dataclasses.replace(whole.bundle, events=()))
    assert without.to_dict() == whole.to_dict()
    assert [tool.tool for tool in whole.tools][:1] == ["Bash"]
    assert (whole.to_dict()["tool_calls"], whole.to_dict()["errors"]) == (6, 2)


def test_what_is_worth_knowing() -> None:
    """A session tells of people, a run of ours of its profile; what never happened is left out."""
    seen, own = dict(figures(analysis_of(observed()))), dict(figures(analysis_of(ours())))
    assert (seen["rejections"], seen["at work"], seen["edits of files read before"]) == ("1", "40.5 s", "1 of 1")
    assert "interrupts" not in seen and "profile" not in seen
    assert (own["profile"], own["iterations"], own["model"]) == ("careful", "2", "some-model")  # and not the reviewer's
