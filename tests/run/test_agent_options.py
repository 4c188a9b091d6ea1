"""What an agent does not know of its options."""

from __future__ import annotations

import pytest

from loopwright.errors import UnknownName
from loopwright.run.agent_options import refuse_unknown


def test_a_wrong_word_is_told_with_the_right_ones() -> None:
    """An unknown option is refused with the nearest and all known ones; known ones pass."""
    refuse_unknown("aider", {"arguments": []}, ("arguments", "program"))
    with pytest.raises(UnknownName) as caught:
        refuse_unknown("aider", {"arguments": [], "argument": 1}, ("arguments", "program"))
    assert caught.value.message == "there is no option `argument` of the agent `aider`"
    assert caught.value.hint == "did you mean `arguments`? known: arguments, program"
