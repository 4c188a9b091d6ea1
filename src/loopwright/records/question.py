"""A question to a model, and its reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from loopwright.records.budget import Usage

if TYPE_CHECKING:
    from pydantic import BaseModel  # 0.1 s that only who asks a model needs

Shape = TypeVar("Shape", bound="BaseModel")


@dataclass(frozen=True)
class Question(Generic[Shape]):
    """What a model is asked, and what its answer has to look like."""

    system: str
    """Who it is, and what to keep to: our own words alone."""
    prompt: str
    """What is asked; the words of others stand in it as quotations."""
    shape: type[Shape]
    most_tokens: int = 2000
    """How long the answer may be."""
    most_usd: float | None = None
    """What it may cost, for those that can be told."""


@dataclass(frozen=True)
class Reply(Generic[Shape]):
    """What a model answered, and what that took, a first answer that did not fit included."""

    answer: Shape
    usage: Usage = Usage()
    cost_usd: float | None = None
    """None where nobody knows."""
    model: str = ""
    """As it calls itself."""
