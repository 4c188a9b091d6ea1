"""Replays on a stage in this process: rounds, order, caps, interruptions, doubts, surroundings."""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from loopwright.records.bank import BankTask
from loopwright.records.environment import Environment
from loopwright.records.experiment import Arm, Experiment, Trial
from loopwright.records.run import Run
from loopwright.verify.bank import bank
from loopwright.verify.replay import Replay
from trials import ended, finished

EXPERIMENT = Experiment("e", "e", "review", Arm("none"), Arm("self"), ("docs",), {}, "2026-01-02")
HERE = Environment("linux", "python 3.11", "l", "command", "1", "m")


@dataclass
class Told:
    """A stage that notes what is done on it. Satisfies verify.replay.Stage."""

    doubts: dict[str, str] = field(default_factory=dict)
    there: dict[tuple[str, str], Trial] = field(default_factory=dict)
    ran: list[tuple[str, str]] = field(default_factory=list)
    delivered: list[tuple[str, str]] = field(default_factory=list)
    surroundings: dict[str, Environment | None] = field(default_factory=dict)
    others: dict[str, dict[str, Environment]] = field(default_factory=dict)
    """Arm -> what was around who planned or reviewed."""
    looked: list[str] = field(default_factory=list)
    cost: float = 1.0
    decides_at: int = 10**9
    stop_at: int = 10**9
    cancel: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def doubt(self, task: BankTask) -> str:
        self.looked.append(task.unit)
        return self.doubts.get(task.unit, "")

    def trials(self, experiment: Experiment) -> Sequence[Trial]:
        return list(self.there.values())

    def begin(self, pair: Sequence[Trial]) -> Sequence[Trial]:
        with self.lock:
            return [self.there.setdefault((one.block, one.arm), one) for one in pair]

    def run(self, task: BankTask, trial: Trial) -> Run:
        with self.lock:
            self.ran.append((trial.block, trial.arm))
            if len(self.ran) >= self.stop_at:
                self.cancel.set()
        return dataclasses.replace(ended(trial, cost=self.cost), artifacts=trial.arm)

    def environments(self, run: Run) -> Mapping[str, Environment]:
        found = self.surroundings.get(run.artifacts, HERE)
        return {"worker": found, **self.others.get(run.artifacts, {})} if found else {}

    def deliver(self, run: Run, left_out: str) -> Experiment:
        place = next(key for key, one in self.there.items() if one.id == run.profile.trial)
        self.there[place] = dataclasses.replace(self.there[place], delivered_at="now", left_out=left_out)
        self.delivered.append(place)
        is_over = len(self.delivered) >= 2 * self.decides_at
        return dataclasses.replace(EXPERIMENT, status="proven" if is_over else "running")

    def rounds(self) -> Counter[str]:
        """Count the pairs of each task."""
        return Counter(block.split("/")[1] for block, arm in self.delivered if arm == "A")


def tasks(count: int) -> list[BankTask]:
    return bank([finished(f"task {number}") for number in range(count)])


@pytest.mark.parametrize("parallel", [1, 4])
def test_pairs_in_rounds(parallel: int) -> None:
    """No task counts more than once more often than another; each pair is one A and one B."""
    stage, given = Told(), tasks(5)
    work = Replay(EXPERIMENT, stage, parallel)
    work.go(given, 12)
    assert sorted(stage.rounds().values()) == [2, 2, 2, 3, 3]
    assert len(stage.delivered) == len(set(stage.delivered)) == 24
    assert (work.spent_usd, work.is_whole) == (24.0, True)


def test_each_task_once() -> None:
    """Without a number every task that can be done is done once, and none twice."""
    stage, given = Told(), tasks(6)
    stage.doubts = {given[2].unit: "its checks are flaky"}
    work = Replay(EXPERIMENT, stage)
    work.go(given)
    assert sorted(stage.rounds().values()) == [1] * 5
    assert work.doubts == stage.doubts


def test_which_arm_comes_first_is_left_to_chance() -> None:
    """About half of the pairs begin with B, and the same ones when it is done again."""
    stages = [Told(), Told()]
    for stage in stages:
        Replay(EXPERIMENT, stage).go(tasks(100), 100)
    firsts = [arm for _, arm in stages[0].ran[::2]]
    assert 30 < firsts.count("B") < 70
    assert stages[0].ran == stages[1].ran


def test_doubtful_tasks_are_replaced_and_said() -> None:
    """A sample takes the next task for one that is in doubt; only those that are needed are looked at, once each."""
    stage, given, said = Told(), tasks(10), []
    stage.doubts = {given[0].unit: "the commit that it starts from is gone"}
    Replay(EXPERIMENT, stage, told=said.append).go(given, 4)
    assert len(stage.rounds()) == 4
    assert given[0].unit[:16] not in stage.rounds()
    assert stage.looked == [one.unit for one in given[:5]]
    assert said[0] == "left out: task 0: the commit that it starts from is gone"


