"""What a planner and a reviewer are told, and what becomes of their words. They change nothing: the worker does."""

from __future__ import annotations

import re

from loopwright.records.task import Task
from loopwright.run.prompt import criteria_words
from loopwright.text.excerpt import shortened
from loopwright.text.fences import fenced

PLAN_LIMIT, REVIEW_LIMIT, DIFF_LIMIT = 8_000, 8_000, 60_000
_APPROVED = re.compile(r"^\W*approved\b(?!\s+(?:if|once|after|except|but))", re.I)

_PLAN = """\
# Your part

Plan this task; somebody else carries the plan out. Read what you need. Change no file: what you change is put back.
Your last message is the plan, and all that is taken from you:

- what you found out that matters, with the files and lines
- the steps in order, each small enough to be checked
- what could go wrong, and how one would notice
"""

_REVIEW = """\
# Your part

Somebody else worked on this task. Below is all that they changed. Review it before it is checked. Read what you need.
Change no file: what you change is put back. Look for what would make it wrong: cases that are not covered, what breaks
elsewhere, what the task asks for and is missing, what was done that nobody asked for.

Your last message is all that is taken from you. Its last line is `approved` where you would stand for the change as it
is, else `changes wanted`; above that, in short points, what has to change and where.
"""


def plan_prompt(task: Task, context: str, guidance: str = "") -> str:
    """Write what a planner is told."""
    return "\n".join(filter(None, (_first(guidance), _goal(task), context, _PLAN)))


def review_prompt(task: Task, diff: str, guidance: str = "") -> str:
    """Write what a reviewer is told; a change that is too long is cut in the middle."""
    shown = fenced(shortened(diff, DIFF_LIMIT, "read the files"))
    return "\n".join(filter(None, (_first(guidance), _goal(task), _REVIEW, f"# The change\n\n{shown}\n")))


def wanted_changes(words: str) -> str:
    """Read a review: what has to change; empty where it approves."""
    lines = [line for line in words.strip().splitlines() if line.strip()]
    return "" if lines and _APPROVED.match(lines[-1]) else words.strip()[-REVIEW_LIMIT:]


def _first(guidance: str) -> str:
    return f"{guidance.strip()}\n" if guidance else ""


def _goal(task: Task) -> str:
    return f"# Task\n\n{task.goal.strip()}\n\n{criteria_words(task)}"
