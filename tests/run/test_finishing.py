"""The end of a run, written down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from clones import Clone

from loopwright.records.identity import new_id
from loopwright.records.proof import Proof, Tampering
from loopwright.records.run import Acceptance, Reason, Run, Status
from loopwright.registry import kinds
from loopwright.run.baseline import Baseline
from loopwright.run.ending import End
from loopwright.run.finishing import Finishing
from loopwright.run.judge import Judge
from loopwright.run.recorder import Recorder
from loopwright.store.opening import open_store
from loopwright.store.store import Store
from loopwright.watching import Nobody
from store.samples import AT, make_check, make_run, make_step

END = End(Status.ESCALATED, Reason.STALLED, "nothing moves")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.sqlite", kinds) as opened:
        yield opened


@pytest.fixture
def run(store: Store, clone: Clone, tmp_path: Path) -> Run:
    base = clone.commit
    (clone.files / "new.txt").write_text("new\n")
    made = make_run(base=base, commit=clone.snapshot().commit, artifacts=str(tmp_path / "kept"))
    store.add_run(made, make_step(made))
    return made


@pytest.fixture
def finishing(store: Store, run: Run, clone: Clone) -> Finishing:
    judge = Judge(clone.room, run.base, run.id, clone.examiner(), Baseline(clone.folder / "baselines", clone.root))
    return Finishing(clone.workspace, judge, store, Recorder(store, run, Nobody()))


def test_all_that_is_to_be_said_is_in_the_detail(finishing: Finishing, store: Store, run: Run) -> None:
    """Why it ended, what was said besides, and who accepted what; what is empty is left out."""
    ended = finishing.ended(run, END, "the critic did not accept it", "")
    assert (ended.status, ended.reason) == (Status.ESCALATED, Reason.STALLED)
    assert ended.detail == "nothing moves; the critic did not accept it" and ended.ended_at
    store.add_acceptance(Acceptance(new_id(), run.id, AT, "Ada", "it is right", {}))
    assert finishing.ended(run, END).detail.endswith("; changes of protected files were accepted by Ada (it is right)")


def test_the_files_and_the_note(finishing: Finishing, store: Store, run: Run) -> None:
    """The diff, and the result with its detail, are on disk; the last event has the whole detail, too."""
    ended = finishing.ended(run, END, "more")
    tampered = Proof(tampering=(Tampering("README.md", "changed"),))
    result = finishing.write(ended, [], [make_check(run.id, 1, proof=tampered)])
    assert "+new" in Path(result.artifacts.diff).read_text() and "nothing moves; more" in result.detail
    finishing.note(ended)
    (note,) = store.events(run.id)
    assert (note.text, note.data["detail"]) == ("escalated: stalled", "nothing moves; more")
    assert "1 file changed" in note.data["files_changed"]
