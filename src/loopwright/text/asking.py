"""A question whose answer has a shape: how long it may be, whether an answer fits, and asking once more."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from loopwright.errors import ModelError
from loopwright.records.budget import Usage
from loopwright.records.question import Question, Reply, Shape
from loopwright.text.bounded import parse

LONGEST = 100_000
"""Characters of one question; more is a mistake of who asks, and would cost accordingly."""
_SHOWN = 300


@dataclass(frozen=True)
class Said:
    """What came back: text, or data where the way of asking gives it."""

    content: object
    usage: Usage = Usage()
    cost_usd: float | None = None
    model: str = ""


def asked(question: Question[Shape], name: str, say: Callable[[str], Said]) -> Reply[Shape]:
    """Ask by `say`, and once more, with what was wrong, where the answer does not fit."""
    refuse_too_long(question, name)
    first = say(question.prompt)
    answer, wrong = _fitting(question, first.content)
    if answer is not None:
        return Reply(answer, first.usage, first.cost_usd, first.model)
    again = f"{question.prompt}\n\nAn answer that was given before did not fit: {wrong}. Answer in the shape asked for."
    second = say(again)
    answer, wrong = _fitting(question, second.content)
    if answer is None:
        raise does_not_fit(name, wrong)
    return Reply(answer, first.usage + second.usage, _sum(first.cost_usd, second.cost_usd), second.model)


def refuse_too_long(question: Question[Shape], name: str) -> None:
    """Refuse a question that nobody should pay for."""
    if (size := len(question.system) + len(question.prompt)) > LONGEST:
        raise ModelError(f"a question of {size:,} characters is too long for `{name}`", f"at most {LONGEST:,}")


def does_not_fit(name: str, wrong: str) -> ModelError:
    """Say that a model answered twice, and neither time with what was asked for."""
    words = f"the model `{name}` answered twice with what does not fit: {wrong}"
    return ModelError(words, "take another model: [models] in loopwright.toml")


def _fitting(question: Question[Shape], content: object) -> tuple[Shape | None, str]:
    from pydantic import ValidationError  # 0.1 s that only who asks a model needs

    try:
        return question.shape.model_validate(_data(content) if isinstance(content, str) else content), ""
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return None, f"{'.'.join(map(str, found['loc'])) or 'it'}: {found['msg']}"[:_SHOWN]
    except ValueError as error:
        return None, f"it is no JSON: {error}"[:_SHOWN]


def _data(text: str) -> object:
    """Read JSON, also where words or a fence stand around it."""
    start, end = text.find("{"), text.rfind("}")
    return parse(text[start : end + 1] if 0 <= start < end else text)


def _sum(*costs: float | None) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


def schema_of(question: Question[Shape]) -> str:
    """Write the shape of the answer as a JSON Schema."""
    return json.dumps(question.shape.model_json_schema(), ensure_ascii=False)
