"""A run's record + a rubric -> an evaluation: pass or fail, a score, and a reason for each item.

Stateless: it reads the record and runs nothing. Checks are exact; questions are for a model, where there is one.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence

from loopwright.errors import LoopwrightError
from loopwright.measure.material import Material, material_of
from loopwright.ports import Model
from loopwright.records.bundle import Bundle
from loopwright.records.check import Verdict
from loopwright.records.evaluation import BEST, Evaluation, ItemResult
from loopwright.records.identity import timestamp
from loopwright.records.rubric import Item, Rubric
from loopwright.text.anchors import HALF
from loopwright.text.marking import Asked, Mark, Quotation, marking, marks_of
from loopwright.text.pattern import matches_each

BY = "critic"
_PATTERN_S = 5.0
_EVIDENCE = 300
_SHOWN = 60
Found = Mapping[str, bool | None]
"""By item, whether its pattern was found; None where that took too long."""
_LIMITS = {"goal": 4_000, "output": 6_000, "diff": 30_000}


def critique(bundle: Bundle, rubric: Rubric, model: Model | None = None, guidance: str = "") -> Evaluation:
    """Judge a run; `model` answers the questions of the rubric, told how to go about it."""
    material, run = material_of(bundle), bundle.run
    found = _found(rubric.items, material)
    checked = {item.name: _checked(item, material, found) for item in rubric.items if not item.question}
    questions = [item for item in rubric.items if item.question]
    answered, asked, cost = _answered(questions, material, model, guidance)
    items = [checked.get(item.name) or answered[item.name] for item in rubric.items]
    score, passed = _score(items), _passed(items, rubric, decides=run.task.critic == "gate")
    return Evaluation(
        id=_id(run.id, rubric, material, asked, items),
        run_id=run.id,
        created_at=timestamp(),
        task_type=run.task.task_type,
        prompt_hash=run.prompt_version,
        passed=passed,
        score=score,
        reason=_reason(items, passed),
        raw_output=material.output,
        by=BY,
        rubric=rubric.title,
        rubric_hash=rubric.hash,
        items=items,
        model=asked,
        cost_usd=cost,
    )


# Checks.


def _checked(item: Item, material: Material, patterns: Found) -> ItemResult:
    holds, reason = next(found for found in _looks(item, material, patterns) if found is not None)
    score = None if holds is None else BEST if holds else 0.0
    return ItemResult(item.name, score, holds, reason, item.weight, item.must)


def _looks(item: Item, material: Material, patterns: Found) -> Iterator[tuple[bool | None, str] | None]:
    yield _criteria(material) if item.check else None
    yield _criterion(item, material) if item.criterion else None
    yield _pattern(item, patterns, material.cut) if item.pattern else None
    yield _number(item, material.numbers.get(item.number))


def _criteria(material: Material) -> tuple[bool | None, str]:
    deciding = [check for check in material.checks if not check.advisory]
    if not deciding:
        return None, "no criterion was looked at"
    unmet = [check for check in deciding if check.verdict is not Verdict.PASS]
    if not unmet:
        return True, f"all {len(deciding)} hold" if len(deciding) > 1 else "it holds"
    if any(check.held_out for check in unmet):
        return False, f"{len(unmet)} of {len(deciding)} do not hold"  # this may be read by the agent
    return False, f"{len(unmet)} of {len(deciding)} do not hold: {unmet[0].criterion}"


def _criterion(item: Item, material: Material) -> tuple[bool | None, str]:
    assert item.criterion is not None
    found = [check for check in material.checks if check.criterion_hash == item.criterion.hash]
    if not found:
        return None, f"`{item.criterion.describe()}` was not looked at in this run"
    check = found[-1]
    if check.verdict is Verdict.UNVERIFIABLE:
        return None, f"it could not be evaluated: {check.evidence[:_EVIDENCE]}"
    return check.verdict is Verdict.PASS, check.evidence[:_EVIDENCE] or str(check.verdict)


def _found(items: Sequence[Item], material: Material) -> Found:
    """Look for all patterns at once: each look costs an interpreter."""
    texts = {"diff": material.diff, "files": material.files, "output": material.output}
    known = {name: text for name, text in texts.items() if text is not None}
    wanted = [item for item in items if item.pattern and item.on in known]
    try:
        found = matches_each([(item.pattern, item.on) for item in wanted], known, _PATTERN_S)
    except LoopwrightError:  # no interpreter could be started: nothing is decided
        found = [None] * len(wanted)
    return {item.name: seen for item, seen in zip(wanted, found, strict=True)}


def _pattern(item: Item, patterns: Found, cut: int) -> tuple[bool | None, str]:
    if item.name not in patterns:
        return None, "the record has no diff"
    pattern = item.pattern if len(item.pattern) <= _SHOWN else f"{item.pattern[:_SHOWN]}…"
    found = patterns[item.name]
    if found is None:
        return None, f"`{pattern}` took longer than {_PATTERN_S:g} s: it backtracks"
    if not found and cut and item.on == "diff":
        return None, f"the diff is too long: the last {cut:,} characters of it were not searched"
    where = {"files": "names of the changed files"}.get(item.on, item.on)
    return found is not item.absent, f"{'' if found else 'not '}in the {where}: `{pattern}`"


def _number(item: Item, value: float | None) -> tuple[bool | None, str]:
    if value is None:
        return None, f"the record has no `{item.number}`"
    holds = (item.least is None or value >= item.least) and (item.most is None or value <= item.most)
    return holds, f"{item.number} is {value:g}, wanted: {item.wanted}"


# Questions.


def _answered(
    items: Sequence[Item], material: Material, model: Model | None, guidance: str
) -> tuple[dict[str, ItemResult], str, float]:
    """Give what each came to, who answered, and what that cost."""
    if not items or model is None:
        return {item.name: _open(item, "no model is set to answer it: [models] critic") for item in items}, "", 0.0
    asked = [Asked(item.name, item.question, item.anchors) for item in items]
    quotations = _quotations(material)
    left_out = sum(one.left_out for one in quotations)
    try:
        reply = model.ask(marking(asked, quotations, guidance))
    except LoopwrightError as error:
        return {item.name: _open(item, error.message) for item in items}, model.name, 0.0
    marks = marks_of(reply, asked)
    found = {item.name: _marked(item, mark, left_out) for item, mark in zip(items, marks, strict=True)}
    return found, model.name, reply.cost_usd or 0.0


def _quotations(material: Material) -> list[Quotation]:
    found = [
        Quotation("the task as it was given to the agent", material.goal, _LIMITS["goal"]),
        Quotation("the agent's last message", material.output, _LIMITS["output"]),
    ]
    if material.diff is not None:
        change = Quotation.of_change("the change that the agent made, as a diff", material.diff, _LIMITS["diff"])
        found.append(dataclasses.replace(change, left_out=change.left_out + material.cut))
    return found


def _open(item: Item, why: str) -> ItemResult:
    return ItemResult(item.name, None, None, why, item.weight, item.must, "question")


def _marked(item: Item, mark: Mark, left_out: int) -> ItemResult:
    holds = mark.value >= (HALF if item.least is None else item.least)
    unseen = f"{left_out:,} characters of the change were left out of the question"
    if left_out and item.must and holds:
        return _open(item, f"{unseen}; by the rest of it: {mark.reason}")
    reason = f"{mark.reason} ({unseen})" if left_out else mark.reason
    return ItemResult(item.name, mark.value, holds, reason, item.weight, item.must, "question")


# What it comes to.


def _score(items: Sequence[ItemResult]) -> float | None:
    """The mean of what was decided, by weight."""
    decided = [(item.score, item.weight) for item in items if item.score is not None]
    weight = sum(weight for _, weight in decided)
    return round(sum(score * weight for score, weight in decided) / weight, 2) if weight else None


def _passed(items: Sequence[ItemResult], rubric: Rubric, *, decides: bool) -> bool | None:
    """Where it decides, nothing passes of which a part could not be looked at, but for numbers that nobody has."""
    must = [item.holds for item in items if item.must]
    score = _score(items)
    if False in must:
        return False
    if None in must or score is None:
        return None
    unseen = any(one.holds is None and not item.number for one, item in zip(items, rubric.items, strict=True))
    return None if decides and unseen and score >= rubric.passes_at else score >= rubric.passes_at


def _reason(items: Sequence[ItemResult], passed: bool | None) -> str:
    wrong = [f"{item.name}: {item.reason}" for item in items if item.holds is False]
    parts = wrong or (["every item that could be decided holds"] if passed is not None else [])
    unknown: dict[str, list[str]] = {}
    for item in items:
        if item.holds is None:
            unknown.setdefault(item.reason, []).append(item.name)
    return "; ".join([*parts, *(f"not decided: {', '.join(names)} ({why})" for why, names in unknown.items())])


def _id(run_id: str, rubric: Rubric, material: Material, model: str, items: Sequence[ItemResult]) -> str:
    """The same for the same judgement of the same input: to judge again is to write the same row again."""
    seen = [material.goal, material.output, material.diff, sorted(material.numbers.items())]
    checks = [(check.criterion_hash, check.verdict, check.tree_hash) for check in material.checks]
    told = json.dumps([run_id, rubric.hash, model, seen, checks, [(item.name, item.score) for item in items]])
    return hashlib.sha256(told.encode()).hexdigest()[:32]
