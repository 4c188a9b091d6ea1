"""Sessions that have parts of each other: whatever is asked for, and whatever came in first, each thing counts once."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.claude import call, line, prompt, result, said, write
from ingest.transcripts import real_sessions
from loopwright.guard.redact import Masker
from loopwright.ingest.files import find_files
from loopwright.ingest.formats.claude_code import ClaudeCode
from loopwright.ingest.once import counted_once
from loopwright.ingest.report import Totals, report_of
from loopwright.ingest.scan import Scan
from loopwright.records.event import EventKind
from loopwright.registry import kinds
from loopwright.store import open_store
from loopwright.store.store import Store

Lines = list[dict[str, Any]]
MANY = int(os.environ.get("FUZZ", "15"))


def totals(store: Store, *paths: Path) -> Totals:
    """Scan, and sum up what was asked for."""
    scanned = Scan(store.observed, {"claude_code": ClaudeCode()}, Masker({})).scan(list(find_files(paths)))
    return report_of(counted_once(store.observed.summaries(scanned.runs))).totals


def turn(name: str, *, output: int = 5, failed: bool = False) -> Lines:
    """Give a prompt, an answer with 10 tokens in, 1,000 and 100 of a cache, and a call that may fail."""
    call_id = f"toolu_{name:0>24}"
    return [
        prompt(f"Do {name}"),
        said(call(call_id, command="ls"), name=f"msg_{name:0>24}", output=output),
        result(call_id, "done", failed=failed),
    ]


def named(session: str, *turns: Lines) -> Lines:
    """Give copies of lines as those of another session."""
    return [{**one, "sessionId": session} for lines in turns for one in lines]


def counts(found: Totals) -> tuple[int, int, int, int, int, int]:
    return (
        found.sessions,
        found.tool_calls,
        found.tool_errors,
        found.output_tokens,
        found.cache_write_tokens,
        found.prompts,
    )


def cost(answers: int, output: int) -> Any:
    """Price answers by hand: $3, $0.30 and $3.75 a million for what goes in, $15 for what comes out."""
    return pytest.approx((answers * (10 * 3 + 1000 * 0.3 + 100 * 3.75) + output * 15) / 1e6, abs=1e-6)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """An original of three turns, and a fork that has two of them and two of its own."""
    one, two, three = turn("1"), turn("2", failed=True), turn("3", output=7)
    original = write(tmp_path / "original.jsonl", *named("original", one, two, three))
    fork = write(tmp_path / "fork.jsonl", *named("fork", one, two, turn("4"), turn("5", failed=True)))
    return original, fork


ORIGINAL, FORK, BOTH = (1, 3, 1, 17, 300, 3), (1, 4, 2, 20, 400, 4), (2, 5, 2, 27, 500, 5)


def test_an_original_and_its_fork_are_counted_once_in_any_order(store: Store, pair: tuple[Path, Path]) -> None:
    """Alone each has all that it has, together what they share counts once; what came first does not matter."""
    original, fork = pair
    assert counts(totals(store, original)) == ORIGINAL
    assert counts(totals(store, fork)) == FORK
    both = totals(store, original, fork)
    assert counts(both) == BOTH
    assert both.cost_usd == cost(5, 27)
    assert totals(store, fork, original) == both
    assert counts(totals(store, original)) == ORIGINAL
    assert totals(store, fork).cost_usd == cost(4, 20)


def test_the_fork_may_come_in_first(store: Store, pair: tuple[Path, Path]) -> None:
    """The totals are those of the other order."""
    original, fork = pair
    assert counts(totals(store, fork)) == FORK
    assert counts(totals(store, original)) == ORIGINAL
    assert counts(totals(store, *pair)) == BOTH


def test_a_fork_is_whole_when_its_original_is_gone(store: Store, pair: tuple[Path, Path]) -> None:
    """What was removed since is not asked for, and the fork has it as well."""
    original, fork = pair
    assert counts(totals(store, original.parent)) == BOTH
    original.unlink()
    assert counts(totals(store, fork.parent)) == FORK


def test_both_are_stored_as_a_whole(store: Store, pair: tuple[Path, Path]) -> None:
    """Who looks at a session sees all of it, also what is counted for another one."""
    totals(store, *pair)
    runs = store.observed.session_runs()
    calls = {
        session: sum(event.kind is EventKind.TOOL_CALL for event in store.events(run_id))
        for (_, session), run_id in runs.items()
    }
    assert calls == {"original": 3, "fork": 4}
    assert store.run(runs["claude_code", "fork"]).spent.tokens.output == 20


def test_a_copy_in_the_middle_counts_once(store: Store, tmp_path: Path) -> None:
    """A session that begins and ends on its own may have a turn of another one in between."""
    shared = turn("2")
    one = write(tmp_path / "one.jsonl", *named("one", turn("1"), shared, turn("3")))
    other = write(tmp_path / "other.jsonl", *named("other", turn("4"), shared, turn("5")))
    assert counts(totals(store, one, other)) == (2, 5, 0, 25, 500, 5)
    assert counts(totals(store, other)) == (1, 3, 0, 15, 300, 3)


def test_a_call_counts_once_for_its_id(store: Store, tmp_path: Path) -> None:
    """Also where nothing else is the same, and where it is told as a subagent's."""
    shared = call("toolu_" + "7" * 24, "Read", file_path="/a.py")
    one = write(tmp_path / "one.jsonl", said(shared, name="m1" * 15, sessionId="one"))
    nested = {"type": "agent_progress", "message": said(shared, name="m2" * 15)}
    progress = line("progress", data=nested, parentToolUseID="toolu_" + "8" * 24, sessionId="other")
    other = write(tmp_path / "other.jsonl", prompt("Go", sessionId="other"), progress)
    assert counts(totals(store, one, other)) == (2, 1, 0, 10, 200, 1)
    assert counts(totals(store, other)) == (1, 1, 0, 5, 100, 1)


