"""Criteria as flags, for the commands that take them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from loopwright.records.criterion import Criterion
from loopwright.records.task import Task
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.criteria.test import TestCriteria

Function = TypeVar("Function", bound=Callable[..., Any])

_CRITERIA = (
    click.option("--test", "tests", multiple=True, metavar="CMD", help="Must exit with 0."),
    click.option("--file", "files", multiple=True, metavar="SPEC", help="path, !path, path:size>=100, path:sha256=…"),
    click.option("--grep", "greps", multiple=True, metavar="FILE:PATTERN", help="The pattern must be in the file."),
    click.option("--not-grep", "not_greps", multiple=True, metavar="FILE:PATTERN", help="It must not be there."),
)
_PROTECTION = (
    click.option("--protect", multiple=True, metavar="GLOB", help="More that the agent may not change."),
    click.option("--allow", multiple=True, metavar="GLOB", help="What it may change, though it would be protected."),
)


def criteria_options(function: Function) -> Function:
    """Add --test, --file, --grep and --not-grep."""
    for option in reversed(_CRITERIA):
        function = option(function)
    return function


def protection_options(function: Function) -> Function:
    """Add --protect and --allow."""
    for option in reversed(_PROTECTION):
        function = option(function)
    return function


def visible_criteria(flags: dict[str, Any]) -> list[Criterion]:
    """Read the criteria from the flags."""
    return [
        *[TestCriteria(command) for command in flags["tests"]],
        *[FileCriteria.parse(spec) for spec in flags["files"]],
        *[GrepCriteria.parse(spec) for spec in flags["greps"]],
        *[GrepCriteria.parse(spec, absent=True) for spec in flags["not_greps"]],
    ]


def protecting(task: Task, file: Path, root: Path) -> Task:
    """Keep the file that holds the criteria from the agent, where it is in the repository."""
    if not file.resolve().is_relative_to(root.resolve()):
        return task
    return dataclasses.replace(task, protect=(*task.protect, f"/{file.resolve().relative_to(root.resolve())}"))


def with_protection(task: Task, flags: dict[str, Any]) -> Task:
    """Give the task with what --protect and --allow add to it."""
    protect, allow = (*task.protect, *flags["protect"]), (*task.allow, *flags["allow"])
    return dataclasses.replace(task, protect=protect, allow=allow)
