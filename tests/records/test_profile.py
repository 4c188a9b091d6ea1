"""What an agent is given."""

from __future__ import annotations

from loopwright.records.profile import Profile


def test_the_prompt_version_is_of_the_words_alone() -> None:
    """Another agent or model that is told the same has the same version; other words have another."""
    one = Profile(agent="codex", model="a", system_prompt="Be brief.")
    other = Profile(agent="claude_code", model="b", system_prompt="Be brief.")
    assert one.prompt_version == other.prompt_version
    assert len({one.prompt_version, Profile().prompt_version, Profile(review="self").prompt_version}) == 3
