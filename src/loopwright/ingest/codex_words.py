"""The messages of a Codex thread -> their texts, and which of them are a human's."""

from __future__ import annotations

import zlib
from collections import Counter

from loopwright.text.bounded import Line, field, forget_oldest, items, mapping

_INJECTED = (
    *("<environment_context>", "# AGENTS.md instructions", "<user_instructions>", "<INSTRUCTIONS>", "<turn_aborted>"),
    *("<skill>", "<user_shell_command>", "<subagent_notification>", "<hook_prompt", "<goal_context>", "<user_action>"),
    *("<permissions instructions>", "<collaboration_mode>", "<model_switch>", "<personality_spec>", "<ide_context>"),
    *("<codex_internal_context", "<system_reminder>", "<realtime_conversation>", "<apps_instructions>"),
    "Another language model started to solve this problem",
)
"""How messages begin that are called the user's and were written by Codex."""
_IMAGES = ("<image", "</image", "[input_image]", "[image]", "[localImage]", "[local_image]")


class Twice:
    """Texts that two kinds of lines tell of, in either order."""

    def __init__(self) -> None:
        self._open: tuple[Counter[int], Counter[int]] = Counter(), Counter()

    def is_second(self, key: int, side: bool) -> bool:
        """Say whether the other kind of line has told it already."""
        other = self._open[not side]
        if key in other:
            other[key] -= 1
            if not other[key]:
                del other[key]
            return True
        own = self._open[side]
        own[key] += 1
        forget_oldest(own)  # the two lines about one text are close to each other
        return False


def texts_of(content: object) -> list[str]:
    """Give the texts of a message; what is no text is named."""
    if isinstance(content, str):
        return [content]
    return [_text(part) for part in items(content)]


def _text(part: object) -> str:
    if isinstance(part, str):
        return part
    told = mapping(part)
    text = told.get("text")
    return text if isinstance(text, str) else f"[{field(told.get('type'), 100)}]"


def sorted_out(message: Line) -> tuple[list[str], list[str]]:
    """Give what a human said in a message of the user, and what Codex put into it."""
    said, injected = list[str](), list[str]()
    told = mapping(message.get("internal_chat_message_metadata_passthrough")).get("content_item_metadata")
    sources = [mapping(mapping(part).get("provenance")).get("type") for part in items(told)]
    for place, text in enumerate(texts_of(message.get("content"))):
        source = sources[place] if place < len(sources) else None
        is_human = source == "user" if source in ("user", "harness") else not text.lstrip().startswith(_INJECTED)
        (said if is_human else injected).append(text)
    return said, injected


def key_of(texts: list[str]) -> int:
    """Give a number by which the same words are known again, however they were put together; images do not count."""
    words = "".join(text for text in texts if not text.startswith(_IMAGES))
    return checksum("".join(words.split()))


def checksum(text: str) -> int:
    """Give a number for a text, the same in every run."""
    return zlib.crc32(text.encode(errors="replace"))
