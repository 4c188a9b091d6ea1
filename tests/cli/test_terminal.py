from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Sequence

from world import PROGRAM, Repo, agent, environment


def at_a_terminal(repo: Repo, *arguments: str) -> tuple[int, str, str]:
    """Run the command line with a terminal as its stderr; give its exit code, its stdout and what was on the screen."""
    ours, theirs = pty.openpty()
    names = environment(TERM="xterm", COLUMNS="100")
    process = subprocess.Popen(
        [*PROGRAM, *arguments], cwd=repo.root, stdout=subprocess.PIPE, stderr=theirs, text=True, env=names
    )
    os.close(theirs)
    screen = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        screen += chunk
    os.close(ours)
    out, _ = process.communicate(timeout=30)
    return process.returncode, out, screen.decode()


def stream(*blocks: dict[str, object]) -> Sequence[str]:
    lines = [
        json.dumps({"type": "assistant", "message": {"id": f"m{number}", "content": [block]}})
        for number, block in enumerate(blocks)
    ]
    text = "\n".join(lines)
    return agent(f"cat <<'END'\n{text}\nEND", "sleep 0.5", "echo 42 > answer")


def test_what_happens_right_now(repo: Repo) -> None:
    """At a terminal one line tells what the agent does right now; the result on stdout stays one JSON object."""
    said = stream({"type": "text", "text": "thinking about [bold]it"}, {"type": "tool_use", "id": "t", "name": "Bash"})
    code, out, screen = at_a_terminal(repo, "run", "Fix it", "--test", "sh test.sh", *said, "--json")
    assert code == 0
    assert json.loads(out)["status"] == "done"
    assert "iteration 1 of 12: Bash" in screen
    assert "✓ test sh test.sh" in screen


def test_events_without_words(repo: Repo) -> None:
    """An event that has nothing to show does not break the run that is watched."""
    empty = stream(
        {"type": "text", "text": ""},
        {"type": "text", "text": " \n "},
        {"type": "tool_use", "id": "a", "name": "WebSearch", "input": {}},
        {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": ""}},
        {"type": "text", "text": "[/]"},
    )
    code, out, screen = at_a_terminal(repo, "run", "Fix it", "--test", "sh test.sh", *empty, "--json")
    assert "Traceback" not in screen
    assert code == 0
    assert json.loads(out)["status"] == "done"


def test_a_goal_with_markup(repo: Repo) -> None:
    """What a person or an agent wrote is shown as it is, and never read as markup."""
    code, _, screen = at_a_terminal(
        repo, "run", "Fix [/red] [bold]it", "--test", "sh test.sh", *agent("echo '[/]'; false")
    )
    assert code == 5
    assert "Fix [/red] [bold]it" in screen
