"""`loopwright scan`, from files to a report."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ingest.claude import call, result, said, write
from ingest.transcripts import real_sessions
from loopwright.records.identity import timestamp
from made_up import DAY, START, Call, MadeUp, world
from world import Loopwright, Repo, start

TOTALS = (
    *("sessions", "new_sessions", "tool_calls", "tool_errors", "input_tokens", "output_tokens"),
    *("cache_read_tokens", "cache_write_tokens", "cost_usd", "raw_lines"),
)
BY_SESSION = (
    *("session_id", "agent", "path", "started_at", "duration_s", "tool_calls", "tool_errors", "output_tokens"),
    *("cost_usd", "signals"),
)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a current folder that is in no repository."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def sessions(elsewhere: Path) -> Path:
    """Give a folder with three sessions of two projects."""
    folder = elsewhere / "sessions"
    read = Call("Read", {"file_path": "/home/ada/shop/a.py"})
    MadeUp("one", calls=[Call(), Call(is_error=True), read, read, read]).write(folder)
    MadeUp("two", "Say hello", start=START + 2 * DAY, interrupts=1).write(folder / "deeper")
    MadeUp("three", project="/home/ada/blog", model="nobody-knows", calls=[Call()] * 2).write(folder)
    return folder


def test_json_is_one_object_with_all_that_was_promised(sessions: Path, loopwright: Loopwright) -> None:
    """Totals and sessions have their names and are what the files say."""
    called = loopwright("scan", sessions, "--json")
    assert (called.code, called.err) == (0, "")
    totals = called.json["totals"]
    assert [name for name in TOTALS if name not in totals] == []
    assert (totals["sessions"], totals["new_sessions"], totals["tool_calls"], totals["tool_errors"]) == (3, 3, 8, 1)
    assert (totals["input_tokens"], totals["output_tokens"]) == (80, 1600)
    assert (totals["cache_read_tokens"], totals["cache_write_tokens"], totals["raw_lines"]) == (160_000, 8_000, 0)
    assert totals["cost_usd"] > 0
    found = {session["session_id"]: session for session in called.json["by_session"]}
    assert all(set(BY_SESSION) <= session.keys() for session in found.values())
    assert found["one"] == found["one"] | {
        "agent": "claude_code",
        "path": str(sessions / "one.jsonl"),
        "started_at": timestamp(START),
        "duration_s": 50.0,
        "tool_calls": 5,
        "tool_errors": 1,
        "output_tokens": 1000,
        "signals": [],
        "reread": {"/home/ada/shop/a.py": 3},
    }
    assert round(sum(session["cost_usd"] for session in found.values()), 6) == totals["cost_usd"]


def test_json_has_every_side_of_it(sessions: Path, loopwright: Loopwright) -> None:
    """Days, projects, agents, models, tools and files are lists; models without a price are named."""
    data = loopwright("scan", sessions, "--json").json
    assert [day["day"] for day in data["by_day"]] == [timestamp(START)[:10], timestamp(START + 2 * DAY)[:10]]
    assert {row["project"]: row["sessions"] for row in data["by_project"]} == {"/home/ada/shop": 2, "/home/ada/blog": 1}
    assert [row["agent"] for row in data["by_agent"]] == ["claude_code"]
    assert {row["model"]: row["unpriced_tokens"] for row in data["by_model"]} == {
        "claude-opus-4-6": 0,
        "nobody-knows": 42_420,
    }
    assert [(row["tool"], row["calls"], row["errors"]) for row in data["tools"]] == [("Bash", 5, 1), ("Read", 3, 0)]
    assert data["reread"] == [{"path": "/home/ada/shop/a.py", "times": 3, "sessions": 1}]
    assert data["unpriced_models"] == {"nobody-knows": 42_420}
    assert any("nobody-knows" in note for note in data["notes"])


def test_a_second_scan_covers_all_and_says_what_is_new(sessions: Path, loopwright: Loopwright) -> None:
    """What was read before counts again, and only what came since is new."""
    first = loopwright("scan", sessions, "--json").json
    again = loopwright("scan", sessions, "--json").json
    assert again["totals"] == first["totals"] | {"new_sessions": 0}
    assert again["by_session"] == first["by_session"]
    MadeUp("four").write(sessions)
    more = loopwright("scan", sessions, "--json").json["totals"]
    assert (more["sessions"], more["new_sessions"]) == (4, 1)
    only = loopwright("scan", sessions / "deeper", "--json").json["totals"]
    assert (only["sessions"], only["new_sessions"]) == (1, 0)


def test_scans_at_once_share_what_is_new(sessions: Path, elsewhere: Path) -> None:
    """Who had to wait counts as new what is new after the wait."""
    state = elsewhere / "state"
    state.mkdir()
    with (state / "scan.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        scans = [start("scan", sessions, "--json", "--home", state, cwd=elsewhere) for _ in range(2)]
        for scan in scans:
            assert scan.stderr is not None and "waiting" in scan.stderr.readline()
    found = [json.loads(scan.communicate(timeout=60)[0])["totals"] for scan in scans]
    assert [totals["sessions"] for totals in found] == [3, 3]
    assert sorted(totals["new_sessions"] for totals in found) == [0, 3]


def test_a_session_that_has_grown_is_not_new_and_counts_once(sessions: Path, loopwright: Loopwright) -> None:
    """A session that went on since the last scan has its new calls, and none of the old ones twice."""
    loopwright("scan", sessions)
    MadeUp("two", "Say hello", start=START + 2 * DAY, calls=[Call()] * 4).write(sessions / "deeper")
    totals = loopwright("scan", sessions, "--json").json["totals"]
    assert (totals["sessions"], totals["new_sessions"], totals["tool_calls"]) == (3, 0, 11)


def test_a_fork_and_its_original_count_once(elsewhere: Path, loopwright: Loopwright) -> None:
    """Together each adds its own, alone each has all, and what --since leaves out has its part all the same."""
    folder, call_id = elsewhere / "sessions", "toolu_" + "1" * 24
    long_ago = {"timestamp": timestamp(START)}
    shared = said(call(call_id), name="msg_" + "1" * 24) | long_ago
    own = said(name="msg_" + "2" * 24) | {"timestamp": timestamp(time.time())}
    original = write(folder / "original.jsonl", shared, result(call_id, "no", failed=True) | long_ago)
    fork = write(folder / "fork.jsonl", *({**one, "sessionId": "fork"} for one in (shared, own)))

    def counted(*asked: object) -> list[int]:
        totals = loopwright("scan", *asked, "--json").json["totals"]
        return [totals[name] for name in ("sessions", "new_sessions", "tool_calls", "tool_errors", "output_tokens")]

    assert counted(fork) == [1, 1, 1, 0, 10]
    assert counted(folder) == [2, 1, 1, 1, 10]
    assert counted(original) == [1, 0, 1, 1, 5]
    assert counted(folder, "--since", "1h")[:3] == [1, 0, 0]
    original.unlink()
    assert counted(folder) == [1, 0, 1, 0, 10]


def test_a_file_whose_name_is_no_text_is_read(elsewhere: Path, loopwright: Loopwright) -> None:
    """A name that is not UTF-8 stops nothing, at the first scan and at the next."""
    path = MadeUp("one").write(elsewhere / "sessions")
    path.rename(Path(os.fsdecode(os.fsencode(path.parent) + b"/\xff\xfe.jsonl")))
    for new in (1, 0):
        data = loopwright("scan", "sessions", "--json", "--html", "report.html").json
        assert (data["totals"]["sessions"], data["totals"]["new_sessions"]) == (1, new)


def test_real_sessions_come_to_what_they_say(elsewhere: Path, loopwright: Loopwright) -> None:
    """The calls and tokens of real sessions are those that one counts in their lines, each id once."""
    paths = real_sessions("claude_code")
    if not isinstance(paths[0], Path):
        pytest.skip("there are no real sessions here: name their folder in LOOPWRIGHT_TRANSCRIPTS")
    calls: set[str] = set()
    tokens: dict[str, int] = {}
    for path in paths:
        for line in path.read_text(errors="replace").splitlines():
            with suppress(ValueError):
                _count(json.loads(line), calls, tokens)
    data = loopwright("scan", *paths, "--json").json
    assert data["totals"]["tool_calls"] == sum(row["tool_calls"] for row in data["by_session"]) == len(calls)
    assert (
        data["totals"]["output_tokens"] == sum(row["output_tokens"] for row in data["by_day"]) == sum(tokens.values())
    )


def _count(value: Any, calls: set[str], tokens: dict[str, int]) -> None:
    """Look for calls and messages anywhere in a value."""
    if isinstance(value, dict):
        if value.get("type") == "tool_use":
            calls.add(value["id"])
        if isinstance(value.get("usage"), dict) and "role" in value:
            tokens[value["id"]] = max(tokens.get(value["id"], 0), value["usage"]["output_tokens"])
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        _count(part, calls, tokens)


def test_outside_of_a_repository_the_store_is_the_users(sessions: Path, loopwright: Loopwright, own_home: Path) -> None:
    """Without a repository the state is kept in the user's data folder, and nothing is left beside the sessions."""
    before = sorted(sessions.rglob("*"))
    assert loopwright("scan", sessions).code == 0
    assert (own_home / ".local" / "share" / "loopwright" / "store.sqlite").exists()
    assert sorted(sessions.rglob("*")) == before


