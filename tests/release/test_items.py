"""Several prompts at once: what fails is left out with its reason, and the others go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.errors import BusyError
from loopwright.guard.redact import Masker
from loopwright.registry import kinds
from loopwright.release.first_prompts import prompt_template
from loopwright.release.items import Item, deploy, each
from loopwright.release.versions import Versions
from loopwright.store import open_store


def test_each_goes_on_after_a_failure() -> None:
    """A refusal becomes words with its hint; a defect of ours stays one."""

    def act(name: str) -> Item:
        if name == "b":
            raise BusyError("somebody is there", "wait")
        return Item(name, 1, True, "done") if name else Item(name, int(name), True, "")

    found = each(["a", "b", "c"], act)
    assert [item.done for item in found] == [True, False, True]
    assert found[1] == Item("b", None, False, "somebody is there (hint: wait)")
    with pytest.raises(ValueError, match="invalid literal"):
        each([""], act)


def test_unsafe_ones_are_left_out(tmp_path: Path) -> None:
    """Of three versions the one that is too short stays written down, and the other two are in use."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        versions = Versions(store.versions, Masker({}))
        names = ["worker/docs", "worker/tests", "worker/feature"]
        for name in names:
            content = "short" if name == "worker/tests" else f"{prompt_template(name)}\nBe kind.\n"
            versions.write("prompt", name, content, "x")
        done = deploy(versions, [(name, 2) for name in names], "me", "all")
        assert [(item.name, item.number, item.done) for item in done] == [
            ("worker/docs", 2, True),
            ("worker/tests", 2, False),
            ("worker/feature", 2, True),
        ]
        assert "200 are needed" in done[1].words
        assert [versions.get("prompt", name).number for name in names] == [2, 1, 2]
