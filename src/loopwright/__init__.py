"""Loopwright: run coding agents until your checks pass."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loopwright.api import feedback, record_run, resume, run
    from loopwright.records.profile import Profile
    from loopwright.records.run import Result
    from loopwright.records.task import Task
    from loopwright.run.criteria.composite import AllOf, AnyOf, AtLeast
    from loopwright.run.criteria.file import FileCriteria
    from loopwright.run.criteria.grep import GrepCriteria
    from loopwright.run.criteria.http import HttpCriteria
    from loopwright.run.criteria.json import JsonCriteria
    from loopwright.run.criteria.judge import JudgeCriteria
    from loopwright.run.criteria.test import TestCriteria

__all__ = [
    "AllOf",
    "AnyOf",
    "AtLeast",
    "FileCriteria",
    "GrepCriteria",
    "HttpCriteria",
    "JsonCriteria",
    "JudgeCriteria",
    "Profile",
    "Result",
    "Task",
    "TestCriteria",
    "feedback",
    "record_run",
    "resume",
    "run",
]

_PLACES = {
    "AllOf": "run.criteria.composite",
    "AnyOf": "run.criteria.composite",
    "AtLeast": "run.criteria.composite",
    "FileCriteria": "run.criteria.file",
    "GrepCriteria": "run.criteria.grep",
    "HttpCriteria": "run.criteria.http",
    "JsonCriteria": "run.criteria.json",
    "JudgeCriteria": "run.criteria.judge",
    "Profile": "records.profile",
    "Result": "records.run",
    "Task": "records.task",
    "TestCriteria": "run.criteria.test",
    "feedback": "api",
    "record_run": "api",
    "resume": "api",
    "run": "api",
}


# The stage `loopwright.run` and the function `run` share a name. The stage is loaded first and its name freed again:
# Python sets a package's attribute only once, so from here on `loopwright.run` is the function.
import_module("loopwright.run")
del globals()["run"]


def __getattr__(name: str) -> Any:
    """Load what is asked for, and no more: a command pays only for what it uses."""
    if name not in _PLACES:
        raise AttributeError(f"module `loopwright` has no attribute `{name}`")
    value = globals()[name] = getattr(import_module(f"loopwright.{_PLACES[name]}"), name)
    return value
