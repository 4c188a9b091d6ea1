"""What somebody wants to have compared -> an experiment; all that decides it is fixed at its start."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loopwright.cycle.promoting import given
from loopwright.errors import UnknownName, UsageError
from loopwright.guard.guardrails import MINIMUM_SAMPLES, experiment_fault
from loopwright.records.experiment import METRICS, PROFILE, PROMPTS, Arm, Experiment
from loopwright.records.identity import new_id, timestamp
from loopwright.records.profile import Profile
from loopwright.records.task import TASK_TYPES
from loopwright.records.version import Version
from loopwright.release.equipment import equipment
from loopwright.release.profiles import PARAMETERS, parameters, profile_content, usual, value_of
from loopwright.release.versions import Versions
from loopwright.store.experiments import Experiments
from loopwright.text.readable import readable
from loopwright.verify.evidence import most_discordant, threshold

_LONGEST_NAME = 100
MOST_PAIRS = 1000
"""Who has not seen a difference by then has none that is worth more."""


@dataclass(frozen=True)
class Proposal:
    """What somebody wants to have compared."""

    parameter: str
    treatment: str
    """The value of B; of a prompt, the number of its version."""
    control: str = ""
    """The value of A; empty: what is in use."""
    task_types: Sequence[str] = ()
    name: str | None = None
    """None: what is compared, and a part of its id."""
    share: float = 1.0
    guardrails: Sequence[str] | None = None
    """What must not get worse; None: money and time, and of a model also whether tasks pass."""
    minimum: int = MINIMUM_SAMPLES
    maximum: int = 600
    reason: str = ""
    by: str = ""


def create(
    experiments: Experiments, versions: Versions, wanted: Proposal, profiles: Mapping[str, Profile] | None = None
) -> Experiment:
    """Begin an experiment; all that decides it is fixed now. Whole profiles are named as the settings have them."""
    types = tuple(dict.fromkeys(wanted.task_types)) or TASK_TYPES
    _check(wanted, types)
    control, treatment = _arms(versions, wanted, types, profiles or {})
    its_id = new_id()
    made = Experiment(
        id=its_id,
        name=f"{wanted.parameter}-{its_id[-6:]}" if wanted.name is None else _named(wanted.name),
        parameter=wanted.parameter,
        control=control,
        treatment=treatment,
        task_types=types,
        base={key: n for one in types for key, n in equipment(versions, one).versions.items()},
        created_at=timestamp(),
        by=wanted.by,
        reason=wanted.reason,
        role=PROMPTS.get(wanted.parameter, "worker"),
        share=wanted.share,
        guardrails=tuple(_guardrails(wanted)),  # type: ignore[arg-type]
        minimum=wanted.minimum,
        maximum=wanted.maximum,
        threshold=threshold(wanted.maximum),
    )

    def begun(running: int) -> Experiment:
        if fault := experiment_fault(running):
            raise UsageError(f"the experiment can't begin: {fault}", "end one: loopwright experiments stop NAME")
        return dataclasses.replace(made, concurrent=running + 1)

    return experiments.add(begun)


def _arms(versions: Versions, wanted: Proposal, types: Sequence[str], profiles: Mapping[str, Profile]) -> list[Arm]:
    named = (wanted.control, wanted.treatment)
    if wanted.parameter == PROFILE:
        arms = [_profile_arm(profiles, name) for name in named]
    else:
        arms = [_arm(versions, wanted, name, types) for name in named]
    if arms[0].value == arms[1].value:
        raise UsageError(f"both arms are `{arms[0].label}`", "name another value for B")
    for task_type in types if wanted.parameter != PROFILE or wanted.share else ():
        _check_safety(versions, wanted.parameter, arms, task_type)
    return arms


def _named(name: str) -> str:
    """Refuse a name that a terminal does not show, or takes for an option."""
    if not name.strip() or not name.isprintable() or name.startswith("-") or len(name) > _LONGEST_NAME:
        words = f"`{' '.join(readable(name).split())[:_LONGEST_NAME]}` is no name for an experiment"
        raise UsageError(words, f"one to {_LONGEST_NAME} letters, digits or signs on one line, not beginning with -")
    return name.strip()


def _arm(versions: Versions, wanted: Proposal, given: str, types: Sequence[str]) -> Arm:
    if wanted.parameter in PROMPTS:
        name = f"{PROMPTS[wanted.parameter]}/{types[0]}"
        if given and not given.isdecimal():
            raise UsageError(f"`{given}` is no version's number", f"see: loopwright prompts log {name}")
        version = versions.get("prompt", name, int(given) if given else None)
        return Arm(version.number, version.title)
    if given:
        value = value_of(wanted.parameter, given)
        return Arm(value, _label(value) or "the default" if isinstance(value, list) else given)
    used = [equipment(versions, one).parameters.get(wanted.parameter) for one in types]
    if any(one != used[0] for one in used):
        raise UsageError(
            f"`{wanted.parameter}` is not the same in all task types", "name the value of A, or fewer types"
        )
    value = usual()[wanted.parameter] if used[0] is None else used[0]
    return Arm(value, "the default" if value in (None, "", []) else _label(value))


def _label(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _profile_arm(profiles: Mapping[str, Profile], name: str) -> Arm:
    """Read a whole profile: all that it sets; without a name, nothing but what is in use."""
    if name and name not in profiles:
        raise UnknownName("profile", name, profiles, "" if profiles else "write one: [profiles.NAME]")
    usual, said = dataclasses.asdict(Profile()), dataclasses.asdict(profiles[name]) if name else {"said": ()}
    set_to = {key: value for key, value in said.items() if value != usual[key] or key in said["said"]}
    return Arm({key: value for key, value in set_to.items() if key != "said"}, name or "in use")


def _check(wanted: Proposal, types: Sequence[str]) -> None:
    known = (*PARAMETERS, *PROMPTS, PROFILE)
    if wanted.parameter not in known:
        raise UsageError(f"there is no parameter `{wanted.parameter}`", f"one of: {', '.join(known)}")
    for name in types:
        if name not in TASK_TYPES:
            raise UsageError(f"there is no task type `{name}`", f"one of: {', '.join(TASK_TYPES)}")
    if wanted.parameter in PROMPTS and len(types) != 1:
        raise UsageError("a prompt belongs to one task type", "name it: --task-type bug_fix")
    for name in _guardrails(wanted):
        if name not in METRICS:
            raise UsageError(f"there is no metric `{name}`", f"one of: {', '.join(METRICS)}")
    if not 0 <= wanted.share <= 1:
        raise UsageError(f"a share of {wanted.share:g} is not possible", "from 0 (replayed only) to 1")
    if not MINIMUM_SAMPLES <= wanted.minimum <= wanted.maximum <= MOST_PAIRS:
        words = f"from {wanted.minimum} to {wanted.maximum} pairs is not possible"
        raise UsageError(words, f"at least {MINIMUM_SAMPLES} first, no less at most, and at most {MOST_PAIRS:,}")
    if most_discordant(wanted.maximum) < wanted.minimum:  # where all of them differ, none could be promoted
        words = f"{wanted.maximum} pairs at most are too few for a first decision after {wanted.minimum}"
        raise UsageError(words, f"at least {fewest(wanted.minimum)}")


def fewest(minimum: int = MINIMUM_SAMPLES) -> int:
    """Give the least maximum of pairs with which the first decision can promote, whatever the pairs are."""
    return next(pairs for pairs in range(minimum, 2 * minimum + 1) if most_discordant(pairs) >= minimum)


def _guardrails(wanted: Proposal) -> Sequence[str]:
    if wanted.guardrails is not None:
        return wanted.guardrails
    return ("passed", "cost", "time") if wanted.parameter == "model" else ("cost", "time")


def _check_safety(versions: Versions, parameter: str, arms: Sequence[Arm], task_type: str) -> None:
    """Refuse what could not be put into use: live tasks would be given it all the same."""
    for arm in arms:
        if parameter in PROMPTS:
            changed = [versions.get("prompt", f"{PROMPTS[parameter]}/{task_type}", arm.value)]
        else:
            changed = _versions_of(versions, given(parameter, arm), task_type)
        if faults := [fault for version in changed for fault in versions.faults(version)]:
            raise UsageError(f"`{arm.label}` is not tried: {'; '.join(faults)}", "mend that, and begin again")


def _versions_of(versions: Versions, told: Mapping[str, Any], task_type: str) -> list[Version]:
    """Give what an arm would put into use, each as the version that it would be."""
    prompts = {f"{PROMPTS[name]}/{task_type}": told[name] for name in PROMPTS if told.get(name)}
    found = [dataclasses.replace(versions.get("prompt", name), content=text) for name, text in prompts.items()]
    used = versions.get("profile", f"worker/{task_type}")
    content = profile_content({**parameters(used.content), **{key: told[key] for key in told if key in PARAMETERS}})
    return [*found, dataclasses.replace(used, content=content)]
