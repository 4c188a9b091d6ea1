"""A window is read from the store and the repository."""

from __future__ import annotations

from pathlib import Path

from loopwright.cycle.gathering import Gathering, told_beside
from loopwright.diagnose.findings import look
from loopwright.guard.redact import Masker
from loopwright.registry import kinds
from loopwright.release.versions import Versions
from loopwright.store import open_store
from world import Loopwright, Repo

SCRIPT = """
[[attempt]]
actions = [ { run = "cat answer" }, { write = "answer", content = "42\\n" } ]
says = "Done."
"""


def test_what_is_read_of_real_runs(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """Tools that were offered and used, prompts in use, files brought along and which of them were touched."""
    script = tmp_path / "script.toml"
    script.write_text(SCRIPT)
    repo.write("wrong.py", "def wrong_answer():\n    return 'the answer is wrong'\n")
    repo.commit("more")
    repo.write("CLAUDE.md", "Be kind.\n")
    repo.write(
        "loopwright.toml",
        f'[profiles.s]\nagent = "scripted"\ncontext = "full_files"\nagent_options = {{ script = "{script}" }}\n',
    )
    goal = "Fix the bug: the wrong answer in `answer`, not in `wrong.py`"
    called = loopwright("run", goal, "--test", "sh test.sh", "--profile", "s", "--json")
    assert called.code == 0
    with open_store(repo.root / ".loopwright" / "store.sqlite", kinds) as store:
        parts = (store.measured, store.outcomes, store.windows, Versions(store.versions, Masker({})))
        window = Gathering(*parts, beside=told_beside(repo.root)).window()
        empty = Gathering(*parts).window("2999-01-01")
    (case,) = window.cases
    assert [(one.tool, one.calls) for one in window.used] == [("Bash", 1), ("Write", 1)]
    assert [one.tools for one in window.offered] == [("Read", "Write", "Edit", "Bash")]
    assert [one.text for one in window.commands] == ["cat answer"]
    assert [(one.name, one.runs) for one in window.prompts] == [(f"worker/{case.task_type}", [case.run_id])]
    assert "{{" not in window.prompts[0].text
    assert window.beside == {"CLAUDE.md": "Be kind.\n"}
    brought = {one.path: one for one in window.brought}
    assert (brought["answer"].touched, brought["wrong.py"].touched) == (True, False)
    assert brought["wrong.py"].tokens == 14
    assert (empty.cases, empty.prompts, empty.brought, look(empty)) == ([], [], [], [])


def test_files_that_agents_read_by_themselves(tmp_path: Path) -> None:
    """Those that are there and say something; what is no text is passed over."""
    (tmp_path / "AGENTS.md").write_text("Be kind.")
    (tmp_path / "CLAUDE.md").write_bytes(b"\xff\xfe")
    (tmp_path / "GEMINI.md").write_text(" \n")
    assert told_beside(tmp_path) == {"AGENTS.md": "Be kind."}
