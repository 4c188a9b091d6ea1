"""Token counts that only grow -> what was added each time; a count that starts anew is not taken for less."""

from __future__ import annotations

from collections.abc import Sequence

Counts = Sequence[int]


class Cumulative:
    """One running total of one session."""

    def __init__(self, *, continues: bool = False) -> None:
        """With `continues`, the first total has in it what another session has told of."""
        self._total: Counts | None = None
        self._continues = continues

    def added(self, total: Counts, last: Counts | None) -> Counts | None:
        """Take a total, and what its last part is said to be; give what is new, None where that is nothing."""
        before, self._total = self._total, total
        if before == total:
            return None
        if before is None:
            more = last if self._continues and last is not None else total
        elif any(now < then for now, then in zip(total, before, strict=True)):
            more = last if last is not None else total  # it started anew
        else:
            more = [now - then for now, then in zip(total, before, strict=True)]
        return more if any(more) else None
