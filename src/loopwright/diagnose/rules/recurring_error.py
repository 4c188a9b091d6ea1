"""One error in session after session: what an agent does not know of the project, or a tool of itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from loopwright.diagnose.grouping import FEWEST, MOST_RUNS, plain
from loopwright.records.finding import Finding
from loopwright.records.window import Erred, Looked, Window
from loopwright.statistics.intervals import lower_bound

NAME = "recurring_error"
OFTEN = 0.1
"""In what share of the sessions it comes at the least, with 90% certainty."""
_MESSAGE = 200


def recurring_error(window: Window) -> Iterator[Looked]:
    """Look at each error, and for those that are known."""
    groups: dict[str, list[Erred]] = defaultdict(list)
    for error in window.errors:
        groups[error.fingerprint].append(error)
    of, seen = len(window.cases), set()
    looping = {signal.run_id for signal in window.signals if signal.type == "error_loop"}
    for mark, errors in sorted(groups.items()):
        yield (looked := _looked(mark, errors, of, looping))
        seen.add(looked.finding.key)
    for known in window.known:
        if known.rule == NAME and known.key not in seen and of:
            yield Looked(replace(known, sessions=0, of=of, runs=()), stands=False)


def _looked(mark: str, errors: Sequence[Erred], of: int, looping: set[str]) -> Looked:
    runs, times = {error.run_id for error in errors}, sum(error.times for error in errors)
    worst = sorted(errors, key=lambda error: (-error.times, error.run_id))
    tool, least = plain(worst[0].tool), lower_bound(len(runs), of)
    finding = Finding(
        key=f"{NAME}/{tool or 'agent'}/{mark}",
        goal="accuracy",
        rule=NAME,
        title=f"{f'`{tool}`' if tool else 'The agent'} runs into the same error in session after session",
        detail=f"{times:,} times in {len(runs):,} of {of:,} sessions: {' '.join(worst[0].message.split())[:_MESSAGE]}",
        sessions=len(runs),
        of=of,
        certainty=round(0.6 + 0.3 * least, 4),
        target=f"tool {tool}" if tool else "",
        cause="missing_context",
        runs=[error.run_id for error in worst[:MOST_RUNS]],
    )
    # What sessions go in circles about is told as that.
    return Looked(finding, len(runs - looping) >= FEWEST and least >= OFTEN)