def test_ids_that_many_sessions_have_are_told_apart(store: Store, tmp_path: Path) -> None:
    """Short ids, and those that a model counts, are the same only where their time is."""
    for name in ("one", "other"):
        write(tmp_path / f"{name}.jsonl", said(call("functions.NotebookEdit:1"), call("c1"), name="m1", sessionId=name))
    assert counts(totals(store, tmp_path))[:4] == (2, 4, 0, 10)


def test_the_largest_value_of_a_message_counts(store: Store, tmp_path: Path) -> None:
    """Two copies may have seen different tokens of a message: together the larger, each alone its own."""
    name = "msg_" + "1" * 24
    files = [
        write(tmp_path / f"{output}.jsonl", said(name=name, output=output, sessionId=str(output)))
        for output in (9, 30, 4)
    ]
    for some in itertools.permutations(files, 2):
        assert totals(store, *some).output_tokens == max(int(path.stem) for path in some)
    assert (totals(store, *files).output_tokens, totals(store, *files).cache_write_tokens) == (30, 100)
    assert [totals(store, path).output_tokens for path in files] == [9, 30, 4]


def test_an_exact_copy_is_no_session_more(store: Store, tmp_path: Path) -> None:
    """Under another name it adds nothing; alone it is a session."""
    lines = turn("1")
    write(tmp_path / "a.jsonl", *named("a", lines))
    copy = write(tmp_path / "b.jsonl", *named("b", lines))
    assert counts(totals(store, tmp_path)) == (1, 1, 0, 5, 100, 1)
    assert counts(totals(store, copy)) == (1, 1, 0, 5, 100, 1)


def test_a_session_that_changes_is_compared_again(store: Store, pair: tuple[Path, Path]) -> None:
    """More that is shared counts once; what is not shared any more counts for both."""
    _, fork = pair
    totals(store, *pair)
    kept = fork.read_bytes()
    write(fork, kept.rstrip(), *named("fork", turn("6")))
    assert counts(totals(store, *pair)) == (2, 6, 2, 32, 600, 6)
    write(fork, *named("fork", turn("8")))
    assert counts(totals(store, *pair)) == (2, 4, 1, 22, 400, 4)


def test_a_scan_that_was_cut_short_is_made_up_for(store: Store, pair: tuple[Path, Path]) -> None:
    """Sessions that were written and not compared are compared by the next scan, though no file is new."""
    totals(store, *pair)
    runs = list(store.observed.session_runs().values())
    store.observed.settle(dict.fromkeys(runs, ()))
    with store._database.write() as connection:
        for run_id in runs:
            connection.exec_driver_sql(f"INSERT INTO session_news VALUES ('{run_id}')")
    assert counts(totals(store, *pair)) == BOTH
    assert store.observed.news() == []


