"""All benchmarks, as ratios and differences from one run: machines differ, so seconds alone say little."""

from __future__ import annotations

import sys

import checkroom
import claude
import events
import evidence
import experiments
import loop
import metrics
import parallel
import record
import redact
import replay
import scan
import signals
import startup
import together
import trends

BENCHMARKS = {
    "events": events.measure,  # first: it measures memory
    "together": together.measure,
    "parallel": parallel.measure_memory,
    "resume": parallel.measure_resume,
    "redact": redact.measure,
    "startup": startup.measure,
    "place": lambda: checkroom.measure_place(0.05),
    "reset-50000": lambda: checkroom.measure_reset(50_000, 0.5),
    "loop-1000": lambda: loop.measure(1_000, 0.15),
    "loop-50000": lambda: loop.measure(50_000, 1.0),
    "claude": lambda: claude.measure(1.15),
    "scan": scan.measure,
    "signals": signals.measure,
    "metrics": metrics.measure,
    "trends": trends.measure,
    "experiments": experiments.measure,
    "replay": replay.measure,
    "evidence": evidence.measure,
    "record": record.measure,
    "huge": scan.measure_huge,
}
LARGE = {"record", "huge"}
"""Only where they are named: they take gigabytes of disk."""


def main() -> int:
    chosen = sys.argv[1:] or [name for name in BENCHMARKS if name not in LARGE]
    over = False
    print(f"{'what':<58}{'measured':<44}{'at most':<18}")
    for name in chosen:
        for row in BENCHMARKS[name]():
            what, measured, allowed, state = row.split("|")
            over = over or state != "ok"
            print(f"{what:<58}{measured:<44}{allowed:<18}{state}", flush=True)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
