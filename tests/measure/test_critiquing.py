"""A run in the store is judged as it is handed in, and nothing is written."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from loopwright import FileCriteria, Task
from loopwright.errors import ModelError
from loopwright.measure.critiquing import Critiquing
from loopwright.measure.rubric import rubric_of
from loopwright.records.question import Question, Reply
from loopwright.records.run import Status
from loopwright.registry import kinds
from loopwright.store.opening import open_store
from loopwright.text.marking import SYSTEM
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


class Listener:
    """A model that answers nothing, and keeps what it was asked."""

    name = priced_as = "listener"

    def __init__(self) -> None:
        self.asked: list[Question[Any]] = []

    def ask(self, question: Question[Any]) -> Reply[Any]:
        self.asked.append(question)
        raise ModelError("it says nothing")


def test_a_model_is_told_what_is_in_use(tmp_path: Path) -> None:
    """The guidance of the task type stands before what has to be kept to."""
    anchors = 'question = "Is the error message clear?"\nanchors = { 0 = "there is none", 10 = "it names the value" }\n'
    rubric = rubric_of(f'{HEAD}[[items]]\nname = "clear"\n{anchors}', "r.toml", kinds)
    run, model = make_run(task=Task("x", [FileCriteria("a")], "docs")), Listener()
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        store.add_run(run, make_step(run))
        critic = Critiquing(store.recorded, lambda task_type: rubric, model, lambda task_type: f"Of {task_type}.")
        critic.critique(run, "", rubric)
    assert model.asked[0].system == f"Of docs.\n\n{SYSTEM}"
