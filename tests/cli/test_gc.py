from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from export.samples import observed
from loopwright.wire import open_record
from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")
LATER = agent("date +%N >> notes", '[ "$LOOPWRIGHT_ITERATION" = 1 ] || echo 42 > answer')


def clones(cache: Path) -> list[Path]:
    return list((cache / "clones").glob("*"))


def test_clones_go_and_branches_stay(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """gc removes the clones of ended runs; branches, diffs, logs and raw streams stay, and a run can be resumed."""
    done = loopwright("run", "One", *TEST, *agent("echo 42 > answer"), "--json").json
    waiting = loopwright("run", "Two", *TEST, *LATER, "--max-iterations", 1, "--json").json
    refs = repo.git("for-each-ref")
    assert len(clones(cache)) == 2
    called = loopwright("gc")
    assert (called.code, called.out) == (0, "")
    assert "removed clones: 2, raw streams: 0" in called.err
    assert clones(cache) == []
    assert repo.git("for-each-ref") == refs
    assert all(Path(path).exists() for path in done["artifacts"].values())
    assert list((Path(done["artifacts"]["dir"]) / "raw").iterdir())
    called = loopwright("resume", waiting["run_id"], "--json")
    assert (called.code, called.json["iterations"]) == (0, 2)
    assert len(repo.show(waiting["branch"], "notes").splitlines()) == 2


def test_old_raw_streams_go(repo: Repo, loopwright: Loopwright) -> None:
    """Raw streams that are older than --keep go; everything else that a run left stays."""
    result = loopwright("run", "One", *TEST, *agent("echo 42 > answer; echo said"), "--json").json
    folder = Path(result["artifacts"]["dir"])
    assert "raw streams: 0" in loopwright("gc", "--keep", "1h").err
    assert "removed clones: 0, raw streams: 2" in loopwright("gc", "--keep", "0s").err
    assert list((folder / "raw").iterdir()) == []
    assert Path(result["artifacts"]["output"]).read_text() == "said"
    assert "raw streams: 0" in loopwright("gc", "--keep", "0s").err


def test_who_waits_for_a_human_keeps_raw_streams(repo: Repo, loopwright: Loopwright) -> None:
    """The raw streams of an escalated run stay until it is closed, however old they are."""
    assert loopwright("run", "One", *TEST, *LATER, "--max-iterations", 1).code == 5
    assert "raw streams: 0" in loopwright("gc", "--keep", "0s").err
    assert loopwright("close", "last", "--reason", "not wanted").code == 0
    assert "raw streams: 2" in loopwright("gc", "--keep", "0s").err


def test_dry_run(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """--dry-run says what would go and removes nothing."""
    loopwright("run", "One", *TEST, *agent("echo 42 > answer"))
    called = loopwright("gc", "--keep", "0s", "--dry-run")
    assert "would remove clones: 1, raw streams: 2" in called.err
    assert len(clones(cache)) == 1


def test_a_clone_with_read_only_folders(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """A clone in which an agent took its own rights away can be removed all the same."""
    loopwright("run", "One", *TEST, *agent("echo 42 > answer", "mkdir -p d/e; touch d/e/f; chmod -R 500 d"))
    assert loopwright("gc").code == 0
    assert clones(cache) == []


def test_other_repositories_are_left_alone(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """Only the runs of this repository's store are looked at."""
    other = cache / "clones" / "somebody-elses"
    other.mkdir(parents=True)
    loopwright("gc")
    assert other.exists()


def test_a_branch_that_was_merged_and_deleted_stays_deleted(repo: Repo, loopwright: Loopwright) -> None:
    """gc does not bring back a branch that a person has deleted."""
    result = loopwright("run", "One", *TEST, *agent("echo 42 > answer"), "--json").json
    repo.git("merge", "-q", "--no-edit", result["branch"])
    repo.git("branch", "-q", "-d", result["branch"])
    assert loopwright("gc").code == 0
    assert "loopwright" not in repo.git("branch", "--list")


def test_work_that_could_not_be_brought_home_is_kept(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """A branch that a person has checked out can't be moved: the clone stays until the work is safe elsewhere."""
    switches = agent(f"git -C {repo.root} switch -q $(git branch --show-current)", "echo 42 > answer")
    result = loopwright("run", "One", *TEST, *switches, "--json").json
    assert result["status"] == "done"
    called = loopwright("gc")
    assert called.code == 0
    assert "kept " in called.err and "removed clones: 0" in called.err
    assert len(clones(cache)) == 1
    repo.git("switch", "-q", "main")
    assert "removed clones: 1" in loopwright("gc").err
    assert repo.show(result["branch"], "answer") == "42"


def test_old_events_go_and_show_says_so(repo: Repo, loopwright: Loopwright) -> None:
    """Events older than --keep go; the run is still shown with its checks, and it is said that its events are gone."""
    loopwright("run", "One", *TEST, *agent("echo 42 > answer; echo said"))
    (before,) = repo.query("SELECT count(*) FROM events")[0]
    assert "events: 0 of 0 runs" in loopwright("gc", "--keep", "1h").err
    assert (
        f"would remove clones: 0, raw streams: 2 (0.0 MB), events: {before - 1} of 1 runs"
        in loopwright("gc", "--keep", "0s", "--dry-run").err
    )
    assert f"events: {before - 1} of 1 runs" in loopwright("gc", "--keep", "0s").err
    assert repo.query("SELECT count(*), max(seq) FROM events") == [(1, before)]
    called = loopwright("show")
    assert f"were removed by `loopwright gc`: there were {before}" in called.err
    assert "✓ test sh test.sh" in called.out
    assert "were removed" in loopwright("show", "--commands").err
    assert "events: 0 of 0 runs" in loopwright("gc", "--keep", "0s").err


def test_a_session_that_ran_elsewhere_has_nothing_to_remove(repo: Repo, loopwright: Loopwright) -> None:
    """It has no clone, even where it worked in this very repository, and the current folder is not taken for one."""
    bundle = observed()
    with open_record(repo.root).store as store:
        store.recorded.bring(replace(bundle, run=replace(bundle.run, repository=str(repo.root))))
    for arguments in (["gc", "--dry-run"], ["gc"]):
        called = loopwright(*arguments)
        assert called.code == 0 and "clones: 0, raw streams: 0 (0.0 MB)" in called.err
    assert (repo.root / "answer").exists()
    assert loopwright("resume", bundle.run.id).code == 2
