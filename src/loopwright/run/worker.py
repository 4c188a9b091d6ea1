"""A prompt -> a turn: the agent has one go in its workspace, and what it left is brought home."""

from __future__ import annotations

import dataclasses
import functools
import json
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path

from loopwright.errors import AgentError
from loopwright.ports import Briefing, Outcome, RunStore
from loopwright.process.identity import identify
from loopwright.records.budget import Spent, Usage
from loopwright.records.environment import Environment
from loopwright.records.identity import new_id, short, timestamp
from loopwright.records.profile import Role
from loopwright.records.run import Attempt, Ending, Run, Step
from loopwright.run.agent_run import CHECK_FILE, AgentRun
from loopwright.run.caps import Caps
from loopwright.run.crew import Crew
from loopwright.run.disk import Disk
from loopwright.run.recorder import Recorder
from loopwright.run.revert import Reverter
from loopwright.run.surroundings import environment
from loopwright.run.workspace import Snapshot, Workspace
from loopwright.settings import LimitsSettings


@dataclass(frozen=True)
class Assignment:
    """What the agent is to do in one go."""

    number: int
    prompt: str
    conversation: str = ""
    """The one to go on with."""
    used: Usage = Usage()
    """What that has used so far."""
    role: Role = "worker"


@dataclass(frozen=True)
class Turn:
    """One go of the agent, as it ended."""

    attempt: Attempt
    outcome: Outcome
    snapshot: Snapshot
    note: str
    """What the agent has to know about what became of its work."""

    @property
    def not_home(self) -> str:
        """Why the branch could not be moved; waits until that is known."""
        return self.snapshot.not_home


