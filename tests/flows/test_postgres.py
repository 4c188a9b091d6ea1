"""The whole line with a store in PostgreSQL, through the command line."""

from __future__ import annotations

import pytest

from postgres import Server, name_of
from world import Loopwright, Repo, agent


def test_a_run_in_postgres(
    repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, postgres: Server, postgres_url: str
) -> None:
    """A run is recorded on the server and nowhere else, and is listed and shown from there."""
    monkeypatch.setenv("LOOPWRIGHT_STORE", postgres_url.replace("postgres@", "postgres:hunter2@"))
    done = loopwright("run", "Fix the answer", "--test", "sh test.sh", *agent("echo 42 > answer"), "--json")
    assert (done.code, done.json["status"]) == (0, "done")
    run_id = done.json["run_id"]
    assert postgres.sql("SELECT id, status FROM runs", name_of(postgres_url)) == [(run_id, "done")]
    assert not (repo.root / ".loopwright" / "store.sqlite").exists()
    assert [row["run_id"] for row in loopwright("runs", "--json").json] == [run_id]
    shown = loopwright("show", "last")
    assert shown.code == 0 and "Fix the answer" in shown.out
    seen = loopwright("doctor")
    assert "in the queue" in seen.out and "hunter2" not in seen.out + seen.err
