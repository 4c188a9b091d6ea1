"""A question for tests: a mark with its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from loopwright.records.question import Question


class Mark(BaseModel):
    """What is asked for."""

    value: Literal[0, 5, 10]
    reason: str


QUESTION = Question("Be strict.", "What is it worth?", Mark, most_usd=0.05)


def script(path: Path, *answers: dict[str, Any]) -> str:
    """Write a script for the model `scripted`, and give the setting that names it."""
    path.write_text(json.dumps({"answers": list(answers)}))
    return f"scripted:{path}"
