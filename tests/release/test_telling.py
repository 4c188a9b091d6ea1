"""What entries come to in a prompt."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from loopwright.guard.redact import Masker
from loopwright.registry import kinds
from loopwright.release.first_entries import entry_names
from loopwright.release.telling import telling
from loopwright.release.versions import Versions
from loopwright.store import open_store
from loopwright.text.tokens import tokens_in

TITLES = [f"{name}@1" for name in entry_names()]


def test_lines_of_a_playbook_belong_together(tmp_path: Path) -> None:
    """Each entry is an item of its own, and its further lines stand below it; of none, nothing is said."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        versions = Versions(store.versions, Masker({}))
        found = telling(versions, ["reproduce-first@1", "read-once@1"], 1000)
        assert telling(versions, [], 1000).text == ""
    lines = found.text.splitlines()
    assert lines[0] == "Learned before:"
    assert [line[:2] for line in lines[1:] if line] == ["- ", "  ", "  ", "- "]
    assert found.left_out == ()


def test_no_budget_is_exceeded(tmp_path: Path) -> None:
    """Whatever is asked for, the text is within it, and each entry is told or named as left out."""
    with open_store(tmp_path / "store.sqlite", kinds) as store:
        versions = Versions(store.versions, Masker({}))

        @given(st.lists(st.sampled_from(TITLES), unique=True), st.integers(0, 400))
        def holds(titles: list[str], budget: int) -> None:
            found = telling(versions, titles, budget)
            assert tokens_in(found.text) == found.tokens <= budget
            assert found.text.count("\n- ") + len(found.left_out) == len(titles)

        holds()
