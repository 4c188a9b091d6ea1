"""Which model and which rubric the settings mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.errors import ModelError, SettingError, UnknownName
from loopwright.records.model import ModelsSettings
from loopwright.registry import kinds
from loopwright.settings import Settings
from loopwright.store import open_store
from loopwright.thinking import choose_rubric, make_adding, make_failing, make_model, rubric_files
from models.marks import QUESTION, script


def test_the_model_of_a_role(tmp_path: Path) -> None:
    """Each role has its own; where none is set there is none, and one that is broken shows when it is asked."""
    name = script(tmp_path / "a.json", {"answer": {"value": 5, "reason": "a"}})
    settings = ModelsSettings(judge=name, critic="scripted:nowhere.json")
    judge, critic = make_model(settings, "judge"), make_model(settings, "critic")
    assert judge and judge.name == name and judge.ask(QUESTION).answer.value == 5
    assert make_model(ModelsSettings(), "judge") is None
    assert critic is not None
    with pytest.raises(ModelError, match=r"nowhere\.json"):
        critic.ask(QUESTION)


def test_what_can_not_be_meant_is_refused() -> None:
    """A model without a way to ask it, and a way that there is none, are refused at once."""
    with pytest.raises(SettingError, match="does not say how to ask it"):
        make_model(ModelsSettings(judge="haiku"), "judge")
    with pytest.raises(UnknownName, match="there is no model `telepathy`"):
        make_model(ModelsSettings(judge="telepathy:x"), "judge")


def test_the_rubric_of_a_task_type(tmp_path: Path) -> None:
    """A ready one of its name, else the one for all others; what the settings say of a type has to be right."""
    assert choose_rubric(Settings(), tmp_path, tmp_path, "docs").name == "docs"
    assert choose_rubric(Settings(), tmp_path, tmp_path, "chore").name == "other"
    assert choose_rubric(Settings(), tmp_path, tmp_path, "../x").name == "other"
    assert choose_rubric(Settings(rubrics={"docs": "tests"}), tmp_path, tmp_path, "docs").name == "tests"
    with pytest.raises(UnknownName, match="task type `dosc`"):
        choose_rubric(Settings(rubrics={"dosc": "tests"}), tmp_path, tmp_path, "docs")
    with pytest.raises(SettingError, match="is no rubric"):
        choose_rubric(Settings(rubrics={"docs": 3}), tmp_path, tmp_path, "docs")


def test_where_rubrics_are(tmp_path: Path) -> None:
    """The files of all task types, and the folder of the project's own; a name is none."""
    settings = Settings(rubrics={"docs": "r/docs.toml", "tests": "/else/where.toml", "chore": "docs", "feature": 3})
    found = rubric_files(settings, tmp_path / "home", tmp_path)
    assert found == [tmp_path / "r" / "docs.toml", Path("/else/where.toml"), tmp_path / "home" / "rubrics"]


def test_what_adds_findings(tmp_path: Path) -> None:
    """It has the judge's model and its cap; without a model it is refused."""
    name = script(tmp_path / "a.json", {"answer": {"value": 5, "reason": "a"}})
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        adding = make_adding(Settings(models=ModelsSettings(judge=name)), store.measured, 0.1)
        assert (adding.model.name, adding.most_usd) == (name, 0.1)
        with pytest.raises(SettingError, match="no model is set"):
            make_adding(Settings(), store.measured, 0.1)


def test_who_looks_for_causes(tmp_path: Path) -> None:
    """A model takes part only where it is asked for, and must be set then; what it may cost is the judge's cap."""
    name = script(tmp_path / "a.json", {"answer": {}})
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        settings = Settings(models=ModelsSettings(judge=name), judge_cost=0.01)
        assert make_failing(settings, store, None).model is None
        asked = make_failing(settings, store, None, judge=True)
        assert asked.model and (asked.model.name, asked.most_usd) == (name, 0.01)
        with pytest.raises(SettingError, match="no model is set"):
            make_failing(Settings(), store, None, judge=True)
