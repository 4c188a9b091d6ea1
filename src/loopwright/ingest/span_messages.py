"""The messages on a span of a model, by all the names that conventions give them -> one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from loopwright.ingest.plain import unwrapped, words_of, written
from loopwright.text.bounded import TEXT_LIMIT, bounded, data, field, items, mapping

Attributes = Mapping[str, Any]
Notes = Sequence[tuple[str, dict[str, Any]]]
Message = dict[str, Any]
"""place, role, text, thinking, calls (id, tool, input) and results (id, text)."""

_HEARD = ("gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages", "ai.prompt.messages")
_SAID = ("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages")
_ALL = (*_HEARD, *_SAID)
_SPOKEN = {"gen_ai.system.message": "system", "gen_ai.user.message": "user", "gen_ai.tool.message": "tool"}
_ROLES = {"model": "assistant", "ai": "assistant", "human": "user", "developer": "system", "function": "tool"}
_LONGEST = 2000
"""So many messages of a span are read."""


def heard(attributes: Attributes, notes: Notes) -> list[Message]:
    """Give what a model was told, less what an earlier span has told of: what comes before its last answer."""
    found = _listed(attributes, notes, _HEARD) or _noted(notes, answers=False)
    instructions = unwrapped(attributes.get("gen_ai.system_instructions"))
    if instructions:
        found = [{"role": "system", "content": instructions}, *found]
    if not found:
        found = _bare(attributes.get("input.value"), "user")
    return _fresh([_message(mapping(one), place, "user") for place, one in enumerate(found[:_LONGEST])])


def said(attributes: Attributes, notes: Notes) -> list[Message]:
    """Give what a model answered."""
    found = _listed(attributes, notes, _SAID) or _noted(notes, answers=True)
    found = found or _bare(attributes.get("output.value"), "assistant")
    return [_message(mapping(one), place, "assistant") for place, one in enumerate(found[:_LONGEST])]


@lru_cache(maxsize=4096)  # the same few names come with every span
def is_message(name: str) -> bool:
    """Say whether an attribute holds messages: it is not kept beside them."""
    if name.startswith(("input.", "output.", "gen_ai.system_instructions")):
        return True
    return any(
        name == one or (name.startswith(f"{one}.") and name[len(one) + 1 : len(one) + 2].isdecimal()) for one in _ALL
    )


def _fresh(messages: list[Message]) -> list[Message]:
    """Keep the instructions, the first question, and what came after the last answer."""
    answers = [place for place, message in enumerate(messages) if message["role"] == "assistant"]
    if not answers:
        return messages
    first = next((place for place, message in enumerate(messages) if message["role"] == "user"), -1)
    kept = [
        message
        for place, message in enumerate(messages)
        if place > answers[-1] or place == first or message["role"] == "system"
    ]
    return [message | {"goes_on": True} for message in kept]


def _listed(attributes: Attributes, notes: Notes, names: Iterable[str]) -> list[Any]:
    places = [attributes, *(told for _, told in notes)]
    for name in names:
        for told in places:
            found = unwrapped(told.get(name))
            if isinstance(found, dict):
                found = found.get("messages", [found])
            if isinstance(found, str) and found:
                return _bare(found, "assistant" if name in _SAID else "user")
            if found := items(found) or _unflattened(told, f"{name}."):
                return found
    return []


def _noted(notes: Notes, *, answers: bool) -> list[Any]:
    """Give the messages that are events of the span, as conventions had them up to 1.36."""
    found = []
    for name, told in notes:
        if answers and name == "gen_ai.choice":
            message = unwrapped(told.get("message"))
            found.append({**told, **message} if isinstance(message, dict) else {"content": message, **told})
        elif not answers and name in _SPOKEN:
            found.append({"role": _SPOKEN[name], **told})
        elif not answers and name == "gen_ai.assistant.message":
            found.append({"role": "assistant", **told})
    return found


def _bare(value: object, role: str) -> list[Any]:
    told = unwrapped(value)
    if isinstance(told, dict) and isinstance(told.get("messages"), list):
        return items(told["messages"])
    if isinstance(told, list) and all(isinstance(one, dict) and "role" in one for one in told):
        return told
    if told is None or told == "":
        return []
    return [{"role": role, "content": value if isinstance(value, str) else written(value).decode()}]


def _unflattened(attributes: Attributes, prefix: str) -> list[Any]:
    """Put together what was written as `prefix.0.message.role`, `prefix.0.message.content`, …"""
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        if name.startswith(prefix) and name[len(prefix) : len(prefix) + 1].isdecimal():
            *steps, last = name[len(prefix) :].split(".")[:12]
            place = tree
            for step in steps:
                below = place.setdefault(step, {})
                if not isinstance(below, dict):
                    break
                place = below
            else:
                place[last] = value
    return items(_lists(tree))


def _lists(tree: object) -> Any:
    if not isinstance(tree, dict):
        return tree
    if tree and all(name.isdecimal() and len(name) < 7 for name in tree):
        return [_lists(tree[name]) for name in sorted(tree, key=int)]
    return {name: _lists(value) for name, value in tree.items()}


def _message(told: Mapping[str, Any], place: int, role: str) -> Message:
    told = mapping(told.get("message")) or told
    role = field(told.get("role"), 50).lower() or role
    made: Message = {"place": place, "role": _ROLES.get(role, role), "text": "", "thinking": ""}
    made |= {"calls": [], "results": []}
    for part in _parts(told):
        _add(made, part)
    for call in items(unwrapped(told.get("tool_calls"))):
        _call(made, mapping(call))
    name = field(told.get("tool_call_id"), 200) or (field(told.get("id"), 200) if made["role"] == "tool" else "")
    if name and not made["results"]:
        made["results"], made["text"] = [[name, made["text"]]], ""
    return made


def _parts(told: Mapping[str, Any]) -> list[Any]:
    for name in ("parts", "contents", "content"):
        found = unwrapped(told.get(name))
        if isinstance(found, list):
            return found
        if isinstance(found, dict):
            return [found]
        if found is not None:
            return [told[name]]
    return []


def _add(made: Message, part: object) -> None:
    told = mapping(part)
    told = mapping(told.get("message_content")) or told
    kind = field(told.get("type"), 50)
    if kind in ("tool_call", "tool_use", "function_call"):
        _call(made, told)
    elif kind in ("tool_call_response", "tool_result"):
        name = field(told.get("id") or told.get("tool_use_id"), 200)
        held = next((told[key] for key in ("response", "result", "content") if told.get(key) is not None), "")
        made["results"].append([name, text_of(held)])
    elif kind in ("reasoning", "thinking"):
        held = told.get("content") or told.get("thinking") or told.get("text")
        made["thinking"] = _joined(made["thinking"], text_of(held))
    else:
        made["text"] = _joined(made["text"], words_of([told or part]))


def _call(made: Message, told: Mapping[str, Any]) -> None:
    told = mapping(told.get("tool_call")) or told
    function = mapping(told.get("function")) or told
    given: Any = next((function[key] for key in ("arguments", "input", "args") if function.get(key) is not None), {})
    if tool := field(function.get("name"), 200):
        made["calls"].append([field(told.get("id"), 200), tool, data(unwrapped(given))])


def text_of(value: object) -> str:
    """Write a value as text: as it is where it is one, else as JSON."""
    if isinstance(value, str):
        return bounded(value, TEXT_LIMIT)
    if isinstance(value, list) and any(isinstance(mapping(part).get("text"), str) for part in value):
        return bounded(words_of(value), TEXT_LIMIT)
    return "" if value is None else written(value).decode(errors="replace")


def _joined(one: str, other: str) -> str:
    return bounded(f"{one}\n{other}" if one else other, TEXT_LIMIT)
