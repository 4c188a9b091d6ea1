from __future__ import annotations

from pathlib import Path

import pytest

from export.samples import observed
from loopwright.wire import open_record
from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")


def test_two_runs_of_ours(repo: Repo, loopwright: Loopwright) -> None:
    """Both are named, with how they ended and what held; as JSON all of it is there."""
    done = loopwright("run", "Fix the answer", *TEST, *agent("echo 42 > answer"), "--json").json["run_id"]
    not_done = loopwright("run", "Again", *TEST, *agent("true"), "--max-iterations", 1, "--json").json["run_id"]
    out = loopwright("compare", done, not_done).out
    for words in (done[-8:], not_done[-8:], "done (criteria_met)", "escalated (criteria_unmet)", "sh test.sh", "pass"):
        assert words in out
    data = loopwright("compare", done, not_done, "--json").json
    assert [side["run_id"] for side in data["runs"]] == [done, not_done]
    assert data["checks"][0]["verdicts"] == ["pass", "fail"]


def test_sessions_outside_of_a_repository(
    loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two sessions in the user's own store are compared by tools, habits and the errors that they share."""
    monkeypatch.chdir(tmp_path)
    one, other = observed(), observed(session=None)
    with open_record(tmp_path).store as store:
        for bundle in (one, other):
            store.recorded.bring(bundle)
    out = loopwright("compare", one.run.id, other.run.id).out
    for words in ("claude_code", "Bash", "2, 2", "errors: 1 of 1 kind in both", "1 failed", "reads before"):
        assert words in out
    data = loopwright("compare", one.run.id, other.run.id, "--json").json
    assert data["errors"][0]["counts"] == [2, 2]
    assert [side["retries"] for side in data["runs"]] == [1, 1]


def test_an_unknown_run(repo: Repo, loopwright: Loopwright) -> None:
    """A run that is not there is named."""
    called = loopwright("compare", "last", "abcd1234")
    assert called.code == 2 and "there is no run" in called.err
