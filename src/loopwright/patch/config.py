"""A finding -> the setting that would help, with its exact value; a human applies it."""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence

from loopwright.guard.own_settings import setting_fault
from loopwright.patch.ground import Ground, is_about, new_patch
from loopwright.records.finding import Finding
from loopwright.records.patch import Patch
from loopwright.records.pattern import Case

_SETTING, _PROFILE = "setting ", "profile "
_LOOPS = "run.end_error_loops"
_MODELS = ("model", "planner_model", "verifier_model")


def config(finding: Finding, ground: Ground) -> Iterator[Patch]:
    """Give the changes of settings that a finding speaks for; one that no patch may make is given as refused."""
    wanted = [_exact(finding, ground)] if finding.target.startswith(_SETTING) else []
    if finding.rule == "dear_model":
        wanted.append(_cheaper("run.model", ground.runs_of(finding.target.removeprefix(_PROFILE)), ground))
    if is_about(finding, "error_loop") and ground.settings.get(_LOOPS) is False:
        wanted.append((_LOOPS, "true", "An attempt that goes in circles is ended, and the next prompt says in which."))
    for setting, value, why in filter(None, wanted):
        before = json.dumps(ground.settings.get(setting, ""), ensure_ascii=False)
        if before == value:
            continue
        title, reason = f"Set {setting} = {value}", f"{finding.title}: {finding.detail} {why}"
        patch = new_patch("config", setting, finding, title, reason, before, value, f"rule {finding.rule}")
        fault = setting_fault(setting, value)
        yield dataclasses.replace(patch, status="refused", why=fault) if fault else patch


def toml_lines_of(patch: Patch) -> str:
    """Write what a patch of a setting changes as it would stand in the file."""
    section, _, name = patch.target.rpartition(".")
    return f"[{section}]\n{name} = {patch.after}\n"


def _exact(finding: Finding, ground: Ground) -> tuple[str, str, str] | None:
    """Give the setting that a finding is about, and the value that it should have, where a rule knows one."""
    setting = finding.target.removeprefix(_SETTING)
    name = setting.rpartition(".")[2]
    if name == "tools":
        return setting, '"restricted"', "Read, search, edit and run are left; what is never called is not offered."
    if name in _MODELS:
        return _cheaper(setting, ground.cases, ground)
    if name == "end_error_loops":
        return setting, "true", "An attempt that goes in circles is ended."
    closed = setting_fault(setting, "")
    return (setting, "", "Whoever asks for that is not heard.") if closed else None


def _cheaper(setting: str, cases: Sequence[Case], ground: Ground) -> tuple[str, str, str] | None:
    found = cheaper_model(cases, str(ground.settings.get(setting, "")), ground.limits.runs)
    return (setting, json.dumps(found[0], ensure_ascii=False), found[1]) if found else None


def cheaper_model(cases: Sequence[Case], current: str, fewest: int) -> tuple[str, str] | None:
    """Give the cheapest model that passed no less often here than the current one, and the figures."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if case.model and case.passed is not None and case.cost_usd > 0:
            groups[case.model].append(case)
    known = {model: _figures(some) for model, some in groups.items() if len(some) >= fewest}
    mine = known.get(current) or (max(known.items(), key=lambda item: len(groups[item[0]]))[1] if known else None)
    if mine is None:
        return None
    good = {model: one for model, one in known.items() if one[0] >= mine[0] and one[1] < mine[1]}
    if not good:
        return None
    best = min(good, key=lambda model: good[model][1])
    words = f"`{best}` passed {good[best][0]:.0%} at ${good[best][1]:.3f} a run here, the one in use {mine[0]:.0%} at"
    proof = "Compare them first: loopwright experiments create --parameter model."
    return best, f"{words} ${mine[1]:.3f}, on other tasks. {proof}"


def _figures(cases: Sequence[Case]) -> tuple[float, float]:
    """Give the pass rate and the mean cost."""
    return sum(bool(case.passed) for case in cases) / len(cases), sum(case.cost_usd for case in cases) / len(cases)
