from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path

import pytest

from loopwright.records.check import Evidence, Verdict
from loopwright.records.environment import Environment
from loopwright.records.tally import Tally
from loopwright.run.baseline import Baseline, Known

HERE = Environment(platform="Linux", interpreter="python 3.12")
EVIDENCE = Evidence(Verdict.FAIL, "1 failed: ✗", "pytest", 1, "ab", "report", False, True)
TALLY = Tally("report", {"a": "passed", "b": "failed"}, {"a": "a.py"}, "trouble", ("/x/y.py",))
KNOWN = Known(EVIDENCE, {"pytest": TALLY, "true": None}, 1.25)


@pytest.fixture
def baseline(tmp_path: Path) -> Baseline:
    """Give a folder that is not there yet, over a source with an environment."""
    (tmp_path / "source" / ".venv" / "lib" / "python3.12" / "site-packages" / "click").mkdir(parents=True)
    return Baseline(tmp_path / "deep" / "baselines", tmp_path / "source")


def test_what_is_kept_comes_back(baseline: Baseline) -> None:
    """Evidence, tallies and duration come back as they were, also to another process."""
    assert baseline.recall("key") is None
    baseline.keep("key", KNOWN)
    assert Baseline(baseline.folder, baseline.source).recall("key") == KNOWN
    assert [path.name for path in baseline.folder.iterdir()] == ["key.json"]


@pytest.mark.parametrize("changes", [{"flaky": True}, {"verdict": Verdict.UNVERIFIABLE}, {"verdict": Verdict.TAINTED}])
def test_what_is_not_certain_is_not_kept(changes: dict[str, object], baseline: Baseline) -> None:
    """What may be otherwise the next time is looked at again."""
    uncertain = dataclasses.replace(EVIDENCE, **changes)  # type: ignore[arg-type]
    baseline.keep("key", dataclasses.replace(KNOWN, evidence=uncertain))
    assert baseline.recall("key") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "1",
        "{}",
        '{"evidence": {}, "tallies": {}, "duration_s": 1}',
        '{"evidence": {"verdict": "maybe", "text": ""}, "tallies": {}, "duration_s": 1}',
        '{"evidence": {"verdict": "pass", "text": "", "new": 1}, "tallies": {}, "duration_s": 1}',
        '{"evidence": {"verdict": "pass", "text": ""}, "tallies": {"a": {"new": 1}}, "duration_s": 1}',
        '{"evidence": {"verdict": "pass", "text": ""}, "tallies": {"a": 1}, "duration_s": 1}',
        '{"evidence": {"verdict": "pass", "text": ""}, "tallies": [], "duration_s": 1}',
        '{"evidence": {"verdict": "pass", "text": ""}, "tallies": {}, "duration_s": null}',
        "\udcff",
    ],
)
def test_what_cannot_be_read_is_not_known(text: str, baseline: Baseline) -> None:
    """A file that another version or nobody of ours wrote is no knowledge, and no error."""
    baseline.folder.mkdir(parents=True)
    (baseline.folder / "key.json").write_text(text, errors="surrogateescape")
    assert baseline.recall("key") is None


def test_a_folder_that_cannot_be_written(baseline: Baseline) -> None:
    """Where nothing can be kept, nothing is, and the run goes on."""
    baseline.folder.parent.mkdir(parents=True)
    baseline.folder.write_text("a file")
    baseline.keep("key", KNOWN)
    assert baseline.recall("key") is None


def test_the_key_has_all_that_decides(baseline: Baseline) -> None:
    """Another tree, criterion, platform, interpreter or package is another key; the agent and the model are not."""
    key = baseline.key("tree", "criterion", HERE)
    assert key == baseline.key("tree", "criterion", dataclasses.replace(HERE, agent="x", model="y", lock_hash="z"))
    others = [
        baseline.key("other", "criterion", HERE),
        baseline.key("tree", "other", HERE),
        baseline.key("tree", "criterion", dataclasses.replace(HERE, platform="macOS")),
        baseline.key("tree", "criterion", dataclasses.replace(HERE, interpreter="python 3.13")),
    ]
    packages = baseline.source / ".venv" / "lib" / "python3.12" / "site-packages"
    (packages / "__pycache__").mkdir()
    os.utime(packages.parent.parent, (1, 1))
    others.append(baseline.key("tree", "criterion", HERE))
    (packages / "rich").mkdir()
    others.append(baseline.key("tree", "criterion", HERE))
    os.utime(packages / "click", (1, 1))
    others.append(baseline.key("tree", "criterion", HERE))
    assert len({key, *others}) == len(others) + 1


def test_bytecode_is_no_package(baseline: Baseline) -> None:
    """Bytecode that comes and goes beside the packages changes nothing."""
    packages = baseline.source / ".venv" / "lib" / "python3.12" / "site-packages"
    key = baseline.key("tree", "criterion", HERE)
    (packages / "__pycache__").mkdir()
    assert baseline.key("tree", "criterion", HERE) == key


def test_what_is_kept_is_plain(baseline: Baseline) -> None:
    """The file can be read by people."""
    baseline.keep("key", KNOWN)
    data = json.loads((baseline.folder / "key.json").read_text())
    assert (data["evidence"]["verdict"], data["tallies"]["pytest"]["outcomes"]["b"]) == ("fail", "failed")
