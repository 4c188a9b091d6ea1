"""What the agent is judged by and may not change: tests that exist at the base, test settings, CI, the criteria."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from loopwright.records.task import Task
from loopwright.text.globs import matches_any

_FOLDERS = frozenset({"tests", "__tests__", "__snapshots__", "__mocks__", "__fixtures__", "e2e", "cypress", "testdata"})
_PERHAPS = frozenset({"test", "spec", "specs", "testing"})
"""Folders of tests only where tests are in them: `django/test` is a product."""
_TEST = re.compile(
    r"tests?\.py|test_.*\.py|.*_tests?\.(py|go|rb|exs|rs|c|cc|cpp|dart)|.*(\.(test|spec|e2e|cy)|-test)\.[cm]?[jt]sx?"
    r"|.*(Test|Tests|TestCase)\.(java|kt|scala|groovy|cs|php|swift)|.*IT\.java|.*Spec\.(scala|groovy)"
    r"|.*_spec\.rb|.*\.(bats|feature|snap|t)",
    re.DOTALL,
)
_SETTINGS = re.compile(
    r"conftest\.py|\.?pytest\.(ini|toml)|noxfile\.py|\.coveragerc|\.mocharc(\..*)?|\.nycrc(\..*)?|\.c8rc(\..*)?"
    r"|\.?(jest|vitest|karma|playwright|cypress|ava|wdio|babel|tap)[.-](conf|config|setup|workspace|preset)\..*"
    r"|(setup-?tests?|test-?setup)\.[cm]?[jt]sx?|(?i:setupTests?|testSetup)\.[cm]?[jt]sx?"
    r"|\.babelrc(\..*)?|\.swcrc|\.taprc|\.rspec|phpunit\.xml.*|nextest\.toml",
    re.DOTALL,
)
_RULES = re.compile(
    r"(\.github|\.circleci|\.buildkite|\.gitlab|\.cargo)/.*|(\.gitlab-ci|\.travis|azure-pipelines|bitbucket-pipelines"
    r"|appveyor|\.appveyor|cloudbuild)\.ya?ml|Jenkinsfile|\.pre-commit-config\.yaml|loopwright\.toml",
    re.DOTALL,
)
_OURS = re.compile(r"\.cargo/.*|loopwright\.toml", re.DOTALL)
_PROGRAM = re.compile(
    r"\.(?P<program>\w+?)(rc)?(\.(ini|toml|cfg|jsonc?|ya?ml|[cm]?[jt]s))?|(?P<other>\w+)(\.config\.[cm]?[jt]s|\.(ini|toml))"
)
"""The settings of a program: .flake8, .eslintrc.json, eslint.config.js, mypy.ini, ruff.toml."""
_INJECTING = re.compile(
    r"sitecustomize\.py|usercustomize\.py|.*\.pth|\.env|\.env\..*|\.envrc|\.npmrc|\.yarnrc(\.yml)?|\.pnp\.c?js|\.pdbrc"
    r"|\.python-version|pyvenv\.cfg|pip\.conf|.*\.egg-info|.*\.dist-info|.*\.pyc|\.node-version",
    re.DOTALL,
)
"""New files that get into a test run by their name alone."""
_DEPENDENCY = re.compile(r"(.*/)?(\.venv|venv|node_modules)(/.*)?", re.DOTALL)
"""The programs in there come first on PATH: they are the user's, and no new ones."""
_SHADOWED = frozenset({*sys.stdlib_module_names, "pytest", "_pytest", "pluggy", "iniconfig", "xdist", "coverage", "py"})
_LOOKERS = frozenset(
    {
        *(
            "ruff",
            "mypy",
            "flake8",
            "pylint",
            "black",
            "isort",
            "pyright",
            "bandit",
            "eslint",
            "prettier",
            "tsc",
            "biome",
        ),
        *("biome", "stylelint", "golangci-lint", "gofmt", "rustfmt", "shellcheck", "hadolint", "grep", "egrep"),
        *("rg", "cat", "[", "diff", "cmp", "head", "tail", "wc", "ls", "stat", "jq", "yamllint", "xmllint"),
    }
)
"""Programs that look at the files they are given: these are the product."""
_MAKERS = {
    "vitest": ("vite.config.*",),
    "npm": ("vite.config.*",),
    "npx": ("vite.config.*",),
    "yarn": ("vite.config.*",),
    "pnpm": ("vite.config.*",),
    "make": ("Makefile", "makefile", "GNUmakefile"),
    "tox": ("tox.ini",),
    "nox": ("noxfile.py",),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "tsc": ("tsconfig.json", "tsconfig.*.json"),
    "rake": ("Rakefile",),
    "invoke": ("tasks.py",),
    "flake8": (".flake8",),
    "pylint": ("pylintrc",),
    "biome": ("biome.json", "biome.jsonc"),
    "golangci-lint": (".golangci.*",),
}


