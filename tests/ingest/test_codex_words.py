"""What a human said is told from what was said in their name."""

from __future__ import annotations

import pytest

from loopwright.ingest.codex_words import Twice, key_of, sorted_out, texts_of


def test_two_kinds_of_lines_tell_it_once() -> None:
    """Whichever comes first is told, the other is the second; a third is a new one."""
    twice = Twice()
    assert [twice.is_second(1, side) for side in (False, True, True, False, True, True)] == [
        *(False, True),
        *(False, True),
        *(False, False),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/home/me</cwd>",
        "# AGENTS.md instructions for /home/me\n\nBe nice",
        "<user_instructions>Be nice</user_instructions>",
        "<turn_aborted>\nThe user interrupted",
        "<skill>\n<name>x</name>",
    ],
)
def test_what_codex_wrote_is_not_a_humans(text: str) -> None:
    """Texts that Codex puts before those of the user are known by their beginning."""
    content = [{"type": "input_text", "text": text}, {"type": "input_text", "text": "Fix it"}]
    assert sorted_out({"content": content}) == (["Fix it"], [text])


def test_a_message_may_say_whose_it_is() -> None:
    """Newer versions say of each part whether a human wrote it, which counts more than how it begins."""
    sources = [{"provenance": {"type": "user"}}, {"provenance": {"type": "harness"}}]
    told = {"content_item_metadata": sources}
    content = ["<skill> is a word", "Go on"]
    message = {"content": content, "internal_chat_message_metadata_passthrough": told}
    assert sorted_out(message) == (["<skill> is a word"], ["Go on"])


def test_the_same_words_are_known_again() -> None:
    """Line breaks and images between the parts do not matter."""
    assert key_of(["Fix", "it\n", "<image name=1>", "[input_image]"]) == key_of(["Fixit"]) != key_of(["Fix that"])


def test_contents_have_many_shapes() -> None:
    """A text, a list of texts, a list of parts; anything else has no words."""
    assert texts_of("a") == ["a"]
    assert texts_of(["a", {"text": "b"}, {"type": "input_image"}, None]) == ["a", "b", "[input_image]", "[]"]
    assert texts_of(17) == []
