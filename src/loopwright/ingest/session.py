"""One session -> a run, written part by part so that a session of any length fits into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from loopwright.ingest.gathering import Gathering
from loopwright.ingest.masking import Masking
from loopwright.ingest.plain import weight_of
from loopwright.ingest.ports import Reading
from loopwright.records.budget import Budget, Spent, Usage
from loopwright.records.environment import Environment
from loopwright.records.event import Event, EventKind
from loopwright.records.identity import timestamp
from loopwright.records.profile import Profile
from loopwright.records.run import Attempt, Ending, Run, Status, Step
from loopwright.records.session import Observation, Session
from loopwright.records.task import Observed
from loopwright.text.bounded import bounded
from loopwright.text.task_type import task_type

BATCH = 500
_HEAVY = 4_000_000
"""A batch of so many characters is enough."""
_OUTPUT = 4000
_GOAL = 4000
_TELLING = 500
"""So much of a goal tells of which type it is; what people paste comes after it."""


@dataclass(frozen=True)
class Name:
    """Which session it is, and which run it becomes."""

    format: str
    session_id: str
    path: str
    run_id: str


class Observing:
    """Makes a run of one session."""

    def __init__(self, name: Name, reading: Reading, masking: Masking) -> None:
        name = replace(name, session_id=masking.identity(name.session_id))
        self._name, self._reading, self._masking = name, reading, masking
        self._gathering = Gathering()
        self._step = Step(name.run_id, name.run_id)  # it has one step and one attempt, which are known by its own id
        self.is_empty = True

    def parts(self) -> Iterator[Observation]:
        """Give the session in parts of so many events; each has all that is known by then."""
        first = 1
        for batch, weight in _batches(self._reading.events()):
            batch = self._masking.masked(batch)
            self.is_empty = False
            self._gathering.add(batch)
            yield self._observation(batch, first, weight)
            first += len(batch)

    def _observation(self, events: Sequence[Event], first: int, weight: int) -> Observation:
        told, name = self._gathering, self._name
        usage = told.usage()
        spent = Spent(
            iterations=1,
            cost_usd=sum(used.cost_usd or 0.0 for used in usage),
            tokens=sum((used.tokens for used in usage), Usage()),
            seconds=told.duration_s,
        )
        session = Session(
            *(name.run_id, name.format, name.session_id, name.path),
            project=self._masking.name(self._reading.about.project),
            agent_version=self._masking.name(self._reading.about.agent_version),
            active_s=round(told.active_s, 3),
            prompts=told.counts[EventKind.PROMPT],
            interrupts=told.counts[EventKind.INTERRUPT],
            rejections=told.counts[EventKind.REJECTION],
            raw_lines=told.counts[EventKind.RAW],
            masked=sum(self._masking.counts.values()),
            reread=told.reread() if self._masking.content else {},
            attributes=self._masking.data(self._reading.about.attributes),
            usage=usage,
            has_content=self._masking.content,
        )
        heads = [self._masking.identity(head) for head in self._reading.about.heads] if first == 1 else ()
        return Observation(self._run(spent), self._step, self._attempt(spent), session, events, first, heads, weight)

    def _run(self, spent: Spent) -> Run:
        about, told, name = self._reading.about, self._gathering, self._masking.name
        goal = self._masking.text(bounded(about.goal or about.title, _GOAL))
        return Run(
            id=self._name.run_id,
            task=Observed(goal, task_type=name(about.task_type) or task_type(goal[:_TELLING])),
            profile=Profile(agent=name(about.agent) or self._name.format, model=name(about.model)),
            repository=name(about.project),
            base=about.commit,
            branch=self._masking.text(about.branch),
            workspace="",
            artifacts="",
            budget=Budget(),
            started_at=told.started_at or timestamp(0),
            status=Status.OBSERVED,
            ended_at=told.ended_at or None,
            spent=spent,
            source=self._name.format,
            prompt_version=name(about.prompt_version),
        )

    def _attempt(self, spent: Spent) -> Attempt:
        about, told, name = self._reading.about, self._gathering, self._masking.name
        return Attempt(
            id=self._name.run_id,
            run_id=self._name.run_id,
            step_id=self._step.id,
            number=1,
            started_at=told.started_at or timestamp(0),
            ended_at=told.ended_at or None,
            ending=Ending.FINISHED,
            output=told.last_words[-_OUTPUT:],
            cost_usd=spent.cost_usd,
            tokens=spent.tokens,
            duration_s=spent.seconds,
            unknown_lines=told.counts[EventKind.RAW],
            masked=sum(self._masking.counts.values()),
            conversation=self._name.session_id,
            environment=Environment(
                agent=name(about.agent) or self._name.format,
                agent_version=name(about.agent_version),
                model=name(about.model),
            ),
        )


def _batches(events: Iterator[Event]) -> Iterator[tuple[list[Event], int]]:
    """Put events together, so many or so much, and say how much it is."""
    batch: list[Event] = []
    weight = 0
    for event in events:
        batch.append(event)
        weight += len(event.text)
        if event.data:
            weight += weight_of(event.data)
        if len(batch) >= BATCH or weight >= _HEAVY:
            yield batch, weight
            batch, weight = [], 0
    if batch:
        yield batch, weight