def test_in_a_repository_the_store_is_its_own(repo: Repo, tmp_path: Path, loopwright: Loopwright) -> None:
    """A scan in a repository goes to the store of its runs."""
    MadeUp("one").write(tmp_path / "sessions")
    assert loopwright("scan", tmp_path / "sessions").code == 0
    assert repo.statuses() == ["observed"]


def test_the_usual_places_are_read_without_a_path(elsewhere: Path, loopwright: Loopwright, own_home: Path) -> None:
    """With no path, the sessions of the agents of this machine are found."""
    MadeUp("one").write(own_home / ".claude" / "projects" / "-home-ada-shop")
    assert loopwright("scan", "--json").json["totals"]["sessions"] == 1


def test_with_no_agent_it_says_where_it_looked(elsewhere: Path, loopwright: Loopwright, own_home: Path) -> None:
    """Where there is nothing in the usual places, they are named, and what to do."""
    called = loopwright("scan")
    assert (called.code, called.out) == (2, "")
    assert str(own_home / ".claude" / "projects") in called.err
    assert "hint: name the folder that has them: loopwright scan FOLDER" in called.err


def test_since_goes_by_the_last_activity(sessions: Path, loopwright: Loopwright) -> None:
    """--since leaves out sessions that ended before, and counts what is new among the others."""
    now = time.time()
    MadeUp("fresh", start=now - DAY).write(sessions)
    long = MadeUp("long", start=now - 10 * DAY, calls=[Call(seconds=9.5 * DAY)])
    long.write(sessions)
    MadeUp("old", start=now - 40 * DAY).write(sessions)
    data = loopwright("scan", sessions, "--json", "--since", "2d").json
    assert {session["session_id"] for session in data["by_session"]} >= {"fresh", "long"}
    assert "old" not in {session["session_id"] for session in data["by_session"]}
    assert data["totals"]["new_sessions"] == data["totals"]["sessions"]
    assert {row["session_id"] for row in loopwright("scan", sessions, "--json").json["by_session"]} >= {"old"}


