"""A run that went wrong, from the store -> its failures, the class of its steps, its post-mortem, back in the store."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from loopwright.diagnose.classify import classify
from loopwright.diagnose.dossier import Dossier, is_failed
from loopwright.diagnose.failures import failures
from loopwright.diagnose.linking import links_of, links_of_postmortem
from loopwright.diagnose.postmortem import postmortem, triggers
from loopwright.diagnose.refining import refine
from loopwright.errors import UsageError
from loopwright.ports import Model
from loopwright.records.bundle import Bundle
from loopwright.records.identity import short, timestamp
from loopwright.records.postmortem import PostMortem
from loopwright.records.qa_failure import Analysed, FailuresSettings
from loopwright.records.run import Run, Status
from loopwright.run.git import Repository
from loopwright.store.store import Store

_MOST_EVENTS = 20_000
"""More are not gone through, so that the end of a run stays quick; rules that need them then say nothing."""
_MOST_READ = 1_000_000


@dataclass(frozen=True)
class Failing:
    """What looks for the causes of failures in single runs."""

    store: Store
    settings: FailuresSettings = field(default_factory=FailuresSettings)
    repository: Repository | None = None
    masked: Callable[[str], str] = lambda text: text
    """Takes secrets out of what is read from files."""
    known: Callable[[], Mapping[str, str]] = dict
    """Gives the library's anti-patterns by what shows them."""
    model: Model | None = None
    most_usd: float = 0.05
    """What a model's part may cost for one run."""

    def ended(self, run_id: str, told: Callable[[str], None]) -> None:
        """Analyse a run that has ended, by rules alone; what goes wrong here is told, and changes nothing."""
        try:
            rules = dataclasses.replace(self, model=None)
            rules.analyse(run_id, force=True)
        except Exception as error:  # a run has ended well or not, whatever we make of it
            told(f"its failures were not analysed: {error!r}")

    def analyse(self, run_id: str, *, force: bool = False) -> Analysed:
        """Give a run's failures and the class of its steps; what is known of it as it ended is not found again."""
        known = self.store.failures.analysed(run_id)
        run = self.store.run(run_id)
        if known and known.ended_at == (run.ended_at or "") and not force:
            return known
        _refuse_at_work(run)
        return self._analysed(self._dossier(run_id), known.spent_usd if known else 0.0)

    def _analysed(self, dossier: Dossier, spent: float) -> Analysed:
        found, notes = failures(dossier), list[str]()
        if self.model:
            refined = refine(found, self.model, self.most_usd - spent)
            found, spent, notes = list(refined.failures), spent + refined.spent_usd, list(refined.notes)
        run = dossier.bundle.run
        made = Analysed(run.id, run.ended_at or "", found, classify(dossier, found), spent, notes)
        asked = self.store.failures.save(made, links_of(found, timestamp()), self.settings.per_patch)
        notes += [f"a patch is asked for: {root}" for root in asked]
        return dataclasses.replace(made, notes=notes)

    def postmortem(self, run_id: str, *, force: bool = False) -> PostMortem:
        """Give the post-mortem of a run: as it was written, or written now; refused where nothing went wrong."""
        kept, run = self.store.failures.postmortem(run_id), self.store.run(run_id)
        if kept and kept.ended_at == (run.ended_at or "") and not force:
            return kept
        _refuse_at_work(run)
        dossier, rolled_back = self._dossier(run_id), self._rolled_back(run)
        if not triggers(dossier, rolled_back):
            words = f"run `{short(run_id)}` is {run.status}: it is no significant failure"
            raise UsageError(words, "those that wait for a human: loopwright queue")
        found = self.analyse(run_id, force=force)
        seen = self.store.failures.seen(run_id)
        written = postmortem(dossier, found.failures, timestamp(), rolled_back, seen)
        target = f"worker/{run.task.task_type or 'other'}"
        self.store.failures.save_postmortem(written, links_of_postmortem(written, target))
        return written

    def _dossier(self, run_id: str) -> Dossier:
        """Read what is needed, and no events where nothing failed."""
        bundle = self.store.recorded.bundle(run_id, events=False)
        run, few = bundle.run, sum(rollup.events for rollup in bundle.rollups) <= _MOST_EVENTS
        went_wrong = run.passed is not True or any(map(is_failed, bundle.checks))
        events = self.store.events(run_id) if went_wrong and few else ()
        signals = self.store.measured.signals([run_id])
        bundle = dataclasses.replace(bundle, events=events, signals=signals, diff=self._kept(run, "changes.diff"))
        told = "\n".join(_prompts(run)) if went_wrong else ""
        readers = (functools.cache(self._diff_of(bundle)), functools.cache(self._source_of(bundle)))
        return Dossier(bundle, self.store.measured.feedback(run_id), told, *readers, self.known())

    def _kept(self, run: Run, name: str) -> str:
        path = Path(run.artifacts) / name
        return self.masked(_read(path)) if run.artifacts and path.is_file() else ""

    def _diff_of(self, bundle: Bundle) -> Callable[[str], str]:
        repository, base = self.repository, bundle.run.base

        def diff(commit: str) -> str:
            if not repository or not repository.holds(commit) or not repository.holds(base):
                return ""
            done = repository.call("diff", "--no-ext-diff", "--no-textconv", "--no-color", base, commit, check=False)
            return self.masked(done.stdout[:_MOST_READ].decode(errors="replace"))

        return diff

    def _source_of(self, bundle: Bundle) -> Callable[[str], str | None]:
        repository, base = self.repository, bundle.run.base

        @functools.cache
        def files() -> frozenset[str]:
            if not repository or not repository.holds(base):
                return frozenset()
            done = repository.call("ls-tree", "-r", "--name-only", "-z", base, check=False)
            return frozenset(done.stdout.decode(errors="replace").split("\0"))

        def source(path: str) -> str | None:
            if not repository or path not in files():
                return None
            done = repository.call("cat-file", "blob", f"{base}:{path}", check=False)
            return done.stdout[:_MOST_READ].decode(errors="replace")

        return source

    def _rolled_back(self, run: Run) -> Sequence[str]:
        """Name the releases that a run used and that were taken back since."""
        undone = [one for _, one in self.store.versions.rolled_back()] if run.profile.versions else []
        used = run.profile.versions.items()
        return [
            f"{one.kind} {one.name}@{one.number}"
            for one in undone
            if (f"{one.kind} {one.name}", one.number) in used and one.at <= run.started_at
        ]


def _refuse_at_work(run: Run) -> None:
    if run.status in (Status.RUNNING, Status.QUEUED):
        raise UsageError(f"run `{short(run.id)}` is {run.status}", "wait for its end: loopwright runs")


def _prompts(run: Run) -> list[str]:
    folder = Path(run.artifacts) / "prompts"
    return [_read(path) for path in sorted(folder.glob("*.md"))] if run.artifacts and folder.is_dir() else []


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(_MOST_READ)
