"""Habits that keep the code a pleasure to pick up, checked."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from loopwright.cli.main import COMMANDS, cli
from loopwright.registry import PORTS, names
from loopwright.settings import RunSettings, StoreSettings

ROOT = Path(__file__).parent.parent
LONGEST = 300


def documentation() -> str:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages)


def mentioned(text: str, word: str) -> bool:
    """Say whether a word stands in the documentation as code: in backticks, or in a block of code."""
    code = "\n".join(re.findall(r"`+[^`]*`+", text))
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code) is not None


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


def test_every_module_says_what_it_is() -> None:
    """Each module of the source opens with a docstring."""
    bare = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "src").rglob("*.py"))
        if not (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").strip(" .")
    ]
    assert bare == []


def test_every_setting_is_documented() -> None:
    """Each setting is named in the documentation as it is written."""
    text = documentation()
    settings = [
        spec.name.removesuffix("_s") for cls in (RunSettings, StoreSettings) for spec in dataclasses.fields(cls)
    ]
    assert [name for name in settings if not mentioned(text, name)] == []


def test_every_command_is_documented() -> None:
    """Each command is named in the documentation."""
    text = documentation()
    assert [name for name in COMMANDS if not mentioned(text, f"loopwright {name}")] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_does(command: str) -> None:
    """The help has words for each option of each command."""
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    options = [option for option in found.params if isinstance(option, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("port", PORTS, ids=lambda port: port.word)
def test_every_plug_in_is_documented(port: object) -> None:
    """Each agent and each kind of criterion is named in the documentation."""
    text = documentation()
    assert [name for name in names(port) if not mentioned(text, name)] == []  # type: ignore[arg-type]


def test_every_exit_code_is_documented() -> None:
    """The exit codes are in the documentation."""
    text = documentation()
    assert [code for code in (0, 1, 2, 3, 4, 5, 7, 130) if not re.search(rf"(?<!\d){code}(?!\d)", text)] == []
