from __future__ import annotations

import json
from pathlib import Path

import pytest

from export.samples import hostile, observed
from loopwright.records.bundle import Bundle
from loopwright.wire import open_record
from world import Loopwright, Repo, agent


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bundle:
    """Give a session in the user's own store, and be outside of any repository."""
    monkeypatch.chdir(tmp_path)
    bundle = observed()
    with open_record(tmp_path).store as store:
        store.recorded.bring(bundle)
    return bundle


def test_each_format_to_stdout(session: Bundle, loopwright: Loopwright) -> None:
    """Nothing but the export is on stdout, and JSON is what is written unless said otherwise."""
    assert loopwright("export").json["run_id"] == session.run.id
    assert loopwright("export", "last", "--format", "atif").json["trajectory_id"] == session.run.id
    assert "resourceSpans" in loopwright("export", "last", "--format", "otlp").json
    assert loopwright("export", "last", "--format", "html").out.startswith("<!doctype html>")


def test_into_a_file_or_a_folder(session: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """A file is written over as a whole, a folder gets a file named for the run, and stdout stays empty."""
    file = tmp_path / "run.json"
    file.write_text("before")
    called = loopwright("export", session.run.id, "--output", file)
    assert (called.code, called.out) == (0, "") and str(file) in called.err
    assert json.loads(file.read_text())["run_id"] == session.run.id
    loopwright("export", "--format", "html", "--output", tmp_path)
    assert (tmp_path / f"run-{session.run.id[-8:]}.html").is_file()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_folder_that_is_not_there(session: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """It is named, and not made by mistake."""
    called = loopwright("export", "--output", tmp_path / "a" / "b.json")
    assert called.code == 2 and "there is no folder" in called.err
    assert not (tmp_path / "a").exists()


def test_a_run_of_ours_has_its_diff(repo: Repo, loopwright: Loopwright) -> None:
    """What a run of ours changed is in its page and in its JSON."""
    run_id = loopwright(
        "run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"), "--json"
    ).json["run_id"]  # fmt: skip
    assert "+42" in loopwright("export", run_id).json["diff"]
    written = loopwright("export", run_id, "--format", "html").out
    assert '<span class="added">+42</span>' in written and "✓ pass" in written


def test_harm_stays_text(loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that is all attacks is exported in every format, shown and compared."""
    monkeypatch.chdir(tmp_path)
    with open_record(tmp_path).store as store:
        store.recorded.bring(hostile())
    for kind in ("json", "atif", "otlp", "html"):
        assert loopwright("export", "last", "--format", kind).code == 0
    for arguments in (["show"], ["show", "--errors"], ["show", "--timeline"], ["compare", "last", "last"], ["runs"]):
        called = loopwright(*arguments)
        assert called.code == 0
        assert "\x1b" not in called.out and "\u202e" not in called.out
