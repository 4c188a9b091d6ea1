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
_ROUTING = {
    CONTROL: "Read the message.",
    "labels": "Is the message about a payment, a defect, a password or a delivery?",
    "defined": """Say what the message is about.
A payment: bills, prices, refunds, cards.
A defect: something does not work.
A password: who can't log in.
A delivery: parcels, couriers, tracking.""",
}
_EXTRACTION = {
    CONTROL: "Read the message.",
    "labels": "Write the order number that the message names.",
    "decoy": "Write the number of the invoice, the ticket or the article that the message names, not of the order.",
}
PROMPTS = {
    "sentiment": {**_SENTIMENT, COPY: _SENTIMENT[CONTROL]},
    "routing": {**_ROUTING, COPY: _ROUTING[CONTROL]},
    "extraction": _EXTRACTION,
}
