"""The entries that ship."""

from __future__ import annotations

import pytest

from loopwright.guard.redact import Masker
from loopwright.guard.safety import entry_faults
from loopwright.registry import DETECTORS, names
from loopwright.release.entries import entry_of
from loopwright.release.first_entries import entry_names, entry_template
from loopwright.release.learned import doubt
from loopwright.text.tokens import tokens_in


def test_there_are_a_dozen() -> None:
    """Each kind is among them, and each detector but that of good news has a remedy."""
    found = [entry_of(name, entry_template(name)) for name in entry_names()]
    assert len(found) >= 12
    assert {entry.kind for entry in found} == {"anti_pattern", "success_pattern", "playbook"}
    assert {sign.partition("/")[0] for entry in found for sign in entry.detection} == set(names(DETECTORS)) - {
        "delight"
    }


@pytest.mark.parametrize("name", entry_names())
def test_each_can_be_told(name: str) -> None:
    """It is safe, short, holds no command, and says where it comes from."""
    entry = entry_of(name, entry_template(name))
    assert entry_faults("", entry_template(name), Masker({})) == []
    assert doubt(entry) == ""
    assert tokens_in(entry.remedy) < 70
    assert (entry.status, entry.source, bool(entry.detection)) == ("active", "ships with Loopwright", True)
