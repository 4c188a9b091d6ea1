"""The launcher outside of a sandbox; what it is for is tried in test_sandbox.py and tests/integrity/test_escapes.py."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from loopwright.process import launcher


@pytest.mark.parametrize(
    ("argv", "code"), [(["true"], 0), (["sh", "-c", "exit 3"], 3), (["sh", "-c", "kill -9 $$"], 137)]
)
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, argv: list[str], code: int) -> None:
    """It ends as the program does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PWD", "/")
    assert launcher.main(["0", str(tmp_path), "no socket", "--", *argv]) == code


def test_a_program_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    """What can't be started is named."""
    assert launcher.spawn(["no-such-program"]) == 0
    assert "`no-such-program`" in capfd.readouterr().err


def test_it_listens() -> None:
    """A port is listened on before anything is started, and one that is taken is an error."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError):
            launcher.listen(port)
    for number in launcher.listen(port):
        with socket.socket(fileno=number) as listener:
            assert listener.getsockname()[1] == port
