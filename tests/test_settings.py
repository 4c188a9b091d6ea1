from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.errors import SettingError
from loopwright.records.model import ModelsSettings
from loopwright.records.profile import Profile
from loopwright.records.shape import Size
from loopwright.settings import (
    ChecksSettings,
    LimitsSettings,
    RunSettings,
    Settings,
    StoreSettings,
    load_settings,
)
from loopwright.variables import cache_folder, home_folder
from world import Loopwright, Repo, agent

ALL = """
[run]
agent = "command"
agent_command = "bash fix.sh"
model = "m-1"
max_iterations = 3
max_cost = 5
max_tokens = 1000
timeout = "1h30m"
idle_timeout = 30
escalate_on_failure = false
sandbox = "off"
hosts = ["packages.example.com"]
revert_when = "npx tsc"
protect = ["a/**"]
allow = ["b/**"]
end_error_loops = true

[checks]
place = "setup"
setup = "uv sync"
reset = "make clean"
bring = ["build"]
slots = 2
sabotage = false
self_graded = "refuse"

[limits]
memory = "1.5GB"
processes = 10
file_size = 1000
after_result = "1m"
unavailable = "5m"
output = "1MiB"
free_disk = "1 KB"
cost_per_day = 5
cost_per_month = 50.5

[store]
url = "sqlite:////state/x.sqlite"

[profiles.fast]
agent = "scripted"
model = "m-2"
system_prompt = "Be quick."
agent_options = { script = "s.toml" }
"""

SAID = ("agent", "agent_options", "model", "system_prompt")
WANTED = Settings(
    RunSettings(
        *("command", "bash fix.sh", "m-1", 3, 5.0, 1000, 5400.0, 30.0, False, "off"),
        *(("packages.example.com",), "npx tsc", ("a/**",), ("b/**",), True),
    ),
    ChecksSettings("setup", "uv sync", "make clean", ("build",), 2, False, "refuse"),
    LimitsSettings(Size(1_500_000_000), 10, Size(1000), 60.0, 300.0, Size(1 << 20), Size(1000), 5.0, 50.5),
    StoreSettings("/state/x.sqlite"),
    {"fast": Profile("fast", "scripted", "m-2", "Be quick.", agent_options={"script": "s.toml"}, said=SAID)},
)


def test_every_setting_from_the_file(tmp_path: Path) -> None:
    """Every setting can be written in loopwright.toml."""
    (tmp_path / "loopwright.toml").write_text(ALL)
    assert load_settings(tmp_path, {}) == WANTED


def test_from_pyproject(tmp_path: Path) -> None:
    """The same can be written in pyproject.toml, below [tool.loopwright]; loopwright.toml goes first."""
    text = ALL.replace("[run]", "[tool.loopwright.run]").replace("[store]", "[tool.loopwright.store]")
    text = text.replace("[checks]", "[tool.loopwright.checks]").replace("[limits]", "[tool.loopwright.limits]")
    (tmp_path / "pyproject.toml").write_text(text.replace("[profiles", "[tool.loopwright.profiles"))
    assert load_settings(tmp_path, {}) == WANTED
    (tmp_path / "loopwright.toml").write_text("[run]\nmax_iterations = 1\n")
    assert load_settings(tmp_path, {}) == Settings(RunSettings(max_iterations=1))


