"""A prompt's accuracy on items that no experiment has seen: the agent's own code asks, without a run around it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from loopwright.ports import Briefing
from loopwright.records.profile import Profile
from loopwright.run.agents.api import Api
from loopwright.run.api_settings import ApiSettings
from loopwright.statistics.intervals import wilson
from real_model_items import Item


@dataclass(frozen=True)
class Accuracy:
    """How many answers were right."""

    hits: int
    items: int

    @property
    def rate(self) -> float:
        return self.hits / self.items

    def __str__(self) -> str:
        low, high = wilson(self.hits, self.items)
        return f"{100 * self.rate:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def true_accuracy(profile: Profile, items: Sequence[Item], runner: asyncio.Runner) -> Accuracy:
    """Ask about each item once, as a run with this profile would; connections belong to the runner: use one for all."""
    settings = settings_of(profile)
    answers = runner.run(_answers(settings, [item.text for item in items]))
    return Accuracy(sum(found == item.answer for found, item in zip(answers, items, strict=True)), len(items))


def settings_of(profile: Profile) -> ApiSettings:
    """Give what a run hands to the agent's process."""
    briefing = Briefing("", Path("prompt.md"), Path(), 1, profile)
    return ApiSettings.load(Api(profile.agent_options).launch(briefing).argv[-1])


async def _answers(settings: ApiSettings, texts: Sequence[str]) -> list[str]:
    return [await _answer(settings, text) for text in texts]


async def _answer(settings: ApiSettings, text: str) -> str:
    from loopwright.run.api_agent import instructions_of  # loads pydantic-ai, which takes a second
    from loopwright.run.api_model import Chat

    chat = Chat(settings, "", instructions_of(settings))
    chat.tell(text)
    return (await chat.ask()).text.strip()
