"""Files become runs in the store: what is new is read, what is there twice counts once, nothing stops a scan."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from ingest.claude import SESSION, call, line, prompt, result, said, words, write
from loopwright.errors import UsageError
from loopwright.guard.redact import Masker
from loopwright.ingest.files import Found, find_files
from loopwright.ingest.formats.claude_code import ClaudeCode
from loopwright.ingest.once import counted_once
from loopwright.ingest.scan import Scan, Scanned
from loopwright.records.event import EventKind
from loopwright.records.run import Status
from loopwright.store.store import Store

KEY = "sk-ant-REDACTED-" + "Ab1" * 12


class Counting(ClaudeCode):
    """Notes what it is asked to read."""

    def __init__(self) -> None:
        self.read_paths: list[Path] = []

    def read(self, session_id: str, paths: Sequence[Path]) -> object:  # type: ignore[override]
        self.read_paths += paths
        return super().read(session_id, paths)


def scan(store: Store, *paths: Path, content: bool = True, kind: ClaudeCode | None = None) -> Scanned:
    files: list[Found] = list(find_files(paths))
    formats = {"claude_code": kind or ClaudeCode()}
    return Scan(store.observed, formats, Masker({"MY_TOKEN": "s3cr3t-value-123"}), content=content).scan(files)


def one_session(name: str = SESSION) -> list[object]:
    return [
        prompt("Fix the login", sessionId=name),
        said(words("I look."), call(f"c-{name}", "Read", file_path="/a.py"), name=f"m-{name}", sessionId=name),
        result(f"c-{name}", "def login(): ...", sessionId=name),
    ]


def test_a_session_becomes_a_run(store: Store, tmp_path: Path) -> None:
    """It has a goal, a task type, an agent, tokens and a cost, and its events are there."""
    scanned = scan(store, write(tmp_path / f"{SESSION}.jsonl", *one_session()))
    assert (scanned.new, scanned.changed, len(scanned.runs)) == (1, 0, 1)
    run = store.run(scanned.runs[0])
    assert (run.status, run.source, run.profile.agent, run.profile.model) == (
        Status.OBSERVED,
        "claude_code",
        "claude_code",
        "claude-sonnet-4-5",
    )
    assert (run.task.goal, run.task.task_type, run.repository) == ("Fix the login", "bug_fix", "/home/me/shop")
    assert run.spent.tokens.output == 5 and run.spent.cost_usd > 0
    assert run.spent.seconds == 2.0
    assert [event.kind for event in store.events(run.id)][:2] == [EventKind.PROMPT, EventKind.MESSAGE]


def test_a_second_scan_reads_only_what_is_new(store: Store, tmp_path: Path) -> None:
    """Unchanged files are not opened; one that has grown is read again, and its run is the same."""
    first = write(tmp_path / "a.jsonl", *one_session("s1"))
    write(tmp_path / "b.jsonl", *one_session("s2"))
    write(tmp_path / "notes.txt", b"no session at all")
    before = scan(store, tmp_path)
    counting = Counting()
    again = scan(store, tmp_path, kind=counting)
    assert (again.new, again.changed, sorted(again.runs)) == (0, 0, sorted(before.runs))
    assert counting.read_paths == []
    with first.open("ab") as file:
        file.write(b'{"type":"user","sessionId":"s1","message":{"content":"and now the logout"}}\n')
    grown = scan(store, tmp_path, kind=counting)
    assert (grown.new, grown.changed, sorted(grown.runs)) == (0, 1, sorted(before.runs))
    assert counting.read_paths == [first]
    prompts = [event for run in grown.runs for event in store.events(run) if event.kind is EventKind.PROMPT]
    assert len(prompts) == 3


def test_a_session_that_is_stored_twice_counts_once(store: Store, tmp_path: Path) -> None:
    """Copies of a file are one session; one that was continued under another name is another, and adds only its own."""
    path = write(tmp_path / "one" / f"{SESSION}.jsonl", *one_session())
    (tmp_path / "two").mkdir()
    shutil.copy(path, tmp_path / "two" / "copy.jsonl")
    assert len(scan(store, tmp_path).runs) == 1
    names = (f'"sessionId": "{SESSION}"'.encode(), b'"sessionId": "another-name"')
    other = path.read_bytes().replace(*names) + b'{"type":"user","sessionId":"another-name"'
    other += b',"timestamp":"2026-11-17T00:00:00.000Z","uuid":"new","message":{"content":"go on"}}\n'
    (tmp_path / "three.jsonl").write_bytes(other)
    scanned = scan(store, tmp_path)
    assert (scanned.new, len(scanned.runs)) == (1, 2)
    (more,) = [run for run in scanned.runs if store.attempts(run)[0].conversation == "another-name"]
    assert [event.text for event in store.events(more)][-1] == "go on"
    counted = {one.run_id: one for one in counted_once(store.observed.summaries(scanned.runs))}
    assert (counted[more].prompts, counted[more].tokens.total, counted[more].started_at[:10]) == (1, 0, "2026-11-17")


def test_an_exact_copy_under_another_name_is_not_read_again(store: Store, tmp_path: Path) -> None:
    """It is a run, and counts only where the other is not asked for."""
    path = write(tmp_path / "a.jsonl", *one_session("s1"))
    scan(store, tmp_path)
    (tmp_path / "b.jsonl").write_bytes(path.read_bytes().replace(b'"sessionId": "s1"', b'"sessionId": "s2"'))
    scanned = scan(store, tmp_path)
    assert (scanned.new, len(scanned.runs)) == (1, 2)
    assert len(counted_once(store.observed.summaries(scanned.runs))) == 1
    counting = Counting()
    scan(store, tmp_path, kind=counting)
    assert counting.read_paths == []


def test_secrets_are_masked_before_they_are_stored(store: Store, tmp_path: Path) -> None:
    """In prompts, arguments, commands and outputs; of a known format, or of the environment."""
    lines = [
        prompt(f"use {KEY} please"),
        said(call("c1", command=f"curl -H 'x: {KEY}'"), call("c2", "Write", file_path="/a", content={"deep": [KEY]})),
        result("c1", "MY_TOKEN=s3cr3t-value-123"),
    ]
    (run_id,) = scan(store, write(tmp_path / "a.jsonl", *lines)).runs
    kept = str([store.run(run_id), store.attempts(run_id), store.events(run_id)])
    assert KEY not in kept and "s3cr3t-value-123" not in kept
    assert "[masked:anthropic-key]" in kept and "[masked:environment-secret]" in kept
    assert store.attempts(run_id)[0].masked >= 5


def test_without_content_only_the_structure_is_stored(store: Store, tmp_path: Path) -> None:
    """No text, no arguments, no paths: but calls, errors, times and tokens; with content it is read again, and back."""
    path = write(tmp_path / "a.jsonl", *one_session(), prompt("secret plan"))
    (run_id,) = scan(store, path, content=False).runs
    kept = str([store.run(run_id).task, store.attempts(run_id), store.events(run_id)])
    assert not [text for text in ("Fix the login", "secret plan", "I look", "def login", "a.py") if text in kept]
    assert store.view("tool_usage", run_id)[0]["calls"] == 1
    assert store.run(run_id).spent.tokens.output == 5
    assert scan(store, path).changed == 1
    assert "secret plan" in str(store.events(run_id))
    assert scan(store, path, content=False).changed == 1
    assert "secret plan" not in str([store.run(run_id).task, store.attempts(run_id), store.events(run_id)])
    assert scan(store, path, content=False).changed == 0


def test_who_wants_no_content_is_told_what_became_of_it(store: Store, tmp_path: Path) -> None:
    """Text of the files that are scanned is removed, that of others stays and is counted."""
    one, two = (write(tmp_path / f"{name}.jsonl", *one_session(name)) for name in ("s1", "s2"))
    scan(store, tmp_path)
    bared = scan(store, one, content=False)
    assert (bared.bared, bared.with_text) == (1, 1)
    again = scan(store, one, two, content=False)
    assert (again.bared, again.with_text, again.changed) == (1, 0, 1)
    whole = scan(store, tmp_path)
    assert (whole.bared, whole.with_text) == (0, 0)


def test_a_long_session_is_written_in_parts(store: Store, tmp_path: Path) -> None:
    """Thousands of events come back numbered without a gap, and are counted once."""
    lines = [
        one
        for number in range(800)
        for one in (said(call(f"c{number}", command="ls"), name=f"m{number}"), result(f"c{number}", "a"))
    ]
    (run_id,) = scan(store, write(tmp_path / "a.jsonl", *lines)).runs
    events = store.events(run_id)
    assert [event.seq for event in events] == list(range(1, 2401))
    assert store.view("tool_usage", run_id)[0]["calls"] == 800
    assert store.run(run_id).spent.tokens.output == 4000


def test_a_reader_that_fails_does_not_stop_the_scan(store: Store, tmp_path: Path) -> None:
    """What went wrong is said, and the other sessions are read."""

    class Failing(ClaudeCode):
        def read(self, session_id: str, paths: Sequence[Path]) -> object:  # type: ignore[override]
            if session_id == "s1":
                raise ZeroDivisionError("by nothing")
            return super().read(session_id, paths)

    write(tmp_path / "a.jsonl", *one_session("s1"))
    write(tmp_path / "b.jsonl", *one_session("s2"))
    scanned = scan(store, tmp_path, kind=Failing())
    assert scanned.new == 1
    assert scanned.notes == [f"{tmp_path / 'a.jsonl'}: ZeroDivisionError: by nothing"]


def test_progress_is_told_in_bytes(store: Store, tmp_path: Path) -> None:
    """It goes up to all that there is to read."""
    write(tmp_path / "a.jsonl", *one_session("s1"))
    write(tmp_path / "b.jsonl", *one_session("s2"))
    told: list[tuple[int, int]] = []
    files = list(find_files([tmp_path]))
    Scan(store.observed, {"claude_code": ClaudeCode()}, Masker({})).scan(
        files, lambda done, of: told.append((done, of))
    )
    size = sum(found.size for found in files)
    assert told[0] == (0, size) and told[-1] == (size, size)
    assert told == sorted(told)


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    """Nobody scans nothing without knowing it."""
    with pytest.raises(UsageError, match="there is no"):
        list(find_files([tmp_path / "nowhere"]))


def test_a_file_that_held_nothing_is_looked_at_again_with_more_formats(store: Store, tmp_path: Path) -> None:
    """A reader that is installed later finds what the others did not know."""

    class Blind(ClaudeCode):
        def recognises(self, head: bytes) -> bool:
            return False

    write(tmp_path / "a.jsonl", *one_session())
    files = list(find_files([tmp_path]))
    assert Scan(store.observed, {"blind": Blind()}, Masker({})).scan(files).runs == []
    assert Scan(store.observed, {"blind": Blind(), "claude_code": ClaudeCode()}, Masker({})).scan(files).new == 1


def test_a_session_that_begins_with_a_long_line_is_read(store: Store, tmp_path: Path) -> None:
    """A first prompt may hold a log or a screenshot, and half of a character."""
    for text in ("a log\n" * 100_000, "\ud800"):
        write(tmp_path / f"{len(text)}.jsonl", prompt(text, sessionId=f"s{len(text)}", cwd="\ud800"))
    image = {"type": "image", "source": {"data": "iVBOR" * 500_000}}
    content = {"role": "user", "content": [image, words("what is this?")]}
    write(tmp_path / "image.jsonl", line("user", content, sessionId="s3"))
    assert scan(store, tmp_path).new == 3


def test_numbers_that_no_database_holds_are_bounded(store: Store, tmp_path: Path) -> None:
    """Sums of hostile counts lose one session nothing, and the others neither."""
    write(tmp_path / "a.jsonl", *(said(words("x"), name=f"m{number}", output=10**15) for number in range(20)))
    write(tmp_path / "b.jsonl", *one_session("s2"))
    scanned = scan(store, tmp_path)
    assert (scanned.new, scanned.notes) == (2, [])


def test_a_secret_is_masked_wherever_it_stands(store: Store, tmp_path: Path) -> None:
    """Across the place where a long result is cut, under a telling key of an argument, in a branch's name."""
    secret = "q7Zr2Lm9Xc4Vb8Nd1Ks6Wt3Y"
    at_the_cuts = [f"{'x ' * 990}{KEY} {'y ' * 3000}", f"{'y ' * 3000}{KEY} {'x ' * 985}"]
    lines = [
        prompt("go", gitBranch=f"fix/{KEY}", cwd=f"/home/{KEY}"),
        said(call("c1", "mcp__login", api_key=secret, deep={"password": secret}), call("c2"), call("c3")),
        *(result(f"c{number}", text) for number, text in enumerate(at_the_cuts, 2)),
    ]
    (run_id,) = scan(store, write(tmp_path / "a.jsonl", *lines)).runs
    kept = str([store.run(run_id), store.attempts(run_id), store.events(run_id)])
    assert secret not in kept and not [part for part in range(len(KEY) - 12) if KEY[part : part + 12] in kept]


def test_progress_is_told_within_one_file(store: Store, tmp_path: Path) -> None:
    """A single large file moves the bar while it is read, never back and never beyond its end."""
    path = write(tmp_path / "one.jsonl", prompt("x" * 1000), *[said(words("y" * 1000))] * 4000)
    told: list[int] = []
    Scan(store.observed, {"claude_code": ClaudeCode()}, Masker({})).scan(
        list(find_files([path])), lambda done, of: told.append(done)
    )
    assert len(set(told)) > 3 and told == sorted(told)
    assert told[-1] == path.stat().st_size
