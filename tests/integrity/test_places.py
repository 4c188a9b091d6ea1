"""What the tests import is what the agent wrote, wherever it is installed; and nothing that it left elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrity.exams import FIX, PROJECT, SHELL, SHELL_TEST, Exam, put
from integrity.pythons import install_editable, make_venv
from loopwright.api import resume
from loopwright.errors import SetupError
from loopwright.records.run import Reason, Status
from loopwright.run.criteria.test import TestCriteria
from world import Loopwright, agent

CALC = PROJECT["calc.py"]
IGNORED = ".venv/\nnode_modules/\nbuild/\n__pycache__/\n*.egg-info/\n"
# The folder itself is not on the path: only a package that is installed is found.
INSTALLED = TestCriteria(".venv/bin/python -P -m pytest -q -p no:cacheprovider --import-mode=importlib", timeout_s=60)
LAYOUTS = {
    "setuptools, src": (
        "setuptools.build_meta",
        "src/calc/__init__.py",
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
    ),
    "setuptools, flat": (
        "setuptools.build_meta",
        "calc/__init__.py",
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
    ),
    "hatchling": (
        "hatchling.build",
        "src/calc/__init__.py",
        '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n',
    ),
    "scikit-build-core": (
        "scikit_build_core.build",
        "src/calc/__init__.py",
        '[build-system]\nrequires = ["scikit-build-core"]\nbuild-backend = "scikit_build_core.build"\n',
    ),
}


def project(layout: str) -> dict[str, str]:
    """Give the files of a package."""
    _, module, build = LAYOUTS[layout]
    named = '[project]\nname = "calc"\nversion = "1"\n[tool.scikit-build]\nwheel.cmake = false\n'
    return {
        "pyproject.toml": build + named + ('[tool.setuptools]\npackages = ["calc"]\n' if "flat" in layout else ""),
        module: CALC,
        "tests/test_calc.py": PROJECT["tests/test_calc.py"],
        ".gitignore": IGNORED,
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_editable_install_is_of_the_agents_code(layout: str, exam: Exam) -> None:
    """The environment knows the path of the user's checkout, and what it imports is the agent's work all the same."""
    backend, module, _ = LAYOUTS[layout]
    for name, text in project(layout).items():
        exam.repo.write(name, text)
    install_editable(exam.repo.root, backend, make_venv(exam.repo.root / ".venv"))
    result = exam.take(f"sed -i 's/a - b/a + b/' {module}", files={}, criteria=INSTALLED)
    assert result.status is Status.DONE, result.checks


def test_an_environment_outside_of_the_repository(exam: Exam, place: str, tmp_path: Path) -> None:
    """Where the tree can't be at the path that it knows, the run stops before anything is spent and says what helps."""
    for name, text in project("setuptools, src").items():
        exam.repo.write(name, text)
    install_editable(exam.repo.root, "setuptools.build_meta", make_venv(tmp_path / "outside"))
    command = f"{tmp_path}/outside/bin/python -P -m pytest -q -p no:cacheprovider --import-mode=importlib"
    result = exam.take("sed -i 's/a - b/a + b/' src/calc/__init__.py", files={}, criteria=TestCriteria(command))
    if place == "same-path":
        assert result.status is Status.DONE, result.checks
    else:
        assert (result.reason, result.exit_code, result.iterations) == (Reason.UNVERIFIABLE, 4, 0)
        assert "install the project into a .venv in the repository" in result.detail


def test_meson_python(exam: Exam, place: str) -> None:
    """Its editable install knows the checkout from inside of the build folder: it is right at the same path alone."""
    files = {
        "pyproject.toml": '[build-system]\nbuild-backend = "mesonpy"\n[project]\nname = "calc"\nversion = "1"\n',
        "meson.build": "project('calc')\npy = import('python').find_installation(pure: true)\n"
        "py.install_sources('calc/__init__.py', subdir: 'calc')\n",
        "calc/__init__.py": CALC,
        "tests/test_calc.py": PROJECT["tests/test_calc.py"],
        ".gitignore": IGNORED,
        "loopwright.toml": '[checks]\nbring = ["build"]\n',
    }
    for name, text in files.items():
        exam.repo.write(name, text)
    install_editable(exam.repo.root, "mesonpy", make_venv(exam.repo.root / ".venv"))
    result = exam.take("sed -i 's/a - b/a + b/' calc/__init__.py", files={}, criteria=INSTALLED)
    wanted = (Status.DONE, 0) if place == "same-path" else (Status.ESCALATED, 4)
    assert (result.status, result.exit_code) == wanted, result.checks


