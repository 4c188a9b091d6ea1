"""What an answer to a review asks for -> what is done about it. Satisfies reviewing.Deploying."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from loopwright.cycle.deploying import Deploying
from loopwright.errors import UsageError
from loopwright.records.finding import Sighting
from loopwright.records.patch import Patch
from loopwright.records.version import Kind, Release
from loopwright.store.findings import Findings
from loopwright.store.reviews import Reviews

_RUNS = 5
_KINDS: tuple[Kind, Kind] = ("prompt", "profile")


@dataclass(frozen=True)
class Answering:
    """What is done about a human's words."""

    deploying: Deploying
    findings: Findings
    reviews: Reviews
    feedback_on: Callable[[str, str, bool], str]
    """A run, who, and whether they like it -> what to say."""
    again: Callable[[], str]
    """Looks for improvements now, and says what came of it."""

    def patch(self, patch_id: str) -> Patch:
        return self.deploying.patch(patch_id)

    def deploy(self, patch: Patch, by: str, *, now: bool) -> str:
        return self.deploying.deploy(patch, by, now=now)

    def texts(self, patch: Patch) -> tuple[str, str]:
        return self.deploying.texts(patch)

    def roll_back(self, name: str, by: str, reason: str) -> str:
        """Put back what was in use before; of no name, all that the last review that was deployed has released."""
        names = [name] if name else self._last()
        return "\n".join(self._back(one, by, reason) for one in names)

    def more(self, finding: str) -> str:
        """Say all that is known of a finding: it is a hypothesis."""
        seen = self.findings.latest().get(finding)
        if seen is None:
            raise UsageError(f"nothing is known of `{finding}`", "see: loopwright findings")
        return "\n".join(_lines(seen))

    def feedback(self, run: str, by: str, *, up: bool) -> str:
        return self.feedback_on(run, by, up)

    def optimize(self) -> str:
        return self.again()

    def _last(self) -> list[str]:
        for review in self.reviews.newest(_RUNS, "deployed"):
            patches = [self.deploying.patch(item.patch) for item in review.items if item.patch]
            if names := [patch.target for patch in patches if patch.status == "released"]:
                return list(dict.fromkeys(names))
        raise UsageError("no review has released anything that is in use", "name it: roll back worker/bug_fix")

    def _back(self, name: str, by: str, reason: str) -> str:
        """Roll back the newest release of what a role and task type is told or set to."""
        versions = self.deploying.proving.versions
        used = [versions.in_use(kind, name)[0] for kind in _KINDS]
        newest: Release = max(used, key=lambda release: (release.at, release.previous is not None))
        back = versions.roll_back(newest.kind, name, by, reason, seen=newest.id)
        return f"{newest.kind} {name}@{newest.number} was rolled back to @{back.number}"


def _lines(seen: Sighting) -> list[str]:
    finding = seen.finding
    lines = [finding.detail, f"{finding.certainty:.0%} sure; seen since {(seen.first_at or seen.at)[:10]}"]
    if finding.cause:
        lines.append(f"likely cause: {finding.cause.replace('_', ' ')}")
    if seen.before is not None:
        lines.append(f"{seen.change}: {seen.before:.0%} of sessions before, {finding.rate:.0%} now")
    return [*lines, f"runs: {', '.join(run[-8:] for run in finding.runs[:_RUNS])}"] if finding.runs else lines
