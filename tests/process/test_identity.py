"""A process by a name that no other one ever has."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from loopwright.process.identity import alive, end, identify, myself, number


def test_a_process_is_known_while_it_is_there() -> None:
    """It is alive, also when it is stopped; what is left of it after its end is not."""
    with subprocess.Popen(["sleep", "60"]) as process:
        name = identify(process.pid)
        assert (number(name), alive(name)) == (process.pid, True)
        process.send_signal(signal.SIGSTOP)
        assert alive(name)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # a zombie now
        assert alive(name) is False
    assert alive(name) is False


def test_a_number_that_is_used_again_is_another_process() -> None:
    """The name holds the time of the start; and the machine, of which others can't tell."""
    pid, started, machine = myself().split(":")
    assert alive(myself())
    assert alive(f"{pid}:{int(started) - 1}:{machine}") is False
    assert alive(f"{pid}:{started}:elsewhere") is None


def test_ending_wakes_who_is_stopped_and_waits() -> None:
    """A stopped process ends as well, and is gone when we are told so."""
    with subprocess.Popen(["sleep", "60"]) as process:
        process.send_signal(signal.SIGSTOP)
        assert end(identify(process.pid), 5)
        assert process.wait(5) == -signal.SIGTERM


def test_who_does_not_end_in_time_is_told() -> None:
    """A process that ignores the order is still there; one that is gone is no trouble."""
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        name = identify(process.pid)
        assert not end(name, 0.2)
        process.kill()
        process.wait()
        assert end(name, 0.2)