def test_an_npm_workspace(exam: Exam) -> None:
    """A link in node_modules leads to the package of the tree."""
    packages = {
        "package.json": '{"workspaces": ["packages/*"], "scripts": {"test": "node packages/app/check.js"}}\n',
        "packages/sums/package.json": '{"name": "sums", "version": "1.0.0"}\n',
        "packages/sums/index.js": "exports.add = (a, b) => a - b\n",
        "packages/app/package.json": '{"name": "app", "dependencies": {"sums": "1.0.0"}}\n',
        "packages/app/check.js": 'process.exit(require("sums").add(2, 3) === 5 ? 0 : 1)\n',
        ".gitignore": IGNORED,
    }
    modules = exam.repo.root / "node_modules"
    modules.mkdir()
    for name in ("sums", "app"):
        (modules / name).symlink_to(f"../packages/{name}")
    result = exam.take(
        "sed -i 's/a - b/a + b/' packages/sums/index.js", files=packages, criteria=TestCriteria("npm test --silent")
    )
    assert result.status is Status.DONE, result.checks


def test_tests_may_write_to_their_environment(exam: Exam) -> None:
    """What one run leaves in the .venv is not there for the next, nor for the user."""
    make_venv(exam.repo.root / ".venv")
    wrote = (
        "\n\ndef test_writes():\n    import pathlib, sys\n    mark = pathlib.Path(sys.prefix, 'mark')\n"
        "    assert not mark.exists()\n    mark.write_text('x')\n"
    )
    files = {**PROJECT, ".gitignore": IGNORED, "tests/test_writes.py": wrote}
    result = exam.take(FIX, files=files, criteria=TestCriteria(".venv/bin/python -m pytest -q -p no:cacheprovider"))
    assert result.status is Status.DONE, result.checks
    assert not (exam.repo.root / ".venv" / "mark").exists()


PTH = (
    "import sys; sys.modules['calc'] = calc = type(sys)('calc'); calc.add = lambda a, b: a + b;"
    " calc.double = lambda a: a * 2"
)


def test_a_pth_file_is_not_taken_from_an_agent(exam: Exam) -> None:
    """A line that is run at every start of Python, left in the agent's copy of the .venv, gets into no check."""
    packages = make_venv(exam.repo.root / ".venv").relative_to(exam.repo.root)
    wanted = TestCriteria(".venv/bin/python -m pytest -q -p no:cacheprovider", timeout_s=60)
    fooled = f"{put(f'{packages}/cheat.pth', PTH)}; {wanted.command} && touch {exam.repo.root}/../fooled"
    result = exam.take(fooled, files={**PROJECT, ".gitignore": IGNORED}, criteria=wanted)
    assert (exam.repo.root.parent / "fooled").exists()
    assert result.status is Status.ESCALATED, result.checks


def test_the_task_file_is_protected(exam: Exam, loopwright: Loopwright) -> None:
    """An agent that lowers what is asked of it is judged by what was asked, and the file is named."""
    for name, text in {**SHELL, "task.toml": f'goal = "Fix it"\ncriteria = [{{ test = "{SHELL_TEST}" }}]\n'}.items():
        exam.repo.write(name, text)
    exam.repo.commit("start")
    cheat = agent("sed -i 's/sh tests.*sh/true/' task.toml")
    called = loopwright("run", "--task", "task.toml", "--max-iterations", 1, "--json", *cheat)
    assert (called.code, called.json["reason"]) == (3, "tainted")
    assert "task.toml" in called.json["detail"]


def test_the_users_own_conftest_is_not_run(exam: Exam, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the clones are made inside of the repository, its files that are in no commit decide nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(exam.repo.root / "cache"))
    exam.repo.write("conftest.py", "import calc\ncalc.add = lambda a, b: a + b\n")
    exam.repo.write("pytest.ini", "[pytest]\naddopts = -k double\n")
    files = {**PROJECT, ".gitignore": "cache/\nconftest.py\npytest.ini\n"}
    if place == "same-path":
        with pytest.raises(SetupError, match="inside of the repository"):
            exam.take("true", files=files)
    else:
        result = exam.take("true", files=files)
        assert (result.status, result.reason) == (Status.ESCALATED, Reason.UNVERIFIABLE)


def test_what_is_installed_is_watched(exam: Exam) -> None:
    """An agent that writes to the environment of the user is caught, with the file named; a resume forgets nothing."""
    cheat = "import sys; sys.modules['calc'] = calc = type(sys)('calc'); calc.add = lambda a, b: a + b"
    exam.repo.write(".venv/lib/kept.py", "x = 1\n")
    files = {**PROJECT, ".gitignore": IGNORED}
    result = exam.take(FIX, put(f"{exam.repo.root}/.venv/lib/cheat.pth", cheat), files=files)
    assert (result.reason, result.exit_code) == (Reason.TAINTED, 3)
    assert ".venv/lib/cheat.pth" in result.detail
    again = resume(result.run_id, repo=exam.repo.root, max_iterations=1)
    assert (again.reason, again.exit_code) == (Reason.TAINTED, 3)


def test_bytecode_that_came_meanwhile_is_not_trusted(exam: Exam) -> None:
    """Bytecode in the user's environment may change as they work: the work is judged without it, and is done."""
    exam.repo.write(".venv/lib/kept.py", "x = 1\n")
    files = {**PROJECT, ".gitignore": IGNORED}
    result = exam.take(FIX, put(f"{exam.repo.root}/.venv/lib/__pycache__/kept.pyc", "forged"), files=files)
    assert result.status is Status.DONE, result.checks
