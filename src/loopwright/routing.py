"""Live tasks outside of experiments -> one of the profiles that the settings name, the better ones more often."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

from loopwright.errors import UnknownName
from loopwright.records.choice import Choice
from loopwright.records.identity import new_id, timestamp
from loopwright.records.run import Attempt, Reason, Run, of_worker
from loopwright.settings import Settings
from loopwright.store.choices import Choices
from loopwright.verify.bandit import choose, counted


def choose_arm(
    settings: Settings, choices: Choices, task_type: str, chance: random.Random | None = None
) -> Choice | None:
    """Choose a profile for a task, and write the choice down; None where the settings name none."""
    arms, price = settings.experiments.arms, settings.experiments.price
    if not arms:
        return None
    for arm in arms:
        if arm not in settings.profiles:
            raise UnknownName("profile", arm, settings.profiles, of="[experiments] arms")
    chosen = choose(choices.counts(), task_type, arms, chance or random.SystemRandom(), price)
    choice = dataclasses.replace(chosen, id=new_id(), at=timestamp())
    choices.add(choice)
    return choice


def count_choice(choices: Choices, run: Run, attempts: Sequence[Attempt]) -> None:
    """Count what came of a choice once its run has ended; one that was cut short may go on, and is waited for.

    A model that can't be asked is a reason to take another one, and counts as a failure.
    """
    if run.profile.choice and run.passed is not None and run.reason not in (Reason.ALREADY_MET, Reason.UNVERIFIABLE):
        works = of_worker(attempts)
        model = works[-1].environment.model if works else ""
        choices.deliver(run.profile.choice, run.passed, run.spent.cost_usd, model, counted)
