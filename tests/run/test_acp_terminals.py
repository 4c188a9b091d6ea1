"""Commands that an agent has us run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopwright.run.acp_terminals import Terminals
from world import alive, wait_for


@pytest.fixture
def terminals(tmp_path: Path) -> Terminals:
    return Terminals({"PATH": os.environ["PATH"]})


def test_a_command_runs_to_its_end(terminals: Terminals, tmp_path: Path) -> None:
    """Output and exit code can be asked for; variables and folder are as they were given."""
    name = terminals.create("echo $TOLD; pwd; exit 3", [], {"TOLD": "yes"}, tmp_path, None)
    terminal = terminals.find(name)
    terminal.wait()
    assert (terminal.output, terminal.exit_code, terminal.ended) == (f"yes\n{tmp_path}\n", 3, True)
    words = terminals.find(terminals.create("echo", ["$TOLD", "a b"], {}, tmp_path, None))
    words.wait()
    assert words.output == "$TOLD a b\n"


def test_of_a_long_output_the_end_is_kept(terminals: Terminals, tmp_path: Path) -> None:
    """As many bytes as the agent wants, the last ones."""
    terminal = terminals.find(terminals.create("seq 1 1000", [], {}, tmp_path, 10))
    terminal.wait()
    assert (terminal.output, terminal.truncated) == ("\n999\n1000\n", True)


def test_a_program_that_is_not_there(terminals: Terminals, tmp_path: Path) -> None:
    """It has ended, as in a shell, with 127."""
    terminal = terminals.find(terminals.create("no-such-program", ["x"], {}, tmp_path, None))
    terminal.wait()
    assert (terminal.exit_code, terminal.ended) == (127, True)


@pytest.mark.parametrize("way", ["kill", "release", "close"])
def test_a_command_is_ended_with_all_that_it_started(terminals: Terminals, tmp_path: Path, way: str) -> None:
    """Nothing is left of it, whichever way it is ended; only a released one is forgotten."""
    name = terminals.create("setsid sleep 300 & echo $! > pid; mv pid there; sleep 300", [], {}, tmp_path, None)
    terminal = terminals.find(name)
    wait_for((tmp_path / "there").exists)
    if way == "kill":
        terminal.kill()
        terminal.wait()
    elif way == "release":
        terminals.release(name)
        with pytest.raises(ValueError, match="no terminal"):
            terminals.find(name)
    else:
        terminals.close()
    assert terminal.ended
    pid = int((tmp_path / "there").read_text())
    wait_for(lambda: not alive(pid))
