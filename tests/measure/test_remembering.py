"""A model with a memory."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from loopwright.guard.redact import Masker
from loopwright.measure.remembering import Remembering
from loopwright.models.scripted import Scripted
from loopwright.registry import kinds
from loopwright.store import open_store
from models.marks import QUESTION, script


def test_the_same_question_is_asked_once(tmp_path: Path) -> None:
    """What was answered is answered again without asking, also after a restart; another question is asked."""
    name = script(
        tmp_path / "a.json", {"answer": {"value": 5, "reason": "a"}}, {"answer": {"value": 10, "reason": "b"}}
    )
    asked: list[Scripted] = []

    def make() -> Scripted:
        asked.append(Scripted(name.removeprefix("scripted:")))
        return asked[-1]

    for _ in range(2):
        with open_store(tmp_path / "store.sqlite", kinds) as store:
            model = Remembering(name, make, store.measured, Masker({}))
            assert model.ask(QUESTION).answer.value == 5
            assert model.ask(QUESTION).cost_usd == 0.0
    assert len(asked) == 1 and len(asked[0].questions) == 1
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        model = Remembering(name, make, store.measured, Masker({}))
        model.ask(dataclasses.replace(QUESTION, prompt="Another?"))
        other = Remembering(f"{name}x", make, store.measured, Masker({}))
        other.ask(QUESTION)
    assert [len(one.questions) for one in asked] == [1, 1, 1]


def test_secrets_do_not_go_out(tmp_path: Path) -> None:
    """What looks like a secret in a quotation is masked before anybody is asked."""
    made = Scripted(script(tmp_path / "a.json", {"answer": {"value": 5, "reason": "a"}}).removeprefix("scripted:"))
    secret = "ghp_" + "a1B2" * 9
    Remembering("m", lambda: made, None, Masker({})).ask(dataclasses.replace(QUESTION, prompt=f"token = {secret}"))
    assert secret not in made.questions[0] and "token" in made.questions[0]
