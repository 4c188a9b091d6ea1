"""Habits that keep the code a pleasure to pick up, checked."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import pytest

from loopwright.cli.main import COMMANDS, cli
from loopwright.errors import LoopwrightError, UsageError
from loopwright.records.budget import Usage
from loopwright.records.experiment import ExperimentsSettings
from loopwright.records.library import LibrarySettings
from loopwright.records.model import ModelsSettings
from loopwright.records.patch import PatchesSettings
from loopwright.records.qa_failure import FailuresSettings
from loopwright.records.registry import RegistrySettings
from loopwright.records.run import Artifacts, Reason, Result, Status
from loopwright.registry import AGENTS, CRITERIA, DETECTORS, MODELS, REGISTRIES, load, names
from loopwright.settings import ChecksSettings, LimitsSettings, RunSettings, StoreSettings

ROOT = Path(__file__).parent.parent
LONGEST = 300
RESULT = Result(
    "", Status.DONE, Reason.CRITERIA_MET, "", 0, 0.0, Usage(), 0.0, (), "", "", Artifacts("", "", "", "", "", "")
)


def documented(page: str, column: int = 0) -> set[str]:
    """Give the words in backticks that stand in a column of the tables of a page."""
    rows = [line.split("|")[1:-1] for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()]
    cells = [row[column] for row in rows if len(row) > column]
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def functions_of(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def test_every_test_says_what_must_hold() -> None:
    """Each test has a docstring of one sentence."""
    wrong = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for function in functions_of(path):
            text = (ast.get_docstring(function) or "").strip()
            if not text.endswith((".", "?", "!")):
                wrong.append(f"{path.relative_to(ROOT)}:{function.lineno} {function.name}")
    assert wrong == []


def test_no_file_is_too_long() -> None:
    """No file of the source has more than 300 lines: a longer one holds a second noun."""
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "src").rglob("*.py")}
    assert {str(path.relative_to(ROOT)): size for path, size in sizes.items() if size > LONGEST} == {}


def test_no_test_patches_or_mocks() -> None:
    """Fakes come in through ports: nothing is mocked."""
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if re.search(
            r"^\s*(from|import) unittest\.?(mock| import mock)", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert found == []


def test_only_one_place_starts_programs() -> None:
    """Whatever is started goes through process/, but in scripts that run as other people's children."""
    starts = re.compile(
        r"\bsubprocess\.\w|\bimport subprocess|\bPopen\b|\bposix_spawn|\bos\.(spawn|exec|fork|popen|system)"
    )
    others = {"run/runners/listener.py", "run/apprentice.py"}
    source = ROOT / "src" / "loopwright"
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if starts.search(path.read_text(encoding="utf-8"))
    }
    assert {name for name in found if not name.startswith(("process/", "run/runners/reporting/"))} == others


def test_no_message_sends_a_user_to_a_page_of_the_checkout() -> None:
    """A hint says the step itself: who has installed the package has no `docs/`."""
    source = ROOT / "src" / "loopwright"
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if re.search(r"docs/[\w-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert found <= {"cli/init.py", "demo/world.py"}  # a comment, and a file of the sample


def test_every_module_says_what_it_is() -> None:
    """Each module of the source opens with a docstring."""
    bare = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "src").rglob("*.py"))
        if not (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").strip(" .")
    ]
    assert bare == []


def test_every_setting_is_documented() -> None:
    """Each setting has its row in docs/settings.md, and no row is of a setting that is not there."""
    sections = {"run": RunSettings, "checks": ChecksSettings, "limits": LimitsSettings, "store": StoreSettings}
    sections |= {
        "models": ModelsSettings,
        "experiments": ExperimentsSettings,
        "registry": RegistrySettings,
        "failures": FailuresSettings,
    }
    sections |= {"library": LibrarySettings, "patches": PatchesSettings}
    settings = {
        f"{section}.{spec.name.removesuffix('_s')}"
        for section, kind in sections.items()
        for spec in dataclasses.fields(kind)
    }
    rows = {word for word in documented("settings.md") if word.startswith(tuple(f"{name}." for name in sections))}
    assert rows == settings


def test_every_command_is_documented() -> None:
    """Each command has its row in docs/commands.md, and no row is of a command that is not there."""
    rows = {word.split()[1] for word in documented("commands.md") if word.startswith("loopwright ")}
    assert rows == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_does(command: str) -> None:
    """The help has words for each option of each command."""
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    options = [option for option in found.params if isinstance(option, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_every_plug_in_is_documented() -> None:
    """Each kind of criterion has its row in docs/criteria.md, and each agent in docs/agents.md."""
    assert documented("criteria.md") >= set(names(CRITERIA))
    rows = re.findall(r"^\| \[`(\w+)`\]", (ROOT / "docs" / "agents.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows) == set(names(AGENTS))
    assert {word.partition(":")[0] for word in documented("models.md")} == set(names(MODELS))
    page = (ROOT / "docs" / "registries.md").read_text(encoding="utf-8")
    columns = page[page.index("| | `files`") :].partition("\n")[0]
    assert set(re.findall(r"`(\w+)`", columns)) == set(names(REGISTRIES))


def test_every_detector_has_its_page() -> None:
    """Each signal has its row in docs/signals.md, and a page that names each of its settings."""
    page = (ROOT / "docs" / "signals.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`(\w+)`\]\(signals/(\w+)\.md\)", page, re.MULTILINE)
    assert rows == [(name, name) for name in names(DETECTORS)]
    for name in names(DETECTORS):
        words = (ROOT / "docs" / "signals" / f"{name}.md").read_text(encoding="utf-8")
        settings = [spec.name for spec in dataclasses.fields(load(DETECTORS, name)) if spec.init]
        assert [word for word in settings if f"`{word.removesuffix('_s')}`" not in words] == []


def test_what_each_agent_can_be_told_is_documented() -> None:
    """The table in docs/profiles.md has what each agent honours."""
    page = (ROOT / "docs" / "profiles.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page, re.MULTILINE)
    told = {name: set(re.findall(r"`(\w+)`", said)) for who, said in rows for name in re.findall(r"`(\w+)`", who)}
    assert told == {name: set(load(AGENTS, name).honours) for name in names(AGENTS)}


def test_every_reason_is_documented() -> None:
    """The reasons of `run --json` in docs/commands.md are those that there are."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = re.search(r"`reason` \(([^)]+)\)", page)
    assert listed
    assert {word.strip() for word in listed[1].split(",")} == set(Reason)


def test_every_exit_code_is_documented() -> None:
    """The table of exit codes in docs/commands.md has each code that a run or an error can leave with, and no other."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    rows = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    ends = {replace(RESULT, status=status, reason=reason).exit_code for status in Status for reason in Reason}
    kinds = {kind.exit_code for kind in (LoopwrightError, UsageError)}
    assert rows == ends | kinds