def test_since_with_nothing_left(sessions: Path, loopwright: Loopwright) -> None:
    """Where no session was active of late, that is said, and the object for programs is there all the same."""
    for path in sessions.rglob("*.jsonl"):
        path.unlink()
    MadeUp("old", start=1_600_000_000.0).write(sessions)
    called = loopwright("scan", sessions, "--since", "1h", "--json")
    assert (called.code, called.json["totals"]["sessions"]) == (0, 0)
    assert called.err == "none of 1 session was active of late; leave --since out\n"


def test_since_must_be_a_time(sessions: Path, loopwright: Loopwright) -> None:
    """A --since that is no time is refused."""
    assert loopwright("scan", sessions, "--since", "soon").code == 2
    assert loopwright("scan", sessions, "--since", "0s").code == 2


def test_a_session_without_a_time_is_left_out_by_since_and_said_to_be(elsewhere: Path, loopwright: Loopwright) -> None:
    """Nobody knows whether a session without times was active of late."""
    lines = [{name: value for name, value in line.items() if name != "timestamp"} for line in MadeUp("one").lines()]
    (elsewhere / "one.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    data = loopwright("scan", elsewhere / "one.jsonl", "--json").json
    assert (data["totals"]["sessions"], data["by_session"][0]["started_at"]) == (1, None)
    data = loopwright("scan", elsewhere / "one.jsonl", "--json", "--since", "9999d").json
    assert (data["totals"]["sessions"], data["notes"]) == (0, ["1 session told no time, and --since leaves them out."])


def test_a_path_that_is_not_there(elsewhere: Path, loopwright: Loopwright, own_home: Path) -> None:
    """A wrong path is named, and nothing is made."""
    called = loopwright("scan", "nowhere")
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith("error: there is no `nowhere`\nhint: ")
    assert not (own_home / ".local").exists()


def test_a_file_that_is_no_session(elsewhere: Path, loopwright: Loopwright) -> None:
    """A file of something else is no error; it is said that there is no session, and what would be one."""
    (elsewhere / "notes.txt").write_text("buy milk\n")
    called = loopwright("scan", "notes.txt")
    assert (called.code, called.out) == (0, "")
    assert "there is no session of an agent in `notes.txt`" in called.err
    assert "1 file held no session of an agent that is known." in called.err
    assert "claude_code" in called.err
    assert loopwright("scan", "notes.txt", "--json").json["totals"]["sessions"] == 0


def test_a_folder_that_may_not_be_read(loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is shut is named in the report, and the rest is read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        monkeypatch.chdir(folder)
        MadeUp("one").write(folder)
        (folder / "shut").mkdir(mode=0o000)
        folder.chmod(0o777)
        monkeypatch.setenv("LOOPWRIGHT_HOME", str(folder / "state"))
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(65534)
        try:
            data = loopwright("scan", ".", "--json").json
        finally:
            if is_root:
                os.seteuid(0)
    assert data["totals"]["sessions"] == 1
    assert any(note.startswith("Not read: ") and "shut" in note for note in data["notes"])


def test_no_content_keeps_words_out_of_store_and_report(
    sessions: Path, loopwright: Loopwright, elsewhere: Path
) -> None:
    """With --no-content goals and files are in no report, and what an earlier scan has stored of them is removed."""
    loopwright("scan", sessions)
    only = loopwright("scan", sessions / "one.jsonl", "--no-content", "--json").json["notes"]
    assert "The text that an earlier scan had stored of 1 session was removed." in only
    assert any("still has the text of 2 sessions" in note for note in only)
    called = loopwright("scan", sessions, "--no-content", "--json", "--html", "report.html")
    assert {session["goal"] for session in called.json["by_session"]} == {""}
    assert called.json["reread"] == []
    assert "Fix the login" not in (elsewhere / "report.html").read_text()
    assert called.json["totals"]["tool_calls"] == 8
    run_id = called.json["by_session"][0]["run_id"]
    assert "Say hello" not in loopwright("show", run_id, "--json").out


def test_html_is_written_beside_the_report(sessions: Path, loopwright: Loopwright, elsewhere: Path) -> None:
    """--html writes a page, over one that is there, and says so on stderr."""
    for _ in range(2):
        called = loopwright("scan", sessions, "--html", "report.html")
        assert (called.code, called.err) == (0, "the report is in report.html\n")
        assert "Where your agents spend it" in called.out
    page = (elsewhere / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "/home/ada/shop" in page
    assert loopwright("scan", sessions, "--json", "--html", "report.html").json["totals"]["sessions"] == 3


def test_html_does_not_write_over_anything_else(sessions: Path, loopwright: Loopwright) -> None:
    """A file that is no page stays as it is: a session's name may have gone to the wrong option."""
    before = (sessions / "one.jsonl").read_bytes()
    called = loopwright("scan", "--html", sessions / "one.jsonl", sessions)
    assert (called.code, called.out) == (2, "")
    assert "is there and is no page" in called.err
    assert (sessions / "one.jsonl").read_bytes() == before
    assert loopwright("scan", sessions, "--html", sessions).code == 2
    assert loopwright("scan", sessions, "--html", sessions / "nowhere" / "report.html").code == 2


def test_the_report_on_a_pipe_is_plain_and_fits(
    elsewhere: Path, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal there is no bar and no colour, and no line but a command is wider than asked for."""
    for session in world(40):
        session.write(elsewhere / "sessions")
    for width in ("80", "120"):
        monkeypatch.setenv("COLUMNS", width)
        called = loopwright("scan", elsewhere / "sessions")
        assert (called.code, called.err) == (0, "")
        assert "\x1b" not in called.out
        lines = [line for line in called.out.splitlines() if not line.startswith("→")]
        assert max(map(len, lines)) <= int(width)


def test_a_terminal_without_these_letters_has_the_figures(sessions: Path) -> None:
    """Where stdout is ASCII, what it does not have is a question mark."""
    with start("scan", sessions, cwd=sessions, env={**os.environ, "PYTHONIOENCODING": "ascii"}) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "3 sessions, all new ? 2 projects" in out


def test_help_has_it_first(loopwright: Loopwright) -> None:
    """Who asks for help sees scan before all other commands."""
    commands = loopwright("--help").out.partition("Commands:")[2].split()
    assert commands[0] == "scan"


def test_the_store_is_named(sessions: Path, loopwright: Loopwright) -> None:
    """The last line of a report says where the sessions are kept, and so does the object for programs."""
    assert loopwright("scan", sessions).out.splitlines()[-1].startswith("kept in ~/")
    assert loopwright("scan", sessions, "--json").json["store"].endswith("store.sqlite")


def test_a_folder_without_anything(elsewhere: Path, loopwright: Loopwright) -> None:
    """Nothing found is no error: it is said how much was looked at, what is read, and what to do next."""
    (elsewhere / "empty").mkdir()
    called = loopwright("scan", "empty")
    assert (called.code, called.out) == (0, "")
    assert "there is no session of an agent in `empty`: 0 files looked at" in called.err
    assert "hint: let an agent work on this machine first, or name the folder" in called.err
    MadeUp("one").write(Path.home() / ".claude" / "projects" / "p")
    assert "hint: agents of this machine have left some in ~/.claude/projects" in loopwright("scan", "empty").err


def test_a_number_without_a_unit(sessions: Path, loopwright: Loopwright) -> None:
    """`--since 30` could mean anything; what would be right is said."""
    called = loopwright("scan", sessions, "--since", "30")
    assert called.code == 2 and "`30` has no unit; write 30d" in called.err


def test_what_got_worse_is_one_line_at_the_end(elsewhere: Path, loopwright: Loopwright) -> None:
    """A fall beyond chance is told with the command to look; without one the line is not there."""
    for number in range(140):
        start, interrupts = START + DAY * (number // 10 - 60) * 7 + number, int(number >= 120)
        MadeUp(f"s{number}", start=start, interrupts=interrupts).write(elsewhere / "old" if number < 120 else elsewhere)
    assert "see: loopwright metrics" not in loopwright("scan", elsewhere / "old").err
    last = loopwright("scan", elsewhere).err.splitlines()[-1]
    assert last.startswith("warning: the rate of tasks without a human") and last.endswith("see: loopwright metrics")
