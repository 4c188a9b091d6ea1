from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from loopwright.cli.init import guess_test_command
from loopwright.settings import load_settings
from playing import stand_in
from world import Loopwright, Repo


def test_it_writes_settings_that_can_be_read(repo: Repo, loopwright: Loopwright) -> None:
    """init writes a settings file that is valid and changes no default, and says what comes next."""
    called = loopwright("init")
    assert (called.code, called.out) == (0, "")
    assert tomllib.loads((repo.root / "loopwright.toml").read_text())["run"]["max_iterations"] == 12
    written = load_settings(repo.root, {})
    (repo.root / "loopwright.toml").unlink()
    assert written == load_settings(repo.root, {})
    assert "loopwright doctor" in called.err and "loopwright run " in called.err
    assert (repo.root / ".loopwright").is_dir()
    assert repo.git("status", "--porcelain") == ""


def test_twice(repo: Repo, loopwright: Loopwright) -> None:
    """A second init leaves everything as it is, what a person wrote too."""
    loopwright("init")
    repo.write("loopwright.toml", "# mine\n")
    exclude = (repo.root / ".git" / "info" / "exclude").read_text()
    called = loopwright("init")
    assert called.code == 0
    assert "is there already" in called.err
    assert (repo.root / "loopwright.toml").read_text() == "# mine\n"
    assert (repo.root / ".git" / "info" / "exclude").read_text() == exclude
    assert exclude.splitlines().count("/.loopwright/") == 1


def test_the_example_works_as_it_stands(
    repo: Repo, loopwright: Loopwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program of one's own is in the example only where no agent could be picked."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").symlink_to(str(shutil.which("git")))
    monkeypatch.setenv("PATH", str(tools))
    assert '--agent-command "bash fix.sh"' in loopwright("init").err
    stand_in(tools, "opencode", "1.18.33")
    assert "--agent-command" not in loopwright("init").err


def test_from_a_folder_below(repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is called, the file goes to the repository's root."""
    (repo.root / "deep").mkdir()
    monkeypatch.chdir(repo.root / "deep")
    assert loopwright("init").code == 0
    assert (repo.root / "loopwright.toml").is_file()


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({}, "python3 -m unittest"),
        ({"Cargo.toml": ""}, "cargo test"),
        ({"go.mod": ""}, "go test ./..."),
        ({"package.json": '{"scripts": {"test": "jest"}}'}, "npm test"),
        ({"package.json": "{broken"}, "python3 -m unittest"),
        ({"package.json": "[]"}, "python3 -m unittest"),
        ({"pytest.ini": ""}, "pytest -q"),
        ({"tests/conftest.py": ""}, "pytest -q"),
        ({"pyproject.toml": '[project]\ndependencies = ["pytest"]\n'}, "pytest -q"),
        ({"pyproject.toml": "pytest ["}, "python3 -m unittest"),
    ],
)
def test_the_example_fits_the_project(tmp_path: Path, files: dict[str, str], command: str) -> None:
    """The test command in the example is guessed from what lies in the project."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert guess_test_command(tmp_path) == command