@dataclass
class Protection:
    """Says of a path whether an agent may change it, bring it, or have it looked at."""

    has_tests: Callable[[str], bool]
    """Whether there are tests below a folder at the base."""
    named: Collection[str] = ()
    """The files that the criteria name."""
    words: Collection[str] = ()
    """The words of the criteria's commands: the settings of a program that decides are protected too."""
    protect: Collection[str] = ()
    allow: Collection[str] = ()
    asked_for: Collection[str] = ()
    """New files that criteria look for: these are what the agent is to bring."""
    links: Callable[[], Mapping[str, str]] = dict
    """The links of the base, and where each leads in the tree."""
    _targets: set[str] | None = None
    _folders: dict[str, bool] = field(default_factory=dict)

    def allows(self, path: str) -> bool:
        """Whether a person said that it may be changed."""
        return matches_any(self.allow, path)

    def covers(self, path: str) -> bool:
        """Whether a file that is there at the base has to stay as it is."""
        name = PurePosixPath(path).name
        return (
            self.insists_on(path)
            or self.is_test(path)
            or bool(_SETTINGS.fullmatch(name) or _RULES.fullmatch(path))
            or name in ("sitecustomize.py", "usercustomize.py")
            or self._is_setting(name)
        )

    def insists_on(self, path: str) -> bool:
        """Whether a file was named, by a criterion or by a person, or is behind a link that is protected."""
        return path in self.named or matches_any(self.protect, path) or self._is_behind_a_link(path)

    def _is_behind_a_link(self, path: str) -> bool:
        if self._targets is None:
            self._targets = set()  # links are asked about themselves now, and not about what is behind them
            self._targets = {goal for link, goal in self.links().items() if self.covers(link)}
        return any(path == goal or path.startswith(f"{goal}/") for goal in self._targets)

    def is_test(self, path: str) -> bool:
        """Whether it is a test, or lies among tests: a new one is not there when the old ones are run."""
        *folders, name = PurePosixPath(path).parts
        if _TEST.fullmatch(name) or not _FOLDERS.isdisjoint(folders):
            return True
        places = ["/".join(folders[: end + 1]) for end, folder in enumerate(folders) if folder.lower() in _PERHAPS]
        return any(self.holds_tests(place) for place in places)

    def steers(self, path: str) -> bool:
        """Whether a new file would steer the runner instead of being tested by it."""
        parts = PurePosixPath(path).parts
        if path in self.asked_for:
            return False
        return (
            any(_INJECTING.fullmatch(part) or _SETTINGS.fullmatch(part) for part in parts)
            or bool(_OURS.fullmatch(path) or _DEPENDENCY.fullmatch(path))
            or self._is_setting(parts[-1])
            or _shadows(parts)
            or matches_any(self.protect, path)
        )

    def holds_tests(self, folder: str) -> bool:
        """Whether there are tests below a folder at the base."""
        if folder not in self._folders:
            self._folders[folder] = self.has_tests(folder)
        return self._folders[folder]

    def _is_setting(self, name: str) -> bool:
        makers = [glob for word in self.words for glob in _MAKERS.get(word, ())]
        if matches_any(makers, name):
            return True
        found = _PROGRAM.fullmatch(name)
        return found is not None and (found["program"] or found["other"]) in self.words


