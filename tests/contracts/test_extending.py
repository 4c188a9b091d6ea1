"""What the documentation shows as an agent is one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from world import Repo, environment

GUIDE = Path(__file__).parents[2] / "docs" / "extending" / "agents.md"
AIDER = """#!/bin/sh
[ "$1" = --version ] && { echo aider 0.99.1; exit; }
for file; do :; done
grep -q 'Mend the answer' "$file" && echo 42 > answer
"""


def test_the_agent_of_the_guide_works(repo: Repo, tmp_path: Path) -> None:
    """The guide's file, in a package of its own with an entry point, runs a task to its end."""
    package = tmp_path / "packages"
    (package / "aider_agent-1.dist-info").mkdir(parents=True)
    (package / "aider_agent-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: aider_agent\nVersion: 1\n"
    )
    (package / "aider_agent-1.dist-info" / "entry_points.txt").write_text(
        "[loopwright.agents]\naider = aider_agent:Aider\n"
    )
    code = re.search(r"```python\n(.*?)```", GUIDE.read_text(), re.S)
    assert code
    (package / "aider_agent.py").write_text(code.group(1))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "aider").write_text(AIDER)
    (tools / "aider").chmod(0o755)
    argv = [
        str(Path(sys.executable).with_name("loopwright")),
        "run",
        "Mend the answer",
        "--test",
        "sh test.sh",
        "--agent",
        "aider",
    ]
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    env = environment(PYTHONPATH=str(package), PATH=path)
    done = subprocess.run(
        [*argv, "--sandbox", "off"], cwd=repo.root, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert repo.query("SELECT agent FROM attempts") == [("aider",)]
    assert "0.99.1" in repo.query("SELECT environment FROM attempts")[0][0]
