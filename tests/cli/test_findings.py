"""`loopwright findings`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from world import Loopwright, Repo

SCRIPT = """
[[attempt]]
actions = [ { run = "make it" }, { run = "make it" }, { run = "make it" }, { write = "answer", content = "42\\n" } ]
says = "Done."
"""
RULE = "Run the whole test suite and read its output before you say that any of the work is done."
KEY = "recurring/error_loop/bug_fix"


def worked(repo: Repo, loopwright: Loopwright, folder: Path, times: int) -> None:
    """Let the same go wrong in so many runs."""
    script = folder / "script.toml"
    script.write_text(SCRIPT)
    repo.write("loopwright.toml", f'[profiles.s]\nagent = "scripted"\nagent_options = {{ script = "{script}" }}\n')
    for number in range(times):
        goal = f"Fix the wrong answer, which is bug number {number}"
        assert loopwright("run", goal, "--test", "sh test.sh", "--profile", "s", "--json").code == 0


def test_what_could_be_better(
    repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real runs with the same trouble are a finding, for people, for programs, and later by its key."""
    empty = loopwright("findings")
    assert (empty.code, empty.out) == (0, "")
    assert "loopwright scan" in empty.err
    repo.write("AGENTS.md", f"# Rules\n\n{RULE}\n\n- {RULE}\n")
    worked(repo, loopwright, tmp_path, 3)
    found = loopwright("findings", "--json").json
    assert found["sessions"] == 3
    by_key = {one["key"]: one for one in found["findings"]}
    assert set(by_key) == {KEY, "duplicated_passage/AGENTS.md"}
    assert (by_key[KEY]["change"], by_key[KEY]["sessions"], by_key[KEY]["of"], by_key[KEY]["rate"]) == ("new", 3, 3, 1)
    assert by_key["duplicated_passage/AGENTS.md"]["waste_tokens"] > 60
    for columns in (60, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown = loopwright("findings").out
        assert max(map(len, shown.splitlines())) <= columns
        assert "3 of 3 sessions (100%)" in shown
        assert shown.index("Accuracy") < shown.index(KEY) < shown.index("Cost")
    assert [one["key"] for one in loopwright("findings", "--goal", "cost", "--json").json["findings"]] == [
        "duplicated_passage/AGENTS.md"
    ]
    one = loopwright("findings", "show", "error_loop")
    assert "worker/bug_fix" in one.out
    assert "hypothesis" in one.out
    told = loopwright("findings", "show", KEY, "--json").json
    assert (told["key"], len(told["sightings"])) == (KEY, 1)


def test_what_was_mended_is_gone(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """A duplicate that was taken out is told once, at the end of the list."""
    repo.write("AGENTS.md", f"{RULE}\n\n- {RULE}\n")
    worked(repo, loopwright, tmp_path, 2)
    assert "`AGENTS.md` says the same more than once  new" in loopwright("findings").out
    repo.write("AGENTS.md", f"{RULE}\n")
    shown = loopwright("findings").out
    assert "✓ `AGENTS.md` says the same more than once  was 100%, now 0 of 2" in shown
    assert "nothing was found" in loopwright("findings").out
    seen = loopwright("findings", "show", "AGENTS", "--json").json["sightings"]
    assert [one["change"] for one in seen] == ["new", "gone"]


def test_a_model_adds(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """With the model of the settings, marked as its own, and what it took is told; without one it is refused."""
    worked(repo, loopwright, tmp_path, 2)
    refused = loopwright("findings", "--judge")
    assert (refused.code, "no model is set" in refused.err) == (2, True)
    found = {
        "goal": "capabilities",
        "name": "build command",
        "title": "A build command is missing",
        "detail": "It is.",
        "sessions": ["s1", "s2"],
        "quotations": ["failed 3 times in a row"],
        "confidence": 0.9,
    }
    script = tmp_path / "answers.json"
    script.write_text(json.dumps({"answers": [{"answer": {"findings": [found]}, "cost_usd": 0.01}]}))
    with (repo.root / "loopwright.toml").open("a") as settings:
        settings.write(f'[models]\njudge = "scripted:{script}"\n')
    called = loopwright("findings", "--judge")
    assert "a model took $0.0100" in called.err
    assert "1. A build command is missing  new" in called.out
    assert "found by a model" in called.out
    assert "judge/capabilities/build_command" in called.out


def test_what_nobody_can_mean(repo: Repo, loopwright: Loopwright) -> None:
    """Words that are no command, and keys that are none, are refused with the next step."""
    for words in (("shw", "x"), ("show",), ("show", "a", "b")):
        called = loopwright("findings", *words)
        assert (called.code, "loopwright findings show KEY" in called.err) == (2, True)
    assert "there is no finding `nothing`" in loopwright("findings", "show", "nothing").err