def protection_of(
    task: Task, has_tests: Callable[[str], bool], links: Callable[[], Mapping[str, str]] = dict
) -> Protection:
    """Read from a task what is protected in it."""
    commands = [str(getattr(test, "command", "")) for criterion in task.criteria for test in criterion.tests()]
    split = (word for command in commands for word in re.split(r"[\s\"'=;|&()]+", command))
    words = {PurePosixPath(word).name for word in split} - {""}  # neither `.` nor `/` has a name
    named = [name for command in commands for name in _deciding(command)]
    # What decides and is in no command, such as a JSON Schema.
    own = (name for criterion in task.criteria for name in criterion.own_files())
    named += [name for name in own if not any(name in command for command in commands)]
    looked_at = [name for criterion in task.criteria for name in criterion.looked_at()]
    return Protection(has_tests, frozenset(named), words, task.protect, task.allow, frozenset(looked_at), links)


def _deciding(command: str) -> Iterator[str]:
    """The files and modules that a command names: what decides is in them. What it only looks at is the product."""
    folder = PurePosixPath()
    for part in re.split(r"&&|\|\||[;|&\n]", command):
        words = [word for word in re.split(r"[\s\"'=()]+", part) if word]
        if words[:1] == ["cd"] and len(words) > 1:
            folder /= words[1]
        elif not _only_looks(words):
            for word in words:
                yield from (str(folder / form) for form in _forms(word.partition("::")[0]))


def _only_looks(words: Sequence[str]) -> bool:
    """Whether a command looks at the files that it names: by itself, or behind `npx`, `uv run`, `timeout 60`."""
    names = [PurePosixPath(word).name for word in words]
    return names[:1] == ["test"] or not _LOOKERS.isdisjoint(names[:4]) or "--doctest-modules" in words


def _forms(word: str) -> Iterator[str]:
    """A word as a path, and as a module."""
    if not word.startswith(("-", "/", "~", "$")):
        yield word
        if re.fullmatch(r"\w+(\.\w+)+", word):
            yield f"{word.replace('.', '/')}.py"
            yield f"{word.replace('.', '/')}/__main__.py"


def _shadows(parts: tuple[str, ...]) -> bool:
    """Whether a module would be imported in place of one of Python's, or of the runner's."""
    inner = parts[1:] if parts[0] in ("src", "lib") else parts
    if not inner or inner[0] in ("test", "tests"):
        return False
    # A folder without `__init__.py` comes last, and a package of that name that was there may grow.
    is_module = len(inner) == 1 and inner[0].endswith((".py", ".so"))
    return (is_module or inner[1:] == ("__init__.py",)) and _is_shadowed(inner[0].partition(".")[0])


def _is_shadowed(name: str) -> bool:
    # Plug-ins are loaded by name, from wherever that is found first.
    return name in _SHADOWED or bool(re.search(r"pytest|hypothesis|^(anyio|faker|syrupy|typeguard)$", name))


def are_tests(folder: str, files: Sequence[str]) -> bool:
    """Whether a folder holds tests: one by its name, or it is called so and is no package of Python's."""
    called_so = PurePosixPath(folder).name in ("test", "spec", "specs")
    is_package = f"{folder}/__init__.py" in files
    return any(map(looks_like_test, files)) or (called_so and bool(files) and not is_package)


def looks_like_test(path: str) -> bool:
    """Whether a file is a test by its name."""
    name = PurePosixPath(path).name
    return bool(_TEST.fullmatch(name) or name == "conftest.py")
