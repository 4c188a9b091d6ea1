"""A run in the store is judged as it is handed in, and nothing is written."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from loopwright import FileCriteria, Task
from loopwright.measure.critiquing import Critiquing
from loopwright.measure.rubric import rubric_of
from loopwright.records.run import Status
from loopwright.registry import kinds
from loopwright.store.opening import open_store
from store.samples import make_check, make_run, make_step

HEAD = 'name = "r"\nversion = 1\n'


def test_a_run_is_judged_as_it_is_given(tmp_path: Path) -> None:
    """Checks come from the store, the diff and the state from who asks; the store is as it was."""
    items = '[[items]]\nname = "criteria"\ncheck = "criteria"\n[[items]]\nname = "new"\npattern = "new"\n'
    rubric = rubric_of(HEAD + items, "r.toml", kinds)
    run = make_run(task=Task("x", [FileCriteria("a")]))
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        store.add_run(run, make_step(run))
        store.add_checks([make_check(run.id, 1)])
        critic = Critiquing(store.recorded, lambda task_type: rubric)
        assert critic.rubric_of("docs") is rubric
        ended = dataclasses.replace(run, status=Status.DONE)
        with_it, without = (critic.critique(ended, diff, rubric) for diff in ("+new\n", "+old\n"))
        assert ([item.holds for item in with_it.items], with_it.score) == ([True, True], 10.0)
        assert ([item.holds for item in without.items], without.score) == ([True, False], 5.0)
        assert with_it.id != without.id
        assert not store.evaluations(run.id)
