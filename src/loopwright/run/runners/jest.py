"""The runner `jest`: its own JSON report."""

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
    "pending": "skipped",
    "skipped": "skipped",
    "disabled": "skipped",
    "todo": "skipped",
}
_NO_RUN = {"--help", "-h", "--version", "-v", "--listTests", "--showConfig", "--init", "--clearCache"}
_ENDLESS = ("--watch", "--watchAll")
_OUTPUT = ("--outputFile", "--output-file")
_ADDED = re.compile(
    rf'^Test results written to: .*{REPORT}\n?|(?: "?--json"?)? "?--outputFile=\S*{REPORT}"?',  # pnpm quotes them
    re.MULTILINE,
)


class Jest:
    """The runner `jest`."""

    name = "jest"

    def claims(self, argv: Sequence[str], root: Path) -> bool:
        return _found(argv, root) is not None

    def equip(self, argv: Sequence[str], root: Path, folder: Path) -> Equipped:
        found = _found(argv, root)
        if found is None:
            return Equipped(argv)
        json = [] if "--json" in found.options else ["--json"]
        # Two of them are an error of jest. The command's own file would be swept away with all that it leaves behind.
        return Equipped(found.with_options([*json, f"--outputFile={folder / REPORT}"], dropped=_OUTPUT))

    def tally(self, root: Path, folder: Path, seen_at: Path) -> Tally | None:
        return read_tally(seen_at, folder, _OUTCOMES)

    def shown(self, output: str) -> str:
        return _ADDED.sub("", output)

    def sabotage(self, root: Path, tally: Tally, pick: random.Random) -> Sabotage | None:
        return append_failing_test(root, tally, pick)


def _found(argv: Sequence[str], root: Path) -> Invocation | None:
    found = invocation(argv, root, "jest")
    if found is None or found.options & _NO_RUN or {*found.fixed, *found.words}.intersection(_ENDLESS):
        return None
    # What a script says of its output can't be taken back.
    return None if any(word.partition("=")[0] in _OUTPUT for word in found.fixed) else found
