"""Items of one kind as tasks of a real project, and one arm after the other against the control, by the real engine."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from loopwright import FileCriteria, GrepCriteria, Task
from loopwright.cycle.proposing import Proposal, create
from loopwright.records.experiment import PROFILE, Evidence, Experiment
from loopwright.replaying import OnProject
from loopwright.verify.bank import shuffled
from loopwright.verify.replay import Replay
from loopwright.verify.weighing import look
from loopwright.wire import Project, make_proving, open_project
from real_model_items import Item
from real_model_prompts import CONTROL

ANSWER, TASK_TYPE, TEMPERATURE = "answer.txt", "other", 0.3
_NOBODY = "nobody"
_DECISIONS = {"proven": "promote", "promoted": "promote", "no_difference": "no difference"}
_EVERY = 10
Told = Callable[[str], None]


@dataclass(frozen=True)
class Decided:
    """What the engine said of an arm."""

    decision: str
    pairs: int
    evidence: float
    wins: int
    losses: int


def task_of(item: Item) -> Task:
    """Make a task of an item: only whether there is an answer is shown, the right one is held out."""
    right = GrepCriteria(ANSWER, f"^{re.escape(item.answer)}$", held_out=True)
    limits = {"max_iterations": 1, "escalate_on_failure": False, "timeout_s": 300.0}
    return Task(item.text, [FileCriteria(ANSWER), right], TASK_TYPE, sandbox="off", critic="off", **limits)


def settings_text(prompts: Mapping[str, str], url: str) -> str:
    """Write the project's settings: a profile for each prompt, and one that never knows the answer."""
    parts = [f'[profiles.{_NOBODY}]\nagent = "command"\nagent_options = {{ command = "touch {ANSWER}" }}\n']
    for name, prompt in prompts.items():
        told = (
            f'agent = "api"\nmodel = "smollm2-135m"\ntemperature = {TEMPERATURE}\nsystem_prompt = {json.dumps(prompt)}'
        )
        parts.append(f'[profiles.{name}]\n{told}\nagent_options = {{ base_url = "{url}", answer = "{ANSWER}" }}\n')
    return "\n".join(parts)


@contextmanager
def project_of(folder: Path, prompts: Mapping[str, str], url: str) -> Iterator[Project]:
    """Make a repository with these settings, and open it."""
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("Letters of customers are answered here.\n")
    (folder / "loopwright.toml").write_text(settings_text(prompts, url))
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "start"]):
        identity = ["-c", "user.name=b", "-c", "user.email=b@localhost"]
        subprocess.run(["git", "-C", str(folder), *identity, *words], check=True)
    project = open_project(folder)
    try:
        yield project
    finally:
        project.close()


@dataclass(frozen=True)
class Bench:
    """A project with its bank, and how many pairs it does at once."""

    project: Project
    parallel: int
    told: Told

    def fill(self, items: Sequence[Item]) -> None:
        """Put items into the bank: a task is there once it has ended, so each is done by who never knows the answer."""
        cycle, tasks = self.project.cycle(), [task_of(item) for item in items]
        with ThreadPoolExecutor(self.parallel) as pool:
            list(pool.map(lambda task: cycle.run_task(task, self.project.profile(task, _NOBODY)), tasks))

    def decide(self, arm: str, pairs: int) -> Decided:
        """Let the engine compare an arm with the control on the bank, each task once, until it decides."""
        proving = make_proving(self.project)
        plan = Proposal(PROFILE, arm, CONTROL, (TASK_TYPE,), name=arm, share=0.0, maximum=pairs, reason="bench")
        made = create(proving.experiments, proving.versions, plan, self.project.settings.profiles)
        stage = OnProject(self.project, self.project.cycle())
        work = Replay(made, stage, self.parallel, told=self._progress(made))
        ended = work.go(shuffled(stage.bank(), made.id))
        _, found = self.project.store.experiments.get(made.id)
        if ended.status == "running":
            proving.stop(made.id, "all its pairs are done, and they do not decide")
        return _decided(ended, found)

    def _progress(self, experiment: Experiment) -> Told:
        def told(text: str) -> None:
            _, found = self.project.store.experiments.get(experiment.id)
            if text.startswith("left out"):
                self.told(text)
            elif found.pairs % _EVERY == 0:
                self.told(f"{experiment.name}: {found.pairs} pairs, E {look(found).superiority:.2f}")

        return told


def _decided(ended: Experiment, found: Evidence) -> Decided:
    decision = _DECISIONS.get(ended.status, f"continue at {found.pairs}")
    return Decided(decision, found.pairs, look(found).superiority, found.wins, found.losses)
