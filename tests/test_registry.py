from __future__ import annotations

import pytest

from loopwright.errors import UnknownName
from loopwright.ports import Evaluable
from loopwright.records.criterion import Criterion
from loopwright.registry import AGENTS, CRITERIA, PORTS, Port, kinds, load, names


def test_ours_are_found_by_their_files() -> None:
    """A file in a port's folder is a plug-in of that name."""
    assert {"command", "scripted"} <= set(names(AGENTS))
    assert {"test", "file", "grep", "composite", "http", "json"} <= set(names(CRITERIA))


@pytest.mark.parametrize(("port", "name"), [(port, name) for port in PORTS for name in names(port)])
def test_every_name_loads_a_class_of_its_own(port: Port, name: str) -> None:
    """File name = registry name = class name."""
    found = load(port, name)
    assert found.__name__ == port.class_name(name)


@pytest.mark.parametrize("name", names(CRITERIA))
def test_every_kind_is_a_criterion(name: str) -> None:
    """Each kind of criterion knows its own name and its short form, and can look for itself."""
    kind = kinds(name)
    assert issubclass(kind, Criterion)
    assert kind.kind == name
    assert kind.primary in kind.__dataclass_fields__
    assert hasattr(kind, "evaluate") and issubclass(kind, Evaluable)


@pytest.mark.parametrize("name", ["", "__init__", "commands", "../agents", "command.py", "os", "Command", "a.b"])
def test_other_names_are_refused(name: str) -> None:
    """What is no plug-in of the port is unknown, whatever else it may be."""
    with pytest.raises(UnknownName, match=f"there is no agent `{name}`"):
        load(AGENTS, name)


def test_the_nearest_name_is_offered() -> None:
    """A wrong name gets the nearest right one, or all of them."""
    with pytest.raises(UnknownName, match="did you mean `grep`"):
        kinds("gerp")
    with pytest.raises(UnknownName, match="known: composite, file"):
        kinds("zzzzz")
