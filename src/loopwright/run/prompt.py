"""What the agent is told for one attempt: the goal, how it will be judged, and what happened so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.records.check import Check, last_checks
from loopwright.records.profile import Profile
from loopwright.records.run import Attempt, Comment, Ending
from loopwright.records.task import Task
from loopwright.run.verdicts import failed
from loopwright.text.fences import fenced

_TRIED_LIMIT = 6
_EVIDENCE_LIMIT = 6000

_RULES = """\
# Rules

- Work in the current folder: it is a clone of your own. All that you leave there is kept.
- The criteria are checked by the host when you stop, on a fresh checkout of what you left, without what git ignores. \
Saying that it is done changes nothing.
{check}- Do not change existing tests, test settings or continuous integration: you are judged by them as they were, \
and a change there is put before a person. New tests are welcome, in new files.
- If the criteria can't be met, say so in your last message with a line that starts with "impossible, because": a \
person will look at it.
"""
_SELF_REVIEW = """\
- Before you stop, read your whole change once more (`git diff`) as a reviewer would who has to stand for it, and mend \
what you find.
"""

_CHECK = """\
- `loopwright check`, where it is installed, tells you at any time what the host would say of the criteria above.
"""
_CONFINED = """\
- You are in a sandbox: nothing but the current folder, your home and /tmp can be written to, and only some hosts be \
reached.
"""


@dataclass(frozen=True)
class Story:
    """What happened in the run so far, as far as the agent may know it."""

    attempts: Sequence[Attempt] = ()
    checks: Sequence[Check] = ()
    """Of all attempts, the preflight's (iteration 0) among them."""
    comments: Sequence[Comment] = ()
    """All of them, the oldest first: an agent remembers nothing of the attempt before."""
    note: str = ""
    """Something that was done to the workspace."""
    context: str = ""
    """What is brought along from the repository."""
    plan: str = ""
    review: str = ""
    """What a reviewer wants changed in what is there."""
    critic: str = ""
    """What a critic holds against work whose criteria all hold."""


def write_prompt(task: Task, profile: Profile, story: Story, *, confined: bool = False) -> str:
    """Write the whole prompt. Held-out criteria are never in it, nor what they saw.

    Whoever is confined can't call `loopwright check`: that looks into the user's repository.
    """
    parts = [profile.system_prompt.strip(), f"# Task\n\n{task.goal.strip()}\n", criteria_words(task), story.context]
    if story.plan:
        parts.append(f"# Plan\n\nFollow it where it is right, and say where it is not.\n\n{fenced(story.plan)}\n")
    if story.comments:
        parts.append("# A person says\n\n" + "\n\n".join(comment.text.strip() for comment in story.comments) + "\n")
    if story.note:
        parts.append(f"# Note\n\n{story.note}\n")
    if story.review:
        parts.append(f"# A reviewer wants this changed\n\n{fenced(story.review)}\n")
    if story.critic:
        words = "All criteria hold, and a critic does not let the work pass. What it holds against it:"
        parts.append(f"# A critic wants this changed\n\n{words}\n\n{fenced(story.critic)}\n")
    rules = _RULES.format(check=_CONFINED if confined else _CHECK) + _SELF_REVIEW * (profile.review == "self")
    parts += [_integrity(story), _loop(story), _failures(story), _tried(story), rules]
    return "\n".join(part for part in parts if part)


def write_question(task: Task, comments: Sequence[Comment]) -> str:
    """Write the goal, and what people said since: for who can only answer."""
    return "\n\n".join([task.goal.strip(), *(comment.text.strip() for comment in comments)])


def criteria_words(task: Task) -> str:
    """Write what must hold; of those that are held out, only how many."""
    lines = [f"- {criterion.describe()}" for criterion in task.required if not criterion.held_out]
    hidden = len(task.required) - len(lines)
    if hidden:
        lines.append(f"- and {hidden} more that {'is' if hidden == 1 else 'are'} not shown")
    return "# It is done when all of these hold\n\n" + "\n".join(lines) + "\n"


def _integrity(story: Story) -> str:
    """What of the last attempt was not counted, and has to go."""
    proofs = [check.proof for check in last_checks(story.checks)]
    changed = dict.fromkeys(
        f"- `{item.path}` was {item.how}" for proof in proofs for item in proof.tampering if not item.installed
    )
    left_out = dict.fromkeys(f"- `{path}`" for proof in proofs for path in proof.left_out)
    parts = []
    if changed:
        words = "You are judged by these files as they were. Put them back (`git checkout` from the first commit):"
        parts.append("\n".join([words, "", *changed]) + "\n")
    if left_out:
        words = "These new files steer the test runner. They were left out, and everything must hold without them:"
        parts.append("\n".join([words, "", *left_out]) + "\n")
    return "# Protected files\n\n" + "\n".join(parts) if parts else ""


def _loop(story: Story) -> str:
    """In what circle the last attempt went, where it was ended for that."""
    if not story.attempts or story.attempts[-1].ending is not Ending.LOOP:
        return ""
    words = "The last attempt was ended: the same action failed again and again. Find out why before you try it again:"
    return f"# You went in circles\n\n{words}\n\n{fenced(story.attempts[-1].detail)}\n"


def _failures(story: Story) -> str:
    unmet = failed(last_checks(story.checks))
    shown = [check for check in unmet if not check.held_out]
    parts = [f"## {check.criterion}\n\n{fenced(check.evidence[-_EVIDENCE_LIMIT:])}\n" for check in shown]
    if unmet and not shown:
        parts.append(
            "All that you were shown holds, but a criterion that is not shown does not. Read the task again.\n"
        )
    if not parts:
        return ""
    last = unmet[0].iteration
    title = f"# What did not hold after attempt {last}" if last else "# What does not hold yet"
    return f"{title}\n\n" + "\n".join(parts)


def _tried(story: Story) -> str:
    ended = [attempt for attempt in story.attempts if attempt.ending is not None]
    lines = []
    for attempt in ended[-_TRIED_LIMIT:]:
        checks = last_checks([check for check in story.checks if check.iteration == attempt.number])
        unmet = failed([check for check in checks if not check.held_out])
        names = "; ".join(check.criterion for check in unmet) or (
            "nothing that you were shown" if checks else "not checked"
        )
        how = "" if attempt.ending == "finished" else f" ({attempt.detail or attempt.ending})"
        lines.append(f"- Attempt {attempt.number}{how}: {attempt.files_changed or 'no file changed'}; unmet: {names}")
    if not lines:
        return ""
    return "# What was tried before\n\n" + "\n".join(lines) + "\n\nThe files are as the last attempt left them.\n"
