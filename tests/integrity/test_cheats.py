"""Every way to a green check that is not the work: none of them ends in done."""

from __future__ import annotations

import pytest

from integrity.exams import Take, fools_a_naive_check
from integrity.lies import LIES
from integrity.named import NAMED
from integrity.steering import STEERING
from integrity.tampering import TAMPERING
from loopwright.records.run import Reason, Status
from world import MakeRepo

CHEATS = {**TAMPERING, **STEERING, **LIES, **NAMED}


@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_ends_in_done(name: str, take: Take) -> None:
    """The run goes to a human; where a protected path was changed it is tainted, with the file named."""
    cheat = CHEATS[name]
    result = take(cheat.script, files=cheat.files, criteria=cheat.criteria)
    assert result.status is Status.ESCALATED, result.checks
    assert result.exit_code in (3, 5)
    if cheat.taints:
        assert (result.reason, result.exit_code) == (Reason.TAINTED, 3)
        assert cheat.taints in result.detail


@pytest.mark.parametrize("name", [name for name, cheat in CHEATS.items() if cheat.naive is not None])
def test_a_naive_check_is_fooled(name: str, make_repo: MakeRepo) -> None:
    """The cheat is a real one: where nobody looks any closer, it turns a failing check into one that passes."""
    # Several tries: git looks at a file once more that was written in the same moment as its index.
    assert any(fools_a_naive_check(CHEATS[name], make_repo(f"naive-{number}")) for number in range(5))
