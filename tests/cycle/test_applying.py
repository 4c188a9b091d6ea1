"""One line of a settings file."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import pytest

from loopwright.cycle.applying import apply, changed, settings_file
from loopwright.errors import SettingError, UsageError
from loopwright.records.patch import Patch

TEXT = '# ours\n[run]\nmodel = "big"  # dear\ntimeout = "2h"\n\n[limits]\ncost_per_day = 5\n'
PATCH = Patch("1", "config", "run.model", "f", "t", "r", '"big"', '"small"', "rule x", "now")


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        (("run", "model"), '"small"', TEXT.replace('"big"', '"small"')),
        (("run", "end_error_loops"), "true", TEXT.replace("[run]\n", "[run]\nend_error_loops = true\n")),
        (("profiles", "lean", "tools"), '"restricted"', TEXT + '\n[profiles.lean]\ntools = "restricted"\n'),
    ],
)
def test_all_else_stays(place: tuple[str, ...], value: str, expected: str) -> None:
    """Comments, order and white space are as they were; only what was asked for is another."""
    assert changed(TEXT, place, value) == expected


def test_files_of_all_shapes() -> None:
    """An empty file gets its section; windows lines and headers with blanks are understood or left to a human."""
    assert changed("", ("run", "model"), '"x"') == '[run]\nmodel = "x"\n'
    assert tomllib.loads(changed("[ run ]\nx = 1", ("run", "model"), '"x"'))["run"] == {"x": 1, "model": "x"}
    for text in ('run = { model = "a" }\n', 'run.model = """\na"""\n', '[run]\nmodel = """a\nb"""\n'):
        try:
            after = changed(text, ("run", "model"), '"x"')
        except UsageError as error:
            assert "by hand" in error.hint
        else:
            assert tomllib.loads(after) == {"run": {"model": "x"}}


def test_the_file_is_written(tmp_path: Path) -> None:
    """It has the rights that it had; where there is none, one is made; settings in pyproject.toml stay there."""
    assert settings_file(tmp_path) == (tmp_path / "loopwright.toml", ())
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n\n[tool.loopwright.run]\nmodel = "big"\n')
    assert apply(PATCH, tmp_path).name == "pyproject.toml"
    assert 'model = "small"' in (tmp_path / "pyproject.toml").read_text()
    path = tmp_path / "loopwright.toml"
    path.write_text(TEXT)
    path.chmod(0o600)
    apply(PATCH, tmp_path)
    assert (path.read_text(), path.stat().st_mode & 0o777) == (TEXT.replace('"big"', '"small"'), 0o600)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["loopwright.toml", "pyproject.toml"]


def test_what_does_not_load_is_put_back(tmp_path: Path) -> None:
    """A value that no setting can have leaves the file as it was; what no patch may touch is not tried."""
    path = tmp_path / "loopwright.toml"
    path.write_text(TEXT)
    with pytest.raises(SettingError):
        apply(dataclasses.replace(PATCH, target="run.end_error_loops", after='"maybe"'), tmp_path)
    with pytest.raises(UsageError, match="refused"):
        apply(dataclasses.replace(PATCH, target="limits.cost_per_day", after="500"), tmp_path)
    assert path.read_text() == TEXT
