"""Findings -> patches, by all ways there are to make them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from loopwright.patch.code import code
from loopwright.patch.config import config
from loopwright.patch.deletions import deletions
from loopwright.patch.ground import Ground, Proposer
from loopwright.patch.remedies import remedies
from loopwright.records.finding import Finding
from loopwright.records.patch import Patch

RULES: tuple[Proposer, ...] = (remedies, config, code)
"""The ways that need no model."""


def propose(findings: Sequence[Finding], ground: Ground, more: Sequence[Proposer] = ()) -> Iterator[Patch]:
    """Make the patches of findings, and what the prompts in use speak for by themselves; each change comes once.

    `more` are further ways, such as one that asks a model.
    """
    seen: set[str] = set()
    made = [patch for finding in findings for way in (*RULES, *more) for patch in way(finding, ground)]
    for patch in (*made, *deletions(ground)):
        if patch.hash not in seen:
            seen.add(patch.hash)
            yield dataclasses.replace(patch, runs=ground.failures(patch.runs))
