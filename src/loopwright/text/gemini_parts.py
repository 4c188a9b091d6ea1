"""Gemini's content, which is one part, many, or words alone -> its parts, their words, what a tool answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from loopwright.text.amounts import count
from loopwright.text.bounded import data, mapping


def parts_of(content: object) -> list[dict[str, Any]]:
    """Give the parts of a message's content."""
    parts = content if isinstance(content, list) else [content]
    return [part if isinstance(part, dict) else {"text": part} for part in parts if isinstance(part, str | dict)]


def text_of(parts: Sequence[Mapping[str, Any]]) -> str:
    """Give the words in parts, without what was only thought."""
    return "".join(part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought"))


def answer_of(response: object) -> str:
    """Give what a tool answered."""
    told = mapping(mapping(response).get("response"))
    said = told.get("output", told.get("error"))
    return said if isinstance(said, str) else json.dumps(data(told), ensure_ascii=False) if told else ""


def results_of(content: object) -> str:
    """Give what a tool answered in all its parts."""
    parts = parts_of(content)
    texts = (answer_of(part["functionResponse"]) if "functionResponse" in part else text_of([part]) for part in parts)
    return "\n".join(filter(None, texts))


def tokens_of(tokens: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Give the tokens that went in, came out, were read from the cache and written to it; cached ones are input too."""
    names = ("input", "output", "cached", "thoughts", "tool")
    sent, said, cached, thought, by_tools = (count(tokens.get(name)) for name in names)
    return max(0, sent - cached) + by_tools, said + thought, min(cached, sent), 0
