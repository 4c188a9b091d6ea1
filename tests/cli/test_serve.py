"""`loopwright serve`, as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from loopwright.wire import open_record
from world import Loopwright

KEY = "a-key-of-this-test-0123456789"


def test_it_serves_until_it_is_ended(tmp_path: Path) -> None:
    """It says where it listens, takes a run with the key, and leaves with 0 when it is asked to end."""
    home = tmp_path / "home"
    code = "from loopwright.cli.main import main; main()"
    arguments = [sys.executable, "-c", code, "serve", "--port", "0", "--home", str(home)]
    environment = {**os.environ, "LOOPWRIGHT_KEY": KEY}
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("listening on http://127.0.0.1:")
        body = json.dumps({"task_type": "docs", "passed": True, "reason": KEY}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
        asked = urllib.request.Request(line.split()[2].rstrip(",") + "/api/agent-runs", body, headers)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            run_id = json.load(answer)["run_id"]
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
        assert process.wait(20) == 0
    assert "POST /api/agent-runs 201" in rest
    assert KEY not in line + rest
    record = open_record(tmp_path, str(home))
    assert record.store.run(run_id).source == "agent_run"
    assert KEY not in str(record.store.view("agent_runs"))
    record.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com"])
def test_others_need_a_key(loopwright: Loopwright, tmp_path: Path, host: str) -> None:
    """Without a key it is bound to this machine only."""
    called = loopwright("serve", "--repo", tmp_path, "--home", tmp_path, "--host", host, "--port", 0)
    assert called.code == 2
    assert f"to listen on `{host}` needs a key" in called.err