def test_a_session_that_was_imported_is_compared_again(store: Store, pair: tuple[Path, Path]) -> None:
    """An export that is put in the place of a scanned session has the same in common with others."""
    totals(store, *pair)
    run_id = store.observed.session_runs()["claude_code", "fork"]
    assert store.recorded.bring(store.recorded.bundle(run_id), replace=True)
    assert counts(totals(store, *pair)) == BOTH


def test_a_fork_of_a_fork_is_counted_once(store: Store, tmp_path: Path) -> None:
    """Of any of three sessions that go on from each other, the sum is that of their different turns."""
    turns = [turn(str(number)) for number in range(1, 7)]
    having = {"a": (0, 1, 2), "b": (0, 1, 3, 4), "c": (0, 3, 5)}
    files = {name: tmp_path / f"{name}.jsonl" for name in having}
    for name in ("c", "a", "b"):
        write(files[name], *named(name, *(turns[number] for number in having[name])))
        totals(store, files[name])
    for some in _subsets(list(having)):
        different = len({number for name in some for number in having[name]})
        assert totals(store, *(files[name] for name in some)).tool_calls == different
        assert totals(store, *(files[name] for name in some)).cost_usd == cost(different, 5 * different)


@pytest.mark.parametrize("path", real_sessions("claude_code"), ids=lambda path: path.stem)
def test_a_real_session_and_its_forks_come_to_the_session(store: Store, tmp_path: Path, path: Path) -> None:
    """Its first and its last two thirds under other names add nothing to it; without it they come to the same."""
    lines = path.read_bytes().splitlines()
    third = len(lines) // 3
    names = set(ClaudeCode().sessions(path))
    forks = []
    for name, some in (("first", lines[: 2 * third]), ("last", lines[third:])):
        renamed = b"\n".join(some)
        for old in names:
            renamed = renamed.replace(f'"sessionId":"{old}"'.encode(), f'"sessionId":"{name}"'.encode())
        forks.append(write(tmp_path / f"{name}.jsonl", renamed))
    alone, both = totals(store, path), totals(store, *forks)
    together = totals(store, path, *forks)
    for name in (
        "tool_calls",
        "tool_errors",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
    ):
        assert getattr(together, name) == getattr(both, name) == getattr(alone, name)
    assert together.cost_usd == pytest.approx(alone.cost_usd, abs=1e-5)


def _subsets(names: list[str]) -> Iterator[tuple[str, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(names, size) for size in (1, 2, 3))


@settings(deadline=None, max_examples=MANY, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    having=st.lists(
        st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3)), min_size=1, max_size=5), min_size=2, max_size=4
    ),
    data=st.data(),
)
def test_any_sessions_come_to_what_a_simple_count_says(
    tmp_path_factory: pytest.TempPathFactory, having: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    """Distinct calls, and for each message the most that any of the sessions says, over any of them in any order."""
    folder = tmp_path_factory.mktemp("any")
    shared = {(number, output): turn(str(number), output=output) for number in range(6) for output in (1, 2, 3)}
    files = []
    for place, turns in enumerate(having):
        lines = [
            {**one, "sessionId": str(place), "uuid": f"{place}-{index}-{step}"}
            for index, key in enumerate(turns)
            for step, one in enumerate(shared[key])
        ]
        files.append(write(folder / f"{place}.jsonl", *lines))
    with open_store(folder / "store.sqlite", kinds) as store:
        for path in data.draw(st.permutations(files)):
            totals(store, path)
        asked = data.draw(st.lists(st.sampled_from(range(len(files))), min_size=1, unique=True))
        most: dict[int, int] = {}
        for number, output in (one for place in asked for one in having[place]):
            most[number] = max(output, most.get(number, 0))
        found = totals(store, *(files[place] for place in asked))
        assert (found.tool_calls, found.output_tokens) == (len(most), sum(most.values()))
        assert found.cost_usd == cost(len(most), sum(most.values()))
