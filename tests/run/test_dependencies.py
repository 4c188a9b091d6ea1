"""Copies of .venv and node_modules: they run the clone's code, and what a check does to them is undone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import Clone, files_in, fingerprint

from loopwright.run.dependencies import Dependencies, project_path
from world import MakeRepo, Repo

MakeClone = Callable[[Path], Clone]
_SHOW = "import shop; print(shop.WHERE, shop.__file__)"
_FINDER = """
import sys
from importlib.util import spec_from_file_location
MAPPING = {{'shop': {place!r}}}
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            return spec_from_file_location(name, MAPPING[name] + '/__init__.py')
sys.meta_path.append(Finder)
"""


def _editable(repo: Repo, how: str) -> Repo:
    """Give a repository whose package is installed in its own virtual environment, as build back ends do it."""
    repo.write("src/shop/__init__.py", "WHERE = 'base'\n")
    repo.write(".gitignore", "*.pyc\n")
    repo.commit()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(repo.root / ".venv")], check=True)
    packages = next((repo.root / ".venv" / "lib").glob("python*/site-packages"))
    if how == "pth":
        (packages / "__editable__.shop-1.pth").write_text(f"{repo.root / 'src'}\n{repo.root}-other/src\n")
    else:
        place = str(repo.root / "src" / "shop")
        (packages / "__editable___shop_finder.py").write_text(_FINDER.format(place=place))
        (packages / "__editable__.shop-1.pth").write_text("import __editable___shop_finder\n")
    python = f"{repo.root}/.venv/bin/python"
    start = f"#!{python}" if " " not in python else f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''"
    repo.write(".venv/bin/shop", f"{start}\n{_SHOW}\n").chmod(0o755)
    return repo


@pytest.mark.parametrize("how", ["pth", "finder"])
@pytest.mark.parametrize("name", ["project", "my gr\u00fcn project"])
def test_a_copied_environment_imports_the_clones_code(
    how: str, name: str, make_repo: MakeRepo, make_clone: MakeClone
) -> None:
    """An editable install in a copied .venv leads to the clone and not to the user's checkout, however it starts."""
    repo = _editable(make_repo(name), how)
    before = fingerprint(repo.root)
    clone = make_clone(repo.root)
    clone.prepare()
    (clone.files / "src" / "shop" / "__init__.py").write_text("WHERE = 'agent'\n")
    mine = subprocess.check_output([clone.files / ".venv" / "bin" / "python", "-c", _SHOW], text=True)
    assert mine == f"agent {clone.files}/src/shop/__init__.py\n"
    taken = clone.snapshot()
    assert taken.changes == "1 file changed, 1 insertion(+), 1 deletion(-)"
    clone.room.enter(taken.commit)
    for command in ("python -c 'import shop; print(shop.WHERE, shop.__file__)'", ".venv/bin/shop", "shop"):
        assert clone.shell(command) == f"agent {clone.room.root}/src/shop/__init__.py\n"
    assert fingerprint(repo.root) == before


def test_only_whole_paths_are_rewritten(make_repo: MakeRepo, tmp_path: Path) -> None:
    """A path that only begins like the repository's is another place and stays; URLs of it are rewritten as URLs."""
    repo = _editable(make_repo("my project"), "pth")
    packages = next((repo.root / ".venv" / "lib").glob("python*/site-packages"))
    (packages / "direct_url.json").write_text(
        json.dumps({"url": f"{repo.root.as_uri()}", "other": f"/backup{repo.root}"})
    )
    (repo.root / ".venv" / "bin" / "program").write_bytes(b"\0" + os.fsencode(repo.root))
    target = tmp_path / "the copy"
    target.mkdir()
    assert Dependencies(repo.root, target).bring() == [".venv"]
    copied = target / packages.relative_to(repo.root)
    assert (copied / "__editable__.shop-1.pth").read_text() == f"{target}/src\n{repo.root}-other/src\n"
    said = json.loads((copied / "direct_url.json").read_text())
    assert said == {"url": target.as_uri(), "other": f"/backup{repo.root}"}
    assert (target / ".venv" / "bin" / "program").read_bytes() == b"\0" + os.fsencode(repo.root)


def test_links_lead_into_the_clone_or_stay_outside(project: Repo, make_clone: MakeClone, tmp_path: Path) -> None:
    """Links of node_modules to the repository lead into the clone, those to elsewhere to the same place as before."""
    project.write("packages/ui/index.js", "ui")
    project.write("node_modules/left-pad/index.js", "pad")
    (tmp_path / "shared").mkdir()
    project.write("tools/node", "only in the user's checkout, and no dependency folder")
    links = {
        "ui": "../packages/ui",
        "ui-absolute": str(project.root / "packages" / "ui"),
        "inside": str(project.root / "node_modules" / "left-pad"),
        "shared": "../../shared",
        "shared-absolute": str(tmp_path / "shared"),
        "tools": str(project.root / "tools"),
        "dangling": "nowhere",
    }
    for name, goal in links.items():
        (project.root / "node_modules" / name).symlink_to(goal)
    project.write(".gitignore", "node_modules\ntools\n")
    project.commit()
    clone = make_clone(project.root)
    clone.room.enter(clone.prepare())
    for place in (clone.files, clone.room.root):
        folder = place / "node_modules"
        assert {(folder / name).resolve() for name in ("ui", "ui-absolute")} == {place / "packages" / "ui"}
        assert (folder / "inside").resolve() == folder / "left-pad"
        assert {(folder / name).resolve() for name in ("shared", "shared-absolute")} == {tmp_path / "shared"}
        assert (folder / "tools").resolve() == project.root / "tools"
        assert str((folder / "dangling").readlink()) == "nowhere"


