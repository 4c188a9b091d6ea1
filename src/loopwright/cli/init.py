"""`loopwright init`: a settings file to start from."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import click

from loopwright.choosing import first_installed
from loopwright.cli.options import where
from loopwright.errors import AgentError
from loopwright.run.git import Repository
from loopwright.settings import FILE
from loopwright.wire import make_home

_TEMPLATE = """\
# Settings of Loopwright for this repository. All of them are in docs/settings.md of Loopwright's own.

[run]
# agent = "command"             # who works; without it, the first agent that is installed
# agent_command = "bash fix.sh" # the program behind the agent `command`; it reads the prompt from stdin
max_iterations = 12
# max_cost = 5.0                # US dollars for one run
timeout = "2h"
idle_timeout = "10m"
"""


@click.command()
@where
def init(repo: Path, home: str | None) -> None:
    """Write loopwright.toml and keep the state's folder out of git. What is there already stays as it is."""
    repository = Repository.find(repo)
    place = make_home(repository, home)
    settings = repository.root / FILE
    if settings.exists():
        click.echo(f"{settings} is there already: nothing was changed", err=True)
    else:
        settings.write_text(_TEMPLATE)
        click.echo(f"wrote {settings}; state lives in {place}", err=True)
    command = guess_test_command(repository.root)
    click.echo("\nnext:", err=True)
    click.echo("  loopwright doctor", err=True)
    click.echo(f'  loopwright run "what is to be done" --test "{command}"{_agent_flag()}', err=True)


def _agent_flag() -> str:
    try:
        first_installed()
    except AgentError:
        return ' --agent-command "bash fix.sh"'
    return ""


def guess_test_command(root: Path) -> str:
    """Guess how a project is tested, for an example that fits."""
    if (root / "Cargo.toml").is_file():
        return "cargo test"
    if (root / "go.mod").is_file():
        return "go test ./..."
    if _has_npm_test(root / "package.json"):
        return "npm test"
    if _mentions_pytest(root):
        return "pytest -q"
    return "python3 -m unittest"


def _has_npm_test(path: Path) -> bool:
    try:
        return "test" in json.loads(path.read_text()).get("scripts", {})
    except (OSError, ValueError, AttributeError):
        return False


def _mentions_pytest(root: Path) -> bool:
    if any((root / name).is_file() for name in ("pytest.ini", "conftest.py", "tests/conftest.py")):
        return True
    try:
        text = (root / "pyproject.toml").read_text()
        return "pytest" in text and bool(tomllib.loads(text))
    except (OSError, ValueError):
        return False