class Worker:
    """Agents at work on one step. Every attempt is written before it starts, while it spends, and at its end."""

    def __init__(
        self,
        crew: Crew,
        step: Step,
        workspace: Workspace,
        reverter: Reverter,
        store: RunStore,
        recorder: Recorder,
        cancel: threading.Event,
        disk: Disk,
        limits: LimitsSettings,
        caps: Caps,
    ) -> None:
        self._crew, self._step, self._workspace, self._reverter = crew, step, workspace, reverter
        self._store, self._recorder, self._cancel = store, recorder, cancel
        self._disk, self._limits, self._caps = disk, limits, caps

    def meet(self) -> str:
        """Ask all who take part who they are; say why one can't be used, where that is so."""
        return next(filter(None, [member.meet() for member in self._crew.values()]), "")

    def turn(self, run: Run, assignment: Assignment, spent: Spent) -> Turn:
        """Let the agent have one go, and bring home what it left."""
        role = assignment.role
        here = self._surroundings(run, role)
        began = (new_id(), run.id, self._step.id, assignment.number, timestamp())
        attempt = Attempt(*began, role=role, environment=here)
        attempt, outcome = self._work(run, attempt, self._brief(run, assignment), spent)
        snapshot, note = self._settle(run, attempt)
        self._tell_trouble(attempt, snapshot)
        attempt = dataclasses.replace(
            attempt,
            ended_at=timestamp(),
            commit=snapshot.commit,
            tree=snapshot.tree,
            files_changed=snapshot.changes,
            conversation="" if outcome.over_limit else outcome.conversation,
            environment=self._surroundings(run, role, outcome.model, outcome.version),
        )
        self._store.save_attempt(attempt)
        return Turn(attempt, outcome, snapshot, note)

    def environment(self, run: Run, place: Path, model: str = "", role: Role = "worker") -> Environment:
        """Describe where the agent, or a check of its work, runs."""
        root, version = self._workspace.repository.root, self._crew[role].version
        return environment(root, place, run.profile, role, version, model)

    def _surroundings(self, run: Run, role: Role, model: str = "", version: str = "") -> Environment:
        member = self._crew[role]
        member.version = version or member.version
        found = self.environment(run, self._workspace.files, model, role)
        return dataclasses.replace(found, confined=member.surrounding.confined)

    def _brief(self, run: Run, assignment: Assignment) -> AgentRun:
        number, prompt = assignment.number, assignment.prompt
        kept = self._disk.through(lambda: _keep(run, number, prompt))
        conversation, role = (assignment.conversation, assignment.used), assignment.role
        member, profile = self._crew[role], run.profile.part(role)
        around = member.surrounding.confined, role
        briefing = Briefing(prompt, kept, self._workspace.files, number, profile, *conversation, *around)
        raw = Path(run.artifacts) / "raw"
        told = (self._recorder, raw, self._cancel, self._limits, self._disk, member.surrounding)
        return AgentRun(member.agent, briefing, *told)

    def _work(self, run: Run, attempt: Attempt, agent_run: AgentRun, spent: Spent) -> tuple[Attempt, Outcome]:
        """Let the agent run to its end; give the attempt with what came of it."""
        try:
            with agent_run.start(attempt.id, self._workspace.repository.root) as pid:
                started = dataclasses.replace(attempt, process=identify(pid))
                self._store.save_attempt(started)
                keep_spent = functools.partial(self._keep_spent, started)
                ending, outcome, detail = agent_run.follow(run.budget, spent, keep_spent)
        except AgentError as error:
            detail, now = error.message, timestamp()
            self._store.save_attempt(dataclasses.replace(attempt, ended_at=now, ending=Ending.ERROR, detail=detail))
            raise
        return _worked(attempt, agent_run, ending, outcome, detail), outcome

    def _settle(self, run: Run, attempt: Attempt) -> tuple[Snapshot, str]:
        """Commit what the attempt left, or put it back; give what the agent has to know of that."""
        message = f"loopwright {short(run.id)}: iteration {attempt.number}\n\n{run.task.goal.strip()}"
        parent = run.commit or run.base
        if attempt.role != "worker":
            self._disk.through(lambda: self._workspace.put_back(parent))
        snapshot = self._disk.through(lambda: self._workspace.snapshot(parent, message))
        left_out = f"This was not kept:\n\n{snapshot.left_out}" if snapshot.left_out else ""
        undone = ""
        if attempt.ending is not Ending.CANCELLED:
            snapshot, undone = self._reverter.settle(snapshot)
        return snapshot, "\n\n".join(filter(None, (undone, left_out)))

    def _tell_trouble(self, attempt: Attempt, snapshot: Snapshot) -> None:
        for words in (snapshot.left_out, *self._crew[attempt.role].surrounding.troubles()):
            self._recorder.trouble(words, attempt.id)
        if attempt.ending not in (Ending.FINISHED, Ending.CANCELLED):
            who = "agent" if attempt.role == "worker" else attempt.role
            self._recorder.trouble(f"the {who} did not finish: {attempt.detail}", attempt.id)
        self._recorder.flush()

    def _keep_spent(self, attempt: Attempt, spent: Spent) -> str:
        """Write down what an attempt has used while it runs, for others to see; say which cap of all is reached."""
        seconds = round(spent.seconds, 3)
        spending = dataclasses.replace(attempt, cost_usd=spent.cost_usd, tokens=spent.tokens, duration_s=seconds)
        self._store.save_attempt(spending)
        return self._caps.reached()


def _worked(attempt: Attempt, agent_run: AgentRun, ending: Ending, outcome: Outcome, detail: str) -> Attempt:
    return dataclasses.replace(
        attempt,
        ending=ending,
        exit_code=agent_run.end.exit_code,
        detail=detail,
        output=outcome.output,
        cost_usd=outcome.cost_usd,
        tokens=outcome.usage,
        duration_s=round(agent_run.end.duration_s, 3),
        unknown_lines=agent_run.unknown_lines,
        masked=agent_run.masked,
    )


def _keep(run: Run, number: int, prompt: str) -> Path:
    """Keep a prompt with the run. The agent gets a copy: beside ours lie results, which name what is held out."""
    kept = Path(run.artifacts) / "prompts" / f"{number:03d}.md"
    kept.parent.mkdir(parents=True, exist_ok=True)
    # A name of a file in it may be no text.
    kept.write_text(prompt, encoding="utf-8", errors="backslashreplace")
    _tell_checks(run)
    return Path(shutil.copy(kept, Path(run.workspace) / "prompt.md"))


def _tell_checks(run: Run) -> None:
    """Leave the visible criteria where `loopwright check` finds them; those that are held out are nowhere near."""
    visible = [criterion.to_dict() for criterion in run.task.criteria if not criterion.held_out]
    task = {"goal": run.task.goal, "criteria": visible, "protect": run.task.protect, "allow": run.task.allow}
    content = {"repository": run.repository, "base": run.base, "task": task}
    (Path(run.workspace) / CHECK_FILE).write_text(json.dumps(content), encoding="utf-8")
