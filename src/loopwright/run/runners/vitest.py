"""The runner `vitest`: its own JSON report, beside what it prints."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

from loopwright.records.tally import Tally, TestOutcome
from loopwright.run.runners.node import Invocation, invocation
from loopwright.run.runners.node_tests import REPORT, append_failing_test, read_tally
from loopwright.run.runners.runner import Equipped, Sabotage

_OUTCOMES: dict[str, TestOutcome] = {
    "passed": "passed",
    "failed": "failed",
    "skipped": "skipped",
    "disabled": "skipped",
    "todo": "skipped",
    "pending": "unrun",
}
_NO_RUN = {"--help", "-h", "--version", "-v", "--standalone", "--mergeReports", "--merge-reports"}
_NO_RUN_WORDS = {"bench", "list", "init", "typecheck"}
_OUTPUT = ("--outputFile", "--outputFile.json", "--output-file", "--output-file.json")
_ADDED = re.compile(
    rf"^.{{0,20}}JSON report written to .*{REPORT}\n?"
    r'| "?--run"?(?: "?--reporter=default"?)? "?--reporter=json"? '  # pnpm quotes them
    rf'"?--outputFile\S*{REPORT}"?',
    re.MULTILINE,
)


class Vitest:
    """The runner `vitest`."""

    name = "vitest"

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        return _found(argv, root) is not None

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        found = _found(argv, root)
        if found is None:
            return Equipped(argv)
        shown = [] if "--reporter" in found.options else ["--reporter=default"]
        added = ["--run", *shown, "--reporter=json", f"--outputFile.json={folder / REPORT}"]
        return Equipped(found.with_options(added, dropped=_OUTPUT))

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        return read_tally(seen_at, folder, _OUTCOMES)

    def shown(self, output: str) -> str:
        return _ADDED.sub("", output)

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        return append_failing_test(root, tally, pick)


def _found(argv: Sequence[str], root: Path) -> Invocation | None:
    found = invocation(argv, root, "vitest")
    if found is None or found.options & _NO_RUN or {*(*found.fixed, *found.words)[:1]} & _NO_RUN_WORDS:
        return None
    # What a script says of its output can't be taken back.
    return None if any(word.partition("=")[0] in _OUTPUT for word in found.fixed) else found
