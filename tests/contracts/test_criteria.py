"""What every kind of criterion has to be, whoever wrote it: run over all that the registry names."""

from __future__ import annotations

import dataclasses

import pytest

from loopwright import registry
from loopwright.ports import Evaluable
from loopwright.records.criterion import Criterion

KINDS = registry.names(registry.CRITERIA)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_named_like_its_file(name: str) -> None:
    """File name, registry name, class name and kind are one word."""
    found = registry.kinds(name)
    assert found.kind == name
    assert found.__name__ == registry.CRITERIA.class_name(name)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_plain_frozen_data_that_can_look(name: str) -> None:
    """A criterion is a frozen dataclass whose short form sets a field of its own, and it can be evaluated."""
    found = registry.kinds(name)
    assert issubclass(found, Criterion)
    assert found.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert found.primary in {spec.name for spec in dataclasses.fields(found)}
    assert issubclass(found, Evaluable)
    assert found.__doc__


@pytest.mark.parametrize("name", KINDS)
def test_every_field_can_be_left_to_its_default_but_the_ones_that_say_what_holds(name: str) -> None:
    """Nobody has to write more than what must hold: `held_out` and limits have defaults."""
    required = {
        spec.name
        for spec in dataclasses.fields(registry.kinds(name))
        if spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING
    }
    assert "held_out" not in required
    assert len(required) <= 2
