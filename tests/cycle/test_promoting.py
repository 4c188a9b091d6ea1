"""What puts a proven change into use: only in the place of what it was compared with, whole or not at all."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loopwright.cycle.proposing import Proposal, create
from loopwright.cycle.proving import Proving
from loopwright.errors import UsageError
from loopwright.records.experiment import Arm
from loopwright.records.profile import Profile
from loopwright.records.registry import RegistrySettings
from loopwright.registry import kinds
from loopwright.release.elsewhere import Elsewhere
from loopwright.release.registries.files import Files
from loopwright.store import Store, open_store
from trials import BETTER, PROMPT_NAME, TYPE, begin, begin_prompt, live_pairs, proving_on

DIES = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from sqlalchemy import event
from sqlalchemy.engine import Engine
import loopwright.cycle.promoting, loopwright.store.postgres, loopwright.store.sqlite
from loopwright.registry import kinds
from loopwright.store import open_store
from trials import proving_on

def release(place, experiment_id, dies_at):
    seen = [0]

    def die():
        seen[0] += 1
        if seen[0] == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    with open_store(place, kinds) as store:
        event.listen(Engine, "after_cursor_execute", lambda *told: die() if "SELECT" not in told[2][:6] else None)
        event.listen(Engine, "commit", lambda connection: die())
        proving_on(store).release(experiment_id, "me")
    os.kill(os.getpid(), signal.SIGKILL)  # after all of it

for number, _ in enumerate(sys.stdin, 1):
    pid = os.fork()  # all is imported, and nothing opened yet
    if not pid:
        release(sys.argv[2], sys.argv[3], number)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return str(tmp_path / "store.sqlite")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


@pytest.fixture
def proving(store: Store) -> Proving:
    return proving_on(store)


def put(proving: Proving, content: str, **given: bool) -> None:
    version = proving.versions.write("profile", PROMPT_NAME, content, "x", **given)  # type: ignore[arg-type]
    proving.versions.put_in_use(version, "me", "x")


@contextmanager
def killed_releases(place: str, experiment_id: str) -> Iterator[Callable[[], int]]:
    """Give what releases in a process that is killed after one write, then after two, and so on."""
    words = [sys.executable, "-c", DIES, str(Path(__file__).parents[1]), place, experiment_id]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=dict(os.environ)) as process:
        assert process.stdin and process.stdout

        def release() -> int:
            print("go", file=process.stdin, flush=True)
            return int(process.stdout.readline())

        yield release


def test_killed_in_the_middle(place: str) -> None:
    """Killed after each write of a release of two task types: nothing of it is there, or all; then it is done once."""
    with open_store(place, kinds) as store:
        proving = proving_on(store)
        made = begin(proving, task_types=["docs", "tests"])
        live_pairs(proving, BETTER)
        found: list[tuple[str, int, int]] = []
        with killed_releases(place, made.id) as release:
            for _ in range(1, 20):
                assert release() == -signal.SIGKILL
                used = [proving.versions.in_use("profile", f"worker/{name}")[1].number for name in ("docs", "tests")]
                found.append((proving.experiments.get(made.id)[0].status, *used))
                if found[-1][0] == "promoted":
                    break
        assert set(found[:-1]) == {("proven", 1, 1)}
        assert found[-1] == ("promoted", 2, 2)
        assert len(found) > 5
        assert [len(store.versions.history("profile", f"worker/{name}")) for name in ("docs", "tests")] == [2, 2]


def test_a_base_that_has_changed(proving: Proving) -> None:
    """What was proven on another version than the one in use is refused; rolled back to it, it is not."""
    made = begin(proving)
    put(proving, '{"model": "m"}')
    live_pairs(proving, BETTER)
    with pytest.raises(UsageError, match=r"proven on `worker/docs@1`, and `worker/docs@2` is in use now"):
        proving.release(made.id, "me")
    assert proving.experiments.get(made.id)[0].status == "proven"
    proving.versions.roll_back("profile", PROMPT_NAME, "me", "back")
    assert proving.release(made.id, "me").status == "promoted"
    assert proving.versions.get("profile", PROMPT_NAME).number == 3


def test_only_in_the_place_of_what_it_was_compared_with(proving: Proving) -> None:
    """Better than a value that is not in use says nothing of the one that is."""
    put(proving, '{"model": "large", "review": "none"}')
    made = begin(proving, parameter="model", control="small", treatment="middle", guardrails=("cost",))
    live_pairs(proving, BETTER)
    with pytest.raises(UsageError, match="compared with `small`, which is not in use"):
        proving.release(made.id, "me")


def test_a_prompt_that_was_compared_with_an_old_one(proving: Proving) -> None:
    """The same for versions of a prompt."""
    content = proving.versions.get("prompt", PROMPT_NAME).content
    proving.versions.put_in_use(proving.versions.write("prompt", PROMPT_NAME, content + "Sing.", "x"), "me", "x")
    made = begin_prompt(proving, control="1")
    live_pairs(proving, BETTER)
    with pytest.raises(UsageError, match="`worker/docs@1`, which is not in use"):
        proving.release(made.id, "me")


def test_what_else_is_set_stays(proving: Proving) -> None:
    """The new version is what is in use with one thing changed."""
    put(proving, '{"model": "m"}')
    made = begin(proving)
    live_pairs(proving, BETTER)
    proving.release(made.id, "me")
    assert proving.versions.get("profile", PROMPT_NAME).content == '{"model": "m", "review": "self"}'


def test_too_deep(proving: Proving) -> None:
    """A change that would be the sixth in a row is refused, with the way on."""
    for depth in range(5):
        put(proving, f'{{"model": "m{depth}"}}')
    made = begin(proving)
    live_pairs(proving, BETTER)
    with pytest.raises(UsageError, match="at most 5") as refused:
        proving.release(made.id, "me")
    assert "--rebase" in refused.value.hint


def profiles(proving: Proving, **given: Profile) -> str:
    """Compare whole profiles, and have B proven."""
    plan = Proposal("profile", "b", "a" if "a" in given else "", [TYPE])
    made = create(proving.experiments, proving.versions, plan, given)
    live_pairs(proving, BETTER)
    return made.id


def test_a_whole_profile(proving: Proving) -> None:
    """What it sets is put into use; what it is called is not a setting."""
    proving.release(profiles(proving, b=Profile("b", review="self", model="m")), "me")
    assert proving.versions.get("profile", PROMPT_NAME).content == '{"model": "m", "review": "self"}'


def test_a_whole_profile_with_what_no_version_sets(proving: Proving) -> None:
    """Words or programs of its own are refused: these are not a profile's version's business."""
    made = profiles(proving, b=Profile("b", agent="command", agent_options={"command": "x"}))
    with pytest.raises(UsageError, match="sets agent_options, which no version does"):
        proving.release(made, "me")


def test_a_whole_profile_against_another(proving: Proving) -> None:
    """Two profiles of which neither is in use are compared, and neither is put into use."""
    made = profiles(proving, a=Profile("a", model="x"), b=Profile("b", model="y"))
    with pytest.raises(UsageError, match="compared with `a`"):
        proving.release(made, "me")


def test_safety_is_looked_at_once_more(proving: Proving) -> None:
    """An arm that lets an agent do more than what is in use is refused, whoever wrote it there."""
    put(proving, '{"tools": "restricted"}')
    made = begin(proving)
    live_pairs(proving, BETTER)
    wider = dataclasses.replace(
        proving.experiments.get(made.id)[0], parameter="tools", control=Arm("restricted"), treatment=Arm("all")
    )
    assert proving.experiments.end(wider, seen="proven")
    with pytest.raises(UsageError, match="widens"):
        proving.release(made.id, "me")


def test_what_is_proven_reaches_the_files(store: Store, tmp_path: Path) -> None:
    """A prompt that an experiment has proven stands in the registry once it is in use."""
    page = tmp_path / "AGENTS.md"
    plain = proving_on(store, "auto_low_risk")
    first = plain.versions.get("prompt", PROMPT_NAME).content
    page.write_text(f"# Ours\n<!-- loopwright:{PROMPT_NAME} -->\n{first}<!-- /loopwright -->\n")
    elsewhere = Elsewhere("files", Files(RegistrySettings(kind="files"), tmp_path, {}))
    proving = dataclasses.replace(plain, versions=dataclasses.replace(plain.versions, elsewhere=elsewhere))
    begin_prompt(proving)
    live_pairs(proving, BETTER)
    version = proving.versions.get("prompt", PROMPT_NAME)
    assert version.number == 2
    assert version.content.strip() in page.read_text()
    assert page.read_text().startswith("# Ours\n")