def test_all_tasks_in_doubt() -> None:
    """It ends, however many pairs were asked for."""
    stage, given = Told(), tasks(3)
    stage.doubts = dict.fromkeys((one.unit for one in given), "no")
    Replay(EXPERIMENT, stage).go(given, 30)
    assert stage.ran == []


@pytest.mark.parametrize("stop_at", range(1, 12))
def test_interrupted_and_taken_up_again(stop_at: int) -> None:
    """Wherever it is interrupted, it goes on there: every pair once, and nothing that counts is done again."""
    stage, given = Told(stop_at=stop_at), tasks(4)
    work = Replay(EXPERIMENT, stage, cancel=stage.cancel)
    work.go(given, 6)
    assert not work.is_whole
    done = list(stage.delivered)
    stage.cancel, stage.stop_at = threading.Event(), 10**9
    Replay(EXPERIMENT, stage, cancel=stage.cancel).go(given, 6)
    assert stage.delivered[: len(done)] == done
    assert len(stage.delivered) == len(set(stage.delivered)) == 12
    assert len(stage.ran) <= 12 + 2


def test_killed_between_the_outcomes_of_a_pair() -> None:
    """Where only one of the two was written down, the pair is done again and the other one comes to it."""
    stage, given = Told(), tasks(1)
    Replay(EXPERIMENT, stage).go(given, 1)
    place = stage.delivered.pop()
    stage.there[place] = dataclasses.replace(stage.there[place], delivered_at=None)
    Replay(EXPERIMENT, stage).go(given, 1)
    assert all(one.delivered_at for one in stage.there.values())
    assert len(stage.there) == 2


def test_somebody_else_did_the_pair_meanwhile() -> None:
    """Nothing is run for a pair that has been delivered since we looked."""
    stage = Told()
    Replay(EXPERIMENT, stage).go(tasks(2), 2)
    done = len(stage.ran)

    class Late(Told):
        def trials(self, experiment: Experiment) -> Sequence[Trial]:
            return []

    late = Late(there=stage.there)
    Replay(EXPERIMENT, late).go(tasks(2), 2)
    assert (done, late.ran) == (4, [])


def test_a_cap_on_money() -> None:
    """No new pair is begun once so much is spent, and that is said."""
    stage, said = Told(cost=0.5), []
    work = Replay(EXPERIMENT, stage, most_usd=3.0, told=said.append)
    work.go(tasks(10), 10)
    assert (work.spent_usd, len(stage.delivered), work.is_whole) == (3.0, 6, False)
    assert said[-1] == "the cap of $3 is reached"


def test_it_ends_with_the_decision() -> None:
    """Once the evidence decides, no pair is begun."""
    stage = Told(decides_at=3)
    assert Replay(EXPERIMENT, stage).go(tasks(10), 10).status == "proven"
    assert len(stage.delivered) == 6


@pytest.mark.parametrize(
    ("parameter", "other", "left_out"),
    [
        ("review", {}, False),
        ("review", {"interpreter": "python 3.12"}, True),
        ("review", {"lock_hash": "x"}, True),
        ("review", {"model": "n"}, True),
        ("review", {"agent_version": "2"}, True),
        ("model", {"model": "n"}, False),
        ("model", {"agent": "codex"}, True),
        ("agent", {"agent": "codex", "agent_version": "7", "model": "n"}, False),
        ("profile", {"agent": "codex", "model": "n"}, False),
        ("profile", {"platform": "plan9"}, True),
    ],
)
def test_surroundings_that_differ(parameter: str, other: dict[str, str], left_out: bool) -> None:
    """A pair is left out, and said, where anything else differs than what is compared."""
    said: list[str] = []
    stage = Told(surroundings={"B": dataclasses.replace(HERE, **other)})  # type: ignore[arg-type]
    Replay(dataclasses.replace(EXPERIMENT, parameter=parameter), stage, told=said.append).go(tasks(1))
    assert all(bool(one.left_out) == left_out for one in stage.there.values())
    assert any(line.startswith("left out") for line in said) == left_out


def test_who_reviews_must_be_the_same() -> None:
    """A pair is left out where other agents reviewed; a role that only one of the two has is what is compared."""
    other = dataclasses.replace(HERE, agent_version="another")
    for others, left_out in (({"A": HERE, "B": other}, True), ({"A": HERE, "B": HERE}, False), ({"B": other}, False)):
        stage = Told(others={arm: {"reviewer": around} for arm, around in others.items()})
        Replay(EXPERIMENT, stage).go(tasks(1))
        assert all(bool(one.left_out) == left_out for one in stage.there.values())


def test_only_one_had_anything_to_do() -> None:
    """A pair of which one run had no attempt is left out; where neither had one, that is the same for both."""
    for surroundings, left_out in (({"B": None}, True), ({"A": None, "B": None}, False)):
        stage = Told(surroundings=dict(surroundings))
        Replay(EXPERIMENT, stage).go(tasks(1))
        assert all(bool(one.left_out) == left_out for one in stage.there.values())