def test_an_environment_that_git_does_not_ignore(project: Repo, make_clone: MakeClone) -> None:
    """A dependency folder that no pattern names is brought, and neither committed nor cleaned away, try as one may."""
    project.write("node_modules/pad/index.js", "pad")
    clone = make_clone(project.root)
    start = clone.prepare()
    assert clone.git("status", "--porcelain") == ""
    (clone.files / ".gitignore").write_text("!node_modules\n!node_modules/**\n")
    (clone.files / "node_modules" / "pad" / "index.js").write_text("patched")
    taken = clone.snapshot()
    assert clone.git("diff", "--name-only", start, taken.commit) == ".gitignore"
    clone.workspace.put_back(start)
    assert (clone.files / "node_modules" / "pad" / "index.js").read_text() == "patched"
    clone.room.enter(taken.commit)
    assert (clone.room.root / "node_modules" / "pad" / "index.js").read_text() == "pad"


def test_a_folder_that_git_holds_is_not_brought(project: Repo, make_clone: MakeClone) -> None:
    """A node_modules that is committed comes from the commit, and changes to it are work like any other."""
    project.write("node_modules/pad.js", "committed")
    project.commit()
    project.write("node_modules/pad.js", "only in the checkout")
    clone = make_clone(project.root)
    clone.prepare()
    assert (clone.files / "node_modules" / "pad.js").read_text() == "committed"
    (clone.files / "node_modules" / "pad.js").write_text("changed")
    clone.snapshot()
    clone.room.enter(clone.commit)
    assert (clone.room.root / "node_modules" / "pad.js").read_text() == "changed"


@pytest.mark.parametrize(
    "damage",
    [
        "echo patched > node_modules/a/index.js",
        "touch -r node_modules/a/index.js t; printf pXd > node_modules/a/index.js; touch -r t node_modules/a/index.js",
        "echo evil > node_modules/evil.pth; mkdir -p node_modules/b/c; echo x > node_modules/b/c/d",
        "rm node_modules/a/index.js node_modules/link",
        "rm -rf node_modules",
        "rm -rf node_modules/a; ln -s /etc node_modules/a",
        "rm -rf node_modules; ln -s /etc node_modules",
        "rm -rf node_modules; echo file > node_modules",
        "rm node_modules/a/index.js; mkdir node_modules/a/index.js; echo x > node_modules/a/index.js/y",
        "ln -sf /etc/passwd node_modules/link; chmod 755 node_modules/a/index.js; chmod 700 node_modules/a",
        "mkfifo node_modules/pipe; rm node_modules/a/index.js; mkfifo node_modules/a/index.js",
    ],
)
def test_what_a_check_does_to_them_is_undone(damage: str, project: Repo, make_clone: MakeClone) -> None:
    """Whatever a command does to a dependency folder in the checkroom, the next one finds it as it was brought."""
    project.write("node_modules/a/index.js", "pad")
    (project.root / "node_modules" / "link").symlink_to("a")
    project.write(".gitignore", "node_modules\n")
    project.commit()
    before = fingerprint(project.root)
    clone = make_clone(project.root)
    clone.room.enter(project.git("rev-parse", "HEAD"))
    right = files_in(clone.room.root)
    modes = [(path, path.lstat().st_mode) for path in sorted(clone.room.root.rglob("*"))]
    for _ in range(2):
        clone.shell(damage)
        clone.room.enter(project.git("rev-parse", "HEAD"))
        assert files_in(clone.room.root) == right
        assert [(path, path.lstat().st_mode) for path in sorted(clone.room.root.rglob("*"))] == modes
    assert fingerprint(project.root) == before


def test_what_cant_be_copied_is_left(project: Repo, ordinary_user: Path) -> None:
    """A pipe and a file without permission in a dependency folder stay behind, the rest is copied."""
    source, target = ordinary_user / "source", ordinary_user / "target"
    (source / "node_modules").mkdir(parents=True)
    target.mkdir()
    (source / "node_modules" / "a").touch()
    (source / "node_modules" / "secret").touch(mode=0)
    os.mkfifo(source / "node_modules" / "pipe")
    dependencies = Dependencies(source, target)
    dependencies.bring()
    dependencies.restore()
    assert [path.name for path in (target / "node_modules").iterdir()] == ["a"]


def test_bytecode_of_the_environment_is_kept(make_repo: MakeRepo, tmp_path: Path) -> None:
    """Compiled modules are copied as well: without them every check would compile its test runner again."""
    repo = _editable(make_repo("project"), "finder")
    subprocess.run([repo.root / ".venv" / "bin" / "python", "-c", "import shop"], check=True, env={})
    (tmp_path / "copy").mkdir()
    Dependencies(repo.root, tmp_path / "copy").bring()
    assert list((tmp_path / "copy" / ".venv").rglob("__editable___shop_finder*.pyc"))


def test_path_has_nothing_of_the_users_checkout(project: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs come from the place itself first; entries that are relative or lead into the checkout are left out."""
    (project.root / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "link").symlink_to(project.root)
    place = tmp_path / "place"
    for name in (".venv/bin", "node_modules/.bin"):
        (place / name).mkdir(parents=True)
    inside = [project.root / "venv/bin", project.root, tmp_path / "link/venv/bin", project.root / "../project/venv/bin"]
    outside = ["/usr/bin", f"{project.root}-other/bin", str(shutil.which("git"))]
    entries = [*map(str, inside), "", ".", "bin", "~/bin", *outside]
    monkeypatch.setenv("PATH", os.pathsep.join(entries))
    found = project_path(project.root, place).split(os.pathsep)
    assert found == [str(place / ".venv/bin"), str(place / "node_modules/.bin"), *outside]
