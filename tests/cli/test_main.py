from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from loopwright.cli.main import COMMANDS
from world import PROGRAM, Loopwright, Repo, agent

HEAVY = ["alembic", "rich", "sqlalchemy", "jsonschema", "yaml", "jmespath", "importlib.metadata"]


def test_help_names_every_command_and_code(loopwright: Loopwright) -> None:
    """The help lists the commands with what they do, and the exit codes."""
    for flag in ("--help", "-h"):
        called = loopwright(flag)
        assert (called.code, called.err) == (0, "")
        assert [name for name in COMMANDS if f"  {name} " not in called.out] == []
        assert "130 cancelled" in called.out


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(loopwright: Loopwright, command: str) -> None:
    """`loopwright COMMAND --help` works for each, also outside of a repository."""
    called = loopwright(command, "--help")
    assert called.code == 0
    assert f"Usage: loopwright {command}" in called.out


def test_help_loads_nothing_heavy() -> None:
    """`loopwright --help` is instant: nothing that takes long to import is imported."""
    code = (
        "import sys, json\n"
        "from loopwright.cli.main import main\n"
        "sys.argv = ['loopwright', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage: loopwright" in done.stdout
    loaded = set(json.loads(done.stderr))
    assert [name for name in HEAVY if name in loaded] == []
    assert [name for name in loaded if name.startswith("loopwright.cli.")] == ["loopwright.cli.main"]


def test_version(loopwright: Loopwright) -> None:
    """--version prints the name and the version."""
    called = loopwright("--version")
    assert called.code == 0
    assert called.out.startswith("loopwright")


def test_the_installed_script(repo: Repo) -> None:
    """The script `loopwright` that is installed leaves with the command's own exit code."""
    script = Path(sys.executable).with_name("loopwright")
    done = subprocess.run([script, "run", "x", *agent("true")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "how would you know" in done.stderr


def test_a_reader_that_leaves(repo: Repo, loopwright: Loopwright) -> None:
    """When whoever reads our output leaves early, there is no traceback."""
    for _ in range(3):
        loopwright("run", "x" * 90, "--file", "answer", *agent("true"))
    command = f"{sys.executable} -c 'from loopwright.cli.main import main; main()' runs --json | head -c 10"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[")
    assert "Traceback" not in done.stderr


def test_no_colour_and_no_terminal(repo: Repo) -> None:
    """Where nobody sits at a terminal, what is printed is plain text."""
    done = subprocess.run(
        [*PROGRAM, "run", "x", "--test", "sh test.sh", *agent("echo 42 > answer")], capture_output=True, check=True
    )
    assert b"\x1b" not in done.stdout + done.stderr
