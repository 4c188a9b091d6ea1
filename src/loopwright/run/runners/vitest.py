"""The runner `vitest`: its own JSON report, beside what it prints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from loopwright.records.tally import TestOutcome
from loopwright.run.runners.node import Invocation
from loopwright.run.runners.node_tests import REPORT, NodeRunner

_NO_RUN = {"--help", "-h", "--version", "-v", "--standalone", "--mergeReports", "--merge-reports"}
_NO_RUN_WORDS = {"bench", "list", "init", "typecheck"}


class Vitest(NodeRunner):
    """The runner `vitest`."""

    name = "vitest"
    outcomes: ClassVar[Mapping[str, TestOutcome]] = {
        "passed": "passed",
        "failed": "failed",
        "skipped": "skipped",
        "disabled": "skipped",
        "todo": "skipped",
        "pending": "unrun",
    }
    output = ("--outputFile", "--outputFile.json", "--output-file", "--output-file.json")
    added = re.compile(
        rf"^.{{0,20}}JSON report written to .*{REPORT}\n?"
        r'| "?--run"?(?: "?--reporter=default"?)? "?--reporter=json"? '  # pnpm quotes them
        rf'"?--outputFile\S*{REPORT}"?',
        re.MULTILINE,
    )

    def is_run(self, found: Invocation) -> bool:
        return not found.options & _NO_RUN and not {*(*found.fixed, *found.words)[:1]} & _NO_RUN_WORDS

    def options(self, found: Invocation, report: Path) -> list[str]:
        shown = [] if "--reporter" in found.options else ["--reporter=default"]
        return ["--run", *shown, "--reporter=json", f"--outputFile.json={report}"]