def test_nothing_written(tmp_path: Path) -> None:
    """Without a file everything has its default."""
    assert load_settings(tmp_path, {}) == Settings()
    (tmp_path / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert load_settings(tmp_path, {}) == Settings()


def test_the_environment_wins(tmp_path: Path) -> None:
    """Every setting of [run], [checks] and [limits] has a variable, which wins over the file; so has the store."""
    (tmp_path / "loopwright.toml").write_text('[run]\nmodel = "file"\ntimeout_s = 5\nmax_iterations = 9\n')
    environment = {
        "LOOPWRIGHT_RUN_AGENT": "command",
        "LOOPWRIGHT_RUN_END_ERROR_LOOPS": "true",
        "LOOPWRIGHT_RUN_AGENT_COMMAND": "bash fix.sh",
        "LOOPWRIGHT_RUN_MODEL": "m-1",
        "LOOPWRIGHT_RUN_MAX_ITERATIONS": "3",
        "LOOPWRIGHT_RUN_MAX_COST": "5.0",
        "LOOPWRIGHT_RUN_MAX_TOKENS": "1000",
        "LOOPWRIGHT_RUN_TIMEOUT": "1h30m",
        "LOOPWRIGHT_RUN_IDLE_TIMEOUT": "30",
        "LOOPWRIGHT_RUN_ESCALATE_ON_FAILURE": "false",
        "LOOPWRIGHT_RUN_SANDBOX": "off",
        "LOOPWRIGHT_RUN_HOSTS": "packages.example.com",
        "LOOPWRIGHT_RUN_REVERT_WHEN": "npx tsc",
        "LOOPWRIGHT_RUN_PROTECT": "a/**",
        "LOOPWRIGHT_RUN_ALLOW": "b/**",
        "LOOPWRIGHT_CHECKS_PLACE": "setup",
        "LOOPWRIGHT_CHECKS_SETUP": "uv sync",
        "LOOPWRIGHT_CHECKS_RESET": "make clean",
        "LOOPWRIGHT_CHECKS_BRING": "build",
        "LOOPWRIGHT_CHECKS_SLOTS": "2",
        "LOOPWRIGHT_CHECKS_SABOTAGE": "false",
        "LOOPWRIGHT_CHECKS_SELF_GRADED": "refuse",
        "LOOPWRIGHT_LIMITS_MEMORY": "1.5GB",
        "LOOPWRIGHT_LIMITS_PROCESSES": "10",
        "LOOPWRIGHT_LIMITS_FILE_SIZE": "1000",
        "LOOPWRIGHT_LIMITS_AFTER_RESULT": "1m",
        "LOOPWRIGHT_LIMITS_UNAVAILABLE": "5m",
        "LOOPWRIGHT_LIMITS_OUTPUT": "1MiB",
        "LOOPWRIGHT_LIMITS_FREE_DISK": "1 KB",
        "LOOPWRIGHT_LIMITS_COST_PER_DAY": "5",
        "LOOPWRIGHT_LIMITS_COST_PER_MONTH": "50.5",
        "LOOPWRIGHT_STORE": "/state/x.sqlite",
    }
    loaded = load_settings(tmp_path, environment)
    assert loaded == Settings(WANTED.run, WANTED.checks, WANTED.limits, WANTED.store)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAX_ITERATIONS", "many"),
        ("MAX_ITERATIONS", "0"),
        ("MAX_ITERATIONS", "²"),
        ("MAX_COST", "-1"),
        ("MAX_COST", "nan"),
        ("TIMEOUT", "soon"),
        ("ESCALATE_ON_FAILURE", "maybe"),
        ("SANDBOX", "maybe"),
    ],
)
def test_a_bad_variable_is_named(tmp_path: Path, name: str, value: str) -> None:
    """A value in the environment that can't be meant is named as such, and not as the file's."""
    with pytest.raises(SettingError, match=f"LOOPWRIGHT_RUN_{name}"):
        load_settings(tmp_path, {f"LOOPWRIGHT_RUN_{name}": value})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[limits]\nmemory = 'much'\n", r"limits.memory: `much` is not a size"),
        ("[limits]\nmemory = '8 PB'\n", r"limits.memory: `8 PB` is not a size"),
        ("[limits]\noutput = true\n", r"limits.output: `True` is not a size"),
        ("[limits]\nprocesses = 0\n", r"limits.processes: 0 is not possible here"),
        ("[limits]\nafter_result = '0s'\n", r"limits.after_result: 0 is not possible here"),
        ("[run]\nmax_cost = 'x'\n", r"`loopwright.toml`, run.max_cost: `x` should be a number"),
        ("[run]\nprotect = 'x'\n", r"`loopwright.toml`, run.protect: `x` is not a list"),
        ("[run]\ntimeout = 0\n", r"`loopwright.toml`, run.timeout: "),
        ("[store]\nurl = 3\n", r"`loopwright.toml`, store.url: `3` should be text"),
        ("[store]\npath = 'x'\n", r"there is no field `path` here"),
        ("[profiles.a]\nmodel = 3\n", r"`loopwright.toml`, profiles.a.model: `3` should be text"),
        ("[profiles.a]\nmax_turns = 0\n", r"profiles.a.max_turns: 0 is not possible here: it must be more than 0"),
        ("[profiles.a]\nmax_turns = -3\n", r"profiles.a.max_turns: -3 is not possible here"),
        ("[profiles.a]\ntemperature = -4\n", r"profiles.a.temperature: -4 is not possible here: .* from 0 to 2"),
        ("[profiles.a]\ntemperature = 2.1\n", r"profiles.a.temperature: 2.1 is not possible here"),
        ("[profiles.a]\ntemperature = nan\n", r"profiles.a.temperature: nan is not possible here"),
        ("[profiles.a.planner]\ntemperature = 3\n", r"profiles.a.planner.temperature: 3 is not possible here"),
        ("[profiles.a.verifier]\nmax_turns = 0\n", r"profiles.a.verifier.max_turns: 0 is not possible here"),
        ("[profiles.a.verifier]\nreview = 'self'\n", r"profiles.a.verifier.review: there is no field `review`"),
        ("[profiles.a]\nplanner = 'codex'\n", r"profiles.a.planner: `codex` is not a table"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    """A wrong value in the file is named with the section and the setting."""
    (tmp_path / "loopwright.toml").write_text(text)
    with pytest.raises(SettingError, match=message):
        load_settings(tmp_path, {})


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("", ""),
        ("/state/x.sqlite", "/state/x.sqlite"),
        ("sqlite:////state/x.sqlite", "/state/x.sqlite"),
        ("x.sqlite", "{root}/x.sqlite"),
        ("sqlite:///x.sqlite", "{root}/x.sqlite"),
        ("~/x.sqlite", "{home}/x.sqlite"),
        ("postgresql://host/x", "postgresql://host/x"),
    ],
)
def test_where_the_store_is(tmp_path: Path, own_home: Path, url: str, place: str) -> None:
    """A relative store in the file lies at the repository's root, wherever it is called; in the environment, here."""
    (tmp_path / "loopwright.toml").write_text(f'[store]\nurl = "{url}"\n')
    assert load_settings(tmp_path, {}).store.url == place.format(root=tmp_path, home=own_home)
    (tmp_path / "loopwright.toml").unlink()
    named = load_settings(tmp_path, {"LOOPWRIGHT_STORE": url}).store.url
    assert named == place.format(root=Path.cwd(), home=own_home)


