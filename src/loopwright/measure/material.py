"""A run's record -> what a critic can see of it: what was asked, what came of it, and numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from loopwright.records.bundle import Bundle
from loopwright.records.check import Check, last_checks

MOST_DIFF = 2_000_000
"""Characters of a diff that are looked at."""
NUMBERS = (
    *("iterations", "attempts", "cost_usd", "duration_s", "tokens", "files_changed", "lines_added", "lines_removed"),
    *("lines_changed", "tool_calls", "tool_errors", "tool_error_share", "flaky_checks", "tampered_files"),
    *("prompts", "interrupts", "rejections", "output_words"),
)
SHARES = ("cost_usd", "duration_s", "tool_error_share")
"""Those that need not be whole."""
_BECAME = {"new file mode ": "A", "deleted file mode ": "D", "rename from ": "D", "rename to ": "A", "copy to ": "A"}
_QUOTED = re.compile(r'\\(["\\t])')


@dataclass(frozen=True)
class Material:
    """What is judged."""

    goal: str
    output: str
    """The agent's last words."""
    diff: str | None
    """None where the record does not say what was changed."""
    cut: int = 0
    """How many characters of the diff are not looked at."""
    files: str | None = None
    """The files of the diff, each in a line: A (new), M (changed) or D (gone), and its path."""
    checks: Sequence[Check] = ()
    """Of the last iteration."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Those that the record has."""


def material_of(bundle: Bundle) -> Material:
    """Gather it; events are not needed."""
    works = [attempt for attempt in bundle.attempts if attempt.role == "worker"]
    output = works[-1].output if works else ""
    # What ran elsewhere has no diff; of our own, no diff means that nothing was changed.
    diff = bundle.diff if bundle.diff or not bundle.run.source else None
    checks = last_checks(bundle.checks) if bundle.checks else []
    numbers = {**_spent(bundle), **_tools(bundle), "output_words": float(len(output.split()))}
    changes = None if diff is None else _Changes.of(diff)
    numbers |= changes.numbers if changes else {}
    if checks:
        tampered = {item.path for check in checks for item in check.proof.tampering}
        numbers |= {"flaky_checks": float(sum(check.flaky for check in checks)), "tampered_files": float(len(tampered))}
    files = None if changes is None else "\n".join(changes.files)
    seen = None if diff is None else diff[:MOST_DIFF]
    return Material(bundle.run.task.goal, output, seen, len(diff or "") - len(seen or ""), files, checks, numbers)


def _spent(bundle: Bundle) -> dict[str, float]:
    spent, session = bundle.run.spent, bundle.session
    found = {
        "attempts": float(len(bundle.attempts)),
        "cost_usd": spent.cost_usd,
        "duration_s": session.active_s if session else spent.seconds,
        "tokens": float(spent.tokens.total),
    }
    if session:
        return found | {name: float(getattr(session, name)) for name in ("prompts", "interrupts", "rejections")}
    return found | {"iterations": float(spent.iterations)}


def _tools(bundle: Bundle) -> dict[str, float]:
    used = [rollup for rollup in bundle.rollups if rollup.tool]
    calls, errors = sum(one.calls for one in used), sum(one.failed for one in used)
    found = {"tool_calls": float(calls), "tool_errors": float(errors)}
    return found | {"tool_error_share": errors / calls} if calls else found


@dataclass
class _Changes:
    """What a diff changes. Inside of a hunk a line that looks like a header is none: each begins with a sign there."""

    files: list[str] = field(default_factory=list)
    """Each with what became of it: A, M or D, and its path. What was moved is gone, and new elsewhere."""
    added: int = 0
    removed: int = 0

    @classmethod
    def of(cls, diff: str) -> _Changes:
        found, in_hunk = cls(), False
        for line in diff.split("\n"):  # nothing else ends a line of git's
            if line.startswith("diff --git "):
                found.files.append(f"M {_path(line.removeprefix('diff --git '))}")
                in_hunk = False
            elif line.startswith("@@"):
                in_hunk = True
            elif in_hunk:
                found.added += line.startswith("+")
                found.removed += line.startswith("-")
            else:
                found._header(line)
        return found

    def _header(self, line: str) -> None:
        start = next((start for start in _BECAME if line.startswith(start)), "")
        if not start or not self.files:
            return
        if start == "rename to ":  # the line before it has said what is gone
            self.files.append("")
        path = self.files[-1][2:] if start.endswith("mode ") else _plain(line.removeprefix(start))
        self.files[-1] = f"{_BECAME[start]} {path}"

    @property
    def numbers(self) -> dict[str, float]:
        changed = {"lines_added": self.added, "lines_removed": self.removed, "lines_changed": self.added + self.removed}
        return {name: float(count) for name, count in {"files_changed": len(self.files), **changed}.items()}


def _path(pair: str) -> str:
    """Give the path of `a/PATH b/PATH`, in which anything may stand: both halves are the same."""
    return _plain(pair[len(pair) // 2 + 1 :], 2)


def _plain(path: str, start: int = 0) -> str:
    """Take git's quotes off; the end of a line stays as it is written, so that no path looks like two."""
    if not path.startswith('"'):
        return path[start:]
    return _QUOTED.sub(lambda found: found[1].replace("t", "\t"), path[1 + start : -1])
