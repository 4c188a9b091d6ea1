"""Draws the evidence of experiments whose truth is known: python docs/pictures/proven.py."""

from __future__ import annotations

import random
from pathlib import Path

from loopwright.records.experiment import Arm, Evidence, Experiment, Look, Trial
from loopwright.verify.evidence import threshold
from loopwright.verify.plot import svg
from loopwright.verify.weighing import look, verdict, wanted, weigh

HERE = Path(__file__).parent
MAXIMUM = 600
TRUTHS = {"better": (0.50, 0.65, 9), "nothing": (0.50, 0.50, 1), "worse": (0.50, 0.35, 9)}
"""Name of the picture -> how often A and B really pass, and a seed that gives one of usual length."""
_MOMENT = "2026-01-01T00:00:00.000Z"


def experiment() -> Experiment:
    """Make one as `loopwright experiments create` does, with no guardrail metrics."""
    arms, so_much = (Arm("none", "none"), Arm("self", "self")), threshold(MAXIMUM)
    return Experiment("e", "shown", "review", *arms, ["docs"], {}, _MOMENT, guardrails=(), threshold=so_much)


def looks(name: str) -> tuple[str, list[Look]]:
    """Draw pairs until they decide: the decision, and the evidence after each pair."""
    rate_a, rate_b, seed = TRUTHS[name]
    chance, made, evidence, seen = random.Random(seed), experiment(), Evidence(), []
    decision = "continue"
    while decision == "continue":
        a, b = (_trial(arm, chance.random() < rate) for arm, rate in (("A", rate_a), ("B", rate_b)))
        evidence = weigh(made, evidence, a, b)
        seen.append(look(evidence))
        decision = verdict(made, evidence)
    return decision, seen


def _trial(arm: str, passed: bool) -> Trial:
    return Trial("t", "e", "u", arm, "docs", "b", "replay", _MOMENT, "r", passed, 0.1, 1.0)


def main() -> None:
    """Draw them all."""
    for name in TRUTHS:
        decision, seen = looks(name)
        (HERE / f"proven-{name}.svg").write_text(svg(seen, wanted(experiment())), encoding="utf-8")
        print(f"{name}: {decision} after {seen[-1].pairs} pairs")


if __name__ == "__main__":
    main()