def test_the_home(tmp_path: Path) -> None:
    """The flag goes before the variable, which goes before the repository's own folder."""
    assert home_folder(tmp_path, None, {}) == tmp_path / ".loopwright"
    assert home_folder(tmp_path, None, {"LOOPWRIGHT_HOME": "/state"}) == Path("/state")
    assert home_folder(tmp_path, "/mine", {"LOOPWRIGHT_HOME": "/state"}) == Path("/mine")
    assert home_folder(tmp_path, "mine", {}) == Path.cwd() / "mine"


def test_the_cache(own_home: Path) -> None:
    """Clones lie in XDG_CACHE_HOME or in ~/.cache; a relative or empty one does not count."""
    assert cache_folder({"XDG_CACHE_HOME": "/cache"}) == Path("/cache/loopwright")
    for names in ({}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}):
        assert cache_folder(names) == own_home / ".cache" / "loopwright"


def test_flags_over_file_over_settings_over_defaults(
    repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How often an agent may try: the flag, else the task file, else the variable, else the settings, else 12."""
    flags = ("--grep", "answer:never", *agent("date +%N > notes"))

    def limit(*more: object) -> int:
        called = loopwright("run", "x", *flags, "--timeout", "0.001s", *more)
        assert called.code == 7
        return int(loopwright("show", "--json").json["task"]["max_iterations"])

    task = repo.write("task.toml", 'goal = "y"\nmax_iterations = 2\n')
    assert limit() == 12
    repo.write("loopwright.toml", "[run]\nmax_iterations = 4\n")
    assert limit() == 4
    monkeypatch.setenv("LOOPWRIGHT_RUN_MAX_ITERATIONS", "3")
    assert limit() == 3
    assert limit("--task", task) == 2
    assert limit("--task", task, "--max-iterations", 1) == 1


def test_everything_a_flag_can_say_over_a_task_file(repo: Repo, loopwright: Loopwright) -> None:
    """Each flag of `run` wins over the task file; criteria and globs are added to what is there."""
    repo.write(
        "loopwright.toml",
        '[run]\nprotect = ["s"]\nallow = ["s"]\nrevert_when = "true"\nhosts = ["packages.example.com"]\n',
    )
    task = repo.write(
        "task.toml",
        'goal = "file"\ntask_type = "docs"\nbase = "nowhere"\nmax_cost = 1\nmax_tokens = 1\ntimeout = 1\n'
        'idle_timeout = 1\ncritic = "gate"\n'
        'protect = ["f"]\ncriteria = [{ file = "answer" }]\n',
    )
    over = [
        *("goal", "--task", task, "--task-type", "chore", "--base", "HEAD", "--max-cost", 9, "--max-tokens", 8),
        *("--timeout", "7m", "--idle-timeout", "6s", "--no-escalate", "--protect", "x", "--allow", "y"),
        *("--sandbox", "off", "--critic", "off"),
        *("--file", "README.md", *agent("true")),
    ]
    assert loopwright("run", *over).code == 0
    stored = loopwright("show", "--json").json["task"]
    assert stored == {
        "goal": "goal",
        "criteria": [{"kind": "file", "path": "answer"}, {"kind": "file", "path": "README.md"}],
        "task_type": "chore",
        "base": "HEAD",
        "max_iterations": 12,
        "max_cost": 9.0,
        "max_tokens": 8,
        "timeout_s": 420.0,
        "idle_timeout_s": 6.0,
        "escalate_on_failure": False,
        "revert_when": "true",
        "protect": ["f", "x", "/task.toml"],
        "allow": ["s", "y"],
        "sandbox": "off",
        "hosts": ["packages.example.com"],
        "critic": "off",
    }


def test_a_variable_that_no_setting_has_is_refused(tmp_path: Path) -> None:
    """One that is spelled wrong does not pass for one that is set; other variables of ours are no settings."""
    with pytest.raises(SettingError, match="LOOPWRIGHT_LIMITS_MEMROY") as caught:
        load_settings(tmp_path, {"LOOPWRIGHT_LIMITS_MEMROY": "1 GB"})
    assert "LOOPWRIGHT_LIMITS_MEMORY" in caught.value.hint
    load_settings(tmp_path, {"LOOPWRIGHT_HOME": "x", "LOOPWRIGHT_CHECK": "y"})


@pytest.mark.parametrize(
    ("entry", "trouble"),
    [
        ("https://packages.example.com/simple", "is a URL; its host is `packages.example.com`"),
        ("a b.example.com", "is not a host"),
        ("example.com:99999", "`99999` is not a port: one is a number from 1 to 65535"),
        ("example.com/simple", "is not a host"),
        ("me@example.com", "is not a host"),
        ("*", "name a domain"),
    ],
)
def test_hosts_that_are_none(repo: Repo, loopwright: Loopwright, entry: str, trouble: str) -> None:
    """An entry of `hosts` that is none is refused by its place when the settings are read, and `doctor` says so."""
    repo.write("loopwright.toml", f'[run]\nhosts = ["{entry}"]\n')
    with pytest.raises(SettingError, match=r"^`loopwright\.toml`, run\.hosts: ") as caught:
        load_settings(repo.root)
    assert trouble in caught.value.message and "`api.example.com`" in caught.value.hint
    assert trouble in loopwright("doctor").out


def test_models_and_rubrics(tmp_path: Path) -> None:
    """Who thinks, which rubric a task type has and what a look may cost are read; the environment goes before it."""
    text = '[models]\njudge = "scripted:a"\ntimeout = "5s"\n[rubrics]\ndocs = "x.toml"\n[signals]\njudge_cost = 0.5\n'
    (tmp_path / "loopwright.toml").write_text(text)
    found = load_settings(tmp_path, {"LOOPWRIGHT_MODELS_CRITIC": "api:m"})
    assert found.models == ModelsSettings("scripted:a", "api:m", 5.0)
    assert (dict(found.rubrics), found.judge_cost, dict(found.signals)) == ({"docs": "x.toml"}, 0.5, {})
    for wrong in ("[signals]\njudge_cost = -1", "[models]\ntimeout = 0", "[models]\ncolour = 1"):
        (tmp_path / "loopwright.toml").write_text(wrong)
        with pytest.raises(SettingError):
            load_settings(tmp_path, {})
    with pytest.raises(SettingError, match="LOOPWRIGHT_MODELS_CRITICS"):
        load_settings(tmp_path, {"LOOPWRIGHT_MODELS_CRITICS": "x"})


@pytest.mark.parametrize("price", ["nan", "-5", "inf"])
def test_a_price_that_is_none(tmp_path: Path, price: str) -> None:
    """What can't be a price is refused before anything is chosen by it."""
    (tmp_path / "loopwright.toml").write_text(f"[experiments]\nprice = {price}\n")
    with pytest.raises(SettingError, match=r"experiments.price"):
        load_settings(tmp_path, {})
