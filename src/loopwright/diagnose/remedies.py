"""A cause -> what would make it less likely: now, this week, for good, and what that is applied to."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.records.finding import Cause
from loopwright.records.postmortem import Horizon, Remediation
from loopwright.records.qa_failure import Hypothesis

Lines = tuple[tuple[Horizon, str, str], ...]
_CAUSES: dict[Cause, Lines] = {
    "code_bug": (
        ("immediate", "resume the run with a comment that names the failing test", ""),
        ("short_term", "tell the worker to run the criteria's own command before it says that it is done", "prompt"),
        ("long_term", "add a visible test for the case that was forgotten", ""),
    ),
    "misunderstood": (
        ("immediate", "resume the run with a comment that says what the criterion means", ""),
        (
            "short_term",
            "have the task split into its criteria before the work begins, each named in the plan",
            "prompt",
        ),
        ("long_term", "write goals that name each file and behaviour that a criterion looks at", "profile"),
    ),
    "architecture": (
        ("immediate", "close the run, and begin again with another approach named in the goal", ""),
        ("short_term", "write down in a playbook which approach works for this kind of task", "playbook"),
        (
            "long_term",
            "plan before the work, with a stronger model where the same failure comes three times",
            "profile",
        ),
    ),
    "missing_context": (
        ("immediate", "resume the run with a comment that names the files to read", ""),
        ("short_term", "bring what the tests import along with the prompt: a context strategy", "profile"),
        ("long_term", "keep a map of the repository where the agent looks first, such as AGENTS.md", "prompt"),
    ),
    "anti_pattern": (
        ("immediate", "look at the events that show the habit, and resume with a comment that forbids it", ""),
        ("short_term", "tell the worker of the habit, and what to do instead: an entry of the library", "playbook"),
        ("long_term", "count the signal before and after, and take the entry back where it does not help", "profile"),
    ),
    "novel": (
        ("immediate", "let a human look at the run's timeline", ""),
        ("short_term", "write down what it was, so that a rule can recognise it", "playbook"),
        ("long_term", "watch whether it comes again", ""),
    ),
}
_DETAILS: dict[str, Lines] = {
    "tamper": (
        ("immediate", "look at what was done to the protected files, then accept it or resume without it", ""),
        ("short_term", "tell the worker that humans alone change tests, and what to do when one seems wrong", "prompt"),
        ("long_term", "keep the deciding tests held out, or protect more paths", "config run.protect"),
    ),
    "budget": (
        ("immediate", "resume the run with more to spend, if it was on its way", ""),
        ("short_term", "split tasks of this kind", "prompt"),
        ("long_term", "set the limit by what finished runs of this kind took", "config run.max_cost"),
    ),
    "no_access": (
        ("immediate", "log the agent in, or renew its key or credit, and resume", ""),
        ("short_term", "let `loopwright doctor` look before work is queued", "config run.agent"),
        ("long_term", "have a second agent to go to", "profile"),
    ),
    "unavailable": (
        ("immediate", "resume when the model answers again", ""),
        ("short_term", "wait longer for it", "config limits.unavailable"),
        ("long_term", "have a second agent or model to go to", "profile"),
    ),
    "lost": (
        ("immediate", "resume the run: what was committed is on its branch", ""),
        ("short_term", "see what ended the process: memory, a restart, a kill", "config limits.memory"),
        ("long_term", "run on a machine that stays up, or with a store that others can reach", "config store.url"),
    ),
    "release": (
        ("immediate", "see that the version before is in use again", "prompt"),
        ("short_term", "replay the tasks that failed with both versions", "prompt"),
        ("long_term", "put changes into use on evidence alone", "config experiments.autonomy"),
    ),
}
_OF_TARGET = ("prompt", "profile", "playbook")


def remedies(hypothesis: Hypothesis, target: str) -> Sequence[Remediation]:
    """Give what helps against a cause of a role and task type: `worker/bug_fix`."""
    lines = _DETAILS.get(hypothesis.detail) or _CAUSES[hypothesis.cause]
    return [
        Remediation(horizon, text, hypothesis.name, f"{place} {target}" if place in _OF_TARGET else place)
        for horizon, text, place in lines
    ]
