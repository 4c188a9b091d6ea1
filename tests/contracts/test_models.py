"""What holds for every model that the registry names, ours and others'."""

from __future__ import annotations

import inspect

import pytest

from loopwright.registry import MODELS, load, names


@pytest.mark.parametrize("name", names(MODELS))
def test_it_is_made_of_its_setting(name: str) -> None:
    """A model is made of what follows its name in the settings, and of a time limit; it can be asked."""
    kind = load(MODELS, name)
    assert list(inspect.signature(kind).parameters) == ["given", "timeout_s"]
    assert list(inspect.signature(kind.ask).parameters) == ["self", "question"]
