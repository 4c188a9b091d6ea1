"""A secret that an agent or a check prints is nowhere in what is written; how many there were is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent

SECRET = "hunter2-hunter2-hunter2"
KEY = "ghp_" + "aB3" * 12


def test_nothing_secret_is_written(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the store, nor in raw streams, prompts or logs: also where it comes in pieces."""
    monkeypatch.setenv("DEPLOY_TOKEN", SECRET)
    repo.write("test.sh", f'echo "token $DEPLOY_TOKEN"; echo {KEY[:9]}"{KEY[9:]}"; grep -qx 42 answer\n')
    repo.commit()
    talks = agent(
        'echo "I have $DEPLOY_TOKEN"',
        f"printf {KEY[:10]}; sleep 0.1; echo {KEY[10:]}",
        'echo "$DEPLOY_TOKEN" >&2',
        "[ -e half ] && echo 42 > answer; touch half",
    )
    called = loopwright("run", "Fix it", "--test", "sh test.sh", *talks, "--json")
    assert called.code == 0, called.err
    written = b"".join(path.read_bytes() for path in (repo.root / ".loopwright").rglob("*") if path.is_file())
    for stream in Path(called.json["artifacts"]["dir"]).rglob("*.gz"):
        written += gzip.decompress(stream.read_bytes())
    assert b"[masked:environment-secret]" in written and b"[masked:github-token]" in written
    for secret in (SECRET, KEY, KEY[:12]):
        assert secret.encode() not in written
    assert repo.query("SELECT masked FROM attempts") == [(3,), (3,)]
    notes = [row[0] for row in repo.query("SELECT text FROM events WHERE kind = 'note' ORDER BY seq")]
    assert "secrets masked in what the agent printed: environment-secret 2, github-token 1" in notes
    assert any("secrets masked in what the checks printed: environment-secret" in note for note in notes)
