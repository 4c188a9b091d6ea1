"""Live tasks are shared out among profiles, by what came of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopwright.errors import UnknownName
from loopwright.records.experiment import ExperimentsSettings
from loopwright.records.profile import Profile
from loopwright.registry import kinds
from loopwright.routing import choose_arm
from loopwright.settings import Settings
from loopwright.store import Store, open_store
from loopwright.verify.bandit import counted
from world import Loopwright, Repo

PROFILES = {name: Profile(name) for name in ("fast", "careful")}
SETTINGS = Settings(profiles=PROFILES, experiments=ExperimentsSettings(arms=("fast", "careful")))
BOTH = """\
[experiments]
arms = ["works", "fails"]
[profiles.works]
agent = "command"
agent_options = { command = "sh -c 'echo 42 > answer'" }
[profiles.fails]
agent = "command"
agent_options = { command = "true" }
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


def test_the_better_one_is_taken_more_and_more(store: Store) -> None:
    """With pass rates of .9 and .4, nearly all of the last of 120 tasks go to the better one."""
    chance, arms = random.Random(5), []
    for _ in range(120):
        choice = choose_arm(SETTINGS, store.choices, "docs", chance)
        assert choice is not None
        assert sum(choice.propensities.values()) == pytest.approx(1)
        arms.append(choice.arm)
        passed = chance.random() < {"fast": 0.4, "careful": 0.9}[choice.arm]
        store.choices.deliver(choice.id, passed, 0.1, "", counted)
    assert arms[-40:].count("careful") >= 36


def test_nothing_to_choose_from(store: Store) -> None:
    """Without arms nothing is chosen; an arm that is no profile is refused."""
    assert choose_arm(Settings(profiles=PROFILES), store.choices, "docs") is None
    wrong = Settings(profiles=PROFILES, experiments=ExperimentsSettings(arms=("fsat",)))
    with pytest.raises(UnknownName, match="fsat"):
        choose_arm(wrong, store.choices, "docs")


def test_runs_are_shared_out_and_counted(repo: Repo, loopwright: Loopwright) -> None:
    """A run without a profile gets one of the arms, and what came of it is counted; with one it does not."""
    repo.write("loopwright.toml", BOTH)
    words = ("run", "Fix it", "--test", "sh test.sh", "--max-iterations", "1", "--no-escalate")
    for _ in range(4):
        loopwright(*words)
    counted_so = repo.query("SELECT sum(passes), sum(failures) FROM standings")
    assert sum(counted_so[0][0:2]) == 4
    assert repo.query("SELECT count(*) FROM choices WHERE passed IS NOT NULL") == [(4,)]
    assert loopwright("show", "--json").json["profile"]["name"] in ("works", "fails")
    assert loopwright(*words, "--profile", "works").code == 0
    assert repo.query("SELECT count(*) FROM choices") == [(4,)]
