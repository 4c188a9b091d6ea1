from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from export.samples import observed
from loopwright.records.bundle import Bundle
from loopwright.wire import open_record
from world import Loopwright, MakeRepo, Repo, agent

KEY = "sk-ant-api03-" + "Zq8xK2mV9pL4nR7tW1yB6cD3fG5hJ0sA" * 3


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bundle:
    """Give a session in the user's own store, and be outside of any repository."""
    monkeypatch.chdir(tmp_path)
    bundle = observed()
    with open_record(tmp_path).store as store:
        store.recorded.bring(bundle)
    return bundle


def exported(loopwright: Loopwright, *arguments: object) -> Any:
    return loopwright("export", *arguments).json


def test_a_session_comes_back_as_it_was(elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """Exported, imported into an empty store and exported again, it is the same, with the same ids."""
    loopwright("export", "--output", tmp_path / "a.json")
    called = loopwright("import", tmp_path / "a.json", "--home", tmp_path / "new")
    assert (called.code, called.out) == (0, "")
    assert exported(loopwright, "--home", tmp_path / "new") == exported(loopwright)


def test_a_run_of_ours_comes_in_to_be_looked_at(
    repo: Repo, make_repo: MakeRepo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All of it is there, with its diff, and nothing can be done with it but to look."""
    run_id = loopwright(
        "run", "Fix it", "--test", "sh test.sh", *agent("true"), "--max-iterations", 1, "--json"
    ).json["run_id"]  # fmt: skip
    before = exported(loopwright, run_id)
    loopwright("export", run_id, "--output", tmp_path / "a.json")
    other = make_repo("other")
    other.write("x")
    other.commit()
    monkeypatch.chdir(other.root)
    assert loopwright("import", tmp_path / "a.json").code == 0
    after = exported(loopwright, run_id)
    changed = {name for name in after if after[name] != before[name]}
    assert changed <= {"source", "workspace", "artifacts", "attempts"}
    assert (after["source"], after["workspace"], after["diff"]) == ("loopwright", "", before["diff"])
    assert "→ loopwright show" in loopwright("show", run_id).out
    for command in (["resume", run_id], ["land", run_id], ["verify", run_id], ["close", run_id, "--reason", "x"]):
        called = loopwright(*command)
        assert called.code == 2 and "ran elsewhere" in called.err
    assert "queue is empty" in loopwright("queue").err
    assert "nothing was interrupted" in loopwright("resume", "--all").err
    assert "clones: 0" in loopwright("gc").err


def test_what_is_there_is_refused_unless_forced(elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """A run that is there stays as it is, and with --force it is replaced."""
    file = tmp_path / "a.json"
    data = exported(loopwright)
    data["task"]["goal"] = "Something else"
    file.write_text(json.dumps(data))
    called = loopwright("import", file)
    assert called.code == 2 and "is there already" in called.err and "--force" in called.err
    assert exported(loopwright)["task"]["goal"] == "Fix the login"
    done = loopwright("import", file, "--force", "--json")
    assert done.code == 0 and done.json[0]["replaced"] is True
    assert exported(loopwright)["task"]["goal"] == "Something else"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"type": "user"}\n{"type": "assistant"}\n', "loopwright scan"),
        (b"[" * 100_000, "not JSON"),
        (b'{"a": 1}', "no run that Loopwright exported"),
        (b'{"format": "loopwright", "schema": 99}', "schema"),
        (b'{"format": "loopwright", "schema": 1}', "should be an object"),
    ],
)
def test_broken_and_foreign_files(
    elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path, content: bytes, words: str
) -> None:
    """A file that is no export is refused with what is wrong, and the store stays as it was."""
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    before = exported(loopwright)
    called = loopwright("import", file, "--force")
    assert called.code == 2 and words in called.err and "bad.json" in called.err
    assert "Traceback" not in called.err
    assert exported(loopwright) == before


def test_one_broken_file_among_several(elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """The others come in, and each that did not is named."""
    loopwright("export", "--output", tmp_path / "a.json")
    (tmp_path / "bad.json").write_text("{")
    called = loopwright(
        *("import", tmp_path / "bad.json", tmp_path / "none.json", tmp_path / "a.json", tmp_path),
        *("--home", tmp_path / "new", "--json"),
    )
    assert called.code == 2
    assert ["error" in item for item in called.json] == [True, True, False, True]
    assert exported(loopwright, "--home", tmp_path / "new")["run_id"] == elsewhere.run.id


def test_secrets_are_masked_on_the_way_in(elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """A key that somebody's file holds is not stored, wherever it stands."""
    data = exported(loopwright)
    data["events"][2]["text"] = f"the key is {KEY}"
    data["events"][4]["data"] = {"input": {"k": KEY}}
    data["task"]["goal"] = data["attempts"][0]["output"] = f"use {KEY}"
    (tmp_path / "a.json").write_text(json.dumps(data))
    called = loopwright("import", tmp_path / "a.json", "--home", tmp_path / "new", "--json")
    assert called.code == 0 and called.json[0]["masked"] >= 4
    assert KEY not in json.dumps(exported(loopwright, "--home", tmp_path / "new"))


def test_a_file_can_not_reach_other_folders(elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """Folders that a file names are not taken over: nobody's files are read, written or removed."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "changes.diff").write_text("mine")
    data = exported(loopwright) | {"artifacts": str(secret), "workspace": str(secret)}
    (tmp_path / "a.json").write_text(json.dumps(data))
    assert loopwright("import", tmp_path / "a.json", "--home", tmp_path / "new").code == 0
    after = exported(loopwright, "--home", tmp_path / "new")
    assert (after["artifacts"], after["workspace"], after["diff"]) == ("", "", "")


def test_halves_of_characters_and_nul(elsewhere: Bundle, loopwright: Loopwright, tmp_path: Path) -> None:
    """What no database takes is replaced in words, and refused in an event's time."""
    data = exported(loopwright)
    data["branch"] = data["events"][0]["text"] = data["session"]["path"] = "a\x00\ud800"
    (tmp_path / "a.json").write_text(json.dumps(data))
    assert loopwright("import", tmp_path / "a.json", "--home", tmp_path / "new").code == 0
    data["events"][0]["at"] = "\ud800"
    (tmp_path / "a.json").write_text(json.dumps(data))
    assert loopwright("import", tmp_path / "a.json", "--home", tmp_path / "new", "--force").code == 2
