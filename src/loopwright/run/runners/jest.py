"""The runner `jest`: its own JSON report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from loopwright.records.tally import TestOutcome
from loopwright.run.runners.node import Invocation
from loopwright.run.runners.node_tests import REPORT, NodeRunner

_NO_RUN = {"--help", "-h", "--version", "-v", "--listTests", "--showConfig", "--init", "--clearCache"}
_ENDLESS = ("--watch", "--watchAll")


class Jest(NodeRunner):
    """The runner `jest`."""

    name = "jest"
    outcomes: ClassVar[Mapping[str, TestOutcome]] = {
        "passed": "passed",
        "failed": "failed",
        "pending": "skipped",
        "skipped": "skipped",
        "disabled": "skipped",
        "todo": "skipped",
    }
    output = ("--outputFile", "--output-file")
    added = re.compile(
        rf'^Test results written to: .*{REPORT}\n?|(?: "?--json"?)? "?--outputFile=\S*{REPORT}"?',  # pnpm quotes them
        re.MULTILINE,
    )

    def is_run(self, found: Invocation) -> bool:
        return not found.options & _NO_RUN and not {*found.fixed, *found.words}.intersection(_ENDLESS)

    def options(self, found: Invocation, report: Path) -> list[str]:
        return [*([] if "--json" in found.options else ["--json"]), f"--outputFile={report}"]
