from __future__ import annotations

import io

from rich.console import Console

from loopwright.cli.scan_progress import Progressing


def shown(*told: tuple[int, int], is_terminal: bool = True) -> str:
    out = io.StringIO()
    with Progressing(Console(file=out, force_terminal=is_terminal, width=80)) as progress:
        for done, of in told:
            progress.told(done, of)
    return out.getvalue()


def test_a_terminal_sees_the_bytes_that_were_read() -> None:
    """At a terminal the bar has the bytes that were read of all, and is gone at the end."""
    text = shown((0, 5_000_000), (2_500_000, 5_000_000), (5_000_000, 5_000_000))
    assert "reading sessions" in text
    assert "5.0/5.0 MB" in text
    assert text.endswith("\x1b[2K")


def test_with_nothing_to_read_there_is_no_bar() -> None:
    """A scan that has nothing new does not flicker."""
    assert shown((0, 0), (0, 0)) == ""


def test_a_pipe_sees_nothing() -> None:
    """Without a terminal nothing is printed."""
    assert shown((0, 5), (5, 5), is_terminal=False) == ""
