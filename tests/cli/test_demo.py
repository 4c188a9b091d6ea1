from __future__ import annotations

from pathlib import Path

from world import Loopwright, Repo


def test_the_demo_shows_the_main_job(loopwright: Loopwright, tmp_path: Path) -> None:
    """The demo leaves with 0: tasks fixed at the second go, built, and given to a human, in a repository of its own."""
    called = loopwright("demo", "--dir", tmp_path / "world")
    assert called.code == 0, called.err
    shop = Repo(tmp_path / "world" / "shop")
    assert shop.statuses() == ["done", "done", "done", "escalated", "escalated"]
    assert shop.query("SELECT iterations FROM runs ORDER BY started_at") == [(2,), (1,), (2,), (2,), (2,)]
    for words in ("criteria_met", "impossible", "tainted", "changes.diff", "completion.md", "store.sqlite"):
        assert words in called.out
    assert "iteration 2 of 4" in called.err
    assert "tests/test_rounding.py was changed: it is protected" in called.err
    for line in called.out.splitlines():
        if line.startswith(("  diff", "  log", "  store", "  repository")):
            assert Path(line.split()[1]).exists()
    assert len(loopwright("queue", "--repo", shop.root, "--json").json) == 2
    assert shop.git("status", "--porcelain") == ""


def test_a_folder_that_is_not_empty(loopwright: Loopwright, tmp_path: Path) -> None:
    """The demo touches nothing of somebody else's."""
    (tmp_path / "mine").write_text("x")
    called = loopwright("demo", "--dir", tmp_path)
    assert called.code == 2
    assert "is not empty" in called.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
