"""Experiments on the terminal."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright.cli.evidence_screen import print_experiment, print_experiments
from loopwright.records.experiment import Arm, Evidence, Experiment, Look

EXPERIMENT = Experiment(
    "e", "one\x1b[31m", "model", Arm("", "the default"), Arm("m", "m\nn"), ("docs",), {}, "2026-01-02T03:04:05.678Z"
)
EVIDENCE = Evidence(60, 40, 5, 0.1, 0.5, totals={"A": [20, 6.0, 600.0], "B": [55, 3.0, 300.0]})
LOOKS = [Look(pairs, 1.05**pairs, 0.95**pairs, -0.5, 0.5) for pairs in range(1, 61)]


def test_nothing_has_come_yet(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a pair there is no plot, and no control character of a name reaches the terminal."""
    print_experiment(EXPERIMENT, Evidence(), [], [])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "●" not in out
    assert "600 pairs show a lift of 8 points 8 times in 10" in out
    assert "no pair has come yet" in out


def test_the_plot_crosses_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    """The evidence ends in the row of the threshold once it has reached it, and the other one at the bottom."""
    print_experiment(EXPERIMENT, EVIDENCE, LOOKS, [("it rained", 3)])
    lines = capsys.readouterr().out.splitlines()
    promote = next(line for line in lines if "promote 17.2" in line)
    assert promote.endswith("●")
    assert sum(line.count("●") for line in lines) == 60 + 1  # and the legend
    assert "left out: 3 trials, it rained" in lines
    assert any("+10 to +50" in line for line in lines)


def test_few_pairs_can_show_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no lift could be shown that is said, instead of a number."""
    print_experiment(dataclasses.replace(EXPERIMENT, maximum=30, concurrent=3), Evidence(), [], [])
    assert "30 pairs are too few to show any lift" in capsys.readouterr().out


def test_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    """One line each."""
    print_experiments([(EXPERIMENT, EVIDENCE), (dataclasses.replace(EXPERIMENT, status="proven"), EVIDENCE)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert "40 : 5" in lines[1]
