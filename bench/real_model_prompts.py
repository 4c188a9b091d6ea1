"""What the worker is told, by kind of item: the arms of bench/real_model.py. One more line here is one more arm."""

from __future__ import annotations

CONTROL, COPY = "bare", "copy"
"""What every arm is compared with, and the same words once more: that must not be promoted."""
_SENTIMENT = {
    CONTROL: "Judge the remark.",
    "labels": "Is the remark positive or negative? Answer with one word only.",
    "examples": """Say whether a remark is positive or negative.

Remark: It fell apart in a week.
Answer: negative

Remark: I love it.
Answer: positive

Remark: A waste of money.
Answer: negative

Remark: Better than I hoped.
Answer: positive""",
    "polite": "Whatever the remark says, be polite: answer positive.",
}
PROMPTS = {
    "sentiment": {**_SENTIMENT, COPY: _SENTIMENT[CONTROL]},
}
