"""Calls and results of a thread are joined, and told once."""

from __future__ import annotations

from loopwright.ingest.codex_calls import Calls, Facts
from loopwright.ingest.seen import Seen
from loopwright.records.event import EventKind
from loopwright.text.codex_outputs import Output, read_output

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-1\n+2\n*** Add File: b.py\n+1\n*** End Patch"


def calls() -> Calls:
    made = Calls(Seen(), "parent")
    made.at = "2026-11-16T00:00:00.000Z"
    return made


def test_a_result_has_what_its_call_had() -> None:
    """Tool, command, path and parent are those of the call, and the time is that between the two."""
    made = calls()
    (call,) = made.called("c1", "shell", {"command": ["bash", "-lc", "make test"]}) or []
    made.at = "2026-11-16T00:00:02.500Z"
    (result,) = made.returned("c1", Output("ok"))
    assert (call.command, call.data["input"]) == ("make test", {"command": ["bash", "-lc", "make test"]})
    assert (result.tool, result.command, result.duration_s) == ("shell", "make test", 2.5)
    assert result.parent_call_id == call.parent_call_id == "parent"


def test_commands_have_many_shapes() -> None:
    """A text or a list of words, under either name; a shell around it is left off."""
    given = [
        {"cmd": "ls -a"},
        {"command": "ls -a"},
        {"command": ["ls", "-a"]},
        {"command": ["/bin/zsh", "-c", "ls -a"]},
    ]
    for number, one in enumerate(given):
        (call,) = calls().called(f"c{number}", "shell", one) or []
        assert call.command == "ls -a"
    (call,) = calls().called("c", "shell", {"command": [1, None]}) or []
    assert call.command is None


def test_a_patch_has_its_first_path() -> None:
    """The file that a patch begins with is the path of the call."""
    (call,) = calls().called("c1", "apply_patch", {"input": PATCH}) or []
    assert call.path == "src/a.py"


def test_a_call_is_told_once() -> None:
    """A second line with its id is not another call, nor is a second result."""
    made = calls()
    assert [len(made.called("c1", "shell", {}) or []) for _ in range(2)] == [1, 0]
    assert [len(made.returned("c1", Output("ok"))) for _ in range(2)] == [1, 0]


def test_threads_share_what_was_told_unless_their_names_are_their_own() -> None:
    """A copied call of another thread is not told again; a thread that copied nothing may use the same names."""
    seen = Seen()
    first, copied, own = Calls(seen, None), Calls(seen, None), Calls(seen, None)
    own.prefix = "thread "
    assert [len(one.called("c1", "shell", {}) or []) for one in (first, copied, own)] == [1, 0, 1]


def test_another_line_may_know_better_how_it_ended() -> None:
    """An exit code, a duration and a failure that the result does not tell are taken from there."""
    made = calls()
    made.called("c1", "mcp.search", {})
    made.ended("c1", Facts(exit_code=3, duration_s=0.25))
    (result,) = made.returned("c1", Output("hm"))
    assert (result.exit_code, result.duration_s, result.is_error) == (3, 0.25, True)
    assert result.fingerprint


def test_a_no_is_an_event_of_its_own() -> None:
    """It comes after the result, and has what the call had."""
    made = calls()
    made.called("c1", "shell", {"cmd": "rm -rf x"})
    result, no = made.returned("c1", read_output("exec command rejected by user"))
    assert (no.kind, no.call_id, no.command, result.is_error) == (EventKind.REJECTION, "c1", "rm -rf x", True)
    made.called("c2", "shell", {"cmd": "rm -rf x"})
    assert made.returned("c2", read_output("rejected: blocked by policy"))[1].kind is EventKind.DENIAL


def test_what_has_no_name_is_still_told() -> None:
    """A result without an id is that of the last call without one; a call of no tool is none."""
    made = calls()
    assert len(made.called(None, "shell", {}) or []) == 1
    assert [made.returned(7, Output("x"))[0].tool for _ in range(2)] == ["shell", None]
    assert made.called("c1", "", {}) is None
