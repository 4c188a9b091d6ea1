from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from loopwright.errors import SetupError
from loopwright.process.aside import aside
from loopwright.text.fingerprint import fingerprint


def test_answer_comes_back():
    """A function gets its arguments, in whatever script, and its answer comes back."""
    assert aside(10, json.loads, '{"ä": ["\\ud800", 1]}') == {"ä": ["\ud800", 1]}


def test_it_runs_in_another_process():
    """The interpreter is one of its own."""
    assert aside(10, os.getpid) != os.getpid()


def test_modules_of_ours_can_be_loaded():
    """The child finds what this process finds."""
    assert aside(10, textwrap.dedent, "  a") == "a"
    assert aside(10, fingerprint, "boom") == fingerprint("boom")


def test_limit_holds_where_nothing_can_interrupt():
    """What holds the interpreter's lock is ended at the limit."""
    started = time.monotonic()
    with pytest.raises(TimeoutError, match=r"0\.3 s"):
        aside(0.3, re.fullmatch, "(a+)+", "a" * 60 + "b")
    assert time.monotonic() - started < 3


def test_failure_is_told():
    """An exception there is an error here, with its reason."""
    with pytest.raises(SetupError, match="FileNotFoundError"):
        aside(10, os.listdir, "/no/such/folder")


def test_child_ends_when_its_parent_is_killed(tmp_path):
    """The limit holds also when nobody is left to enforce it."""
    (tmp_path / "waiting.py").write_text(
        "import os, pathlib, time\n"
        "def wait(folder):\n"
        "    pathlib.Path(folder, 'new').write_text(str(os.getpid()))\n"
        "    os.rename(f'{folder}/new', f'{folder}/pid')\n"
        "    time.sleep(60)\n"
    )
    code = "import sys, waiting; from loopwright.process.aside import aside; aside(1.0, waiting.wait, sys.argv[1])"
    parent = subprocess.Popen([sys.executable, "-c", code, tmp_path], env={"PYTHONPATH": str(tmp_path)})
    pid = _wait_for(tmp_path / "pid")
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 10
    while _is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_alive(pid)


def _wait_for(place: Path) -> int:
    deadline = time.monotonic() + 10
    while not place.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return int(place.read_text())


def _is_alive(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
