"""`loopwright patterns`."""

from __future__ import annotations

from pathlib import Path

from world import Loopwright, Repo

SCRIPT = """
[[attempt]]
actions = [ { run = "make it" }, { run = "make it" }, { run = "make it" }, { write = "answer", content = "42\\n" } ]
says = "Done."
"""


def test_what_came_again(repo: Repo, loopwright: Loopwright, tmp_path: Path) -> None:
    """What two runs have in common is listed with both, for people and as JSON."""
    empty = loopwright("patterns")
    assert (empty.code, empty.out) == (0, "")
    assert "loopwright scan" in empty.err
    script = tmp_path / "script.toml"
    script.write_text(SCRIPT)
    repo.write("loopwright.toml", f'[profiles.s]\nagent = "scripted"\nagent_options = {{ script = "{script}" }}\n')
    for times, word in enumerate(("first", "second"), 1):
        done = loopwright("run", f"Fix the {word} answer", "--test", "sh test.sh", "--profile", "s", "--json")
        assert done.code == 0
        found = loopwright("patterns", "--json").json
        assert (found["sessions"], len(found["patterns"])) == (times, times - 1)
    (pattern,) = found["patterns"]
    assert (pattern["key"], pattern["sessions"], pattern["of"], len(pattern["runs"])) == ("error_loop", 2, 2, 2)
    shown = loopwright("patterns", "--since", "1w")
    assert "1. error_loop" in shown.out
    assert "2 of 2 sessions" in shown.out
    assert "failed 3 times in a row" in shown.out
    assert "nothing came in 3 sessions or more" in loopwright("patterns", "--sessions", "3").out
