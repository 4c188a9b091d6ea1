"""What all runs together may spend in a day and in a month, by the store's own sums."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.ports import RunStore
from loopwright.records.identity import timestamp
from loopwright.settings import LimitsSettings


@dataclass(frozen=True)
class Caps:
    """The caps of a store: whoever spends, they are for all. Days and months are those of UTC."""

    store: RunStore
    limits: LimitsSettings

    def reached(self) -> str:
        """Say which cap is reached; empty while there is money left."""
        today = timestamp()[:10]
        caps = (("day", today, self.limits.cost_per_day), ("month", f"{today[:7]}-01", self.limits.cost_per_month))
        for name, since, cap in caps:
            if cap is not None and (spent := self.store.spent_since(since)) >= cap:
                words = f"${spent:.2f} spent by all runs of this {name}, and ${cap:.2f} are allowed"
                return f"{words}; the next {name}, go on with: loopwright resume --all"
        return ""
