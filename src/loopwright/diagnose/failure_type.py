"""A failed check -> what kind of failure it is: test, lint, security, performance, review."""

from __future__ import annotations

from loopwright.records.check import Check
from loopwright.records.qa_failure import FailureType
from loopwright.text.checking import checks
from loopwright.text.commands import parts_of

_SECURITY = frozenset(
    {
        *("bandit", "semgrep", "pip-audit", "safety", "trivy", "grype", "gitleaks", "trufflehog", "snyk", "gosec"),
        *("govulncheck", "brakeman", "audit", "osv-scanner", "detect-secrets", "checkov", "tfsec"),
    }
)
_PERFORMANCE = frozenset(
    {"hyperfine", "k6", "wrk", "ab", "locust", "lighthouse", "lhci", "asv", "criterion", "bench", "benchmark", "oha"}
)
_SLOW = "did not end within "


def failure_type(check: Check) -> FailureType:
    """Say what kind of failure a check is; what nothing tells is a test."""
    if check.kind == "judge":
        return "review"
    words = {word for part in parts_of(check.command or "") for word in (part.program, *part.words[:4])}
    if words & _SECURITY:
        return "security"
    if words & _PERFORMANCE or check.evidence.startswith(_SLOW):
        return "performance"
    return "lint" if check.command and checks(check.command) == "build" else "test"
